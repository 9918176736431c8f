-- Kernels whose widths in global memory widths.sh looks at.
softmax = tl.jit(function(X)
  X: T.Tensor({64, 2048}, T.float16)
  local Y = T.empty({64, 2048}, T.float16)
  for bx in T.Kernel(64, {threads = 128}) do
    local x = T.alloc_fragment({2048}, T.float32)
    local m = T.alloc_fragment({1}, T.float32)
    T.copy(X[bx, 0], x)
    T.reduce_max(x, m, 0)
    for j in T.Parallel(2048) do
      x[j] = T.exp2(x[j] - m[0])
    end
    T.copy(x, Y[bx, 0])
  end
  return Y
end)
softmax:compile {}

widen = tl.jit(function(A)
  A: T.Tensor({8192}, T.float16)
  local C = T.empty({8192}, T.float32)
  for bx in T.Kernel(2, {threads = 256}) do
    for i in T.Parallel(4096) do
      C[bx * 4096 + i] = A[bx * 4096 + i] * 2
    end
  end
  return C
end)
widen:compile {}

bias = tl.jit(function(A, B)
  A: T.Tensor({64, 511}, T.float16)
  B: T.Tensor({512}, T.float16)
  local C = T.empty({64, 511}, T.float16)
  for bx, by in T.Kernel(1, 64, {threads = 64}) do
    for j in T.Parallel(511) do
      C[by, j] = A[by, j] + B[j]
    end
  end
  return C
end)
bias:compile {}
