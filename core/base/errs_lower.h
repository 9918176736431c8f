/* Messages of layouts and lowering: E530 to E599, and E497, E498; most are notes on a better
 * way that was not taken and the condition that failed.  See errs.h. */
ERR(gemm_better, "E560", Lnote, "`{1}` is not used for this T.gemm", "这个 T.gemm 没有使用 `{1}`",
    "{2}", "{2}",
    "`{3}` is used", "实际使用 `{3}`")
ERR(gemm_scalar, "E561", Lnote, "this T.gemm runs as scalar multiply-adds", "这个 T.gemm 以标量乘加执行",
    "no matrix instruction of {1} fits: {2}", "{1} 没有适用的矩阵指令：{2}",
    "choose element types and tile sizes that the machine's instructions have", "请选用该机器矩阵指令支持的元素类型和分块大小")
ERR(gemm_no_matrix, "E562", Lnote, "this T.gemm runs as scalar multiply-adds", "这个 T.gemm 以标量乘加执行",
    "{1} has no matrix instructions", "{1} 没有矩阵指令", "", "")
ERR(gemm_float32, "E563", Lnote, "this T.gemm runs as scalar multiply-adds", "这个 T.gemm 以标量乘加执行",
    "the matrix units of {1} would round float32 operands to tfloat32", "{1} 的矩阵单元会把 float32 操作数舍入为 tfloat32",
    "give `{2}` and `{3}` the type tfloat32 if 10 bits of mantissa are enough",
    "如果 10 位尾数足够，请把 `{2}` 和 `{3}` 的类型改为 tfloat32")
ERR(gemm_copies, "E564", Lnote, "warps repeat each other's work in this T.gemm", "这个 T.gemm 中有线程束做了重复的工作",
    "a {1} tile has work for {2} of {3} warps with `{4}`", "{1} 的分块用 `{4}` 只够 {3} 个线程束中的 {2} 个分工",
    "use fewer threads or a larger tile", "请减少线程数，或增大分块")
ERR(gemm_widened, "E565", Lnote, "this T.gemm accumulates in {1}", "这个 T.gemm 以 {1} 累加",
    "`{2}` is {3}, which `{4}` cannot accumulate; it is converted before and after",
    "`{2}` 是 {3}，`{4}` 不能以它累加；前后各转换一次", "accumulate in {1}", "请以 {1} 累加")
ERR(gemm_places, "E598", Lnote, "the sums of this T.gemm keep {3} binary places, not float32's 23", "这个 T.gemm 的和只保留 {3} 位二进制小数，而不是 float32 的 23 位",
    "`{1}` of {2} cuts {4} products and the accumulator to 2^-{3} of the greatest, then adds them",
    "{2} 的 `{1}` 先把 {4} 个乘积和累加器截断到其中最大者的 2^-{3}，再相加",
    "for more, sum 128 of k at a time, and add those sums to a second fragment",
    "若需更高精度，请每 128 个 k 单独求和，再加到另一个片段上")
ERR(gemm_k_pack, "E566", Lnote, "k_pack has no effect on this T.gemm", "k_pack 对这个 T.gemm 不起作用",
    "{1}", "{1}", "", "")
ERR(gemm_fetch, "E567", Lnote, "`{1}` is fetched {2} bytes at a time", "`{1}` 每次只取 {2} 字节",
    "ldmatrix cannot: {3}", "不能使用 ldmatrix：{3}", "", "")
ERR(gemm_span, "E568", Lnote, "two T.gemm want `{1}` arranged differently", "两个 T.gemm 希望 `{1}` 有不同的排布",
    "a swizzle of {2} bytes is used for both, one of them could use {3}", "两者都使用 {2} 字节的交错，其中一个本可使用 {3} 字节", "", "")
ERR(copy_plain, "E569", Lnote, "{1} is not used for this copy", "这个拷贝没有使用 {1}",
    "{2}", "{2}", "", "")
ERR(copy_tma, "E570", Lerror, "T.{1} cannot run as a TMA copy", "T.{1} 不能作为 TMA 拷贝执行",
    "{2}", "{2}", "use T.copy, which finds a way", "请改用 T.copy，它会选择可行的方式")
ERR(copy_ldmatrix, "E571", Lnote, "{1} is not used for this copy", "这个拷贝没有使用 {1}",
    "{2}", "{2}", "", "")
