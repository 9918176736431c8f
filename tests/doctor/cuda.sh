# moontile doctor with the stand-in for NVIDIA's driver: a card, none, an old driver, no
# compiler.
[ -e /dev/nvidiactl ] && { echo "a card of its own"; exit 77; }
cd ../cuda
. lib/fake.sh
fake
need_nvrtc
d() {
    echo "== $*" | sed "s#$TMP#TMP#g"
    env "$@" "$MOONTILE" --lang "${lang:-en}" doctor cuda 2>&1 | sed -n '/^cuda/,$p' |
        sed -e "s#$TMP#TMP#g" -e 's/fix: sudo /fix: /' -e '/fix: .* install/d' -e '/  compiler  /d' -e '/编译器  /d' -e 's/[0-9.]* \(TB\/s\|ms\)/N \1/g'
}
d
lang=zh d
d FAKE_CUDA_INIT=100
d FAKE_CUDA_COUNT=0 CUDA_VISIBLE_DEVICES=9
d FAKE_CUDA_INIT=803
d FAKE_CUDA_VERSION=10020
d MOONTILE_NVRTC_LIB=/nowhere/libnvrtc.so.12 | tail -3
d MOONTILE_CUDA_LIB=/nowhere/libcuda.so.1
d FAKE_CUDA_FAULT=700
