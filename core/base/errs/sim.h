/* What the simulator finds: E600 to E649.  Every one names a witness: thread,
 * block, element, iteration, and both lines.  See errs.h. */
/* Order between threads.  {1} element, {2} {3} thread and block that came first, {4} {5} those of
 * this line, {6} where in the loops, or nothing. */
ERR(sim_race_ww, "E600", Lerror, "two threads write {1} in no fixed order", "两个线程写 {1}，先后未定",
    "thread {4} of block {5} writes {1}{6}; there is no barrier between it and the other write",
    "块 {5} 的线程 {4} 写 {1}{6}；它与另一次写之间没有同步",
    "put T.sync_threads() between the two lines; between tile operations moontile places barriers itself: if one is missing there, please report it",
    "请在两行之间放 T.sync_threads()；分块操作之间的同步由 moontile 自己安排，若缺在那里，请报告给我们")
ERR(sim_race_wr, "E601", Lerror, "{1} is read without waiting for the thread that writes it", "读 {1} 时没有等待写它的线程",
    "thread {4} of block {5} reads {1}{6}; there is no barrier between the write and this read",
    "块 {5} 的线程 {4} 读 {1}{6}；写与这次读之间没有同步",
    "put T.sync_threads() between the two lines; between tile operations moontile places barriers itself: if one is missing there, please report it",
    "请在两行之间放 T.sync_threads()；分块操作之间的同步由 moontile 自己安排，若缺在那里，请报告给我们")
ERR(sim_race_rw, "E602", Lerror, "{1} is overwritten while another thread may still read it", "{1} 被改写时，另一个线程可能还在读它",
    "thread {4} of block {5} writes {1}{6}; there is no barrier between the read and this write",
    "块 {5} 的线程 {4} 写 {1}{6}；读与这次写之间没有同步",
    "put T.sync_threads() between the two lines, at the end of a loop's body too; between tile operations moontile places barriers itself: if one is missing there, please report it",
    "请在两行之间放 T.sync_threads()（循环体末尾也一样）；分块操作之间的同步由 moontile 自己安排，若缺在那里，请报告给我们")
ERR(sim_race_same, "E603", Lerror, "several threads write different values to {1} at once", "多个线程同时向 {1} 写入不同的值",
    "threads {2} and {4} of block {5}, by the same statement{6}", "块 {5} 的线程 {2} 和 {4}，由同一条语句写入{6}",
    "let one thread write ({0|`if tid == 0`|`if tid == 0:`}), or give each its own element, or use T.atomic_add",
    "请只让一个线程写（{0|`if tid == 0`|`if tid == 0:`}），或让每个线程写各自的元素，或用 T.atomic_add")
ERR(sim_race_blocks, "E604", Lerror, "two blocks access {1} in no fixed order, and at least one writes", "两个块访问 {1}，先后未定，且至少有一个写",
    "thread {4} of block {5} accesses {1} here{6}; blocks of a launch run in any order",
    "块 {5} 的线程 {4} 在此访问 {1}{6}；同一次启动中各块的执行次序是任意的",
    "let each block write its own elements, or use T.atomic_add", "请让每个块写各自的元素，或用 T.atomic_add")
ERR(sim_race_atomic, "E605", Lerror, "{1} is updated atomically and accessed plainly in no fixed order", "{1} 既有原子更新又有普通访问，先后未定",
    "thread {4} of block {5} accesses {1} here{6}; atomics are ordered only among themselves",
    "块 {5} 的线程 {4} 在此访问 {1}{6}；原子操作只在彼此之间有序",
    "put T.sync_threads() between the two lines, or make both accesses atomic", "请在两行之间放 T.sync_threads()，或让两次访问都成为原子操作")
ERR(sim_race_updates, "E930", Lerror, "{1} is updated in two ways in no fixed order", "{1} 以两种方式作原子更新，先后未定",
    "thread {4} of block {5} updates it here{6}; each update is whole, but one kind after the other gives another value",
    "块 {5} 的线程 {4} 在此更新{6}；每次更新都完整，但两种更新先后不同，结果也不同",
    "do one of the two in a statement of its own behind the other one (T.sync_threads() between them), or in a launch of its own where two blocks do them",
    "请把其中一种放到另一种之后的单独语句中（两者之间用 T.sync_threads()）；若由两个块分别进行，则放到单独的一次启动中")
