-- All values of an assignment are taken before one is given, which slices are not.
local k = tl.jit(function(A)
  A: T.Tensor({8}, T.int32)
  for _ in T.Kernel(1) do
    local l = T.alloc_local({8}, T.int32)
    l[0:4], l[4:8] = l[4:8], l[0:4]
  end
end)
k(tl.zeros({8}, "int32"))
