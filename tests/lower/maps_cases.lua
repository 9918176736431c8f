-- Elements of fragments that indices of other kinds pick: pairs, loops inside of
-- T.Parallel (short, long, of a length known later), values read from memory.
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}

local pairs_of = tl.jit(function(W)
  W: T.Tensor({32, 32}, "float32")
  local C = T.empty({32, 64}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_fragment({32, 32}, "float32"), T.alloc_fragment({32, 64}, "float32")
    T.copy(W, a)
    for i, j in T.Parallel(32, 64) do b[i, j] = a[i, j // 2] end
    T.copy(b, C)
  end
  return C
end)

-- C = A^T B by a loop of H turns inside of the nest.
local product = tl.jit(function(A, B, H, W, count)
  A: T.Tensor({H, H}, "float32")
  B: T.Tensor({H, W}, "float32")
  count: T.Tensor({1}, "int32")
  local C = T.empty({H, W}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_fragment({H, H}, "float32"), T.alloc_fragment({H, W}, "float32")
    local c = T.alloc_fragment({H, W}, "float32")
    T.copy(A, a)
    T.copy(B, b)
    for o, j in T.Parallel(H, W) do
      c[o, j] = 0
      for q in T.serial(count[0]) do c[o, j] += a[q, o] * b[q, j] end
    end
    T.copy(c, C)
  end
  return C
end)
local product_fixed = tl.jit(function(A, B, H, W)
  A: T.Tensor({H, H}, "float32")
  B: T.Tensor({H, W}, "float32")
  local C = T.empty({H, W}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_fragment({H, H}, "float32"), T.alloc_fragment({H, W}, "float32")
    local c = T.alloc_fragment({H, W}, "float32")
    T.copy(A, a)
    T.copy(B, b)
    for o, j in T.Parallel(H, W) do
      c[o, j] = 0
      for q in T.serial(H) do c[o, j] += a[q, o] * b[q, j] end
    end
    T.copy(c, C)
  end
  return C
end)

-- A row that each iteration looks up, and a column that the loop inside writes.
local lookup = tl.jit(function(A, at)
  A: T.Tensor({4, 128}, "float32")
  at: T.Tensor({128}, "int32")
  local C, D = T.empty({128}, "float32"), T.empty({128, 4}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local a, c, d = T.alloc_fragment({4, 128}, "float32"), T.alloc_fragment({128}, "float32"),
      T.alloc_fragment({128, 4}, "float32")
    T.copy(A, a)
    for i in T.Parallel(128) do
      local row = T.alloc_var("int32", at[5])
      c[i] = a[row, i]
    end
    for i in T.Parallel(128) do
      for q in T.serial(4) do d[i, q] = a[3 - q, i] end
    end
    T.copy(c, C)
    T.copy(d, D)
  end
  return C, D
end)

tl.manual_seed(3)
local w = tl.randn({32, 32}, "float32")
local a, at = tl.randn({4, 128}, "float32"), tl.randint(0, 4, {128}, "int32")
local n5 = at:item(5)
for _, m in ipairs(machines) do
  tl.set_target("sim -arch=" .. m)
  local c = pairs_of(w)
  for i = 0, 31 do for j = 0, 63 do assert(c:item(i, j) == w:item(i, j // 2)) end end
  for _, h in ipairs{4, 80} do
    local x, y = tl.randn({h, h}, "float32"), tl.randn({h, 64}, "float32")
    local want = tl.ref.matmul(x.T:contiguous(), y)
    tl.testing.assert_close(product_fixed(x, y, h, 64), want, {rtol = 1e-4, atol = 1e-4})
    tl.testing.assert_close(product(x, y, h, 64, tl.full({1}, h, "int32")), want, {rtol = 1e-4, atol = 1e-4})
  end
  local c, d = lookup(a, at)
  for i = 0, 127 do
    assert(c:item(i) == a:item(n5, i))
    for q = 0, 3 do assert(d:item(i, q) == a:item(3 - q, i)) end
  end
  print(m, "right")
end
