# What is printed for one product on each machine: its instruction, its lanes, its copies.
# And what cannot be printed.
for target in "hip -arch=gfx942" "hip -arch=gfx1100" "maca -arch=c500" "maca -arch=c500 -async=on"; do
    echo "== $target"
    "$MOONTILE" --lang en compile lib/gemm.lua --emit "${target%% *}" -t "$target" 2>&1
done
# The simulator's machine names the target's
"$MOONTILE" compile lib/gemm.lua --emit hip -t "sim -arch=gfx90a" | head -n 1
"$MOONTILE" compile lib/gemm.lua --emit maca | head -n 1
for lang in en zh; do
    echo "== refused ($lang)"
    "$MOONTILE" --lang $lang lib/refused.lua 2>&1
done
