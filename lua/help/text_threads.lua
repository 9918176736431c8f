-- help/text_threads.lua: longer texts of T: threads, barriers, asynchronous copies.

local M = {
  atomic_add = {
    en = [[
One element: `T.atomic_add(C[i], v)`; with return_prev = true it returns the previous
value.  A tile: `T.atomic_add(C[by * 32, 0], Cl)`.  The last bits of float sums depend on
the order of the blocks.
How often: in T.Parallel once for each iteration.  Elsewhere once for each block, in loops in
each round; but once for each thread where the condition around it, the index or the value
speaks of the thread, or differs between threads: `T.atomic_add(C[0], 1)` adds 1 for the
block, under `if tx < 64` it adds 64.  As it is written counts: so it is in a block of 64
threads, where each tx is less, and of `tx * 0 + 1`.  What all threads find out together
(T.syncthreads_or) is the block's.
TileLang does what is once for each block here in each thread; a warning says so where that makes
a difference (E339).  `if tx == 0` around it and T.Parallel mean the same in both.]],
    zh = [[
单个元素：`T.atomic_add(C[i], v)`，return_prev = true 时返回之前的值。分块：
`T.atomic_add(C[by * 32, 0], Cl)`。浮点数之和的末几位取决于各块的执行次序。
执行次数：在 T.Parallel 中，每次迭代一次；在别处，每块一次，循环中每轮一次。若外层条件、下标或值提到线程，或因线程而异，
则每个线程一次：`T.atomic_add(C[0], 1)` 每块加 1，置于 `if tx < 64` 之下则加 64。以所写的程序为准：在 64 个线程的块中
（每个 tx 都小于 64）也如此，`tx * 0 + 1` 亦然。所有线程共同得出的结果（T.syncthreads_or）属于整个块。
此处每块一次的操作，TileLang 由每个线程各做一次；有区别时会给出警告（E339）。外加 `if tx == 0` 或置于 T.Parallel 中，两者含义相同。]],
    see = {"T.atomic_max", "T.atomic_addx2", "T.reduce_sum"},
  },
  atomic_max = {see = {"T.atomic_add", "T.atomic_min"}},
  atomic_min = {see = {"T.atomic_add", "T.atomic_max"}},
  atomic_load = {see = {"T.atomic_store"}}, atomic_store = {see = {"T.atomic_load"}},
  get_thread_binding = {
    en = "Tile operations do not need it: T.Parallel, T.copy and T.gemm spread over the threads "
      .. "by themselves.",
    zh = "分块操作不需要它：T.Parallel、T.copy 与 T.gemm 会自行分配线程。",
    see = {"T.get_lane_idx", "T.Parallel"},
  },
  get_lane_idx = {see = {"T.get_warp_idx", "T.get_thread_binding"}},
  get_warp_idx = {see = {"T.get_lane_idx", "T.get_warp_group_idx"}},
  get_warp_group_idx = {
    en = [[
Groups of 4 warps: 128 threads where a warp has 32 lanes, 256 where it has 64 (MetaX, AMD).
The groups of T.ws have 128 threads on every machine; T.get_warp_group_idx(32, 4) counts those
on every machine.]],
    zh = [[
4 个 warp 为一组：warp 为 32 通道时每组 128 个线程，64 通道的机器（MetaX、AMD）上每组 256 个。
T.ws 在任何机器上都以 128 个线程为一组；T.get_warp_group_idx(32, 4) 总是按这种组计数。]],
    see = {"T.get_warp_idx", "T.ws"},
  },
  shfl_sync = {
    en = "srcLane counts modulo width, a power of 2: lanes are those of the segment.",
    zh = "srcLane 按 width（2 的幂）取模：指的是段内的通道。",
    see = {"T.shfl_xor", "T.shfl_up", "T.shfl_down"},
  },
  shfl_xor = {
    en = "The butterfly of a reduction: v = v + T.shfl_xor(v, 16), then 8, 4, 2, 1.  A lane outside "
      .. "of the segment gives the own value; delta counts modulo the lanes of a warp.",
    zh = "归约的蝶形交换：v = v + T.shfl_xor(v, 16)，再依次 8、4、2、1。所指通道在段外时得到自身的值；"
      .. "delta 按 warp 的通道数取模。",
    see = {"T.shfl_sync", "T.warp_reduce_sum"},
  },
  shfl_up = {
    en = "A lane outside of the segment gives the own value.  delta counts modulo the lanes of a "
      .. "warp: where a warp has 32, T.shfl_up(v, 33) is T.shfl_up(v, 1).",
    zh = "所指通道在段外时得到自身的值。delta 按 warp 的通道数取模：warp 为 32 通道时，T.shfl_up(v, 33) "
      .. "即 T.shfl_up(v, 1)。",
    see = {"T.shfl_down", "T.shfl_sync"},
  },
  shfl_down = {
    en = "A lane outside of the segment gives the own value.  delta counts modulo the lanes of a "
      .. "warp: where a warp has 32, T.shfl_down(v, 33) is T.shfl_down(v, 1).",
    zh = "所指通道在段外时得到自身的值。delta 按 warp 的通道数取模：warp 为 32 通道时，T.shfl_down(v, 33) "
      .. "即 T.shfl_down(v, 1)。",
    see = {"T.shfl_up", "T.shfl_sync"},
  },
  warp_reduce_sum = {see = {"T.reduce_sum", "T.shfl_xor"}},
  ballot = {see = {"T.ballot_sync", "T.any_sync"}},
  sync_threads = {
    en = "The compiler inserts the barriers that tiles need; the simulator reports where one of "
      .. "your own is missing.",
    zh = "分块所需的屏障由编译器插入；自己的代码缺少屏障时，模拟器会指出位置。",
    see = {"T.sync_warp", "T.named_barrier_arrive", "kernel:check"},
  },
  sync_grid = {
    en = "All blocks must run at the same time: a grid that does not fit on the machine is "
      .. "refused.",
    zh = "所有块须同时运行：网格超过机器容量时会被拒绝。",
    see = {"T.sync_threads", "T.Kernel"},
  },
  alloc_barrier = {
    en = [[
A barrier counts arrivals, and bytes of bulk copies, in phases; T.mbarrier_wait_parity waits
for the phase of a parity.  T.Pipelined needs none of this: it is for roles written by hand
with T.ws.  Needs sm_90 on cuda.]],
    zh = [[
屏障按阶段统计到达次数与批量复制的字节数；T.mbarrier_wait_parity 等待某一奇偶性的阶段。
T.Pipelined 不需要这些：它们用于以 T.ws 手写的角色分工。cuda 上需要 sm_90。]],
    see = {"T.mbarrier_arrive", "T.mbarrier_wait_parity", "T.tma_copy", "T.ws", "pipelines"},
  },
  mbarrier_wait_parity = {see = {"T.alloc_barrier", "T.mbarrier_arrive"}},
  mbarrier_arrive = {see = {"T.alloc_barrier", "T.mbarrier_wait_parity"}},
  ws = {
    en = [[
Groups of 128 threads with work of their own, such as producers and consumers: `for t in
T.ws(0) do .. end`, then `for t in T.ws(1) do .. end`.  A group has 128 threads on every machine:
4 warps of 32 lanes, or 2 of 64.  T.get_warp_group_idx() counts groups of 4 warps instead, which is
256 threads where a warp has 64 lanes; T.get_warp_group_idx(32, 4) counts the groups of T.ws.]],
    zh = [[
让每组 128 个线程各做各的，例如生产者与消费者：先 `for t in T.ws(0) do .. end`，再
`for t in T.ws(1) do .. end`。在任何机器上每组都是 128 个线程：32 通道的 warp 4 个，或 64 通道的
2 个。T.get_warp_group_idx() 则以 4 个 warp 为一组，warp 为 64 通道时即 256 个线程；
T.get_warp_group_idx(32, 4) 按 T.ws 的组计数。]],
    see = {"T.alloc_barrier", "T.set_max_nreg", "T.Pipelined", "T.get_warp_group_idx"},
  },
  async_copy = {see = {"T.ptx_wait_group", "T.copy", "T.tma_copy"}},
  ptx_wait_group = {see = {"T.async_copy", "T.ptx_commit_group"}},
  tma_copy = {
    en = [[
The innermost extent must be a multiple of 16 bytes, and so must the strides.  A load signals its
bytes to a barrier: T.tma_copy(A[i, k], As, {barrier = bar}).  A store is a group of its own; a
T.tma_store_arrive() behind it closes one more, which is empty.  Needs sm_90.]],
    zh = [[
最内维须为 16 字节的倍数，步长亦然。加载把字节数交给屏障：T.tma_copy(A[i, k], As, {barrier = bar})。
每次写出自成一组；其后再调用 T.tma_store_arrive() 会另外结束一个空组。需要 sm_90。]],
    see = {"T.alloc_barrier", "T.copy", "T.tma_store_wait"},
  },
  wgmma_gemm = {
    en = "T.gemm chooses wgmma by itself on sm_90; this one does not wait.",
    zh = "在 sm_90 上 T.gemm 会自行选用 wgmma；本函数则不等待完成。",
    see = {"T.gemm", "T.wait_wgmma"},
  },
  wait_wgmma = {see = {"T.wgmma_gemm"}},
  set_max_nreg = {see = {"T.inc_max_nreg", "T.dec_max_nreg", "T.ws"}},
}

return M
