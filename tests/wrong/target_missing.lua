local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    T.copy(A[bx * 128], C[bx * 128])
  end
  return C
end, {target = "vulkan"})
f(tl.randn({1024}))
