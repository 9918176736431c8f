-- expect: unwritten
-- part: turns
-- Both groups at the same stage in the same iteration.
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
            sum += stages[k % 2, r, t]
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
