-- Sizes that only a launch knows: T.dynamic under tl.jit, beside constants, shared between tensors,
-- as strides; scalars.
-- several sizes, of which two tensors share one; a grid of two
local add = tl.jit(function(A, B)
  local m, n = T.dynamic "m, n"
  A: T.Tensor({m, n}, "float32")
  B: T.Tensor({n}, "float32")
  local C = T.empty({m, n}, "float32")
  for bx, by in T.Kernel(T.ceildiv(n, 32), m, {threads = 32}) do
    for i in T.Parallel(32) do C[by, bx * 32 + i] = A[by, bx * 32 + i] + B[bx * 32 + i] end
  end
  return C
end)
add(tl.ones{3, 40}, tl.ones{40})
local k = add:compile{}
print(k:check().ok)
-- const and dynamic
local mix = tl.jit(function(A, BN)
  local n = T.const "n"
  local m = T.dynamic "m"
  A: T.Tensor({m, n}, "float32")
  local C = T.empty({m}, "float32")
  for bx in T.Kernel(m, {threads = 32}) do
    local s = T.alloc_fragment({1}, "float32")
    local row = T.alloc_fragment({1, BN}, "float32")
    T.copy(A[bx, 0], row)
    T.reduce_sum(row, s, 1)
    C[bx] = s[0]
  end
  return C
end)
print(mix:compile{n = 60, BN = 64}:check().ok)
for _, word in ipairs {"dynamic", "const"} do
local st = tl.jit(function(A)
  local n = T.dynamic "n"
  local s = T[word] "s"
  A: T.StridedTensor({n, 32}, {s, 1}, "float32")
  for bx in T.Kernel(n, {threads = 32}) do
    for i in T.Parallel(32) do A[bx, i] = A[bx, i] + 1 end
  end
end)
print(st:compile{s = word == "const" and 64 or nil}:check().ok)
end
local sc = tl.jit(function(A, n)
  n: T.int32
  A: T.Tensor({n}, "float32")
  for bx in T.Kernel(T.ceildiv(n, 32), {threads = 32}) do
    for i in T.Parallel(32) do A[bx * 32 + i] = A[bx * 32 + i] + 1 end
  end
end)
print(sc:compile{}:check().ok)
