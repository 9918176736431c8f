-- Any method of kernels, looked for on the function that makes them.
local tl, T = require "moontile.tl", require "moontile.T"

local double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return B
end)
double(tl.ones({64}, "float32"))
print(double:retarget "maca")
