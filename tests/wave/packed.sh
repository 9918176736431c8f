# Kernels over elements of 4 bits through the stand-ins for maca and hip: the printed text computes what an interpreter
# does, see ../hunt/packed.lua.  `make hunt` runs hundreds.
. lib/wave.sh
use std
for t in maca "hip -arch=gfx942" "hip -arch=gfx1100"; do
    echo "== $t"
    FAKE_WAVE_CHIP=${t#*=} "$MOONTILE" --lang en ../hunt/packed.lua --targets "$t" --count 12 2>"$TMP/err" ||
        cat "$TMP/err"
done
# Elements of a byte from other lanes.
FAKE_WAVE_CHIP=gfx942 "$MOONTILE" --lang en ../hunt/packed.lua --targets "hip -arch=gfx942" --seed 1783 --count 1 2>"$TMP/err"
