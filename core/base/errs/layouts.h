/* Messages of the layouts of fragments: E319, E529, E541 to E558, E599, E448, E449.  See errs.h. */
ERR(layout_extent, "E545", Lerror, "the extent of `{1}` in T.Parallel has no known limit", "T.Parallel 中 `{1}` 的范围没有已知的上限",
    "its bounds depend on another index of the loop", "它的界限依赖于该循环的另一个下标",
    "give it a constant extent and test the condition inside: {0|`if {1} < n then`|`if {1} < n:`}",
    "请给出常数范围，并在循环体内判断条件：{0|`if {1} < n then`|`if {1} < n:`}")
ERR(layout_annotated, "E546", Lerror, "the layout given to `{1}` does not fit", "给 `{1}` 指定的布局不合适",
    "{2}", "{2}",
    "a fragment's layout has the fragment's shape and the {3} threads of the block",
    "片段的布局必须与片段的形状以及块内的 {3} 个线程一致")
ERR(layout_user, "E547", Lnote, "`{1}` has the layout that T.annotate_layout gave it", "`{1}` 的布局由 T.annotate_layout 指定",
    "declared here", "声明于此", "", "")
ERR(layout_anchor, "E548", Lnote, "the layout of `{1}` comes from here", "`{1}` 的布局由此处决定", "", "", "", "")
ERR(layout_other, "E549", Lnote, "the layout needed there comes from here", "那里所需的布局由此处决定", "", "", "", "")
ERR(layout_shared, "E550", Lnote, "`{1}` changes its layout through shared memory here", "`{1}` 在此处通过共享内存改变布局",
    "lanes and warps hold {3}, {4} is needed: bits {5} differ; {2} bytes and two barriers",
    "各通道与线程束持有 {3}，需要的是 {4}：第 {5} 位不同；{2} 字节和两个屏障",
    "give both sides one layout: the same policy of T.gemm, or one loop order",
    "请让两边的布局一致：T.gemm 使用相同的 policy，或循环使用相同的次序")
ERR(layout_shuffle, "E551", Lnote, "`{1}` changes its layout by shuffles here", "`{1}` 在此处通过线程束内交换改变布局",
    "lanes and warps hold {3}, {4} is needed: bits {5} differ; {2} shuffles per thread",
    "各通道与线程束持有 {3}，需要的是 {4}：第 {5} 位不同；每个线程 {2} 次交换", "", "")
ERR(layout_diagonal, "E552", Lnote, "a diagonal access of `{1}` goes through shared memory", "对 `{1}` 的对角访问要经过共享内存",
    "one loop index is used in two places, so the threads that run the loop are not those that hold the element; {2} bytes",
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
ERR(layout_part, "E793", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "several threads hold each of its elements, and under this condition only some of them would write it; {2} bytes",
    "它的每个元素由多个线程持有，而在此条件下只有部分线程会写入它；{2} 字节",
    "a tile in shared memory (T.alloc_shared) needs no copies", "使用共享内存中的分块（T.alloc_shared）就不需要拷贝")
ERR(layout_rounds, "E448", Lnote, "`{1}` is moved in {2} rounds of {3} bytes", "`{1}` 分 {2} 轮通过，每轮 {3} 字节",
    "{4} has no room for all of it at once", "{4} 放不下它的全部", "", "")
ERR(split_byte, "E319", Lnote, "two threads store the halves of one byte of `{1}`", "两个线程各存 `{1}` 的同一字节的一半",
    "two elements of {2} share a byte; each of these stores takes two atomic operations on a GPU",
    "两个 {2} 元素共用一个字节；在 GPU 上，这里每次存储需要两个原子操作",
    "faster: let one iteration store both, {1}[2 * j] and {1}[2 * j + 1], or keep the values in int8",
    "更快的写法：让一次迭代存入两者，即 {1}[2 * j] 和 {1}[2 * j + 1]，或用 int8 存放这些值")
ERR(layout_again, "E449", Lnote, "`{1}` is copied here each time", "`{1}` 每次都在此处拷贝",
    "{2} has no room to keep a copy of it", "{2} 没有空间让它的副本一直保留", "", "")
ERR(layout_memory, "E556", Lnote, "`{1}` goes through shared memory here", "`{1}` 在此处要经过共享内存",
    "this operation works on memory; {2} bytes", "这个操作在内存上进行；{2} 字节",
    "a buffer from T.alloc_shared saves the copies", "使用 T.alloc_shared 的缓冲区可以省去拷贝")
ERR(layout_fit, "E558", Lerror, "the layout of `{1}` cannot be used", "`{1}` 的布局无法使用",
    "{2}: element ({3})", "{2}：元素 ({3})",
    "a layout is a sum of modes, (i // w) % e * s, each of which moves either the thread or the register; in memory one XOR of offset bits may be added",
    "布局是若干 mode (i // w) % e * s 之和，每个 mode 只移动线程或寄存器之一；内存布局还可以附加一次偏移位的 XOR")
ERR(layout_range, "E541", Lerror, "an index is outside {1}", "下标超出 {1}",
    "index {2} is {3}, the last is {4}", "第 {2} 个下标为 {3}，最大为 {4}", "", "")
ERR(layout_method, "E542", Lerror, "{2} has no method `{1}`", "{2} 没有方法 `{1}`",
    "it belongs to {3}", "它属于 {3}", "", "")
ERR(layout_cute, "E543", Lerror, "this is not a valid CuTe layout", "无法将其读作 CuTe 布局",
    "{1}: {2}", "{1}：{2}",
    "write shape:stride, both nested alike: tl.layout.cute(\"(8,(4,2)):(4,(1,32))\")",
    "请写成 形状:步长，两者嵌套相同：tl.layout.cute(\"(8,(4,2)):(4,(1,32))\")")
ERR(layout_mma, "E544", Lerror, "no fragment layout for {1}", "没有 {1} 的片段布局",
    "{2}", "{2}", "known fragments: {3}", "可用的有：{3}")
ERR(layout_roles, "E529", Lerror, "`{1}` is spread over threads that do not get here", "`{1}` 分布在不会执行到此处的线程上",
    "threads {2} hold it, but threads {3} run this", "它位于线程 {2}，而执行此处的是线程 {3}",
    "use it where the matrix product is, or pass it on through T.alloc_shared", "请在矩阵乘所在之处使用它，或用 T.alloc_shared 传递")
ERR(remap_op, "E324", Lerror, "{1}: a layout moves the elements of `{2}`", "{1}：布局移动了 `{2}` 的元素",
    "T.annotate_layout gave it one; they no longer lie side by side", "T.annotate_layout 为其指定了布局，其元素不再相邻",
    "T.copy a tile of it, or use its elements", "请用 T.copy 复制其分块，或逐个使用其元素")
ERR(remap_late, "E325", Lerror, "the layout of `{1}` comes behind its use", "`{1}` 的布局出现在使用之后",
    "it moves the elements of a tensor in global memory for the whole kernel", "它在整个内核中移动全局内存张量的元素",
    "write T.annotate_layout at the kernel's beginning", "请把 T.annotate_layout 写在内核开头")
ERR(remap_range, "E326", Lerror, "the layout of `{1}` reaches beyond it", "`{1}` 的布局超出其范围",
    "its coordinates span {2} places, the tensor has {3} elements", "其坐标共有 {2} 个位置，而张量有 {3} 个元素",
    "split a dimension by numbers that divide it, and count each coordinate from 0", "请用能整除维度的数拆分维度，且各坐标从 0 开始")
