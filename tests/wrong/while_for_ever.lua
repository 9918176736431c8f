local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local n = T.alloc_var(T.int32, 0)
    while bx >= 0 do
      n = n + 1
    end
    C[bx] = n
  end
  return C
end)
f:compile{N = 1024}
