local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    for i in T.serial(128) do
      v = A[bx * 128 + i]
      C[bx * 128 + i] = v * 2
    end
  end
  return C
end)
f:compile{N = 1024}