ERR(layout_extent, "E545", Lerror, "the extent of `{1}` in T.Parallel has no known limit", "T.Parallel 中 `{1}` 的范围没有已知的上限",
    "its bounds depend on another index of the loop", "它的界限依赖于该循环的另一个下标",
    "give it a constant extent and test the condition inside: `if {1} < n then`",
    "请给出常数范围，并在循环体内判断条件：`if {1} < n then`")
ERR(layout_annotated, "E546", Lerror, "the layout given to `{1}` does not fit", "给 `{1}` 指定的布局不合适",
    "{2}", "{2}",
    "a fragment's layout has the fragment's shape and the {3} threads of the block",
    "片段的布局必须与片段的形状以及块内的 {3} 个线程一致")
ERR(layout_user, "E547", Lnote, "`{1}` has the layout that T.annotate_layout gave it", "`{1}` 的布局由 T.annotate_layout 指定",
    "declared here", "声明于此", "", "")
ERR(layout_anchor, "E548", Lnote, "the layout of `{1}` comes from here", "`{1}` 的布局由此处决定", "", "", "", "")
ERR(layout_other, "E549", Lnote, "the layout wanted there comes from here", "那里所需的布局由此处决定", "", "", "", "")
ERR(layout_shared, "E550", Lnote, "`{1}` changes its layout through shared memory here", "`{1}` 在此处通过共享内存改变布局",
    "lanes and warps hold {3}, wanted are {4}: bits {5} differ; {2} bytes and two barriers",
    "各通道与线程束持有 {3}，需要的是 {4}：第 {5} 位不同；{2} 字节和两个屏障",
    "give both sides one layout: the same policy of T.gemm, or one loop order",
    "请让两边的布局一致：T.gemm 使用相同的 policy，或循环使用相同的次序")
ERR(layout_shuffle, "E551", Lnote, "`{1}` changes its layout by shuffles here", "`{1}` 在此处通过线程束内交换改变布局",
    "lanes and warps hold {3}, wanted are {4}: bits {5} differ; {2} shuffles a thread",
    "各通道与线程束持有 {3}，需要的是 {4}：第 {5} 位不同；每个线程 {2} 次交换", "", "")
ERR(layout_diagonal, "E552", Lnote, "a diagonal access of `{1}` goes through shared memory", "对 `{1}` 的对角访问要经过共享内存",
    "one loop index stands in two places, so the threads that run the loop are not those that hold the element; {2} bytes",
    "同一个循环下标出现在两处，执行循环的线程并不持有该元素；{2} 字节", "", "")
ERR(layout_index, "E553", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "its elements are spread over threads, and this index is not made of whole loop indices; {2} bytes",
    "它的元素分布在各线程上，而这个下标不是由完整的循环下标组成；{2} 字节",
    "keep the table in shared memory if it is always read this way", "如果总是这样读取，请把它放在共享内存中")
ERR(layout_slice, "E554", Lnote, "a slice of `{1}` goes through shared memory", "`{1}` 的一个切片要经过共享内存",
    "it does not begin where a thread's part begins; {2} bytes", "它的起点不在某个线程所持部分的起点；{2} 字节",
    "slices that begin at a multiple of their width stay in registers", "起点为宽度整数倍的切片可以留在寄存器中")
ERR(layout_serial, "E555", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "its elements are spread over threads, and which one is meant is known only when the kernel runs; {2} bytes",
    "它的元素分布在各线程上，而具体是哪一个要到内核运行时才知道；{2} 字节",
    "use T.Parallel over that index, or T.unroll", "请对该下标使用 T.Parallel 或 T.unroll")
ERR(layout_races, "E599", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "several threads hold each of its elements, and the loop changes memory that it reads: one of them does both; {2} bytes",
    "它的每个元素由多个线程持有，而循环又修改它所读取的内存：由其中一个线程完成；{2} 字节",
    "two loops, one for `{1}` and one for the memory, need no copies", "拆成两个循环，一个处理 `{1}`，一个处理内存，就不需要拷贝")
ERR(layout_rounds, "E448", Lnote, "`{1}` goes in {2} rounds of {3} bytes", "`{1}` 分 {2} 轮通过，每轮 {3} 字节",
    "{4} has no room for all of it at a time", "{4} 放不下它的全部", "", "")
ERR(layout_again, "E449", Lnote, "`{1}` is copied here each time", "`{1}` 每次都在此处拷贝",
    "{2} has no room for a copy of it that stays", "{2} 没有空间让它的副本一直保留", "", "")
