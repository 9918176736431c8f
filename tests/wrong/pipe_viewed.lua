tl.set_target "sim -arch=sm_80"
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N, 128}, T.float32)
  local C = T.empty({N, 128}, T.float32)
  for bx in T.Kernel(1, {threads=128}) do
    local s = T.alloc_fragment({128}, T.float32)
    local v = T.view(s, {2, 64})
    for k in T.Pipelined(N, {order = {0, 1}, stage = {0, 1}}) do
      T.copy(A[k, 0], s)
      for i, j in T.Parallel(2, 64) do C[k, i * 64 + j] = v[i, j] * 2 end
    end
  end
  return C
end)
f:compile{N = 7}
