-- Slots of fragments that variables of unrolled loops choose: all their rounds are looked at,
-- however many, and all loops around, however deep.
tl.set_target "sim -arch=sm_80"
local f32 = T.float32

-- The last two of 140,000 rounds add to another column.
local late = tl.jit(function(A)
  A: T.Tensor({32, 4}, f32)
  local B = T.empty({32, 4}, f32)
  for _ in T.Kernel(1, {threads = 32}) do
    local a = T.alloc_fragment({32, 4}, f32)
    T.copy(A, a)
    for r in T.unroll(140000) do
      for i in T.Parallel(32) do
        a[i, r // 139998] = a[i, r // 139998] + 1
      end
    end
    T.copy(a, B)
  end
  return B
end)
print(late(tl.zeros({32, 4}, f32))[31])

local function nested(n, body)
  if n == 0 then
    return body()
  end
  for _ in T.unroll(1) do
    nested(n - 1, body)
  end
end
local deep = tl.jit(function(A)
  A: T.Tensor({64, 4}, f32)
  local B = T.empty({64, 4}, f32)
  for _ in T.Kernel(1, {threads = 64}) do
    local a = T.alloc_fragment({64, 4}, f32)
    T.copy(A, a)
    nested(40, function()
      for r in T.unroll(3) do
        for i in T.Parallel(64) do
          a[i, r + 1] = a[i, r] + 1
        end
      end
    end)
    T.copy(a, B)
  end
  return B
end)
print(deep(tl.zeros({64, 4}, f32))[63])
