# What is said where copies of fragments are too large for shared memory.
show() {
    echo "== $1 $2"
    "$MOONTILE" --lang "$1" -t "$3" lib/staging.lua "$2" 2>&1 | sed -n '/^notes$\|^说明$/,$p; /\[E537\]/,$p'
}
"$MOONTILE" -t "sim -arch=sm_80" lib/staging.lua banks 2>&1
for lang in en zh; do
    show $lang rounds "sim -arch=sm_75"
    show $lang again "sim -arch=c500 -shared=20480"
    show $lang scan "sim -arch=sm_75"
done
