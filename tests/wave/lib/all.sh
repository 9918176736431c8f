# `make conform`: the whole conformance suite and the examples through the stand-ins for
# the run-times of maca and hip, threads forwards and backwards.  Takes minutes.
#
#     sh lib/all.sh FOLDER        FOLDER: for caches
mkdir -p "$1"
TMP=$(cd "$1" && pwd)
export TMP MOONTILE_CACHE_DIR="$TMP/cache"
. lib/wave.sh
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
    export FAKE_WAVE_ORDER=$order
    echo "== threads go $order"
    for options in "" "-async=on" "-packed=on"; do
        all "maca $options"
    done
    for chip in gfx942 gfx90a gfx1100; do
        export FAKE_WAVE_CHIP=$chip
        all "hip -arch=$chip"
    done
done
for target in maca hip; do
    for f in ../../lua/examples/*.lua; do
        name=$(basename "$f" .lua)
        [ "$name" = frame ] && continue
        if "$MOONTILE" --lang en -t $target "$f" small >"$TMP/out" 2>&1; then
            echo "$target $name: $(grep -c agrees "$TMP/out") agree"
        else
            echo "$target $name: FAILS"
            cat "$TMP/out"
            failed=1
        fi
    done
done
exit $failed
