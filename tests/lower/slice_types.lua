-- Slices whose bounds are of any integer type: scalars, and what is read from memory (cu_seqlens of int64).
local function by_scalar(dtype)
  return tl.jit(function(A, u)
    A: T.Tensor({8}, "int32")
    u: T[dtype]
    local B = T.empty({300}, "int32")
    for bx in T.Kernel(1) do
      T.fill(B, 0)
      T.copy(A[0:8], B[u : u + 8])
    end
    return B
  end)
end

local varlen = tl.jit(function(X, at)
  X: T.Tensor({64, 32}, "float32")
  at: T.Tensor({3}, "int64")
  local O = T.empty({2, 8, 32}, "float32")
  for b in T.Kernel(2, {threads = 64}) do
    local s = T.alloc_shared({8, 32}, "float32")
    local from = at[b]
    T.copy(X[from : from + 8, :], s)
    T.copy(s, O[b, :, :])
  end
  return O
end)

local a, x = tl.arange(8, "int32") + 1, tl.arange(64 * 32, "float32"):reshape {64, 32}
for _, t in ipairs {"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
  tl.set_target(t)
  local good = true
  for _, dtype in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"} do
    local at = dtype == "uint8" and 250 or 3
    local b = by_scalar(dtype)(a, at)
    for i = 0, 7 do good = good and b:item(at + i) == i + 1 end
    good = good and b:item(at + 8) == 0 and b:item(at - 1) == 0
  end
  local o = varlen(x, tl.from_table({0, 19, 64}, "int64"))
  for i = 0, 7 do good = good and o:item(0, i, 3) == x:item(i, 3) and o:item(1, i, 31) == x:item(19 + i, 31) end
  print(t, good)
end
