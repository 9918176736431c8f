# Texts of compiled kernels need the compiler, no driver.
. lib/fake.sh
need_nvrtc
for lang in en zh; do
    MOONTILE_CUDA_LIB=/nowhere/libcuda.so.1 "$MOONTILE" --lang $lang lib/texts.lua 2>&1 |
        grep -e '^cuda' -e '^registers' -e '^files' -e 'E410' -e note -e 说明 -e help -e 建议 -e '^.target'
done
echo "== neither"
MOONTILE_CUDA_LIB=/nowhere/libcuda.so.1 MOONTILE_NVRTC_LIB=/nowhere/libnvrtc.so.12 "$MOONTILE" \
    --lang en lib/texts.lua 2>&1 | brief