ERR(sim_race_both, "E639", Lerror, "{1} is updated atomically by one block and accessed plainly by another", "{1} 由一个块原子更新，又由另一个块作普通访问",
    "thread {4} of block {5} accesses {1} here{6}; blocks of a launch run in any order, and atomics are ordered only among themselves",
    "块 {5} 的线程 {4} 在此访问 {1}{6}；同一次启动中各块的执行次序是任意的，原子操作也只在彼此之间有序",
    "make both accesses atomic, or put one of them into a kernel of its own: {0|fill outputs with tl.zeros|fill outputs with torch.zeros} before the launch, read sums after it",
    "请让两次访问都成为原子操作，或把其中之一放到另一个内核：启动前{0|用 tl.zeros 填充|用 torch.zeros 填充}输出，启动后再读取总和")
/* Contents.  {1} element, {2} {3} thread and block, {4} where in the loops. */
ERR(sim_unwritten, "E606", Lerror, "{1} is read, but nothing was written there", "读取了从未写过的 {1}",
    "thread {2} of block {3} reads {1}{4}", "块 {3} 的线程 {2} 读 {1}{4}",
    "fill the buffer first: T.clear(buffer), T.fill(buffer, value), or a T.copy of the whole tile",
    "请先填充缓冲区：T.clear(buffer)、T.fill(buffer, value)，或用 T.copy 复制整个分块")
ERR(sim_stale, "E607", Lerror, "{1} is read before it is written: its bytes still hold `{5}`", "{1} 尚未写就被读取：那些字节里还是 `{5}`",
    "thread {2} of block {3} reads {1}{4}; the two buffers share this memory in turn",
    "块 {3} 的线程 {2} 读 {1}{4}；这两个缓冲区先后共用这块内存",
    "fill the buffer before it is read: T.clear(buffer), or a T.copy of the whole tile", "请在读取之前填充缓冲区：T.clear(buffer)，或用 T.copy 复制整个分块")
ERR(sim_poison, "E608", Lerror, "{1} is read, but this launch has written nothing there", "读取了 {1}，而本次启动还没有写过它",
    "thread {2} of block {3} reads {1}{4}; the contents of a new tensor are undefined", "块 {3} 的线程 {2} 读 {1}{4}；新张量的内容是未定义的",
    "write it first, or pass a tensor that has values", "请先写入，或传入一个已有值的张量")
ERR(sim_never_written, "E609", Lerror, "the output `{1}` is not completely written", "输出 `{1}` 没有写满",
    "{2} of its {3} {3|element|elements} {2|was|were} never written, the first is {4}", "它的 {3} 个元素中有 {2} 个从未写过，第一个是 {4}",
    "check the number of blocks (T.ceildiv) and the bounds of the last tile", "请检查块的数量（T.ceildiv）以及最后一个分块的边界")
/* Asynchronous operations.  {1} element, {2} {3} thread and block, {4} where, {5} its operation. */
ERR(sim_async_early, "E610", Lerror, "{1} is used before the asynchronous copy into it has been waited for", "{1} 的异步复制尚未等待完成就被使用",
    "thread {2} of block {3} accesses {1} here{4}; {5} may still be writing it", "块 {3} 的线程 {2} 在此访问 {1}{4}；{5} 可能还在写入",
    "wait first: T.ptx_wait_group(n) and T.sync_threads(), or T.mbarrier_wait_parity for a TMA copy", "请先等待：T.ptx_wait_group(n) 加 T.sync_threads()；TMA 复制用 T.mbarrier_wait_parity")
