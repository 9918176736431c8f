# Each way in which a run-time or its device can be missing, or not be what is expected,
# has a message of its own, in both languages.
. lib/wave.sh
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
    run $t FAKE_WAVE_COUNT=0
    run $t FAKE_WAVE_COUNT=0 MACA_VISIBLE_DEVICES=7 HIP_VISIBLE_DEVICES=7
    run $t FAKE_WAVE_INIT=ErrorUnknown
    run "$t -device=3"
    run $t FAKE_WAVE_LOAD=ErrorNoBinaryForGpu
    run $t FAKE_WAVE_MEMORY=1000
    MOONTILE_MACA_LIB=/nowhere/lib.so MOONTILE_HIP_LIB=/nowhere/lib.so \
        "$MOONTILE" --lang zh -t $t ../cuda/lib/twice.lua 2>&1 | brief
done
run maca FAKE_WAVE_NAME="MetaX C550"
run maca FAKE_WAVE_NAME="a name that says nothing"
run hip FAKE_WAVE_CHIP=gfx803 FAKE_WAVE_NAME="AMD Fiji"
run "hip -arch=gfx90a"
run "hip -arch=gfx1100" FAKE_WAVE_CHIP=gfx1100
run hip FAKE_WAVE_CHIP=gfx1101 FAKE_WAVE_NAME="AMD Radeon RX 7800 XT"
run hip FAKE_WAVE_CHIP=gfx936:sramecc+:xnack- FAKE_WAVE_NAME="Hygon"
run "hip -arch=gfx9"
run "maca -wave=64"
echo "== a library that lacks an entry point"
use less -DSTANDIN_LACKS_MODULES
run maca
