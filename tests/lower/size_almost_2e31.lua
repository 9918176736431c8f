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

-- Longer tiles, longer steps and longer loops keep sizes farther away.
local function far(target, how)
  local step = 1 << 22
  return tl.jit(function(X)
    local N = T.dynamic "N"
    X: T.StridedTensor({N}, {0}, "uint8")
    local C = T.empty({1024}, "uint8")
    for bx in T.Kernel(1, {threads = 1024}) do
      for i in T.Parallel(1024) do
        if how == "step" then
          C[i] = X[T.ceildiv(N, step) * step - step + i * 4096]
        elseif how == "loop" then
          local v = T.alloc_var("uint8", 0)
          for k, j in T.grid(2048, 2048) do
            v = X[T.ceildiv(N, 1024) * 1024 - 1024 + i + k * 2048 + j]
          end
          C[i] = v
        else
          C[i] = X[i]
        end
      end
    end
    return C
  end, {target = target})
end
for _, how in ipairs {"step", "loop", "none"} do
  local ok, e = pcall(function() return far("sim -arch=sm_80", how)(one:expand(math.tointeger(2 ^ 31 - 2 ^ 21))) end)
  print(how, ok or e)
end
