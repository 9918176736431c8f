# The chip of -t and the text of --emit: its own, the target's usual one, or refused; in silence never.
for t in auto cpu "sim -arch=sm_80" "sim -arch=gfx90a" "hip -arch=gfx90a" "cuda -arch=sm_75" "sim -arch=sm_123" "cuda -arch=gfx9"; do
    for kind in cuda hip c; do
        echo "-- -t '$t' --emit $kind"
        "$MOONTILE" --lang en compile kernels.lua -t "$t" --emit $kind -o out >/dev/null 2>err || tail -n +1 err | grep -v '^ *[0-9]* |'
        head -qn 1 out/*.* 2>/dev/null | head -n 1
        rm -rf out
    done
done
