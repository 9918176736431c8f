local k = tl.jit(function(A)
  A: T.Tensor({4, 1024}, T.float32)
  local B = T.empty({4, 4, 1024}, T.float32)
  for bx in T.Kernel(4, {threads = 32}) do
    local f2 = T.alloc_fragment({4, 1024}, T.float32)
    T.copy(A, f2)
    for i8 in T.serial(16) do
      if ASSUMES then
        T.assume(f2[bx, i8 % 4] > -100)
      end
      for r, j in T.Parallel(4, 1024) do
        f2[r, j] = f2[r, j] + i8
      end
    end
    for r, j in T.Parallel(4, 1024) do
      B[bx, r, j] = f2[r, j]
    end
  end
  return B
end)
k(tl.ones({4, 1024}))
