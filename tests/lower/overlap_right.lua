-- Operations on one tile that read and write apart, or each element in its own place.
local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, "float32")
  local C = T.empty({64, 64}, "float32")
  local S = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({65, 64}, "float32")
    local r = T.reshape(s, {65 * 64})
    T.copy(X, s[0:64, :])
    for k in T.serial(3) do T.copy(s[k * 16 : k * 16 + 16, :], s[k * 16 + 16 : k * 16 + 32, :]) end
    T.copy(s[0:32, :], s[32:64, :])
    T.copy(s[0:64, :], s[0:64, :])
    T.cumsum(s[0:64, :], s[0:64, :], {dim = 1})
    T.reduce_sum(s[0:64, :], r[64 * 64 : 65 * 64], 1)
    T.copy(r[64 * 64 : 65 * 64], S)
    T.copy(s[0:64, :], C)
  end
  return C, S
end)
for _, t in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
  tl.set_target(t)
  local x = tl.arange(64 * 64, "float32"):reshape {64, 64} / 4096
  local c, s = f(x)
  local good = true
  for i = 0, 63 do
    local sum, all = 0, 0
    for j = 0, 63 do
      sum = sum + x:item(i % 16, j)
      all = all + sum
      good = good and math.abs(c:item(i, j) - sum) < 1e-3
    end
    good = good and math.abs(s:item(i) - all) < 1e-1
  end
  print(t, good)
end
