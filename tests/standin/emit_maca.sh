# The printed MACA of the same kernels, compiled by clang with what MetaX' compiler has
# built in given by lib/emit_maca.h: words, types, operands.  See emit_hip.sh.
CLANG=$(command -v clang-19) || { echo "no clang-19 here"; exit 77; }
. lib/kernels.sh

compile() { # SUITE
    print maca c500 "$1"
    join maca c500 "$1"
    check "c500-$1" gfx942 -include "$PWD/lib/emit_maca.h"
}

STEP=1
compile corpus
if [ "$MOONTILE_EMIT" = all ]; then
    for suite in examples elementwise reduce gemm attention; do compile $suite; done
else
    STEP=2
    compile examples
fi
# Copies that are not waited for, and products without matrix instructions
for switch in -async=on -mma=off; do
    "$MOONTILE" compile lib/gemm.lua --emit maca -t "maca -arch=c500 $switch" >"$TMP/c500$switch.text" \
        2>"$TMP/log" || cat "$TMP/log"
    check "c500$switch" gfx942 -include "$PWD/lib/emit_maca.h"
    grep -o -h '__builtin_mxc_[0-9a-z_]*' "$TMP/c500$switch.text" | sort -u | tr '\n' ' '
    echo "with $switch"
done
# A wait leaves the copies of later rounds on their way, where there are such
for stages in 2 3 4; do
    sed "s/num_stages = 2/num_stages = $stages/; s/K = 128/K = 512/" lib/gemm.lua >"$TMP/ring.lua"
    echo "num_stages = $stages"
    "$MOONTILE" compile "$TMP/ring.lua" --emit maca -t "maca -arch=c500 -async=on" \
        >"$TMP/ring$stages.text" 2>&1
    grep -A 3 -B 1 -h -m 1 arrive_gvmcnt "$TMP/ring$stages.text" | grep 'if\|else\|gvmcnt'
    check "ring$stages" gfx942 -include "$PWD/lib/emit_maca.h"
done
echo "all texts compile"
