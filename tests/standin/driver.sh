# Each way in which a run-time or its device can be missing, or not be what is expected,
# has a message of its own, in both languages.
. lib/standin.sh
use std
run() { # run TARGET [NAME=VALUE ..]
    echo "== $*" | sed "s#$work#WORK#g"
    target=$1
    shift
    env "$@" "$MOONTILE" --lang en -t "$target" ../cuda/lib/twice.lua 2>&1 | brief
}
for t in maca hip; do
    run $t
    run $t MOONTILE_MACA_LIB=/nowhere/lib.so MOONTILE_HIP_LIB=/nowhere/lib.so
    run $t STANDIN_COUNT=0
    run $t STANDIN_COUNT=0 MACA_VISIBLE_DEVICES=7 HIP_VISIBLE_DEVICES=7
    run $t STANDIN_INIT=ErrorUnknown
    run "$t -device=3"
    run $t STANDIN_LOAD=ErrorNoBinaryForGpu
    run $t STANDIN_MEMORY=1000
    MOONTILE_MACA_LIB=/nowhere/lib.so MOONTILE_HIP_LIB=/nowhere/lib.so \
        "$MOONTILE" --lang zh -t $t ../cuda/lib/twice.lua 2>&1 | brief
done
run maca STANDIN_NAME="MetaX C550"
run maca STANDIN_NAME="a name that says nothing"
run hip STANDIN_CHIP=gfx803 STANDIN_NAME="AMD Fiji"
run "hip -arch=gfx90a"
run "hip -arch=gfx1100" STANDIN_CHIP=gfx1100
run hip STANDIN_CHIP=gfx1101 STANDIN_NAME="AMD Radeon RX 7800 XT"
run hip STANDIN_CHIP=gfx936:sramecc+:xnack- STANDIN_NAME="Hygon"
run "hip -arch=gfx9"
run "maca -wave=64"
echo "== a library that lacks an entry point"
use less -DSTANDIN_LACKS_MODULES
run maca
