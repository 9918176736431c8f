-- Wrong: what is moved out of a staging buffer under a condition, and a constant elsewhere, never had a value where the
-- condition held in no lane (E641, E606 on the simulator).
local function loop(i2)
  return tl.jit(function(X)
    X: T.Tensor({3}, "uint8")
    local Y = T.empty({32, 8}, "int8")
    for bx in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({16, 16}, "int8")
      local s = T.alloc_shared({32, 8}, "int8")
      for i, j in T.Parallel(16, 16) do f[i, j] = X[1]:astype("int8") end
      for j, i in T.Parallel(8, 32) do
        s[i, j] = T.shift_left(((j > i2) and f[j, 1] or 1), 0)
        Y[i, j] = s[i, j] + f[1, 1]
      end
    end
    return Y
  end)
end

local vector = tl.jit(function()
  local Y = T.empty({2, 2}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local f = T.alloc_fragment({2, 8}, "float32")
    for i, j in T.Parallel(2, 1) do
      for u in T.vectorized(2) do
        f[i, u] = 1.0
        f[i, u] = T.Select((u > i), f[i, u], -2.0)
        f[i, u] = T.min(f[i, u], 1024.0)
      end
    end
    for i, j in T.Parallel(2, 2) do Y[i, j] = f[i, j] end
  end
  return Y
end)

local x = tl.from_table({98, 3, 34}, "uint8")
for _, at in ipairs {1, 9, -1} do
  local y = loop(at)(x)
  for i = 0, 31 do
    for j = 0, 7 do assert(y:item(i, j) == (j > at and 3 or 1) + 3) end
  end
end
local y = vector()
assert(y:item(0, 0) == -2 and y:item(0, 1) == 1 and y:item(1, 0) == -2 and y:item(1, 1) == -2)
print "right"
