local p = T.prim_func(function(A, B)
  A: T.Tensor({64}, T.float32)
  B: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    T.fill(B, 2)
  end
end)
local k = tl.compile(p, {out_idx = {1}})
k:get_profiler():assert_allclose(function(a) return a end)