ERR(pipe_jump, "E580", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "`break` or `continue` leaves its body early", "其中的 `break` 或 `continue` 会提前离开循环体", "put the condition around the statements instead", "请改用 `if` 包住相应语句")
ERR(pipe_range, "E737", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "only threads {1} run it, not whole warps: its stages would wait for each other", "只有线程 {1} 执行它，不是完整的 warp：各阶段需要相互等待",
    "let whole warps run it: begin and end the range at multiples of the warp's size", "请让完整的 warp 执行它：范围的起止应为 warp 大小的倍数")
ERR(range_empty, "E738", Lnote, "no thread comes to this T.ws", "没有线程会执行这个 T.ws",
    "it is for threads {1}, and only threads {2} come here", "它属于线程 {1}，而来到此处的只有线程 {2}",
    "move it out of the condition around it", "请把它移到外层条件之外")
ERR(pipe_binding, "E581", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "`{1}` gets its first value in the body, which `order` and `stage` do not count", "`{1}` 在循环体内取得初值，而 `order` 与 `stage` 不计这条语句",
    "allocate it in front of the loop", "请在循环之前分配它")
ERR(pipe_source, "E583", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "{1} changes in the loop, or differs between threads", "{1} 在循环中改变，或因线程而异", "", "")
ERR(pipe_reuse, "E584", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "its buffer cannot have a slot for each stage: {1}", "它的缓冲区不能按阶段分配多个槽：{1}",
    "let one copy fill the whole buffer before it is read in an iteration", "请让每次迭代先用一次拷贝写满整个缓冲区，再读取")
ERR(pipe_registers, "E585", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "it would hold {1} bytes of registers in each thread, the limit is {2}", "它会占用每个线程 {1} 字节的寄存器，上限为 {2} 字节",
    "use a smaller tile or more threads", "请减小分块或增加线程数")
ERR(pipe_none, "E586", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "no copy from global to shared memory in it can run ahead", "其中没有可以提前执行的从全局内存到共享内存的拷贝", "", "")
ERR(pipe_carried, "E587", Lerror, "`{1}` carries a value through a pipeline with stages", "`{1}` 的值跨越了分阶段的流水线",
    "it is not written anew in each iteration, but used in stages {2} and {3}", "它并非每次迭代都重新写入，却用于阶段 {2} 和 {3}",
    "give all statements that use `{1}` one stage, in their order", "请让使用 `{1}` 的语句处于同一阶段，并保持先后顺序")
ERR(pipe_after, "E588", Lnote, "`{1}` is read behind the pipelined loop", "`{1}` 在流水线循环之后被读取",
    "its last slot is copied back", "需要把它的最后一个槽拷贝回来", "copy the tile again behind the loop, or give that use its own buffer", "请在循环之后重新拷贝分块，或为那里使用单独的缓冲区")
ERR(sync_rounds, "E732", Lnote, "the rounds of this loop are not told apart", "未逐轮区分此循环的各次迭代",
    "they are too many to follow each: a barrier in it may stand for a round that does not come", "迭代次数太多，无法逐轮跟踪：其中的屏障可能是为并不存在的情形而设",
    "the kernel is right; fewer rounds, or indices that repeat after a few, may need fewer barriers", "内核是正确的；若迭代较少，或下标每隔几轮重复，所需屏障可能更少")
ERR(sync_places, "E733", Lnote, "this is taken to touch all of `{1}`", "此处按访问整个 `{1}` 处理",
    "it touches more places than are looked at: a barrier may stand that is not needed", "它访问的位置多于逐一检查的上限：可能会多出并不需要的屏障",
    "the kernel is right; smaller tiles or fewer rounds may need fewer barriers", "内核是正确的；较小的分块或较少的轮数所需屏障可能更少")
ERR(order_mended, "E497", Lnote, "a {3} is added here that the compiler had left out", "此处补上了编译器遗漏的同步（{3}）",
    "nothing ordered the accesses to `{1}` here behind those of line {2}; a second look at the finished program found it",
    "此处对 `{1}` 的访问与第 {2} 行的访问之间没有次序；对成品程序的复查发现了这一点",
    "the kernel is right, if slower than it could be: please report it", "内核是正确的，只是可能偏慢：请报告此问题")
