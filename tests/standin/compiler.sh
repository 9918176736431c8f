# The compiler's library missing, broken or refusing a text; the offline compiler in its
# place is said.
. lib/standin.sh
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
    run $t STANDIN_REFUSE=1
    tail -3 "$MOONTILE_CACHE_DIR"/*.log | head -1
    grep -h 'as the test asked' "$MOONTILE_CACHE_DIR"/*.log
    run $t STANDIN_RTC=4
    run $t STANDIN_RTC=4 MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run $t STANDIN_RTC=none MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run "$t -rtc=off" MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
    run "$t -rtc=off"
done
echo "== what is made is no code; it is not kept"
again() { "$MOONTILE" --lang en -t "$1" ../cuda/lib/twice.lua 2>&1 | brief; }
for t in maca hip; do
    run $t STANDIN_RTC=garbage
    again $t
done
# tool WHAT IT DOES, COMMANDS: an offline compiler that does that
tool() {
    echo "== an offline compiler that $1"
    printf '#!/bin/sh\n[ "$1" = --version ] && { echo "odd 2.0"; exit; }\n%s\n' "$2" >"$TMP/odd"
    chmod +x "$TMP/odd"
    run "maca -rtc=off" MOONTILE_MXCC="$TMP/odd"
}
last='for f; do in=$f; done; while [ "$1" != -o ]; do shift; done; out=$2'
tool 'says no' 'echo "k.maca:1: error: odd" >&2; exit 1'
grep -h 'error: odd' "$MOONTILE_CACHE_DIR"/*.log
tool 'makes nothing' 'exit 0'
tool "gives the text back" "$last; cp \"\$in\" \"\$out\""
tool "makes an empty file" "$last; : >\"\$out\""
tool 'dies' 'kill -9 $$'
tool "serves" "$last; exec \"$work/std/mxcc\" -x maca --offload-arch=xcore1000 -o \"\$out\" \"\$in\""
echo "== an offline compiler that hangs: it ends with what waits for it"
printf '#!/bin/sh\n[ "$1" = --version ] && { echo "odd 2.0"; exit; }\necho $$ >"%s/pid"\nexec sleep 300\n' "$TMP" >"$TMP/odd"
rm -rf "$MOONTILE_CACHE_DIR"
MOONTILE_MXCC="$TMP/odd" "$MOONTILE" --lang en -t "maca -rtc=off" ../cuda/lib/twice.lua >"$TMP/hung" 2>&1 &
while [ ! -s "$TMP/pid" ]; do sleep 0.1; done
kill -INT $!
wait $!
echo "exit $?"
brief <"$TMP/hung"
n=0
while kill -0 "$(cat "$TMP/pid")" 2>/dev/null && [ $n -lt 600 ]; do n=$((n + 1)); sleep 0.2; done
kill -0 "$(cat "$TMP/pid")" 2>/dev/null && echo "it goes on" && kill "$(cat "$TMP/pid")"
run hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so
run hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so MOONTILE_HIPCC="$work/std/hipcc"
run "hip -build -arch=gfx90a"
use unread -DSTANDIN_NO_GETTER
for t in maca hip; do
    run $t
    run $t MOONTILE_MXCC="$work/std/mxcc" MOONTILE_HIPCC="$work/std/hipcc"
done
use none -DSTANDIN_NO_RTC
run maca
run maca MOONTILE_MXCC="$work/std/mxcc"
MOONTILE_MXCC="$work/std/mxcc" "$MOONTILE" --lang zh -t maca ../cuda/lib/twice.lua 2>&1 | brief
