# shellcheck shell=sh disable=SC1091 # in the folder above
# integers_all.sh N: 5,000 expressions over integers at the ends of their types, the Nth such lot, on the
# simulator, the cpu and through the stand-ins for maca and hip: `make hunt`.
. lib/standin.sh
use std
STANDIN_CHIP=gfx942 "$MOONTILE" --lang en ../hunt/integers.lua --seed $(($1 * 20)) --count 20 --size 250 \
    --targets "sim,sim -arch=sm_90a,cpu,maca,hip -arch=gfx942" 2>"$TMP/err"
