# What a launch checks before the driver would refuse it, and what a tensor map and a
# large copy look like.
. lib/fake.sh
fake
need_nvrtc
try() { # try CASE [NAME=VALUE ..]
    echo "== $*"
    what=$1
    shift
    env "$@" "$MOONTILE" --lang en -t "cuda -shared=232448" lib/limits.lua "$what" 2>&1 | brief
    sed -n -e '/^map/s/ box.*//p' -e '/^launch synced/s/ shared [0-9]*//p' "$TMP/log"
    : >"$TMP/log"
}
try aligned
try moved
try tall
try threads FAKE_CUDA_REGS=255
try gemm FAKE_CUDA_SHARED=40000
try gemm
try gemm FAKE_CUDA_CC=8.0
try synced
try crowd
try large FAKE_CUDA_N=5000001