ERR(sim_async_reads, "E611", Lerror, "{1} is overwritten while an asynchronous operation may still read it", "{1} 被改写时，异步操作可能还在读它",
    "thread {2} of block {3} writes {1}{4}; {5} has not been waited for", "块 {3} 的线程 {2} 写 {1}{4}；{5} 尚未等待完成",
    "wait first: T.warpgroup_wait(0) for a matrix product, T.tma_store_wait() for a TMA store, its mbarrier for a TMA load, T.ptx_wait_group(0) for cp.async",
    "请先等待：矩阵乘用 T.warpgroup_wait(0)，TMA 存储用 T.tma_store_wait()，TMA 加载等待其 mbarrier，cp.async 用 T.ptx_wait_group(0)")
ERR(sim_store_early, "E648", Lerror, "{1} is used before an asynchronous store to it was waited for", "{1} 的异步存储尚未等待完成就被使用",
    "thread {2} of block {3} accesses {1} here{4}; {5} may still be writing it", "块 {3} 的线程 {2} 在此访问 {1}{4}；{5} 可能还在写入",
    "wait first, in the thread that started it: {0|T.tma_store_wait(0, false)|T.tma_store_wait(0, False)}, then T.sync_threads(); T.tma_store_wait() only waits until the tile has been read",
    "请先由发起的线程等待：{0|T.tma_store_wait(0, false)|T.tma_store_wait(0, False)}，再 T.sync_threads()；T.tma_store_wait() 只等到其分块被读完")
ERR(sim_async_unseen, "E612", Lerror, "{1} is used by a thread that has not seen the asynchronous copy complete", "使用 {1} 的线程没有看到异步复制完成",
    "thread {2} of block {3} accesses {1} here{4}; only threads that waited for {5}, or met one of them at a barrier, may use it",
    "块 {3} 的线程 {2} 在此访问 {1}{4}；只有等待过 {5} 的线程，或与其在屏障处会合过的线程，才能使用",
    "put T.sync_threads() after the wait, or let every thread wait on the mbarrier", "请在等待之后放 T.sync_threads()，或让每个线程都等待该 mbarrier")
ERR(sim_async_busy, "E613", Lerror, "{1} is overwritten, but the threads have not seen {5} finish with it", "{1} 被改写，而线程还没有看到 {5} 用完它",
    "thread {2} of block {3} writes {1}{4}", "块 {3} 的线程 {2} 写 {1}{4}",
    "put T.sync_threads() after the wait, or wait on the mbarrier that says the stage is free", "请在等待之后放 T.sync_threads()，或等待表示该级空闲的 mbarrier")
ERR(sim_fence, "E614", Lerror, "{1} was written by ordinary stores and is used by {5} without a fence", "{1} 由普通存储写入，{5} 使用它之前没有栅栏",
    "the operation issued by thread {2} of block {3} may come before those stores{4}", "块 {3} 的线程 {2} 发出的操作可能先于这些存储发生{4}",
    "put T.fence_proxy_async() after the stores, before the barrier", "请在存储之后、屏障之前放 T.fence_proxy_async()")
ERR(sim_never_waited, "E615", Lerror, "nobody waits for this {1}", "没有人等待这个 {1}",
    "the block ends while it may still be running; thread {2} of block {3} issued it", "线程块结束时它可能还在进行；由块 {3} 的线程 {2} 发出",
    "wait before the kernel ends: T.ptx_wait_group(0), T.tma_store_wait(), T.warpgroup_wait(0), or on its mbarrier",
    "请在内核结束之前等待：T.ptx_wait_group(0)、T.tma_store_wait()、T.warpgroup_wait(0)，或等待其 mbarrier")
/* Barriers.  {1} the barrier, {2} {3} thread and block, {4} where, {5} {6} numbers. */
ERR(sim_mbar_uninit, "E616", Lerror, "the mbarrier {1} is used before it is initialised", "mbarrier {1} 尚未初始化就被使用",
    "thread {2} of block {3}{4}; no initialisation that this thread knows of came before", "块 {3} 的线程 {2}{4}；在此之前没有该线程可见的初始化",
    "let one thread initialise it, then T.sync_threads()", "请让一个线程初始化它，然后 T.sync_threads()")
