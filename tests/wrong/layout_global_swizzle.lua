-- A tensor in global memory has the layout of a function, no swizzle of shared memory.
tl.jit(function(A)
  A: T.Tensor({64, 64}, "float16")
  local B = T.empty({64, 64}, "float16")
  for bx in T.Kernel(1) do
    T.annotate_layout {[A] = T.make_linear_layout(A)}
    T.annotate_layout {[A] = T.make_swizzled_layout(A)}
    T.copy(A, B)
  end
  return B
end)(tl.zeros({64, 64}, "float16"))
