# The same through the run-time of hip, on chips with waves of 64 lanes.
. lib/wave.sh
use std
. lib/conform.sh
conform gemm "hip -arch=gfx942" 6
conform reduce "hip -arch=gfx942" 12
conform attention "hip -arch=gfx942" 12
conform elementwise "hip -arch=gfx942" 20
FAKE_WAVE_CHIP=gfx90a conform gemm "hip -arch=gfx90a" 15
