local shift = tl.jit(function(A, W)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64}, T.float32)
    for i in T.Parallel(W - 16) do
      s[i] = A[i]
    end
    T.copy(s, B[0:64])
  end
  return B
end)
shift:compile{N = 64, W = 8}
