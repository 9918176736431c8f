# Parameters, grids, copies between host and device, the cache of machine code.
. lib/fake.sh
fake
need_nvrtc
export FAKE_CUDA_PARAMS="8 8 4"
log() { sed -e 's/ 0000[0-9a-f]\{12\}/ ADDRESS/g' "$TMP/log"; : >"$TMP/log"; }
entry() { ls "$MOONTILE_CACHE_DIR"/*.cubin; }
export MOONTILE_CACHE_DIR="$TMP/cache"

echo "== one launch"
run A=first
log
echo "== the code comes from the cache, and a damaged entry is made anew"
entry | wc -l
cp "$(entry)" "$TMP/good"
dd if=/dev/zero of="$(entry)" bs=1 seek=100 count=8 conv=notrunc 2>/dev/null
cmp -s "$(entry)" "$TMP/good" || echo damaged
run A=second
cmp "$(entry)" "$TMP/good" && echo "as it was"
: >"$TMP/log"
echo "== three launches, one load"
"$MOONTILE" --lang en -t cuda lib/twice.lua 3 2>&1 | brief
log
echo "== a chip that the compiler does not know: the driver finishes the code"
run FAKE_CUDA_CC=19.9
grep module "$TMP/log"
: >"$TMP/log"
echo "== a driver without cuLaunchKernelEx"
fake -DCUDA_11
run A=third
log
