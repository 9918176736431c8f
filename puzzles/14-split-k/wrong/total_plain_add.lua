-- expect: race visible
-- part: total
-- Read, add, write: another block comes in between.

total = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local S = T.empty({1}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(S)
  end
  for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
    local a = T.alloc_fragment({BLOCK}, T.float32)
    local s = T.alloc_fragment({1}, T.float32)
    T.copy(A[bx * BLOCK], a)
    T.reduce_sum(a, s, 0)
    S[0] = S[0] + s[0]
  end
  return S
end)
