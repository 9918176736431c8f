# The stand-ins keep the rules of the run-times that they stand in for: sizes, limits,
# the device of a thread, errors that stay.
. lib/wave.sh
made std
${CC:-cc} -std=gnu11 -o "$TMP/rules" lib/rules.c -ldl -pthread || exit 1
export FAKE_WAVE_MEMORY=1000
echo "== MACA"
"$TMP/rules" mc "$work/std/libmcruntime.so" mcrtc "$work/std/libmcruntime.so"
echo "== HIP"
"$TMP/rules" hip "$work/std/libamdhip64.so" hiprtc "$work/std/libhiprtc.so"