ERR(sim_mbar_arrivals, "E617", Lerror, "too many arrivals at the mbarrier {1}", "mbarrier {1} 的到达次数过多",
    "thread {2} of block {3} arrives{4}, but the phase expects {5} in all and has {6} left", "块 {3} 的线程 {2} 到达{4}，但该阶段共需 {5} 次，只剩 {6} 次",
    "initialise it with the number of threads that arrive", "请用实际到达的线程数来初始化它")
ERR(sim_mbar_bytes, "E618", Lerror, "more bytes arrive at the mbarrier {1} than it expects", "到达 mbarrier {1} 的字节数多于所期望的",
    "{5} bytes come, {6} are expected in this phase", "到达 {5} 字节，本阶段期望 {6} 字节",
    "expect the bytes of all copies that signal this barrier before they start", "请在复制开始之前，让屏障期望所有相关复制的总字节数")
ERR(sim_mbar_count, "E619", Lerror, "the mbarrier {1} cannot be initialised with {5} arrivals", "mbarrier {1} 不能用 {5} 次到达来初始化",
    "thread {2} of block {3}{4}; it must be from 1 to 1048575", "块 {3} 的线程 {2}{4}；可用范围是 1 到 1048575",
    "give the number of threads that arrive in one phase", "请给出一个阶段中到达的线程数")
ERR(sim_mbar_again, "E620", Lerror, "the mbarrier {1} is initialised again while it is in use", "mbarrier {1} 正在使用时又被初始化",
    "thread {2} of block {3}{4}", "块 {3} 的线程 {2}{4}",
    "initialise it once, before the loops", "请只在循环之前初始化一次")
ERR(sim_bar_many, "E621", Lerror, "too many threads arrive at the barrier {1}", "到达屏障 {1} 的线程过多",
    "thread {2} of block {3} and its warp arrive{4}; {5} threads are expected, {6} had already arrived", "块 {3} 的线程 {2} 及其线程束到达{4}；屏障等待 {5} 个线程，已到 {6} 个",
    "give the count of all threads that reach it, or another id", "请给出所有会到达它的线程总数，或换一个编号")
ERR(sim_bar_count, "E622", Lerror, "the barrier {1} has the wrong count {5}", "屏障 {1} 的线程数 {5} 有误",
    "it must be a multiple of {6}, at least that, and at most the number of threads of the block", "它必须是 {6} 的倍数，至少为 {6}，且不超过线程块的线程数",
    "count whole warps", "请以整个线程束为单位计数")
ERR(sim_bar_differs, "E623", Lerror, "the threads at the barrier {1} do not agree on its count", "屏障 {1} 处的线程对人数的说法不一致",
    "thread {2} of block {3} says {5}{4}, others that wait there say {6}", "块 {3} 的线程 {2} 说是 {5}{4}，已在等待的线程说是 {6}",
    "use another id for another group of threads", "不同的线程组请用不同的编号")
/* {1} and {6}: what threads {2} and {5} are at */
ERR(sim_bar_mixed, "E794", Lerror, "threads of a block meet at different barriers: {1} and {6}", "同一块的线程在不同的屏障处会合：{1} 与 {6}",
    "thread {2} of block {3} and its warp are here{4}, thread {5} waits at the other; a GPU may count the threads of one for the other",
    "块 {3} 的线程 {2} 及其线程束在此{4}，线程 {5} 在另一处等待；GPU 可能把一处的线程计入另一处",
    "let all threads of the block get to the same one: move it out of the `if`, or in front of where some of them leave the loop",
    "请让块中的所有线程都到达同一处：移到 `if` 之外，或移到部分线程离开循环之前")
ERR(sim_bar_other, "E795", Lnote, "the other barrier", "另一个屏障", "thread {5} of block {3} waits here", "块 {3} 的线程 {5} 在此等待", "", "")
ERR(sim_bar_warp, "E624", Lerror, "only part of a warp reaches the barrier {1}", "只有线程束的一部分到达屏障 {1}",
    "thread {2} of block {3} is there{4}, thread {5} is not", "块 {3} 的线程 {2} 已到达{4}，线程 {5} 没有",
    "move the barrier out of the `if`: all lanes of a warp must reach it together", "请把屏障移到 `if` 之外：同一线程束的所有线程必须一起到达")
