# moontile doctor where a driver hangs or crashes, or something is missing: it always ends,
# and says so.
[ -e /dev/kfd ] || [ -e /dev/mxcd ] && { echo "a card of its own"; exit 77; }
. lib/examine.sh
d "maca --limit 1" STANDIN_HANG=load
d "hip --limit 1" STANDIN_HANG=count
lang=zh d "hip --limit 1" STANDIN_HANG=count
d "maca --limit 8" STANDIN_HANG=rate | grep 'matrix units\|first launch\|status'
d maca STANDIN_CRASH=load
lang=zh d maca STANDIN_CRASH=load
d hip STANDIN_CRASH=vector_add | tail -2
d maca STANDIN_CRASH=product | grep 'matrix units\|status'
d maca STANDIN_CRASH=probe | grep '^  \|status' | sed '/^    /d'
d maca MOONTILE_MACA_LIB=/nowhere/libmcruntime.so
lang=zh d maca MOONTILE_MACA_LIB=/nowhere/libmcruntime.so
d hip STANDIN_COUNT=0 HIP_VISIBLE_DEVICES=7
d hip STANDIN_COUNT=0
d hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so | tail -3
d maca STANDIN_REFUSE=1 | tail -3
