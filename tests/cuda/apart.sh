# A compiler has made machine code in which the lanes of a warp may stay apart: the session says so
# when it loads it, once, from the cache too, and in the user's language; the kernel runs.
. lib/fake.sh
fake
fake_rtc
try() { # try LANGUAGE: three launches
    FAKE_CUDA_RTC=apart "$MOONTILE" --lang "$1" -t cuda lib/twice.lua 3 2>&1
}
echo "== compiled"
try en
echo "== from the cache"
try zh
echo "== another compiler's"
MOONTILE_CACHE_DIR="$TMP/other" "$MOONTILE" --lang en -t cuda lib/twice.lua 2>&1
