# What a session says where the driver and the compiler fail, lie, crash or make odd things, and
# where the cache cannot be used: three launches, each told by `right` or by the number of its
# error, and how the program ends, which runs a fourth one if the third has failed.
# lib/turn.h and lib/fake_rtc.h play it all; tests/unit/cuda_fail.c does it to every single call.
. lib/fake.sh
fake
fake_rtc
unset FAKE_CUDA_LOG
n=0
# attack NAME=VALUE ..: a line of what was seen; messages that no user may see follow it
attack() {
    rm -f "$TMP/mark"
    n=$((n + 1))
    out=$(env MOONTILE_CACHE_DIR="$TMP/cache-$n" FAKE_CUDA_MARK="$TMP/mark" "$@" timeout 300 \
        "$MOONTILE" --lang en -t cuda lib/attack.lua 2>"$TMP/err")
    echo "$(echo "$*" | sed -e 's/FAKE_CUDA_//g' -e "s#$TMP#TMP#g"): $out, exit $?"
    grep -a -e 'E999' -e 'runtime error:' -e 'Sanitizer' -e "$(printf '\033')" "$TMP/err"
}
# The message at the end of the program, without its place.
said() { brief <"$TMP/err" | sed 's#[0-9a-f]\{32\}#HASH#g; s#cache-[0-9]*#CACHE#g'; }

echo "== once, and each time: a lost context, a number that nobody knows"
for c in cuInit cuDeviceGetCount cuDeviceGetAttribute cuDevicePrimaryCtxRetain cuCtxSetCurrent \
    cuStreamCreate cuModuleLoadDataEx cuModuleGetFunction cuMemAlloc_v2 cuMemcpyHtoDAsync_v2 \
    cuStreamSynchronize cuEventRecord; do
    for e in 700 12345; do
        attack FAKE_CUDA_FAIL="$c 1 $e"
        attack FAKE_CUDA_FAIL="$c 0 $e"
    done
done
echo "== and what each launch does, at the first, the second, the third"
for c in cuMemsetD8Async cuLaunchKernelEx cuEventElapsedTime cuMemcpyDtoHAsync_v2; do
    for e in 700 12345; do
        for k in 1 2 3; do
            attack FAKE_CUDA_FAIL="$c $k $e"
        done
    done
done
echo "== the compiler's library"
for c in nvrtcVersion nvrtcCreateProgram nvrtcCompileProgram nvrtcGetCUBINSize nvrtcGetCUBIN; do
    attack FAKE_CUDA_FAIL="$c 0 11"
done
for how in refuse empty half garbage crash; do
    attack FAKE_CUDA_RTC=$how
    said
done
attack FAKE_CUDA_RTC=noise FAKE_CUDA_NOISE=5000000
[ "$(cat "$TMP/cache-$n"/*.log | wc -c)" -lt 1200000 ] && echo "a part of the messages is kept"
echo "== odd figures"
for lie in "cuDriverGetVersion 0 none" "cuDeviceGetCount 0 none" "cuDeviceGetCount 0 minus" \
    "cuDeviceGetName 0 none" "cuDeviceGetName 0 huge" "cuDeviceTotalMem_v2 0 none" \
    "cuDeviceTotalMem_v2 0 huge" "cuDeviceGetAttribute#16 0 none" \
    "cuDeviceGetAttribute#16 0 huge" "cuDeviceGetAttribute#97 0 huge" \
    "cuDeviceGetAttribute#1 0 none" "cuDeviceGetAttribute#75 0 none" \
    "cuDeviceGetAttribute#75 0 huge" "cuMemAlloc_v2 0 none" "cuStreamCreate 0 none" \
    "cuEventCreate 0 none" "cuModuleLoadDataEx 0 none" "cuModuleGetFunction 0 none" \
    "cuEventElapsedTime 0 odd" "nvrtcGetCUBINSize 0 huge" "nvrtcGetCUBINSize 0 minus"; do
    attack FAKE_CUDA_LIE="$lie"
done
attack FAKE_CUDA_LIE="cuMemAlloc_v2 0 none"
said
echo "== a name with all that a terminal obeys"
attack FAKE_CUDA_LIE="cuDeviceGetName 0 odd" FAKE_CUDA_FAIL="cuDevicePrimaryCtxRetain 0 46"
said
echo "== a driver that takes its time"
attack FAKE_CUDA_SLOW="cuModuleLoadDataEx 1500" MOONTILE_TIME_LIMIT=1
echo "== a cache that cannot be written, or is no folder"
: >"$TMP/file"
attack MOONTILE_CACHE_DIR="$TMP/file" TMPDIR="$TMP/file"
said
echo "== entries that are cut, empty, another's, of another chip, folders"
n=0
attack MOONTILE_CACHE_DIR="$TMP/kept"
attack MOONTILE_CACHE_DIR="$TMP/kept" FAKE_CUDA_CC=8.0
spoil() { # spoil WHAT IT DOES, COMMAND on each entry $f
    rm -rf "$TMP/spoilt"
    cp -r "$TMP/kept" "$TMP/spoilt"
    for f in "$TMP/spoilt"/*.*; do eval "$2"; done
    echo "$1"
    attack MOONTILE_CACHE_DIR="$TMP/spoilt"
}
spoil cut 'head -c 200 "$f" >"$f.new"; mv "$f.new" "$f"'
spoil empty ': >"$f"'
spoil changed 'printf x | dd of="$f" bs=1 seek=60 conv=notrunc 2>/dev/null'
spoil swapped 'mv "$f" "$TMP/a"; cp "$before" "$f" 2>/dev/null; before="$TMP/b"; mv "$TMP/a" "$before"'
spoil folders 'rm "$f"; mkdir "$f"'
spoil "beyond reach" 'chmod 0 "$f"'
spoil pipes 'rm "$f"; mkfifo "$f"'
echo "== twelve at once on one cache"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    MOONTILE_CACHE_DIR="$TMP/crowd" "$MOONTILE" --lang en -t cuda lib/attack.lua >"$TMP/crowd-$i" 2>&1 &
done
wait
cat "$TMP"/crowd-* | sort | uniq -c
[ -z "$(ls "$TMP/crowd" | grep -e '^tmp')" ] && echo "nothing half made is left"
