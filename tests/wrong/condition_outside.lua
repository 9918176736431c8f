local function helper(i)
  if i > 3 then return 1 end
  return 2
end
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    C[bx] = A[bx] * helper(bx)
  end
  return C
end)
f:compile{N = 1024}
