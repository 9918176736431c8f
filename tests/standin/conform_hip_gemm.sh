# The conformance suite through the run-time of hip, on chips with waves of 64 lanes: products;
# most texts of gfx90a are those of gfx942.
. lib/standin.sh
use std
. lib/conform.sh
conform gemm "hip -arch=gfx942" 1
export STANDIN_CHIP=gfx90a
conform gemm "hip -arch=gfx90a" 1
