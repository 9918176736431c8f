local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local s = T.alloc_shared({128}, T.float32)
    for k in T.Pipelined(4, {num_stages = 2, order = {0, 1, 2}, stage = {0, 0, 1}}) do
      T.copy(A[k * 128], s)
      T.copy(s, C[k * 128])
    end
  end
  return C
end)
f:compile{N = 1024}