/* Deadlock, one row for each place where threads wait: {1} threads, {2} block. */
ERR(sim_deadlock, "E625", Lerror, "these threads wait forever: a phase of the mbarrier {4} never completes", "这些线程永远等不到：mbarrier {4} 的一个阶段始终不会完成",
    "threads {1} of block {2} wait for parity {3}; {5} arrivals and {6} bytes are missing", "块 {2} 的线程 {1} 等待奇偶 {3}；还缺 {5} 次到达和 {6} 字节",
    "in each phase, let as many threads arrive and as many bytes be copied as it was told to expect; waits take parity 0, 1, 0, .. for phase 0, 1, 2, ..",
    "每个阶段的到达次数和复制字节数都要与约定一致；阶段 0、1、2……依次等待奇偶 0、1、0……")
ERR(sim_deadlock_bar, "E632", Lerror, "these threads wait forever at the barrier {3}", "这些线程在屏障 {3} 处永远等待",
    "threads {1} of block {2} wait; {4} of {5} have come", "块 {2} 的线程 {1} 在等待；{5} 个线程中到了 {4} 个",
    "all threads that it counts must reach it: none may skip it in an `if` or leave a loop early",
    "它所计入的所有线程都必须到达：不能在 `if` 中跳过，也不能提前离开循环")
ERR(sim_deadlock_cluster, "E633", Lerror, "these threads wait forever at the barrier of the cluster", "这些线程在集群屏障处永远等待",
    "threads {1} of block {2} wait; {3} of {4} have come", "块 {2} 的线程 {1} 在等待；{4} 个线程中到了 {3} 个",
    "all threads of all blocks of the cluster must reach it", "集群中所有块的所有线程都必须到达")
ERR(sim_deadlock_other, "E634", Lerror, "these threads wait forever for others that never arrive", "这些线程永远等待着不会到来的其他线程",
    "threads {1} of block {2} wait here", "块 {2} 的线程 {1} 在此等待",
    "all threads that take part must reach this line", "所有参与的线程都必须到达这一行")
ERR(sim_bar_left, "E626", Lerror, "threads arrived at the barrier {1}, but it was never completed", "屏障 {1} 有线程到达，却始终没有凑齐",
    "{5} of {6} threads were there when the block ended", "线程块结束时，{6} 个线程中到了 {5} 个",
    "let all threads that it counts reach it", "请让计入的所有线程都到达它")
/* Second lines. */
ERR(sim_wrote, "E627", Lnote, "the other write", "另一次写", "thread {2} of block {3} writes it here", "块 {3} 的线程 {2} 在此写入", "", "")
ERR(sim_read, "E628", Lnote, "the other read", "另一次读", "thread {2} of block {3} reads it here", "块 {3} 的线程 {2} 在此读取", "", "")
ERR(sim_updates, "E629", Lnote, "the atomic update", "原子更新", "thread {2} of block {3} updates it here", "块 {3} 的线程 {2} 在此更新", "", "")
ERR(sim_issued, "E630", Lnote, "started here", "在此发起", "by {5}", "由 {5} 发起", "", "")
ERR(sim_stored, "E631", Lnote, "stored here", "在此存储", "", "", "", "")
/* The machine. */
ERR(sim_bounds, "E640", Lerror, "{1} is outside its buffer", "{1} 超出其缓冲区",
    "its shape is [{2}]; thread {3} of block {4} accesses it here{5}", "它的形状是 [{2}]；块 {4} 的线程 {3} 在此访问{5}",
    "guard the access with `if`, or make the grid and the tiles fit", "请用 `if` 保护这次访问，或使网格与分块相符")
ERR(sim_undefined, "E641", Lerror, "the register {1} is read, but it never got a value", "读取了从未赋值的寄存器 {1}",
    "thread {2} of block {3} reads it{4}", "块 {3} 的线程 {2} 在此读取{4}",
    "set it first: T.clear(buffer), T.fill(buffer, value), or an initial value", "请先赋值：T.clear(buffer)、T.fill(buffer, value)，或给出初值")
