local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local s = T.alloc_fragment({1}, T.float32)
    T.clear(s)
    for i in T.Parallel(128) do
      s[0] = s[0] + A[bx * 128 + i]
    end
    C[bx] = s[0]
  end
  return C
end)
f:compile{N = 1024}
