local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    for i in T.Parallel(128) do
      C[bx * 128 + i] = A[(bx * 128 + i) / 2]
    end
  end
  return C
end)
f:compile{N = 1024}
