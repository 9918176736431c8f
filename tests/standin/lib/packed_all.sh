# shellcheck shell=sh disable=SC1091 # in the folder above
# packed_all.sh N: 500 kernels over elements of 4 bits and 2,000 expressions with constants of a type, the Nth such lot, on
# simulated machines, the cpu and through the stand-ins for maca and hip: `make hunt`.
. lib/standin.sh
use std
export STANDIN_CHIP=gfx942
stands="maca,hip -arch=gfx942"
"$MOONTILE" --lang en ../hunt/floats.lua --seed $(($1 * 8)) --count 8 --size 250 --targets "sim,sim -arch=sm_90a,cpu,$stands" \
    2>"$TMP/err" || bad=1
"$MOONTILE" --lang en ../hunt/packed.lua --seed $(($1 * 500)) --count 500 \
    --targets "sim -arch=sm_75,sim -arch=sm_80,sim -arch=sm_90a,sim -arch=gfx942,sim -arch=c500,cpu,$stands" 2>"$TMP/err" || bad=1
exit ${bad:-0}
