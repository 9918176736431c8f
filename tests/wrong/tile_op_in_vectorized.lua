local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local f = T.alloc_fragment({128}, T.float32)
    for i in T.vectorized(4) do
      T.copy(A[bx * 128], f)
    end
    T.copy(f, C[bx * 128])
  end
  return C
end)
f:compile{N = 1024}
