-- Expert kernels: what they become, and that the source checks say nothing
-- against them.
local ir = require "moontile.ir"

local function show(name, p)
  print(name, ir.check(p.P) or "nothing to say")
  print((tostring(p):gsub(" @[%d:]+", ""):gsub("file [^\n]*\n", "")))
end

-- a product: consumers stand before the producer in the text
show("producer and consumers", T.prim_func(function(A, B)
  A: T.Tensor({256, 128}, T.float16)
  B: T.Tensor({128, 256}, T.float16)
  local C = T.empty({256, 256}, T.float16)
  for bx, by in T.ClusterKernel(2, 2, {threads = 384, cluster_dims = {2, 1, 1}}) do
    local As = T.alloc_shared({2, 128, 32}, T.float16)
    local Bs = T.alloc_shared({2, 32, 128}, T.float16)
    local Cl = T.alloc_fragment({128, 128}, T.float32)
    local full, empty = T.alloc_barrier {1, 1}, T.alloc_barrier {256, 256}
    for _ in T.ws(0, 1) do
      T.inc_max_nreg(240)
      T.clear(Cl)
      for ko in T.serial(4) do
        local f = full[ko % 2]
        T.barrier_wait(f, ko // 2 % 2)
        T.warpgroup_arrive()
        T.wgmma_gemm(As[ko % 2, :, :], Bs[ko % 2, :, :], Cl)
        T.warpgroup_commit_batch()
        T.warpgroup_fence_operand(Cl)
        T.wait_wgmma(0)
        T.barrier_arrive(empty[ko % 2])
      end
      T.copy(Cl, C[by * 128, bx * 128])
    end
    for t in T.WarpSpecialize(2) do
      T.dec_max_nreg(24)
      for ko in T.serial(4) do
        T.mbarrier_wait_parity(empty[ko % 2], (ko // 2 + 1) % 2)
        T.tma_copy(A[by * 128, ko * 32], As[ko % 2, :, :], {barrier = full[ko % 2],
          cluster_mask = 3, eviction_policy = "evict_last"})
        T.tma_copy(B[ko * 32, bx * 128], Bs[ko % 2, :, :], {barrier = full[ko % 2]})
        if t == 0 then
          T.mbarrier_arrive(full[ko % 2])
        end
      end
    end
    T.cluster_sync()
  end
  return C
end))

-- copies in flight, by groups; stores in bulk
show("asynchronous copies", T.prim_func(function(A)
  A: T.Tensor({512, 64}, T.float32)
  local C = T.empty({512, 64}, T.float32)
  for bx in T.Kernel(8) do
    local s, t = T.alloc_shared({2, 32, 64}, T.float32), T.alloc_shared({32, 64}, T.float32)
    local bar = T.alloc_barrier(128)
    T.async_copy(A[bx * 64, 0], s[0, :, :])
    T.async_copy(A[bx * 64 + 32, 0], s[1, :, :])
    T.cp_async_barrier_noinc(bar)
    T.ptx_commit_group()
    for k in T.serial(2) do
      T.ptx_wait_group(1)
      T.sync_threads()
      for i, j in T.Parallel(32, 64) do
        t[i, j] = s[k, i, j] * 2
      end
      T.fence_proxy_async()
      T.tma_copy(t, C[bx * 64 + k * 32, 0])
      T.tma_store_wait()
      T.sync_threads()
    end
    T.tma_store_arrive()
    T.tma_store_wait(0, {read = false})
    T.mbarrier_wait_parity(bar, 0)
  end
  return C
end))

-- threads by themselves: roles of 128, named barriers, indices of the thread
show("threads", T.prim_func(function(A)
  A: T.Tensor({1024}, T.float32)
  local C = T.empty({1024}, T.float32)
  for bx in T.Kernel(4, {threads = {64, 4}, cluster_dims = 2}) do
    local s = T.alloc_shared({128}, T.float32)
    local tx, ty = T.get_thread_binding(0), T.get_thread_binding(1)
    local t = tx + ty * 64
    for i in T.ws(1) do
      T.sync_threads(1, 256)
      C[bx * 256 + t - 128] = s[t - 128] + s[127 - i]
      T.named_barrier_arrive(2, 256)
    end
    for i in T.ws(0) do
      s[t] = A[bx * 256 + t]
      T.named_barrier_arrive(1, 256)
      T.sync_threads(2, 256)
      C[bx * 256 + 128 + i] = T.block_rank_in_cluster()
    end
    T.cluster_arrive_relaxed()
    T.cluster_wait()
  end
  return C
end))
