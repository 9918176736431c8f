# The stand-ins keep the rules of the run-times that they stand in for: names, sizes,
# limits, the device of a thread, handles, errors that stay.  What a program must never do
# is answered and written down: lib/standin.sh fails every test of this folder by it.
. lib/standin.sh
made std
${CC:-cc} -std=gnu11 -o "$TMP/rules" lib/rules.c -ldl -pthread || exit 1
export STANDIN_MEMORY=1000
try() {
    "$TMP/rules" "$@" >"$TMP/all" 2>&1
    [ $# = 4 ] && cat "$TMP/all" || sed '1,/^kernel: /d' "$TMP/all"
    echo "-- written down"
    cat "$STANDIN_CRIMES"
    rm "$STANDIN_CRIMES"
}
for what in "" handles; do
    echo "== MACA${what:+ $what}"
    try mc "$work/std/libmcruntime.so" mcrtc "$work/std/libmcruntime.so" $what
    echo "== HIP${what:+ $what}"
    try hip "$work/std/libamdhip64.so" hiprtc "$work/std/libhiprtc.so" $what
done
echo "== names"
for f in libmcruntime libamdhip64 libhiprtc; do
    echo "$f: $(nm -D --defined-only "$work/std/$f.so" | awk '$3 ~ /^(mc|hip)/ { print $3 }' | tr '\n' ' ')"
done | fmt -w 100
