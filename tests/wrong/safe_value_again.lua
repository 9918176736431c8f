-- One kernel that wants two values beyond a tensor.
local f = tl.jit(function(X)
  X: T.Tensor({5}, "float32")
  local O = T.empty({8}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    T.annotate_safe_value {[X] = 1.0}
    for i in T.Parallel(8) do O[i] = X[i] end
    T.annotate_safe_value {[X] = 2.0}
  end
  return O
end)
f:compile {}
