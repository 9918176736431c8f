-- A size that is known at the launch alone, almost 2^31: a tile that begins inside would end beyond int32, where the test
-- of the whole tile wraps.  All targets refuse it; the largest size is right.
local B, R = 1 << 17, 1 << 19
local function last(target)
  return tl.jit(function(X)
    local N = T.dynamic "N"
    X: T.StridedTensor({N}, {0}, "uint8")
    local C = T.empty({R}, "uint8")
    for bx in T.Kernel(T.ceildiv(N, B), {threads = 1024}) do
      if bx == T.ceildiv(N, B) - 1 then
        for i in T.Parallel(R) do C[i] = X[bx * B + i] end
      end
    end
    return C
  end, {target = target})
end
local one = tl.ones({1}, "uint8")
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=c500"} do
  for _, n in ipairs {2 ^ 31 - 2 ^ 20 - 1, 2 ^ 31 - B} do
    local x = one:expand(math.tointeger(n))
    local ok, e = pcall(function() return last(target)(x):astype("int32"):sum() end)
    print(target, ok and e == (n - 1) % B + 1 or e)
  end
end
