# do_bench of a function: where it only launches kernels, these are replayed on the device in their
# order, the caches flushed before the first; where the host takes part, the function is called.
. lib/fake.sh
fake
fake_rtc
try() { # try KIND [warm]
    echo "== $*"
    : >"$TMP/log"
    "$MOONTILE" --lang en -t cuda lib/functions.lua "$@" 2>&1
    sed -n -e 's/^launch.*/launch/p' -e 's/^set [0-9]\{8,\}$/flush/p' "$TMP/log" | uniq -c
}
try one
try chain
try chain warm
try host
try none
