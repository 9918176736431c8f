# Faults of kernels: each ends in a message, and the session goes on with a fresh
# worker where the context is lost.
. lib/fake.sh
fake
need_nvrtc
for n in 700 702 214 715 716 717 718 719 999; do
    run FAKE_CUDA_FAULT=$n
done
for n in 1 701 2; do
    run FAKE_CUDA_LAUNCH=$n
done
echo "== the next launch runs"
cat >"$TMP/again.lua" <<'END'
local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)
local x = tl.randn({300}, "float32")
print(pcall(twice, x))
print(tl.allclose(twice(x), tl.ref.add(x, x)))
END
FAKE_CUDA_FAULT=700 FAKE_CUDA_ONCE="$TMP/once" "$MOONTILE" --lang en -t cuda "$TMP/again.lua" 2>&1 | brief
