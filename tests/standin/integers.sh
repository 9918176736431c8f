# Expressions over integers at the ends of their types through the stand-ins for maca and hip: the printed text
# computes what plain Lua does, see ../hunt/integers.lua.  `make hunt` runs thousands.
. lib/standin.sh
use std
for t in maca "hip -arch=gfx942" "hip -arch=gfx1100"; do
    echo "== $t"
    STANDIN_CHIP=${t#*=} "$MOONTILE" --lang en ../hunt/integers.lua --targets "$t" --count 2 --size 250 2>"$TMP/err" ||
        cat "$TMP/err"
done
