# The same on a chip with waves of 32 lanes; `make conform` runs all cases.
. lib/standin.sh
use std
. lib/conform.sh
export STANDIN_CHIP=gfx1100
conform gemm "hip -arch=gfx1100" 4
conform attention "hip -arch=gfx1100" 9
conform reduce "hip -arch=gfx1100" 9
conform elementwise "hip -arch=gfx1100" 12
