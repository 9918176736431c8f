-- A layout moves the elements of a tensor in global memory: behind a use it comes too late.
tl.jit(function(A)
  A: T.Tensor({8, 16}, "float32")
  local B = T.empty({8, 16}, "float32")
  for bx in T.Kernel(1) do
    T.copy(A, B)
    T.annotate_layout {[A] = T.Layout({8, 16}, function(i, j) return {j, i} end)}
  end
  return B
end)(tl.zeros({8, 16}))