ERR(sim_reg, "E642", Lerror, "the register {1}[{2}] does not exist: there are {3}", "寄存器 {1}[{2}] 不存在：共有 {3} 个",
    "thread {4} of block {5}{6}", "块 {5} 的线程 {4}{6}",
    "compare the index with the size of the local buffer", "请对照局部缓冲区的大小检查下标")
ERR(sim_misaligned, "E643", Lerror, "a vector access at {1} is not at a multiple of {2} bytes", "在 {1} 处的向量访问没有按 {2} 字节对齐",
    "thread {3} of block {4}{5}; a GPU would fault there", "块 {4} 的线程 {3}{5}；GPU 会在此出错",
    "let the vector start at a multiple of its size, or make it narrower", "请让向量从其大小的整数倍处开始，或用更窄的向量")
ERR(sim_box_row, "E734", Lerror, "a TMA box cannot begin at {1}", "TMA 的矩形块不能从 {1} 开始",
    "that is byte {6} of its row, not a multiple of 16; thread {3} of block {4}{5}; a GPU would fault there",
    "它位于该行的第 {6} 字节，不是 16 的倍数；块 {4} 的线程 {3}{5}；GPU 会在此出错",
    "let the last index be a multiple of {2}, or use T.copy, which finds another way", "请让最后一个下标为 {2} 的倍数，或改用 T.copy，它会另选方式")
ERR(sim_box_base, "E735", Lerror, "a TMA copy cannot begin at {1}", "TMA 拷贝不能从 {1} 开始",
    "that is byte {6} of shared memory, not a multiple of {2}; thread {3} of block {4}{5}; a GPU would fault there",
    "它位于共享内存的第 {6} 字节，不是 {2} 的倍数；块 {4} 的线程 {3}{5}；GPU 会在此出错",
    "copy to a tile of its own (T.alloc_shared), or to a slice that begins at a multiple of {2} bytes of its tile",
    "请拷贝到单独的分块（T.alloc_shared），或拷贝到在分块内从 {2} 字节的倍数处开始的切片")
ERR(sim_lane, "E644", Lerror, "{1} takes a value from a lane that is not active", "{1} 从不在场的通道取值",
    "thread {2} of block {3} asks lane {4}, which is inactive or has exited{5}", "块 {3} 的线程 {2} 请求通道 {4}，而它未激活或已结束{5}",
    "move the call out of the `if`, so that all lanes of the warp make it", "请把调用移到 `if` 之外，让线程束的所有通道一起执行")
ERR(sim_part, "E645", Lerror, "only part of a warp executes {1}", "只有线程束的一部分执行 {1}",
    "thread {2} of block {3} does{4}, thread {5} does not", "块 {3} 的线程 {2} 在执行{4}，线程 {5} 没有",
    "move it out of the `if`: all lanes of a warp must execute it together", "请移到 `if` 之外：同一线程束的所有通道必须一起执行")
/* Masks: {1} the call, {2} {3} thread and block, {4} its mask, {5} a lane */
ERR(sim_mask_other, "E822", Lerror, "the mask of {1} names a lane that does not take part", "{1} 的掩码包含未参与的通道",
    "thread {2} of block {3} names lane {5}, which {6|is inactive or has exited|gives another mask}; its mask is {4}",
    "块 {3} 的线程 {2} 指定了通道 {5}，而它{6|未激活或已结束|给出的是另一个掩码}；该线程的掩码为 {4}",
    "name the lanes that come together, and no others: {0|mask = 0xFFFF|mask=0xFFFF} for the first 16, {0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)} taken before `if c`; or move the call out of the `if`",
    "请只指定一同到达的通道：前 16 个为 {0|mask = 0xFFFF|mask=0xFFFF}，或在 `if c` 之前取 {0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)}；也可以把调用移到 `if` 之外")
ERR(sim_mask_short, "E823", Lerror, "the mask of {1} leaves out a lane that {6|executes it|it takes a value from}", "{1} 的掩码不含{6|执行它的|它取值的}通道",
    "thread {2} of block {3} {6|is|asks} lane {5}; its mask is {4}", "块 {3} 的线程 {2} {6|是|请求}通道 {5}；其掩码为 {4}",
    "name every lane that takes part, in the masks of all of them{6|, or leave `mask` out where all lanes of the warp do|}", "请在所有参与通道的掩码中指定每个参与的通道{6|；若线程束的所有通道都参与，可省略 `mask`|}")
