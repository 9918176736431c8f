# Parameters in both forms, copies, the cache of code, libraries that have less, and the
# two names of the compiler's getters.
. lib/standin.sh
log() { sed "s#$work#WORK#g" "$TMP/log"; : >"$TMP/log"; }
twice() { "$MOONTILE" --lang en -t "$1" ../cuda/lib/twice.lua $2 2>&1 | brief; }
export STANDIN_LOG="$TMP/log" MOONTILE_CACHE_DIR="$TMP/cache"
: >"$TMP/log"
use std
for t in maca hip; do
    echo "== $t"
    twice $t
    log
    echo "== $t, three launches, one load, the code from the cache"
    twice $t 3
    log
    echo "== $t, packed"
    twice "$t -packed=on"
    grep launch "$TMP/log"
    : >"$TMP/log"
done
echo "== a damaged entry is made anew"
entry=$(ls "$MOONTILE_CACHE_DIR"/*.mcbin)
cp "$entry" "$TMP/good"
dd if=/dev/zero of="$entry" bs=1 seek=100 count=8 conv=notrunc 2>/dev/null
twice maca
cmp "$entry" "$TMP/good" && echo "as it was"
: >"$TMP/log"
echo "== no fill, no mapped memory of the host's"
use small -DSTANDIN_LACKS_MEMSET -DSTANDIN_LACKS_MAPPING
twice maca
log
"$MOONTILE" --lang en -t maca lib/talk.lua numbers >"$TMP/maca" 2>&1
"$MOONTILE" --lang en -t "sim -arch=c500" lib/talk.lua numbers >"$TMP/sim" 2>&1
cmp "$TMP/maca" "$TMP/sim" && echo "what is printed is the same"
echo "== GetCode in place of GetBitcode"
use old -DSTANDIN_OLD_NAMES
twice maca
echo "== only one form is taken"
use std
STANDIN_FORM=extra twice maca
STANDIN_FORM=extra twice "maca -packed=on"
