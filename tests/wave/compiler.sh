# The compiler's library missing, broken or refusing a text; the offline compiler in its
# place is said.
. lib/wave.sh
use std
export MOONTILE_CACHE_DIR="$TMP/cache"
run() { # run TARGET [NAME=VALUE ..]
    echo "== $*" | sed "s#$work#WORK#g"
    target=$1
    shift
    rm -rf "$MOONTILE_CACHE_DIR"
    env "$@" "$MOONTILE" --lang en -t "$target" ../cuda/lib/twice.lua 2 2>&1 | brief |
        sed 's#[0-9a-f]\{32\}#HASH#g'
}
for t in maca hip; do
    run $t FAKE_WAVE_REFUSE=1
    tail -3 "$MOONTILE_CACHE_DIR"/*.log | head -1
    grep -h 'as the test asked' "$MOONTILE_CACHE_DIR"/*.log
    run $t FAKE_WAVE_RTC=4
    run $t FAKE_WAVE_RTC=4 MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run $t FAKE_WAVE_RTC=none MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run "$t -rtc=off" MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run "$t -rtc=off"
done
run hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so
run hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so MOONTILE_HIPCC="$work/std/hipcc"
run "hip -build -arch=gfx90a"
use none -DSTANDIN_NO_RTC
run maca
run maca MOONTILE_MXCC="$work/std/mxcc"
MOONTILE_MXCC="$work/std/mxcc" "$MOONTILE" --lang zh -t maca ../cuda/lib/twice.lua 2>&1 | brief
