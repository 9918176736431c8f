# moontile doctor where a driver hangs or crashes, or something is missing: it always ends,
# and says so.
[ -e /dev/kfd ] || [ -e /dev/mxcd ] && { echo "a card of its own"; exit 77; }
. lib/examine.sh
d "maca --limit 1" FAKE_WAVE_HANG=load
d "hip --limit 1" FAKE_WAVE_HANG=count
lang=zh d "hip --limit 1" FAKE_WAVE_HANG=count
d "maca --limit 8" FAKE_WAVE_HANG=rate | grep 'matrix units\|first launch\|status'
d maca FAKE_WAVE_CRASH=load
lang=zh d maca FAKE_WAVE_CRASH=load
d hip FAKE_WAVE_CRASH=vector_add | tail -2
d maca FAKE_WAVE_CRASH=product | grep 'matrix units\|status'
d maca FAKE_WAVE_CRASH=probe | grep '^  \|status' | sed '/^    /d'
d maca MOONTILE_MACA_LIB=/nowhere/libmcruntime.so
lang=zh d maca MOONTILE_MACA_LIB=/nowhere/libmcruntime.so
d hip FAKE_WAVE_COUNT=0 HIP_VISIBLE_DEVICES=7
d hip FAKE_WAVE_COUNT=0
d hip MOONTILE_HIPRTC_LIB=/nowhere/librtc.so | tail -3
d maca FAKE_WAVE_REFUSE=1 | tail -3
