-- The second half may take what the first gives; two halves that overlap may not.
tl.set_target("cpu")
local shift = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] + 1
    end
  end
end)
local t = tl.zeros({200}, "float32")
shift(t[0:100], t[100:200]) -- apart
shift(t, t) -- in place, element by element
shift(t[0:100], t[50:150])
