local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({128}, T.float32)
    T.annotate_layout {[x] = T.Layout({128}, function(i) return i // 2 end)}
    T.copy(A, x)
    T.copy(x, A)
  end
end)
f(tl.zeros({128}))
