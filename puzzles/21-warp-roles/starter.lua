-- 21. Two roles: B[j] = the sum of column j of A.          21. 两种角色：B[j] = A 第 j 列之和

-- One barrier per iteration, for all threads.   每轮一次全体屏障
turns = tl.jit(function(A, ROWS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128), {threads = 256}) do
    local sum = T.alloc_var(T.float32, 0) -- one for each thread
    -- your turn: two stages; in each iteration group 1 fetches a tile and group 0 adds another
    -- 请在这里写：分两级；每一轮由第 1 组取一块、第 0 组加另一块
    for t in T.ws(0) do
      if bx * 128 + t < N then
        B[bx * 128 + t] = sum
      end
    end
  end
  return B
end)

-- Two barriers for each stage.           每级两个屏障
roles = tl.jit(function(A, ROWS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128), {threads = 256}) do
    local sum = T.alloc_var(T.float32, 0)
    -- your turn: three stages and their barriers; group 1: wait for empty, fetch, arrive at full
    -- 请在这里写：三级与各级的屏障；第 1 组：等 empty，取数，到达 full
    for t in T.ws(0) do
      -- your turn: wait for full, add, arrive at empty
      -- 请在这里写：等 full，相加，到达 empty
      if bx * 128 + t < N then
        B[bx * 128 + t] = sum
      end
    end
  end
  return B
end)
