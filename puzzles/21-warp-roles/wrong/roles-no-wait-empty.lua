-- expect: race
-- part: roles
-- Group 1 does not wait: a stage is overwritten while it is read.
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