ERR(sim_registers, "E646", Lerror, "the registers of {1} are used while wgmma may still be working on them", "wgmma 可能仍在使用 {1} 的寄存器时就被访问",
    "thread {2} of block {3}{4}", "块 {3} 的线程 {2}{4}",
    "wait first: T.warpgroup_wait(0)", "请先等待：T.warpgroup_wait(0)")
ERR(sim_wgmma_fence, "E647", Lerror, "wgmma uses registers of {1} that were written without a fence", "wgmma 使用的 {1} 寄存器在写入后没有栅栏",
    "thread {2} of block {3}{4}", "块 {3} 的线程 {2}{4}",
    "put T.warpgroup_arrive() before the first wgmma", "请在第一个 wgmma 之前放 T.warpgroup_arrive()")
ERR(sim_grid, "E649", Lerror, "the grid has {1} blocks; sync_grid can hold {2} here", "网格有 {1} 个块；这里的 sync_grid 最多支持 {2} 个",
    "all blocks must run at once", "所有块必须同时运行", "use a smaller grid", "请使用更小的网格")
/* mbarriers, again: {1} the barrier, {2} {3} thread and block, {4} where, {5} a number. */
ERR(sim_mbar_many, "E635", Lerror, "several threads initialise the mbarrier {1}", "有多个线程初始化 mbarrier {1}",
    "thread {2} of block {3} and others, {5} in all, do so{4}", "块 {3} 的线程 {2} 等共 {5} 个线程在此初始化{4}",
    "let one thread do it: {0|`if tid == 0`|`if tid == 0:`}", "请只让一个线程初始化：{0|`if tid == 0`|`if tid == 0:`}")
ERR(sim_mbar_phase, "E636", Lerror, "this arrival may count for the wrong phase of the mbarrier {1}", "这次到达可能计入 mbarrier {1} 的错误阶段",
    "thread {2} of block {3} arrives{4} without knowing that the previous phase is complete; a phase takes {5} {5|arrival|arrivals}",
    "块 {3} 的线程 {2} 到达{4}，却不知道前一阶段已经完成；每个阶段需 {5} 次到达",
    "initialise it with the number of threads that arrive in one phase, and wait for a phase before arriving at the next",
    "请用一个阶段中实际到达的线程数来初始化它，并在下一次到达之前等待前一阶段完成")
ERR(sim_race_update, "E637", Lerror, "several threads read and write {1} in no fixed order", "多个线程读写 {1}，先后未定",
    "thread {4} of block {5} accesses {1} here{6}", "块 {5} 的线程 {4} 在此访问 {1}{6}",
    "to add to one element from several threads use T.atomic_add; otherwise give each thread its own element, or read into a variable of its own (T.alloc_var), T.sync_threads(), then write",
    "若要让多个线程累加到同一元素，请用 T.atomic_add；否则让每个线程使用各自的元素，或先读入自己的变量（T.alloc_var），T.sync_threads()，再写")
/* Iterations of T.Parallel that met in a run: {1} the loop, {2} {3} two of its iterations, {4} the
 * element, {5} the block, {6} where. */
ERR(sim_iter_write, "E796", Lerror, "two iterations of T.Parallel write one element", "T.Parallel 的两次迭代写同一个元素",
    "{1}: iterations ({2}) and ({3}) both write {4} in block {5}{6}", "{1}：在块 {5} 中，迭代 ({2}) 与 ({3}) 都写 {4}{6}",
    "make sure that only one of them does, or use an atomic", "请确保只有其中一次写入，或使用原子操作")
