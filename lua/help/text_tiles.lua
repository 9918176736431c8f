-- help/text_tiles.lua: longer texts of T: launches, loops, buffers, operations on tiles.
-- name = {en =, zh =, see = {..}}

return {
  Kernel = {
    en = [[
`for bx, by in T.Kernel(nx, ny, {threads = 128}) do .. end` is the launch: its body is what one
block of threads does; bx and by say which one.  Two or three launches may follow one another in
one kernel; all blocks of one end before the next begins.  TileLang writes
`with T.Kernel(..) as (bx, by)`.]],
    zh = [[
`for bx, by in T.Kernel(nx, ny, {threads = 128}) do .. end` 即一次启动：循环体是一个线程块
所做的事，bx、by 说明是哪一块。一个内核中可先后有多次启动，前一次的所有块结束后才开始下一次。
TileLang 写作 `with T.Kernel(..) as (bx, by)`。]],
    see = {"T.Parallel", "T.ceildiv", "T.use_swizzle", "T.Persistent", "kernels"},
  },
  ClusterKernel = {
    en = "The grid must be a whole number of clusters, of at most 16 blocks.  Needs sm_90.",
    zh = "网格须为簇的整数倍，每簇至多 16 块。需要 sm_90。",
    see = {"T.Kernel", "T.cluster_sync", "T.block_rank_in_cluster", "T.tma_copy"},
  },
  Parallel = {
    en = [[
Each iteration is run by some thread, in any order; which one follows from the layouts of the
fragments that are read and written.  Iterations may not depend on each other: use T.serial for
that, or a reduction.  The body may use if, while and T.alloc_var.]],
    zh = [[
每次迭代由某个线程完成，次序不定；由哪个线程完成取决于所读写片段的布局。各次迭代不得相互依赖：
有依赖时请用 T.serial 或归约。循环体中可以使用 if、while 与 T.alloc_var。]],
    see = {"T.serial", "T.vectorized", "T.reduce_sum", "kernels"},
  },
  Pipelined = {
    en = [[
With num_stages = n, the buffers that the loop's copies fill get n stages, and copies run
n - 1 iterations ahead of their use: shared memory grows n-fold.  With 0 or 1, each iteration
copies and waits.  The notes of k:explain() say which copies run ahead, and by which
instruction.  order and stage schedule the statements by hand, as in TileLang.]],
    zh = [[
num_stages = n 时，循环中复制操作所填的缓冲区分成 n 级，复制比使用提前 n - 1 次迭代；
共享内存用量变为 n 倍。0 与 1 表示每次迭代复制后立即等待。哪些复制得以提前、用何种指令，
见 k:explain() 的附注。order 与 stage 可手工安排各语句，同 TileLang。]],
    see = {"pipelines", "T.copy", "kernel:explain"},
  },
  serial = {
    en = "A plain `for k = 0, n - 1 do` in a kernel is the same when n is symbolic; with numbers "
      .. "it is a Lua loop, unrolled iteration by iteration.",
    zh = "内核中普通的 `for k = 0, n - 1 do` 在 n 为符号时与此相同；上下界都是数时则为 Lua 循环，"
      .. "各次迭代会逐一写出。",
    see = {"T.unroll", "T.Parallel", "T.Pipelined", "T.loop_break"},
  },
  unroll = {see = {"T.serial", "T.vectorized"}},
  vectorized = {
    en = "The iterations become one vector access where the addresses allow it, otherwise a "
      .. "plain loop.",
    zh = "地址允许时，各次迭代合为一次向量访问，否则为普通循环。",
    see = {"T.Parallel", "T.unroll"},
  },
  grid = {see = {"T.serial", "T.Parallel"}},
  Persistent = {
    en = "A launch of as many blocks as the machine holds processes tile after tile; "
      .. "neighbouring tiles are taken together, group_size rows at a time, so that they share "
      .. "data in the L2 cache.",
    zh = "启动与机器容量相当的块数，每块依次处理多个分块；以 group_size 行为一组遍历，使相邻分块"
      .. "在 L2 缓存中共享数据。",
    see = {"T.Kernel", "T.use_swizzle"},
  },
  loop_break = {see = {"T.serial"}},
  alloc_shared = {
    en = [[
All threads of the block read and write it; the compiler puts barriers where they are
needed.  Its rows are swizzled where that avoids bank conflicts: plot(k, "As") draws how.
A block has about 48 to 227 KB, depending on the machine; k:explain() itemizes it.]],
    zh = [[
块内所有线程都可读写，所需的屏障由编译器插入。需要避免 bank 冲突时，各行会采用交错布局：
plot(k, "As") 可画出。视机器而定，一个块约有 48 到 227 KB；k:explain() 打印明细。]],
    see = {"T.alloc_fragment", "T.copy", "T.annotate_layout", "memory"},
  },
  alloc_fragment = {
    en = [[
The elements are spread over the registers of all threads of the block, as the matrix
instructions, reductions and copies that use them need it.  Inside T.Parallel it is indexed like
any buffer.  plot(k, "Cl") draws which thread holds what.]],
    zh = [[
元素分布在块内所有线程的寄存器中，分布方式取决于使用它的矩阵指令、归约与复制。在 T.Parallel 内
像普通缓冲区一样取下标。plot(k, "Cl") 可画出每个元素在哪个线程。]],
    see = {"T.alloc_shared", "T.alloc_local", "T.gemm", "T.Fragment", "memory"},
  },
  alloc_local = {
    en = "Each thread has a whole copy of its own.  Indices should be known at compile time: an "
      .. "array that is indexed at run time lives in memory, and a note says so.",
    zh = "每个线程各有完整的一份。下标最好在生成内核时已知：运行时才确定下标的数组会放在内存中，"
      .. "附注会说明。",
    see = {"T.alloc_fragment", "T.alloc_var", "memory"},
  },
  alloc_var = {
    en = "Assign and read it by its name: `acc += x`.  A Lua local that is assigned in a loop or "
      .. "branch of the kernel must be one of these; any other is refused.",
    zh = "直接按名称赋值与读取：`acc += x`。在内核的循环或分支中赋值的 Lua 局部变量必须用它声明，"
      .. "否则会报错说明。",
    see = {"T.alloc_local", "T.serial"},
  },
  alloc_global = {see = {"T.empty", "T.alloc_shared"}},
  empty = {
    en = "Declared before the launch and returned by the function; each call makes a new tensor.  "
      .. "All of it must be written.",
    zh = "在启动之前声明，并由函数返回；每次调用都分配新的张量。所有元素都须写入。",
    see = {"T.Tensor", "T.alloc_global", "tl.jit"},
  },
  Tensor = {
    en = [[
`A: T.Tensor({M, K}, T.float16)` as a statement of the function, one for each tensor.  Dimensions
are numbers, T.const or T.dynamic symbols, or expressions of them.  A call with a different
shape or dtype is an error that names both.]],
    zh = [[
在函数中写作语句 `A: T.Tensor({M, K}, T.float16)`，每个张量一句。各维为数、T.const 或
T.dynamic 符号，或由它们组成的表达式。调用时形状或 dtype 不符会报错并指出两者。]],
    see = {"T.const", "T.dynamic", "T.StridedTensor", "T.annotate"},
  },
  StridedTensor = {see = {"T.Tensor"}},
  const = {
    en = "`local M, N = T.const \"M, N\"`: each must appear alone as a dimension of some tensor, "
      .. "from which a call takes its value.  A kernel is compiled for each set of values: in "
      .. "it, sizes are numbers.",
    zh = "`local M, N = T.const \"M, N\"`：每个符号都须单独作为某个张量的一维，调用时由此取值。"
      .. "每组取值生成一个内核，其中各尺寸都是数。",
    see = {"T.dynamic", "T.Tensor", "jit:compile"},
  },
  dynamic = {
    en = "One kernel works for all values; partial tiles at the edges are guarded.  For both "
      .. "tl.compile and tl.jit.",
    zh = "一个内核适用于所有取值；不足一个分块的边缘会加保护。tl.compile 与 tl.jit 都可用。",
    see = {"T.const", "T.Tensor"},
  },
  annotate = {see = {"T.Tensor"}},
  slice = {
    en = "`A[lo:hi, j]` is `A[{T.slice(lo, hi), j}]`; hi is not part of it.",
    zh = "`A[lo:hi, j]` 即 `A[{T.slice(lo, hi), j}]`，不含 hi。",
    see = {"indexing"},
  },
  reshape = {see = {"T.view"}}, view = {see = {"T.reshape", "T.reinterpret"}},
  copy = {
    en = [[
Where one side is a whole buffer and the other an element, as in `T.copy(A[by * 32, 0], As)`,
the element is the corner of a tile of the buffer's shape, aligned from the last dimension.
Two sides with different extents are an error, where TileLang guesses.  Types are
converted.  Reads outside a global tensor give 0 (or T.annotate_safe_value's), dimension
by dimension; writes there are dropped.  Loads in a T.Pipelined loop become asynchronous.]],
    zh = [[
一侧为完整缓冲区、另一侧为元素时，例如 `T.copy(A[by * 32, 0], As)`，该元素是与缓冲区同形状的
分块的起点，从最后一维对齐。两侧大小不同时报错，而 TileLang 会猜测。类型自动转换。对全局张量的
越界读取逐维得 0（或 T.annotate_safe_value 给出的值），越界写入被丢弃。T.Pipelined 循环中的
加载会变为异步复制。]],
    see = {"T.async_copy", "T.tma_copy", "T.fill", "T.annotate_safe_value"},
  },
  transpose = {see = {"T.copy"}},
  fill = {see = {"T.clear", "T.infinity"}}, clear = {see = {"T.fill", "T.gemm"}},
  gemm = {
    en = [[
A and B have one dtype; C is a fragment of float32 (or int32, float16, float64, as the operands
allow).  The best matrix instruction of the machine that fits is used; where none fits, the
product runs as multiply-adds and a note of k:explain() says why.  It does not clear C: begin
with T.clear(C).]],
    zh = [[
A 与 B 的 dtype 相同；C 为 float32 片段（视操作数也可为 int32、float16、float64）。使用机器上
适用的最佳矩阵指令；没有合适的指令时以乘加执行，k:explain() 的附注会说明原因。不会清零 C：
请先 T.clear(C)。]],
    see = {"T.GemmWarpPolicy", "T.clear", "T.wgmma_gemm", "T.Pipelined"},
  },
  GemmWarpPolicy = {
    en = "Square: warps are arranged in a square over C; FullRow: each warp has whole rows, for "
      .. "softmax and other reductions along rows; FullCol: each has whole columns.",
    zh = "Square：warp 在 C 上排成近似正方形；FullRow：每个 warp 持有整行，适合 softmax 等沿行的归约；"
      .. "FullCol：每个 warp 持有整列。",
    see = {"T.gemm"},
  },
  reduce = {see = {"T.reduce_sum", "T.reduce_max", "T.cumsum"}},
  reduce_sum = {
    en = "`T.reduce_sum(Cl, row, 1)` with Cl of {M, N} and row of {M}.",
    zh = "`T.reduce_sum(Cl, row, 1)`：Cl 为 {M, N}，row 为 {M}。",
    see = {"T.reduce_max", "T.cumsum", "T.warp_reduce_sum"},
  },
  reduce_max = {see = {"T.reduce_sum", "T.reduce_absmax"}},
  cumsum = {see = {"T.reduce_sum", "T.cummax"}},
  print = {
    en = [[
A scalar is printed by every thread, a tile once per block.  What a kernel prints appears at the
prompt when it ends.  Printing a lot is slow; look at a tile with plot or :peek instead.]],
    zh = [[
标量由每个线程各打印一次，分块每块打印一次。内核打印的内容在其结束时显示。大量输出会很慢；
查看分块请用 plot 或 :peek。]],
    see = {"T.device_assert", "kernel:peek"},
  },
  device_assert = {
    en = "The error names the line, the block and the thread.", zh = "错误信息会指出代码行、块与线程。",
    see = {"T.assume", "T.print"},
  },
  assume = {
    en = "It is not checked: where it does not hold, results are unpredictable.",
    zh = "不做任何检查：条件不成立时结果不可预料。",
    see = {"T.device_assert"},
  },
}
