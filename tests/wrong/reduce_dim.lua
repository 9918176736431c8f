local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local f = T.alloc_fragment({8, 16}, T.float32)
    local s = T.alloc_fragment({8}, T.float32)
    T.clear(f)
    T.reduce_sum(f, s, 2)
    C[bx] = s[0]
  end
  return C
end)
f:compile{N = 1024}
