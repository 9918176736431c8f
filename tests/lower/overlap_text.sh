# Products by warp groups under other work: what starts where, which wait stands
# where, who takes turns; zeros and masks that are gone.
show() {
    echo "== $1"
    CASE=$1 "$MOONTILE" compile --emit thread -t "sim -arch=sm_90a" lib/overlap.lua 2>&1 |
        sed -n 's/ @[0-9].*//; /role 0/,/role [1-9]/p' |
        sed -n '/setmaxnreg/d; s/^      //
                /pipe_\|wgmma\|bar_\|serial\|if \|else\|shfl\|select\|= 0\.0\|float16(\|:note\|E57/p' |
        sed 's/ n=64 .*//; s/\.[0-9]*\[/[/g'
}
for c in turned mask behind sum direct apart stage turns three fixed dynamic; do
    show $c
done
CASE=direct NOTES=1 "$MOONTILE" lib/overlap.lua 2>/dev/null
