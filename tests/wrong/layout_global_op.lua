-- Tiles of a tensor whose elements a layout moves are copied first.
tl.jit(function(A)
  A: T.Tensor({8, 16}, "float32")
  local B = T.empty({16, 8}, "float32")
  for bx in T.Kernel(1) do
    T.annotate_layout {[A] = T.Layout({8, 16}, function(i, j) return {j, i} end)}
    T.transpose(A, B)
  end
  return B
end)(tl.zeros({8, 16}))
