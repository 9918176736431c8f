# The same on a chip with waves of 32 lanes.
. lib/wave.sh
use std
. lib/conform.sh
export FAKE_WAVE_CHIP=gfx1100
conform gemm "hip -arch=gfx1100" 6
conform reduce "hip -arch=gfx1100" 12
conform attention "hip -arch=gfx1100" 12
conform elementwise "hip -arch=gfx1100" 20
