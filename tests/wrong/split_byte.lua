local f = tl.jit(function(A)
  A: T.Tensor({128}, "int4")
  local B = T.empty({128}, "int4")
  for bx in T.Kernel(1) do
    for i in T.Parallel(128) do
      B[(i + 1) % 128] = A[i]
    end
  end
  return B
end, {target = "sim"})
f:compile()