ERR(sim_iter_read, "E797", Lerror, "an iteration of T.Parallel reads what another writes", "T.Parallel 的一次迭代读取了另一次迭代写入的元素",
    "{1}: iteration ({2}) reads {4}, iteration ({3}) writes it, in block {5}{6}", "{1}：在块 {5} 中，迭代 ({2}) 读 {4}，迭代 ({3}) 写它{6}",
    "copy the tile to a second buffer first, and read from that one; to add to one element use T.atomic_add",
    "请先把分块复制到另一个缓冲区，再从那里读取；若要累加到同一元素，请用 T.atomic_add")
ERR(sim_iter_atomic, "E798", Lerror, "an iteration of T.Parallel accesses what another updates atomically", "T.Parallel 的一次迭代直接访问了另一次迭代原子更新的元素",
    "{1}: iterations ({2}) and ({3}) both access {4} in block {5}{6}, one of them without an atomic", "{1}：在块 {5} 中，迭代 ({2}) 与 ({3}) 都访问 {4}{6}，其中一次不是原子操作",
    "make both atomic, or do one of them in a loop of its own", "请让两处都用原子操作，或把其中一处放到单独的循环中")
ERR(sim_iter_updates, "E931", Lerror, "iterations of T.Parallel update one element in two ways", "T.Parallel 的多次迭代以两种方式更新同一个元素",
    "{1}: iterations ({2}) and ({3}) both update {4} in block {5}{6}, and they have no order", "{1}：在块 {5} 中，迭代 ({2}) 与 ({3}) 都更新 {4}{6}，而两者没有先后",
    "do one kind of update in a loop of its own", "请把其中一种更新放到单独的循环中")
ERR(sim_iter_other, "E799", Lnote, "the other access", "另一次访问", "iteration ({3}) accesses it here", "迭代 ({3}) 在此访问它", "", "")
/* traces: {1} the block that was asked for, {2} the grid */
ERR(sim_trace_block, "E695", Lerror, "there is no block {1} to trace", "没有可供追踪的块 {1}",
    "the grid is {2}; blocks count from 0", "网格为 {2}；块从 0 开始编号",
    "name one of the grid: {0|k:trace{block = {0, 0}}|k.trace(block=(0, 0))}", "请给出网格中的块：{0|k:trace{block = {0, 0}}|k.trace(block=(0, 0))}")
/* {1} the call, {2} its width, {3} lanes of a warp, {4} a thread of block {5}, {6} where */
ERR(sim_width, "E638", Lerror, "{1} asks for groups of {2} lanes", "{1} 要求 {2} 条通道为一组",
    "thread {4} of block {5}{6}; groups are of 1, 2, 4 lanes and so on, up to the {3} that a warp has here", "块 {5} 的线程 {4}{6}；每组的通道数须为 1、2、4 等 2 的幂，且不超过此处 warp 的 {3} 条通道",
    "give `width` a power of 2, or leave it out: 32", "请让 `width` 为 2 的幂，或省略：默认为 32")
/* -seconds: {1} the kernel, {2} seconds, {3} the block that had its turn; {1} of {2} seconds */
ERR(sim_late, "E699", Lerror, "the simulator had not finished `{1}` after {2} s", "模拟器在 {2} 秒后仍未运行完 `{1}`",
    "block {3} was here", "块 {3} 正运行到此处", "allow more time: -seconds=N, or leave it out", "请放宽时限：-seconds=N，或去掉该选项")
ERR(sim_search, "E458", Lnote, "the simulator is looking for the line: {1} s of at most {2}", "模拟器正在查找出错的行：{1} 秒，最多 {2} 秒", "", "", "", "")
/* {1} the function */
ERR(sim_extern, "E965", Lerror, "`{1}` is C of your own, which the simulator cannot execute", "`{1}` 是您自己的 C 代码，模拟器无法执行",
    "the simulator, and the cpu target for a kernel that speaks of threads, know what T says and nothing else",
    "模拟器只认识 T 的操作；内核涉及单个线程时，cpu 目标也由模拟器执行",
    "run it with -t cuda; with -t cpu call it in T.Parallel for a value; or write it with T: shifts, masks, T.reinterpret, T.cast",
    "请用 -t cuda 运行；或用 -t cpu，在 T.Parallel 中调用它取值；或改用 T 书写：移位、掩码、T.reinterpret、T.cast")
