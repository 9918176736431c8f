-- Columns summed by two groups of threads: group 1 fetches, group 0 adds.

-- In iteration k tile k is fetched and tile k - 1 added; the compiler puts a barrier in between.
turns = tl.jit(function(A, ROWS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128), {threads = 256}) do
    local stages = T.alloc_shared({2, ROWS, 128}, T.float32)
    local sum = T.alloc_var(T.float32, 0)
    local tiles = T.ceildiv(M, ROWS)
    for k in T.Serial(tiles + 1) do
      for t in T.ws(1) do
        if k < tiles then
          T.copy(A[k * ROWS, bx * 128], stages[k % 2, :, :])
        end
      end
      for t in T.ws(0) do
        if k > 0 then
          for r in T.Serial(ROWS) do
            sum += stages[(k - 1) % 2, r, t]
          end
        end
      end
    end
    for t in T.ws(0) do
      if bx * 128 + t < N then
        B[bx * 128 + t] = sum
      end
    end
  end
  return B
end)

-- Two barriers per stage: `full` says that it can be read, `empty` that it can be filled.
roles = tl.jit(function(A, ROWS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128), {threads = 256}) do
    local stages = T.alloc_shared({3, ROWS, 128}, T.float32)
    local full = T.alloc_barrier {128, 128, 128}
    local empty = T.alloc_barrier {128, 128, 128}
    local sum = T.alloc_var(T.float32, 0)
    local tiles = T.ceildiv(M, ROWS)
    for t in T.ws(1) do
      for k in T.Serial(tiles) do
        T.barrier_wait(empty[k % 3], (k // 3 + 1) % 2)
        T.copy(A[k * ROWS, bx * 128], stages[k % 3, :, :])
        T.barrier_arrive(full[k % 3])
      end
    end
    for t in T.ws(0) do
      for k in T.Serial(tiles) do
        T.barrier_wait(full[k % 3], k // 3 % 2)
        for r in T.Serial(ROWS) do
          sum += stages[k % 3, r, t]
        end
        T.barrier_arrive(empty[k % 3])
      end
      if bx * 128 + t < N then
        B[bx * 128 + t] = sum
      end
    end
  end
  return B
end)
