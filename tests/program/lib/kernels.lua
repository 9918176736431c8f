-- Two kernels for the tests of the program: one doubles, one never ends.
double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      B[bx * 32 + i] = A[bx * 32 + i] * 2
    end
  end
  return B
end)

spin = tl.jit(function(A)
  A: T.Tensor({1}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    while A[0] < 1 do
      A[0] = A[0] * 0.5
    end
  end
end)

zero = tl.zeros({1}, "float32")
ones = tl.ones({3}, "float32")
