-- An assertion of a kernel is found in its line, wherever it stands there.
local k = tl.jit(function(X) X: T.Tensor({64}, "float32") for _ in T.Kernel(1) do T.device_assert(X[0] > 1, "no") end end, {target = "cpu"})
k(tl.zeros {64})
