# The first contact of the maca and hip targets with a device: asked once, kept, and what
# the answers change: instructions that are left alone, forms, limits, refusals.
cd ../standin
. lib/standin.sh
use std
unset MOONTILE_PROBE
export MOONTILE_CACHE_DIR="$TMP/cache"
cat >"$TMP/gemm.lua" <<'END'
local g = tl.jit(function(A, B, f)
  A: T.Tensor({64, 64}, f)
  B: T.Tensor({64, 64}, f)
  local C = T.empty({64, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local a = T.alloc_shared({64, 64}, f)
    local b = T.alloc_shared({64, 64}, f)
    local c = T.alloc_fragment({64, 64}, T.float32)
    T.copy(A, a)
    T.copy(B, b)
    T.clear(c)
    T.gemm(a, b, c)
    T.copy(c, C)
  end
  return C
end)
for _, f in ipairs {"float16", "bfloat16"} do
  local A, B = tl.randn({64, 64}, f), tl.randn({64, 64}, f)
  local k = g:resolve(A, B, f)
  local unit = k.info.source:match "mxc_%d+x%d+x%d+_%w+_%w+" or k.info.source:match "mfma_%d+x%d+x%d+_%w+_%w+"
  print(f, tl.allclose(k(A, B), tl.ref.matmul(A, B), {rtol = 1e-2, atol = 1e-2}) and "right" or "WRONG",
    unit or "FMA")
end
END
fresh() { rm -rf "$MOONTILE_CACHE_DIR"; }
run() { # run TARGET [NAME=VALUE ..]
    echo "== $*"
    target=$1
    shift
    env "$@" "$MOONTILE" --lang "${lang:-en}" -t "$target" "${file:-$TMP/gemm.lua}" 2>&1 | brief |
        sed 's/[0-9a-f]\{32\}/HASH/g'
}
asked() { grep -c 'launch product' "$TMP/log"; : >"$TMP/log"; }
export STANDIN_LOG="$TMP/log"
: >"$TMP/log"
for t in maca hip; do
    fresh
    run $t
    echo "asked $(asked)"
    run $t
    echo "asked again $(asked)"
done
echo "== where nothing shall be asked"
fresh
MOONTILE_PROBE=off run maca
echo "asked $(asked)"
fresh
run maca STANDIN_MMA="=16x16x16f16="
lang=zh run maca # the answers stay
run "maca -mma=on"
fresh
run hip STANDIN_MMA="=16x16x16f16="
fresh
run maca STANDIN_MMA=all
fresh
run maca STANDIN_CRASH=product
fresh
run maca STANDIN_CRASH=probe
fresh
: >"$TMP/log"
run maca STANDIN_FORM=extra
sed -n 's/^\(launch g_kernel .*\) shared.* packed/\1 packed/p' "$TMP/log"
echo "== what only doctor asks"
fresh
STANDIN_THREADS=512 STANDIN_WRONG="ballot async" "$MOONTILE" doctor maca >/dev/null
cat >"$TMP/votes.lua" <<'END'
local v = tl.jit(function(x)
  x: T.Tensor({64}, T.float32)
  local y = T.empty({64}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    local tid = T.get_thread_binding()
    y[tid] = T.cast(T.ballot(x[tid] > 0) % 1000, "int32")
  end
  return y
end)
print(v(tl.randn({64}))[1])
END
file="$TMP/votes.lua" run maca
lang=zh file="$TMP/votes.lua" run maca
run "maca -async=on"