ERR(order_open, "E498", Lwarning, "nothing orders the accesses to `{1}` here behind those of line {2}", "此处对 `{1}` 的访问与第 {2} 行的访问之间没有次序",
    "the threads that make them cannot all meet here for a {3}", "执行这些访问的线程无法全部在此处会合以执行{3}",
    "order them: T.sync_threads, or an mbarrier between the roles of T.ws", "请为它们规定次序：T.sync_threads，或在 T.ws 的各角色之间使用 mbarrier")
ERR(order_part_limit, "E465", Lnote, "the barriers of this kernel were checked in part", "只检查了这个内核的一部分屏障",
    "{1} accesses to shared memory were looked at; there are more", "已查看 {1} 次共享内存访问，还有更多",
    "a smaller tile or fewer rounds are looked at whole; -t sim checks every access of a run", "较小的分块或较少的轮数可以完整检查；-t sim 会检查一次运行中的每次访问")
ERR(order_part_value, "E466", Lnote, "the barriers of this kernel were checked in part", "只检查了这个内核的一部分屏障",
    "which mbarrier is meant, or how often, is known only when it runs", "使用哪个 mbarrier 或使用多少次，只有运行时才知道",
    "index mbarriers by loop variables; -t sim checks every access of a run", "请用循环变量索引 mbarrier；-t sim 会检查一次运行中的每次访问")
ERR(order_part_wait, "E467", Lnote, "the barriers of this kernel were checked in part", "只检查了这个内核的一部分屏障",
    "with trip counts and conditions as assumed, some wait would have no end", "按所假设的循环次数和条件，某处等待不会结束",
    "-t sim checks every access of a run", "-t sim 会检查一次运行中的每次访问")
ERR(order_stuck, "E468", Lwarning, "threads may wait here for ever", "线程可能在此处永远等待",
    "when other threads run ahead, what is waited for does not come, or has passed unseen", "当其他线程先行时，所等待的事件不会到来，或已错过",
    "let who arrives wait until all have seen the phase before: mbarriers come in pairs, full and empty", "请让到达方等到所有线程看到上一阶段之后再继续：mbarrier 应成对使用（full 与 empty）")
ERR(roles_none, "E589", Lnote, "no producer warps for this kernel", "这个内核没有使用生产者线程束",
    "{1}", "{1}", "", "")
ERR(roles_copy, "E590", Lnote, "the producer does not load `{1}`", "生产者不负责加载 `{1}`",
    "TMA cannot: {2}", "不能使用 TMA：{2}", "", "")
ERR(tma_plain, "E591", Lnote, "TMA is not used for this copy", "这次拷贝没有使用 TMA",
    "{1}", "{1}", "", "")
ERR(shared_plain, "E530", Lnote, "`{1}` is not swizzled", "`{1}` 没有采用交错布局",
    "{2}", "{2}",
    "rows of 32, 64, 128 or 256 bytes can be", "行长为 32、64、128 或 256 字节时可以交错")
ERR(shared_narrow, "E531", Lnote, "`{1}` is swizzled by {2} bytes, not {3}", "`{1}` 按 {2} 字节交错，而不是 {3} 字节",
    "its rows are {4} bytes", "它的一行为 {4} 字节", "", "")
ERR(shared_user, "E532", Lnote, "`{1}` keeps the layout that T.annotate_layout gave it", "`{1}` 保留 T.annotate_layout 指定的布局",
    "a swizzle of {2} bytes was wanted for the matrix instructions", "矩阵指令希望采用 {2} 字节的交错", "", "")
ERR(shared_view, "E533", Lnote, "`{1}` is not swizzled", "`{1}` 没有采用交错布局",
    "it is also used as `{2}`, of another shape or type", "它还以另一种形状或类型作为 `{2}` 使用", "", "")
ERR(shared_name, "E534", Lerror, "`{1}` has an unknown layout", "`{1}` 的布局未知",
    "\"{2}\" is neither a name nor a digit map", "\"{2}\" 既不是布局名，也不是数位映射",
    "known are linear, swizzle_128, swizzle_64, swizzle_32, padded_N and what T.annotate_layout writes",
    "可用的有 linear、swizzle_128、swizzle_64、swizzle_32、padded_N 以及 T.annotate_layout 写出的形式")
ERR(shared_shape, "E535", Lerror, "the layout of `{1}` is for another shape", "`{1}` 的布局属于另一种形状",
    "the layout is over {2}, the buffer is {3}", "布局的形状为 {2}，缓冲区为 {3}",
    "give it the last dimensions of the buffer; leading ones may be left out", "请使用缓冲区最后几维的大小；前面的维可以省略")
