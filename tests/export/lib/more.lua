-- Names that Python does not have for variables, and such as a second one of the same name takes.
local k = tl.jit(function(A, None, T_2)
  local N = T.dynamic "N"
  A: T.Tensor({N}, "float32")
  None: T.Tensor({N}, "float32")
  T_2: T.Tensor({N}, "float32")
  for import in T.Kernel(T.ceildiv(N, 64)) do
    local class, from = T.alloc_fragment({64}, "float32"), T.alloc_fragment({64}, "float32")
    T.copy(A[import * 64], class)
    T.copy(None[import * 64], from)
    for lambda in T.Parallel(64) do
      from[lambda] = from[lambda] + class[lambda]
    end
    for is in T.Parallel(64) do
      from[is] = from[is] * 2
    end
    T.copy(from, T_2[import * 64])
  end
end)
k:compile()

-- Roles of several groups of 128 threads.
local groups = tl.jit(function(A)
  A: T.Tensor({512}, "float32")
  for bx in T.Kernel(1, {threads = 512}) do
    for t in T.ws(0) do A[t] = 1 end
    for t in T.ws(1, 2) do A[t + 128] = 2 end
    for t in T.ws(3) do A[t + 384] = 3 end
  end
end)
groups:compile()

-- C of the user's own: a value, a call of two private arrays, and one for what it does.
local own = tl.jit(function(A, B)
  A: T.Tensor({64}, "float32")
  B: T.Tensor({64, 4}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    T.import_source "__device__ float f(float a, int b) { return a + b; } // \"\\\n__device__ void count(void);\n"
    local tx = T.get_thread_binding()
    local a, b = T.alloc_local({4}, "float32"), T.alloc_local({4}, "float32")
    for v in T.vectorized(4) do
      a[v] = T.call_extern("float32", "f", A[tx], v) - T.call_pure_extern("float32", "f", A[tx], 2)
    end
    T.call_extern("handle", "widen", T.access_ptr(a, "r"), T.access_ptr(b[0], "w", 2), 3)
    T.call_extern("handle", "widen", T.access_ptr(a[2], "r", 2), T.access_ptr(b[2], "w", 2))
    T.evaluate(T.call_extern("int32", "count"))
    for v in T.vectorized(4) do
      B[tx, v] = b[v]
    end
  end
end)
own:compile()

-- Asynchronous copies by threads, and by tiles with their options; barriers of another block; bulk stores with theirs.
local starts = tl.jit(function(A, B)
  A: T.Tensor({64, 64}, "float32")
  B: T.Tensor({64, 64}, "float32")
  for bx in T.ClusterKernel(2, {threads = 128, cluster_dims = 2}) do
    local t, u = T.alloc_shared({128, 8}, "float32"), T.alloc_shared({64, 64}, "float32")
    local bar, tx = T.alloc_barrier(128), T.get_thread_binding()
    T.ptx_cp_async(T.access_ptr(t[tx, 4], "w", 4), T.access_ptr(A[tx % 64, 0], "r", 4), 4)
    T.ptx_commit_group()
    T.async_copy(A, u, {coalesced_width = 4})
    T.ptx_wait_group(0)
    T.tma_copy(A, u, {barrier = bar, eviction_policy = "evict_first"})
    T.mbarrier_arrive(bar, 0)
    T.mbarrier_arrive_expect_tx(bar, 16)
    T.mbarrier_wait_parity(bar, 0)
    T.fence_proxy_async()
    T.tma_copy(u, B, {eviction_policy = "evict_last"})
    T.tma_store_wait(0, false)
    T.tma_store_wait(0)
  end
end, {pass_configs = {tl_disable_thread_storage_sync = true}})
starts:compile()

-- A kernel that is called as the result is, and two launches whose blocks have the same names.
local function kernel(A, B)
  A: T.Tensor({64}, "float32")
  B: T.Tensor({64}, "float32")
  for bx in T.Kernel(2, {threads = 32}) do
    T.copy(A[bx * 32], B[bx * 32:bx * 32 + 32])
  end
  for bx in T.Kernel(4, {threads = 32}) do
    for i in T.Parallel(16) do
      B[bx * 16 + i] = B[bx * 16 + i] + 1
    end
  end
end
tl.compile(T.prim_func(kernel))
