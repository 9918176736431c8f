# What is printed computes what the simulator does: integers of 8 and 16 bits wrap though C
# has them as int, and a vector load that both sides of a choice need is made for both.
. lib/standin.sh
use std
cat >"$TMP/values.lua" <<'END'
local narrow = tl.jit(function()
  local A, B, C = T.empty({64}, "int8"), T.empty({64}, "uint16"), T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      A[i] = (T.cast(i, "int8") * -7 - 5) // 33
      B[i] = (T.cast(i, "uint16") * 2111 - 70) % 1000
      C[i] = (i * 123456789 - 5) // 1000
    end
  end
  return A, B, C
end)
local both = tl.jit(function(X, Y)
  X: T.Tensor({64}, "float16")
  Y: T.Tensor({64}, "int32")
  local A, B = T.empty({16, 64}, "float16"), T.empty({16, 64}, "float16")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({16, 64}, "float16")
    for i, j in T.Parallel(16, 64) do s[i, j] = X[j] - T.cast(i, "float16") end
    for i, j in T.Parallel(16, 64) do s[i, j] = T.Select(i ~= 3, T.abs(s[i, j]), s[i, j]) end
    T.copy(s, A)
    for i, j in T.Parallel(16, 64) do
      s[i, j] = T.if_then_else(i > 8, s[i, j] + 1, T.if_then_else(Y[i] > 2, s[i, j] * 2, X[j]))
    end
    T.copy(s, B)
  end
  return A, B
end)
local x, y = tl.arange(64, "int32"):astype "float16" - 20, tl.arange(64, "int32") % 5
for _, k in ipairs {narrow, both} do
  local function run(target)
    k.opts.target = target
    local out = k == narrow and {k()} or {k(x, y)}
    for i, v in ipairs(out) do out[i] = v:to "cpu" end
    return out
  end
  local want = run "cpu"
  for _, target in ipairs {"maca", "hip"} do
    for i, got in ipairs(run(target)) do
      print(target, i, tl.allclose(got, want[i], {rtol = 0, atol = 0}) and "right" or "WRONG")
    end
  end
end
END
"$MOONTILE" --lang en "$TMP/values.lua" 2>&1