ERR(shared_dynamic, "E536", Lerror, "the size of `{1}` in shared memory is not known", "`{1}` 在共享内存中的大小未知",
    "its shape depends on values of the run", "它的形状取决于运行时的值",
    "use constants for the shapes of tiles", "分块的形状请使用常数")
ERR(shared_over, "E537", Lerror, "the kernel needs more shared memory than a block has", "内核需要的共享内存超出块的上限",
    "{1} bytes; {2} has {3}", "需要 {1} 字节，而 {2} 只有 {3} 字节",
    "{6|the copy of `{4}` is the largest, {5} bytes: use a smaller tile, or index `{4}` as the loop that fills it does|`{4}` is the largest, {5} bytes: use smaller tiles, or fewer num_stages}",
    "{6|`{4}` 的副本最大，为 {5} 字节：请用较小的分块，或按填充 `{4}` 的循环的次序访问它|`{4}` 最大，为 {5} 字节：请用较小的分块，或减少 num_stages}")
ERR(shared_copy, "E450", Lnote, "`{1}`: {2} bytes", "`{1}`：{2} 字节",
    "{3}, a copy that this statement needs while it runs", "{3}，此语句执行时所需的副本", "", "")
ERR(local_over, "E720", Lerror, "`{1}` is too large for the threads", "`{1}` 对线程来说太大",
    "each would keep {2} bytes of it; a thread of {3} has {4}", "每个线程要保存其中 {2} 字节，而 {3} 的线程只有 {4} 字节",
    "use smaller tiles, or shared memory", "请用较小的分块，或改用共享内存")
ERR(shared_item, "E538", Lnote, "`{1}`: {2} bytes", "`{1}`：{2} 字节",
    "{3}", "{3}", "", "")
ERR(async_narrow, "E540", Lnote, "this copy is not asynchronous", "这次拷贝不是异步的",
    "`{1}` to `{2}` moves {3} {3|byte|bytes} at a time, asynchronous copies take 4, 8 or 16",
    "`{1}` 到 `{2}` 每次只移动 {3} 字节，而异步拷贝为 4、8 或 16 字节",
    "make rows and offsets multiples of 4 bytes", "请让行长与偏移量为 4 字节的倍数")
ERR(shared_stages, "E539", Lnote, "this loop runs with num_stages={1} instead of {2}", "此循环以 num_stages={1} 运行，而不是 {2}",
    "{2} would need {3} bytes of shared memory; {4} has {5}", "取 {2} 需要 {3} 字节共享内存，而 {4} 只有 {5} 字节",
    "smaller tiles leave room for more stages", "较小的分块可以容纳更多级")
ERR(gemm_async, "E572", Lnote, "T.wgmma_gemm runs as `{1}`, which needs no wait", "T.wgmma_gemm 以 `{1}` 执行，无需等待",
    "{2} has no products by warp groups", "{2} 没有 warp group 级的矩阵乘", "", "")
ERR(layout_memory, "E556", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "this operation works on memory; {2} bytes", "这个操作在内存上进行；{2} 字节",
    "a buffer from T.alloc_shared saves the copies", "使用 T.alloc_shared 的缓冲区可以省去拷贝")
ERR(layout_fit, "E558", Lerror, "the layout of `{1}` cannot be used", "`{1}` 的布局无法使用",
    "{2}: element ({3})", "{2}：元素 ({3})",
    "a layout is a sum of digits, (i // w) % e * s, each of which moves either the thread or the register; in memory one XOR of offset bits may be added",
    "布局是若干数位 (i // w) % e * s 之和，每个数位只移动线程或寄存器之一；内存布局还可以附加一次偏移位的 XOR")
ERR(layout_range, "E541", Lerror, "an index lies outside of {1}", "下标超出 {1}",
    "index {2} is {3}, the last is {4}", "第 {2} 个下标为 {3}，最大为 {4}", "", "")
ERR(layout_method, "E542", Lerror, "{2} has no method `{1}`", "{2} 没有方法 `{1}`",
    "it belongs to {3}", "它属于 {3}", "", "")
ERR(layout_cute, "E543", Lerror, "this is not readable as a CuTe layout", "无法将其读作 CuTe 布局",
    "{1}: {2}", "{1}：{2}",
    "write shape:stride, both nested alike: tl.layout.cute(\"(8,(4,2)):(4,(1,32))\")",
    "请写成 形状:步长，两者嵌套相同：tl.layout.cute(\"(8,(4,2)):(4,(1,32))\")")
