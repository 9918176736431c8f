local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local tx = T.get_thread_binding()
    C[bx * 128 + tx] = A[bx * 128 + tx]
  end
  return C
end)
tl.set_target("cpu")
f:compile{N = 1024}
