# Without a driver, and without a compiler, the target explains itself.
. lib/fake.sh
for lang in en zh; do
    MOONTILE_CUDA_LIB=/nowhere/libcuda.so.1 "$MOONTILE" --lang $lang -t cuda lib/twice.lua 2>&1
    MOONTILE_NVRTC_LIB=/nowhere/libnvrtc.so.12 "$MOONTILE" --lang $lang \
        -t "cuda -build -arch=sm_80" lib/twice.lua 2>&1
done
fake
echo "== a driver, no compiler"
MOONTILE_NVRTC_LIB=/nowhere/libnvrtc.so.12 "$MOONTILE" --lang en -t cuda lib/twice.lua 2>&1 | brief
