local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  local C = T.empty({1024}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({128}, T.float32)
    for k in T.Pipelined(8, {order = {1, 0}, stage = {0, 0}}) do
      T.copy(A[k * 128], x)
      T.copy(x, C[k * 128])
    end
  end
  return C
end)
f(tl.zeros({1024}))
