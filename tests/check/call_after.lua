-- A check makes kernels for other targets; what was made before still runs after it,
-- and is still the last one.
local f = tl.jit(function(A, BM)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BM)) do
    for i in T.Parallel(BM) do
      A[bx * BM + i] = 2.0
    end
  end
end)
local a = tl.zeros {64}
f(a, 32)
local k = f.last
print(k:check().ok)
print(f.last == k, require("moontile.tl.kernel").last.kernel == k)
f(a:fill_(0), 32)
print(a:sum())
