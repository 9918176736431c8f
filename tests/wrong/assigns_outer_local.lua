local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local acc = 0
    for i in T.serial(128) do
      acc = acc + A[bx * 128 + i]
    end
    C[bx] = acc
  end
  return C
end)
f:compile{N = 1024}
