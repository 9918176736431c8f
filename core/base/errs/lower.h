/* Messages of lowering copies and products, E560 to E599: most are notes on a better way that was
 * not taken and the condition that failed.  See errs.h. */
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
    "`{1}` of {2} cuts {4} products and the accumulator to 2^-{3} of the largest, then adds them",
    "{2} 的 `{1}` 先把 {4} 个乘积和累加器截断到其中最大者的 2^-{3}，再相加",
    "for more, sum 128 of k at a time, and add those sums to a second fragment",
    "若需更高精度，请每 128 个 k 单独求和，再加到另一个片段上")
ERR(gemm_k_pack, "E566", Lnote, "k_pack has no effect on this T.gemm", "k_pack 对这个 T.gemm 不起作用",
    "{1}", "{1}", "", "")
ERR(gemm_fetch, "E567", Lnote, "`{1}` is fetched {2} bytes at a time", "`{1}` 每次只取 {2} 字节",
    "ldmatrix cannot be used: {3}", "不能使用 ldmatrix：{3}", "", "")
ERR(gemm_span, "E568", Lnote, "two T.gemm want `{1}` arranged differently", "两个 T.gemm 希望 `{1}` 有不同的排布",
    "a swizzle of {2} bytes is used for both; one of them could use {3}", "两者都使用 {2} 字节的交错，其中一个本可使用 {3} 字节", "", "")
ERR(copy_plain, "E569", Lnote, "{1} is not used for this copy", "这个拷贝没有使用 {1}",
    "{2}", "{2}", "", "")
ERR(copy_tma, "E570", Lerror, "T.{1} cannot run as a TMA copy", "T.{1} 不能作为 TMA 拷贝执行",
    "{2}", "{2}", "use T.copy, which finds a way", "请改用 T.copy，它会选择可行的方式")
ERR(copy_ldmatrix, "E571", Lnote, "{1} is not used for this copy", "这个拷贝没有使用 {1}",
    "{2}", "{2}", "", "")
ERR(tma_plain, "E591", Lnote, "TMA is not used for this copy", "这次拷贝没有使用 TMA",
    "{1}", "{1}", "", "")
ERR(async_narrow, "E540", Lnote, "this copy is not asynchronous", "这次拷贝不是异步的",
    "`{1}` to `{2}` moves {3} {3|byte|bytes} at a time, asynchronous copies take 4, 8 or 16",
    "`{1}` 到 `{2}` 每次只移动 {3} 字节，而异步拷贝为 4、8 或 16 字节",
    "make rows and offsets multiples of 4 bytes", "请让行长与偏移量为 4 字节的倍数")
ERR(gemm_async, "E572", Lnote, "T.wgmma_gemm runs as `{1}`, which needs no wait", "T.wgmma_gemm 以 `{1}` 执行，无需等待",
    "{2} has no warp-group products", "{2} 没有 warp group 级的矩阵乘", "", "")
ERR(vec_pitch, "E594", Lnote, "`{1}` is accessed {2} {2|byte|bytes} at a time, not {5}", "`{1}` 每次只访问 {2} 字节，而不是 {5} 字节",
    "its rows are {3} elements apart, no multiple of {4}", "它的各行相距 {3} 个元素，不是 {4} 的倍数",
    "pad the rows of the tensor, or use a T.StridedTensor with such a pitch", "请填充张量的行，或使用行距满足要求的 T.StridedTensor")
ERR(vec_offset, "E595", Lnote, "`{1}` is accessed {2} {2|byte|bytes} at a time, not {5}", "`{1}` 每次只访问 {2} 字节，而不是 {5} 字节",
    "the access starts at {3}, no multiple of {4}", "访问的起点为 {3}，不是 {4} 的倍数", "", "")
ERR(epilogue_direct, "E573", Lnote, "`{1}` is stored from registers", "`{1}` 直接从寄存器写回",
    "not through shared memory by TMA: {2}", "未经共享内存由 TMA 写回：{2}", "", "")
ERR(overlap_direct, "E575", Lnote, "the products of this loop wait for each other", "此循环中的矩阵乘相互等待",
    "the second one reads {1}, the accumulators of the first, directly", "第二个矩阵乘直接读取第一个的累加器 {1}",
    "copy it to a fragment of its own, as for 16-bit operands", "请先拷贝到单独的片段，16 位操作数就是这样做的")
ERR(overlap_stages, "E359", Lnote, "the products of this loop wait for each other", "此循环中的矩阵乘相互等待",
    "with one stage, the next copy of {1} would wait for the second one too long", "只有一级时，{1} 的下一次拷贝会因第二个矩阵乘等待过久",
    "num_stages=2 lets them overlap", "num_stages=2 可使两者重叠")
ERR(overlap_registers, "E365", Lnote, "the products of this loop wait for each other", "此循环中的矩阵乘相互等待",
    "side by side they hold {1} registers of a thread, which has {2}", "若同时进行，它们需占用每个线程 {1} 个寄存器，而一个线程只有 {2} 个",
    "make the tiles smaller, or give them more threads", "请减小分块，或使用更多线程")
ERR(overlap_barriers, "E576", Lnote, "the warp groups of this loop do not take turns at the matrix units", "此循环的各 warp group 不轮流使用矩阵单元",
    "that takes {1} named barriers, and a block has 16", "这需要 {1} 个命名屏障，而每个块只有 16 个", "", "")
ERR(threads_widened, "E364", Lnote, "{2} threads work on these tiles, not {1}", "这些分块由 {2} 个线程处理，而不是 {1} 个",
    "its fragments take {3} registers of each of {1} threads, and a thread has 255", "在 {1} 个线程中，片段需占用每个线程 {3} 个寄存器，而一个线程只有 255 个",
    "write threads={2}, or make the tiles smaller", "请写 threads={2}，或减小分块")
ERR(cluster_whole, "E577", Lnote, "each block of the cluster loads all of `{1}`", "簇中的每个块都各自载入整个 `{1}`",
    "its rows do not divide into parts of 8", "它的行数无法按 8 行一组平分", "", "")
ERR(copy_threads, "E579", Lnote, "each thread does this {1} by itself", "每个线程各自执行此 {1}",
    "its region depends on `{2}`, which differs between threads", "它的区域取决于因线程而异的 `{2}`", "", "")
