# Kernels over elements of 4 bits through the stand-ins for maca and hip: the printed text computes what an interpreter
# does, see ../hunt/packed.lua.  `make hunt` runs hundreds.  Then some that were wrong there.
. lib/standin.sh
use std
for t in maca "hip -arch=gfx942" "hip -arch=gfx1100"; do
    echo "== $t"
    export STANDIN_CHIP="${t#*=}"
    "$MOONTILE" --lang en ../hunt/packed.lua --targets "$t" --count 12 2>"$TMP/err" || cat "$TMP/err"
    for f in lanes_of_bytes views_of_local; do
        echo "$f: $("$MOONTILE" --lang en -t "$t" "../hunt/lib/found/$f.lua" 2>&1)"
    done
done
