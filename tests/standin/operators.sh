# A sample of T's names through the stand-ins for maca and hip: the printed text leaves what the
# simulator of the same machine leaves, bit by bit.  `make hunt` runs all of them.
. lib/standin.sh
use std
. lib/operators.sh
operators "maca -async=on" "sim -arch=c500" "" 23 3
operators "hip -arch=gfx942" "sim -arch=gfx942" gfx942 23 9
operators "hip -arch=gfx1100" "sim -arch=gfx1100" gfx1100 23 17
