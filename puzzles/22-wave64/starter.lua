-- 22. Thirty-two or sixty-four: sums by shuffles, on warps of 32 lanes and of 64.
--     三十二还是六十四：用 shuffle 求和，warp 有 32 个通道，也可能有 64 个。
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    v = A[bx * THREADS + t]
    for r in T.Serial(5) do
      v += T.shfl_xor(v, 16 >> r)
    end
    -- your turn: right for warps of 32 lanes; now for 64, too
    -- 请在这里改：warp 有 32 个通道 时正确；请让 64 个 lane 时也正确
    if T.get_lane_idx() == 0 then
      B[bx * (THREADS // 32) + T.get_warp_idx()] = v
    end
  end
  return B
end)

row_sum = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    for k in T.Serial(T.ceildiv(N, THREADS)) do
      v += A[bx, k * THREADS + t]
    end
    -- your turn: add up the v of all threads: by shuffles first, then one number per group
    -- 请在这里写：把所有线程的 v 加起来：先用 shuffle，再每组一个数
    if t == 0 then
      B[bx] = v
    end
  end
  return B
end)
