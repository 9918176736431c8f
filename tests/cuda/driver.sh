# Each way in which the driver or the GPU can be missing, too old or busy has a
# message of its own; a stand-in for the driver plays them.
. lib/fake.sh
fake
need_nvrtc
run FAKE_CUDA_NAME="NVIDIA H200"
run FAKE_CUDA_INIT=100
run FAKE_CUDA_INIT=100 CUDA_VISIBLE_DEVICES=7
run FAKE_CUDA_INIT=34
run FAKE_CUDA_INIT=803
run FAKE_CUDA_INIT=999
run FAKE_CUDA_COUNT=0
run FAKE_CUDA_VERSION=10020
run FAKE_CUDA_CC=7.0 FAKE_CUDA_NAME="Tesla V100"
run FAKE_CUDA_RETAIN=46 FAKE_CUDA_MODE=3
run FAKE_CUDA_RETAIN=46 FAKE_CUDA_MODE=3 FAKE_CUDA_ONCE="$TMP/once"
run FAKE_CUDA_RETAIN=101 FAKE_CUDA_MODE=2
run FAKE_CUDA_RETAIN=2
run FAKE_CUDA_LOAD=200 FAKE_CUDA_VERSION=11080
run FAKE_CUDA_LOAD=209 FAKE_CUDA_VERSION=99000
run FAKE_CUDA_MEMORY=1000
echo "== -device=3"
"$MOONTILE" --lang en -t "cuda -device=3" lib/twice.lua 2>&1 | brief
echo "== -arch=sm_90a on an A100"
FAKE_CUDA_CC=8.0 FAKE_CUDA_NAME="NVIDIA A100" "$MOONTILE" --lang en -t "cuda -arch=sm_90a" \
    lib/twice.lua 2>&1 | brief
fake -DNO_MEMORY
run A_DRIVER=without_an_entry_point
fake -DCUDA_11
run A_DRIVER=of_CUDA_11
