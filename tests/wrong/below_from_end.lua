local f = tl.jit(function(A, B)
  A: T.Tensor({16}, T.float32)
  B: T.Tensor({16, 4}, T.float32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(4) do
      B[i, 0] = A[-17]
      B[i, 1] = A[i - 30]
      B[i, 2] = A[-16]
    end
    local s = T.alloc_shared({4}, T.float32)
    T.copy(A[-20], s)
    T.copy(A[-16], s)
    T.copy(s, B[0:4, 3])
  end
end)
f(tl.zeros({16}), tl.zeros({16, 4}))
