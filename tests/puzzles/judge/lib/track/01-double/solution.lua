double = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 64}) do
    for i in T.Parallel(BLOCK) do
      B[bx * BLOCK + i] = A[bx * BLOCK + i] * 2 + T.cast(bx * BLOCK + i, T.float32)
    end
  end
  return B
end)
