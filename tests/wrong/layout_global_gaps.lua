-- Coordinates of more elements than the tensor has.
tl.jit(function(A)
  A: T.Tensor({9, 16}, "float32")
  local B = T.empty({9, 16}, "float32")
  for bx in T.Kernel(1) do
    T.annotate_layout {[A] = T.Layout({9, 16}, function(i, j) return {i // 8, j, i % 8} end)}
    T.copy(A, B)
  end
  return B
end)(tl.zeros({9, 16}))
