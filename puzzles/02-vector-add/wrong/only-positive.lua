-- expect: unwritten E609
-- part: mul_relu
-- Writes what is above zero, and leaves the rest as it was.
mul_relu = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      local ab = A[bx * BLOCK + i] * B[bx * BLOCK + i]
      if ab > 0 then
        C[bx * BLOCK + i] = ab
      end
    end
  end
  return C
end)
