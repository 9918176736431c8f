-- expect: wrong
-- part: total
-- The numbers behind the last whole block are left out.

total = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local S = T.empty({1}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(S)
  end
  for bx in T.Kernel(T.max(N // BLOCK, 1)) do
    local a = T.alloc_fragment({BLOCK}, T.float32)
    local s = T.alloc_fragment({1}, T.float32)
    T.copy(A[bx * BLOCK], a)
    T.reduce_sum(a, s, 0)
    T.atomic_add(S[0], s[0])
  end
  return S
end)