ERR(layout_mma, "E544", Lerror, "no fragment layout for {1}", "没有 {1} 的片段布局",
    "{2}", "{2}", "known are: {3}", "可用的有：{3}")
ERR(named_many, "E592", Lerror, "too many named barriers", "命名屏障过多",
    "a block has 16, one for each role that needs one", "每个块有 16 个，每个需要的角色占用一个", "use fewer T.ws roles", "请减少 T.ws 角色")
ERR(vec_pitch, "E594", Lnote, "`{1}` is accessed {2} {2|byte|bytes} at a time, not {5}", "`{1}` 每次只访问 {2} 字节，而不是 {5} 字节",
    "its rows are {3} elements apart, no multiple of {4}", "它的各行相距 {3} 个元素，不是 {4} 的倍数",
    "pad the rows of the tensor, or use a T.StridedTensor with such a pitch", "请填充张量的行，或使用行距满足要求的 T.StridedTensor")
ERR(vec_offset, "E595", Lnote, "`{1}` is accessed {2} {2|byte|bytes} at a time, not {5}", "`{1}` 每次只访问 {2} 字节，而不是 {5} 字节",
    "the access starts at {3}, no multiple of {4}", "访问的起点为 {3}，不是 {4} 的倍数", "", "")
ERR(epilogue_direct, "E573", Lnote, "`{1}` is stored from registers", "`{1}` 直接从寄存器写回",
    "not through shared memory by TMA: {2}", "未经共享内存由 TMA 写回：{2}", "", "")
ERR(persist_none, "E574", Lnote, "each block of this launch works on one tile", "此启动的每个块只处理一个分块",
    "a loop over tiles in as many blocks as there are multiprocessors is not possible: {1}", "无法让与多处理器同样多的块循环处理各分块：{1}",
    "", "")
ERR(overlap_direct, "E575", Lnote, "the products of this loop wait for each other", "此循环中的矩阵乘相互等待",
    "the second one reads {1}, the first one's accumulators, as it stands", "第二个矩阵乘直接读取第一个的累加器 {1}",
    "copy it to a fragment of its own, as for 16-bit operands", "请先拷贝到单独的片段，16 位操作数就是这样做的")
ERR(overlap_barriers, "E576", Lnote, "the warp groups of this loop do not take turns at the matrix units", "此循环的各 warp group 不轮流使用矩阵单元",
    "that takes {1} named barriers, and a block has 16", "这需要 {1} 个命名屏障，而每个块只有 16 个", "", "")
ERR(cluster_whole, "E577", Lnote, "each block of the cluster loads all of `{1}`", "簇中的每个块都各自载入整个 `{1}`",
    "its rows do not divide into parts of 8", "它的行数无法按 8 行一组平分", "", "")
ERR(copy_threads, "E579", Lnote, "each thread does this {1} by itself", "每个线程各自执行此 {1}",
    "its region depends on `{2}`, which differs between threads", "它的区域取决于因线程而异的 `{2}`", "", "")
ERR(cluster_apart, "E578", Lnote, "blocks along `{2}` do not load tiles for each other", "沿 `{2}` 的各块不为彼此载入分块",
    "`{1}` may differ between them, and both must load as often", "`{1}` 在它们之间可能不同，而两者的载入次数必须一致",
    "", "")
ERR(layout_roles, "E529", Lerror, "`{1}` is spread over threads that do not come here", "`{1}` 分布在不会执行到此处的线程上",
    "it lies in threads {2}, this is done by threads {3}", "它位于线程 {2}，而执行此处的是线程 {3}",
    "use it where the matrix product is, or pass it on in T.alloc_shared", "请在矩阵乘所在之处使用它，或用 T.alloc_shared 传递")
ERR(pipe_unread, "E593", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "no statement of the loop uses `{1}`", "循环中没有语句用到 `{1}`", "", "")
ERR(unroll_size, "E739", Lnote, "the loop over `{1}` is not unrolled", "对 `{1}` 的循环没有展开",
    "with those inside it would be over {2} statements", "连同其中的循环，展开后将超过 {2} 条语句",
    "make the tile smaller, or give it more threads", "请减小分块，或使用更多线程")
ERR(unroll_rounds, "E499", Lnote, "the loop over `{1}` is not unrolled", "对 `{1}` 的循环没有展开",
    "how many rounds it has is known only when it runs", "它的循环次数只有在运行时才知道", "", "")
