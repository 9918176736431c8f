# `make conform`: the whole conformance suite, the examples and the puzzles through the
# stand-ins for the run-times of maca and hip, threads forwards and backwards.  Takes
# minutes.
#
#     sh lib/all.sh FOLDER        FOLDER: for caches
#
# All of it is bit-equal with the simulator of the same machine: the stand-in's elementary
# functions are the simulator's own, and it sums products in the same order.  A card's
# differ in their last bits, where the suite allows what the reference does.
mkdir -p "$1"
TMP=$(cd "$1" && pwd)
export TMP MOONTILE_CACHE_DIR="$TMP/cache"
. lib/standin.sh
use std
. lib/conform.sh
failed=0
all() { # all TARGET
    for suite in elementwise gemm reduce attention; do
        conform $suite "$1" 1 | tee "$TMP/out"
        ! grep -q 'FAILS\|error' "$TMP/out" && grep -q ', 0 failures' "$TMP/out" || failed=1
    done
}
for order in forward reverse; do
    export STANDIN_ORDER=$order
    echo "== threads go $order"
    for options in "" "-async=on" "-packed=on" "-mma=off"; do
        all "maca $options"
    done
    for chip in gfx942 gfx90a gfx1100; do
        export STANDIN_CHIP=$chip
        all "hip -arch=$chip"
    done
done
export STANDIN_ORDER=forward
for spec in maca "hip -arch=gfx942" "hip -arch=gfx1100"; do
    export STANDIN_CHIP=${spec#*=}
    for f in ../../lua/examples/*.lua; do
        name=$(basename "$f" .lua)
        [ "$name" = frame ] && continue
        if "$MOONTILE" --lang en -t "$spec" "$f" small >"$TMP/out" 2>&1; then
            echo "$spec $name: $(grep -c agrees "$TMP/out") agree"
        else
            echo "$spec $name: FAILS"
            cat "$TMP/out"
            failed=1
        fi
    done
done
# The device is too small for timing puzzles; 21 is about what only sm_90a has.
export STANDIN_CHIP=gfx942 STANDIN_MEMORY=6000000
for t in maca hip; do
    for p in ../../puzzles/[0-9]*; do
        [ "$(basename "$p")" = 21-warp-roles ] && continue
        "$MOONTILE" --lang en puzzles verify -t $t "$(basename "$p")" 2>&1 | tee "$TMP/out"
        grep -q '^ok' "$TMP/out" || failed=1
    done
done
exit $failed
