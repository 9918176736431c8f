-- Correct kernels on derived sizes: constants with tiles, a size one tile must
-- hold, run-time sizes, fixed shapes, threads by name, in-out tensors, atomics, scalars.
local add = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 64}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i] + 1
    end
  end
  return C
end)
print(add:compile {N = 1000, BLOCK = 128}:check {ref = function(a) return a + 1 end}.ok)

local sums = tl.jit(function(A, BN)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  local S = T.empty({M}, T.float32)
  for bx in T.Kernel(M, {threads = 64}) do
    local row, s = T.alloc_fragment({1, BN}, T.float32), T.alloc_fragment({1}, T.float32)
    T.copy(A[bx, 0], row)
    T.reduce_sum(row, s, 1)
    S[bx] = s[0]
  end
  return S
end)
print(sums:compile {M = 4, N = 60, BN = 64}:check().ok)

local dyn = tl.compile(T.prim_func(function(A, scale, C)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.float32)
  scale: T.float32
  C: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 64}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = A[bx * 256 + i] * scale + C[bx * 256 + i]
    end
  end
end))
print(dyn:check().ok)

local hist = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({512}, T.float32)
  C: T.Tensor({4}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(128) do
      T.atomic_add(C[i % 4], A[bx * 128 + i])
    end
  end
end))
print(hist:check {target = "sim -arch=gfx942"}.ok)

local lanes = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({64}, T.float32)
  C: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx] = A[63 - tx]
  end
end), {target = "sim"})
print(lanes:check().ok)
