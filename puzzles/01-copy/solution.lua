-- 1. Copy: B = A, three times.

-- One block, one thread, one element after the other.
copy_serial = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 1}) do
    for i in T.Serial(N) do
      B[i] = A[i]
    end
  end
  return B
end)

-- One block: its threads share the N iterations.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N) do
      B[i] = A[i]
    end
  end
  return B
end)

-- A block for every tile.  The last tile may hang over the end: T.copy drops that part.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    T.copy(A[bx * BLOCK:(bx + 1) * BLOCK], B[bx * BLOCK:(bx + 1) * BLOCK])
  end
  return B
end)
