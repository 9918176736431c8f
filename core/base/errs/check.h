/* Messages of the checks of a traced kernel: bounds, races, initialisation, structure: E500 to E599.  See errs.h. */
ERR(name_long, "E926", Lerror, "the name `{1}` is too long", "名称 `{1}` 过长",
    "it has {2} bytes, the limit is {3}", "共 {2} 字节，上限为 {3}",
    "choose a shorter name", "请取更短的名称")
ERR(index_range, "E500", Lerror, "index out of range for `{1}`", "`{1}` 的下标越界",
    "index {2} in dimension {3} of size {4}; at {5}", "第 {3} 维的下标为 {2}，该维大小为 {4}；此时 {5}",
    "make the loop or the buffer fit, or guard the access with `if`", "请调整循环或缓冲区的大小，或用 `if` 保护这次访问")
ERR(index_fixed, "E524", Lerror, "index out of range for `{1}`", "`{1}` 的下标越界",
    "index {2} in dimension {3} of size {4}", "第 {3} 维的下标为 {2}，该维大小为 {4}",
    "indices start at 0 and stay below {4}", "下标从 0 开始，必须小于 {4}")
ERR(region_range, "E501", Lerror, "a tile reaches beyond `{1}`", "分块超出了 `{1}` 的范围",
    "it spans {2} in dimension {3} of size {4}; at {5}", "它在第 {3} 维覆盖 {2}，该维大小为 {4}；此时 {5}",
    "move the tile inside, or allocate a larger buffer", "请把分块移入范围之内，或分配更大的缓冲区")
ERR(region_fixed, "E525", Lerror, "a tile reaches beyond `{1}`", "分块超出了 `{1}` 的范围",
    "it spans {2} in dimension {3} of size {4}", "它在第 {3} 维覆盖 {2}，该维大小为 {4}",
    "move the tile inside, or allocate a larger buffer", "请把分块移入范围之内，或分配更大的缓冲区")
ERR(never_inside, "E502", Lwarning, "this access is always outside `{1}`", "这次访问从不落在 `{1}` 之内",
    "in dimension {2} the index is at least {4}, the size is {3}", "第 {2} 维的下标至少为 {4}，大小为 {3}",
    "check the index: such reads give 0 and such writes are dropped", "请检查下标：这样读到的都是 0，写入都会被丢弃")
ERR(never_below, "E526", Lwarning, "this access is always outside `{1}`", "这次访问从不落在 `{1}` 之内",
    "in dimension {2} the index is at most {3}, below {4}", "第 {2} 维的下标至多为 {3}，小于 {4}",
    "check the index: such reads give 0 and such writes are dropped{5|; TileLang may count it from the end: for that, add the size|}",
    "请检查下标：这样读到的都是 0，写入都会被丢弃{5|；TileLang 可能把它从末尾数起：需要那样时，请加上大小|}")
ERR(tile_below, "E904", Lwarning, "a tile of `{1}` begins below 0 and reaches into it", "`{1}` 的一个分块从 0 之前开始，并伸入其中",
    "in dimension {2} it begins at {3} or before", "它在第 {2} 维从 {3} 或更前处开始",
    "what lies below 0 reads as 0 and is not written; TileLang counts such a beginning from the end, whatever the tile reaches",
    "0 之前的部分读作 0，也不会被写入；TileLang 则不论分块伸到何处，都把这样的起点从末尾数起")
ERR(block_outside, "E503", Lwarning, "block ({2}) works outside `{1}`", "块 ({2}) 的工作完全在 `{1}` 之外",
    "it starts at {3} in dimension {4} of size {5}", "它在第 {4} 维从 {3} 开始，该维大小为 {5}",
    "launch T.ceildiv(size, tile) blocks in this dimension", "这一维请启动 T.ceildiv(大小, 分块) 个块")
ERR(parallel_nested, "E504", Lerror, "T.Parallel loops are not perfectly nested", "T.Parallel 循环的嵌套不是完美嵌套",
    "there are other statements between this loop and the outer one", "本循环与外层循环之间还有别的语句",
    "write one loop with all indices, `for i, j in T.Parallel(M, N)`, or make this one T.serial",
    "请合写成一个循环 `for i, j in T.Parallel(M, N)`，或把本循环改为 T.serial")
ERR(parallel_op, "E505", Lerror, "T.{1} inside T.{2}", "T.{1} 位于 T.{2} 之内",
    "it works on a whole tile, the loop on single elements", "它处理整个分块，而循环处理单个元素",
    "move it before or after the loop", "请把它移到循环之前或之后")
ERR(parallel_pipelined, "E506", Lerror, "T.Pipelined inside T.Parallel", "T.Pipelined 位于 T.Parallel 之内",
    "a pipeline moves tiles, the loop works on single elements", "流水线搬运的是分块，而循环处理单个元素",
    "use T.serial inside, or put the pipeline outside", "里面请用 T.serial，或把流水线放到外面")
ERR(parallel_local, "E507", Lerror, "`{1}` is private to each thread, but T.Parallel spreads over threads", "`{1}` 由各线程私有，而 T.Parallel 分布在各线程上",
    "`{2}` of T.Parallel selects its element", "由 T.Parallel 的 `{2}` 选取它的元素",
    "allocate it with T.alloc_fragment or T.alloc_shared", "请改用 T.alloc_fragment 或 T.alloc_shared 分配")
ERR(pipe_length, "E508", Lerror, "`{1}` of T.Pipelined has the wrong length", "T.Pipelined 的 `{1}` 长度不对",
    "{2} {2|entry|entries} for {3} {3|statement|statements}", "{3} 条语句却有 {2} 项",
    "give one entry for each statement of the loop's body; allocations, and names for what the loop does not change, take none",
    "请为循环体中的每条语句给出一项；内存分配，以及为循环中不变的值命名，不占位置")
ERR(pipe_equal, "E509", Lerror, "two statements of T.Pipelined have the same order", "T.Pipelined 中有两条语句的 order 相同",
    "{1} is the order of statements {2} and {3}", "{1} 同时出现在第 {2} 项和第 {3} 项",
    "number the statements differently, from 0", "请从 0 起给各语句编不同的号")
ERR(pipe_stage, "E510", Lerror, "a statement of T.Pipelined needs a result of a later stage", "T.Pipelined 中有语句依赖更晚一级的结果",
    "`{1}` is written in stage {2} and read here in stage {3}", "`{1}` 在第 {2} 级写入，却在第 {3} 级读取",
    "give the reader a stage of at least {2}", "请让读取者所在的级不小于 {2}")
ERR(pipe_order, "E511", Lerror, "a statement of T.Pipelined runs before what it needs", "T.Pipelined 中有语句先于其依赖执行",
    "`{1}` is written with order {2} and read here with order {3}, in one stage", "`{1}` 在同一级内以 order {2} 写入，却以 order {3} 读取",
    "give the reader the greater order", "请让读取者的 order 更大")
ERR(race_write, "E512", Lerror, "two iterations of T.Parallel write one element", "T.Parallel 的两次迭代写同一个元素",
    "{1}: iterations ({2}) and ({3}) both write {4}", "{1}：迭代 ({2}) 与 ({3}) 都写 {4}",
    "use every loop index on the left side, or a serial loop", "请让左侧用到每个循环下标，或改用串行循环")
ERR(race_accum, "E513", Lerror, "iterations of T.Parallel accumulate into one element", "T.Parallel 的多次迭代累加到同一个元素",
    "{1}: iterations ({2}) and ({3}) both update {4}", "{1}：迭代 ({2}) 与 ({3}) 都更新 {4}",
    "use T.reduce_sum (or T.reduce_max ...) on the tile, or T.atomic_add", "请对分块使用 T.reduce_sum（或 T.reduce_max 等），或使用 T.atomic_add")
ERR(race_read, "E514", Lerror, "an iteration of T.Parallel reads what another writes", "T.Parallel 的一次迭代读取了另一次迭代写入的元素",
    "{1}: iteration ({2}) reads {4}, iteration ({3}) writes it", "{1}：迭代 ({2}) 读 {4}，迭代 ({3}) 写它",
    "copy the tile to a second buffer first, and read from that one", "请先把分块复制到另一个缓冲区，再从那里读取")
ERR(op_overlap, "E779", Lerror, "{1} writes what it reads", "{1} 写入了它所读取的元素",
    "`{2}` is read and `{3}` is written, and they share elements, which are moved in no particular order", "读取 `{2}`，写入 `{3}`，两者有共同的元素；各元素的搬运没有先后",
    "write to a second tile first, then copy it back", "请先写入另一个分块，再从那里复制回来")
ERR(op_overlap_maybe, "E791", Lwarning, "{1} may write what it reads", "{1} 可能写入它所读取的元素",
    "`{2}` is read and `{3}` is written; whether they share elements is known only when the kernel runs", "读取 `{2}`，写入 `{3}`，两者是否有共同的元素要到运行时才知道",
    "make sure that they share none, or write to a second tile first", "请确保两者没有共同的元素，或先写入另一个分块")
ERR(race_carried, "E515", Lerror, "`{1}` carries a value from one iteration of T.Parallel to another", "`{1}` 把值从 T.Parallel 的一次迭代带到另一次",
    "an iteration reads it before writing it", "迭代在写入它之前就读取了它",
    "iterations have no order: use T.reduce_sum on a tile, or a T.serial loop", "各次迭代没有先后：请对分块使用 T.reduce_sum，或改用 T.serial 循环")
ERR(race_updates, "E932", Lerror, "two iterations of T.Parallel update one element in two ways", "T.Parallel 的两次迭代以两种方式更新同一个元素",
    "{1}: iterations ({2}) and ({3}) both update {4}, and they have no order", "{1}：迭代 ({2}) 与 ({3}) 都更新 {4}，而两者没有先后",
    "do one kind of update in a loop of its own", "请把其中一种更新放到单独的循环中")
ERR(race_updates_maybe, "E933", Lwarning, "two iterations of T.Parallel may update one element in two ways", "T.Parallel 的两次迭代可能以两种方式更新同一个元素",
    "{1}: iterations ({2}) and ({3}) can both update {4}, and they have no order", "{1}：迭代 ({2}) 与 ({3}) 可能都更新 {4}，而两者没有先后",
    "do one kind of update in a loop of its own", "请把其中一种更新放到单独的循环中")
ERR(race_maybe, "E516", Lwarning, "two iterations of T.Parallel may write one element", "T.Parallel 的两次迭代可能写同一个元素",
    "{1}: iterations ({2}) and ({3}) can both write {4}", "{1}：迭代 ({2}) 与 ({3}) 可能都写 {4}",
    "make sure that only one of them does, or use an atomic", "请确保只有其中一次写入，或使用原子操作")
ERR(race_read_maybe, "E694", Lwarning, "an iteration of T.Parallel may read what another writes", "T.Parallel 的一次迭代可能读取另一次迭代写入的元素",
    "{1}: iteration ({2}) reads {4}, iteration ({3}) writes it", "{1}：迭代 ({2}) 读 {4}，迭代 ({3}) 写它",
    "copy the tile to a second buffer first, and read from that one", "请先把分块复制到另一个缓冲区，再从那里读取")
ERR(race_block, "E517", Lwarning, "several blocks write one element of `{1}`", "多个块写 `{1}` 的同一个元素",
    "blocks ({2}) and ({3}) both write {4}", "块 ({2}) 与块 ({3}) 都写 {4}",
    "use the block's index in the destination, or T.atomic_add", "请在目标下标中用到块索引，或使用 T.atomic_add")
ERR(race_block_read, "E756", Lwarning, "a block reads of `{1}` what another block writes", "一个块读取了另一个块写入 `{1}` 的元素",
    "block ({2}) reads {4}, block ({3}) writes it, and blocks run in any order", "块 ({2}) 读 {4}，块 ({3}) 写它，而各块的先后顺序不定",
    "write to another tensor, or divide the work between two launches", "请写入另一个张量，或把工作分成两次启动")
ERR(race_block_atomic, "E757", Lwarning, "a block writes to `{1}` what another block updates atomically", "一个块直接写入了另一个块原子更新的 `{1}` 的元素",
    "block ({2}) updates {4}, block ({3}) writes it, and blocks run in any order", "块 ({2}) 原子更新 {4}，块 ({3}) 直接写它，而各块的先后顺序不定",
    "make both atomic, or fill the tensor before the launch", "请让两处都用原子操作，或在启动前填好张量")
ERR(race_block_updates, "E934", Lwarning, "blocks update one element of `{1}` in two ways", "多个块以两种方式更新 `{1}` 的同一个元素",
    "blocks ({2}) and ({3}) both update {4}, and blocks run in any order", "块 ({2}) 与块 ({3}) 都更新 {4}，而各块的先后顺序不定",
    "do one kind of update in a launch of its own", "请把其中一种更新放到单独的一次启动中")
ERR(race_block_update, "E935", Lnote, "the other update", "另一次更新", "a block updates it here", "另一个块在此更新", "", "")
ERR(race_block_other, "E451", Lnote, "the other write", "另一次写", "a block writes it here", "另一个块在此写入", "", "")
ERR(race_part, "E730", Lnote, "this was only partly checked for races", "未能比较此处同时执行的全部访问",
    "finding out whether two of its iterations or blocks access one element takes more steps than the check makes",
    "要判断其中是否有两次迭代或两个块访问同一元素，所需步数超过了检查的上限",
    "-t sim checks every access of a run; smaller loops, and indices that are sums and products with constants, are checked completely",
    "-t sim 会检查一次运行中的每次访问；循环较小，或下标只由与常数的和与积组成时，可以完整比较")
/* {2} the index, {3} its dimension, {4} the size */
ERR(index_open, "E942", Lindex, "it is not known here whether an index of `{1}` is inside", "此处无法判断 `{1}` 的某个下标是否在范围内",
    "`{2}` in dimension {3}, of size {4}, is known only when the kernel runs, and nothing compares it there", "大小为 {4} 的第 {3} 维的下标 `{2}` 要到运行时才能确定，而那时不会检查",
    "-t sim and -t cpu check it with the values of a run; guard the access with `if`, or clamp the index", "-t sim 与 -t cpu 会按一次运行的实际数值检查；请用 `if` 保护该访问，或限制下标的范围")
ERR(bounds_part, "E731", Lnote, "not all values of an index of `{1}` were checked", "未检查 `{1}` 的某个下标的全部取值",
    "dimension {2}: the loops and conditions around it allow too many values to check them all",
    "第 {2} 维：外层循环和条件下的取值太多，无法逐一检查",
    "-t sim checks every access of a run; sums of loop indices without a condition are checked completely",
    "-t sim 会检查一次运行中的每次访问；不带条件、由循环下标之和构成的下标可以完整判断")
ERR(init_never, "E518", Lerror, "`{1}` is read, but nothing writes it", "读取了 `{1}`，但没有任何语句写入它",
    "its contents are undefined", "其内容未定义",
    "fill it first: T.clear({1}), T.fill or T.copy", "请先写入：T.clear({1})、T.fill 或 T.copy")
ERR(init_before, "E519", Lerror, "`{1}` is read before it is written", "`{1}` 在写入之前就被读取",
    "the first write comes later, on line {2}", "第一次写入在后面的第 {2} 行",
    "move the write in front, or start with T.clear({1})", "请把写入移到前面，或先调用 T.clear({1})")
ERR(init_accum, "E520", Lerror, "T.{2} adds to `{1}`, which nothing has written", "T.{2} 累加到 `{1}`，但此前没有任何语句写入它",
    "`{1}` starts with undefined contents", "`{1}` 的初始内容未定义",
    "call T.clear({1}) first, or pass {0|{3} = true|{3}=True}", "请先调用 T.clear({1})，或加上 {0|{3} = true|{3}=True}")
ERR(init_open, "E835", Lopen, "it is not known here whether `{1}` is written before it is read", "此处无法判断 `{1}` 在读取之前是否已写入",
    "whether line {2} writes what is read depends on values that are known only when the kernel runs", "第 {2} 行是否写入所读取的元素，取决于运行时才知道的值",
    "-t sim checks it with the values of a run; giving all of `{1}` a value first makes it certain", "-t sim 会按一次运行的实际数值判断；先给整个 `{1}` 赋值则必定正确")
ERR(init_place, "E825", Lopen, "it is not known here whether `{1}` is written where it is read", "此处无法判断 `{1}` 被读取的部分是否已写入",
    "not all of it is written, and what is read depends on values that are known only when the kernel runs", "它没有写满，而读取哪些元素取决于运行时才知道的值",
    "-t sim checks it with the values of a run; giving all of `{1}` a value first makes it certain", "-t sim 会按一次运行的实际数值判断；先给整个 `{1}` 赋值则必定正确")
ERR(init_size, "E826", Lopen, "for some arguments `{1}` is read before it is written", "对某些参数，`{1}` 在写入之前就被读取",
    "with {3} nothing has written {2} when it is read", "当 {3} 时，读取 {2} 之前没有语句写入它",
    "write it for all arguments, or say which ones are meant: T.assume(...)", "请对所有参数都先写入，或用 T.assume(...) 说明参数的范围")
ERR(init_element, "E827", Lwarning, "`{1}` is read where nothing has written it", "读取了 `{1}` 中尚未写入的元素",
    "at {3} nothing has written {2} when it is read", "当 {3} 时，读取 {2} 之前没有语句写入它",
    "give it a value first, whichever way the kernel takes", "请先给它赋值，使内核无论走哪条路径都已写入")
ERR(init_beyond, "E828", Lnote, "it was not checked for each element whether `{1}` is written before it is read", "未逐个元素检查 `{1}` 在读取之前是否已写入",
    "there are too many elements, conditions or argument values to go through", "元素、条件或参数取值太多，无法逐一检查",
    "-t sim checks it with the values of a run", "-t sim 会按一次运行的实际数值检查")
ERR(race_open, "E837", Lopen, "it is not known here whether iterations of T.Parallel access the same element of `{1}`", "此处无法判断 T.Parallel 的各次迭代是否访问 `{1}` 的同一个元素",
    "which elements they access is known only when the kernel runs", "它们访问哪些元素，要到运行时才能确定",
    "-t sim checks it with the values of a run; if they may, use T.atomic_add or another atomic", "-t sim 会按一次运行的实际数值判断；若可能相遇，请用 T.atomic_add 等原子操作")
ERR(race_block_open, "E838", Lnote, "it is not known here whether blocks access the same element of `{1}`", "此处无法判断各块是否访问 `{1}` 的同一个元素",
    "which elements they access is known only when the kernel runs", "它们访问哪些元素，要到运行时才能确定",
    "-t sim checks it with the values of a run; if they may, use T.atomic_add or another atomic", "-t sim 会按一次运行的实际数值判断；若可能相遇，请用 T.atomic_add 等原子操作")
ERR(race_blocks_part, "E927", Lopen, "not all blocks were compared with each other", "并非所有块都互相比较过",
    "whether two of them access one element of `{1}`: {2} of {3} were looked at", "是否有两个块访问 `{1}` 的同一个元素：{3} 个块中只看了 {2} 个",
    "-t sim checks every access of a run; of indices that are sums and products with constants all blocks are compared",
    "-t sim 会检查一次运行中的每次访问；下标只由与常数的和与积组成时，会比较所有的块")
ERR(out_read, "E836", Lwarning, "the new tensor `{1}` is read before it is written", "新张量 `{1}` 在写入之前就被读取",
    "its contents are undefined", "其内容是未定义的",
    "write it first, or make it a parameter and {0|pass tl.zeros|pass torch.zeros}", "请先写入，或把它改为参数并{0|传入 tl.zeros|传入 torch.zeros}")
ERR(init_part, "E521", Lwarning, "`{1}` is read where nothing writes it", "读取了 `{1}` 中没有写入过的部分",
    "index {2} in dimension {3} is read, {4} are written", "读取了第 {3} 维的下标 {2}，写入的是 {4}",
    "write the rest too, or read a slice", "请写入其余部分，或只读取切片")
ERR(never_used, "E522", Lwarning, "`{1}` is never used", "`{1}` 从未被使用",
    "nothing reads it", "没有语句读取它", "remove it", "请删除它")
ERR(out_unwritten, "E523", Lerror, "`{1}` is returned, but nothing writes it", "返回了 `{1}`，但没有任何语句写入它",
    "", "", "end the kernel with T.copy(tile, {1}[...]) or a store to it", "请在内核末尾用 T.copy(分块, {1}[...]) 或赋值写入它")
ERR(out_left, "E990", Lwarning, "`{1}` is returned, but nothing writes it", "返回了 `{1}`，但没有任何语句写入它",
    "its values mean nothing; other outputs are written", "它的值没有意义；其他输出已写入",
    "leave it out, or end the kernel with T.copy(tile, {1}[...])", "请去掉它，或在内核末尾用 T.copy(分块, {1}[...]) 写入")
ERR(out_begins, "E676", Lwarning, "the output `{1}` is not completely written", "输出 `{1}` 没有写满",
    "the lowest index written in dimension {2} is {3}", "第 {2} 维写入的最小下标是 {3}",
    "indices start at 0: count {0|`for i = 0, n - 1`, or with|with `for i in range(n)`,} T.serial(n) or T.Parallel(n)",
    "下标从 0 开始：请写 {0|`for i = 0, n - 1`，或用|`for i in range(n)`，或用} T.serial(n)、T.Parallel(n)")
ERR(out_ends, "E677", Lwarning, "the output `{1}` is not completely written", "输出 `{1}` 没有写满",
    "the highest index written in dimension {2} of size {4} is {3}",
    "第 {2} 维大小为 {4}，写入的最大下标是 {3}",
    "check the number of blocks (T.ceildiv) and the ends of the loops", "请检查块的数量（T.ceildiv）以及循环的终点")
ERR(role_registers, "E528", Lerror, "`{1}` is read by threads that did not write it", "有线程读取了并非由它自己写入的 `{1}`",
    "threads {2} read it, threads {3} wrote it on line {4}", "读取者是线程 {2}，而第 {4} 行的写入者是线程 {3}",
    "other threads cannot see registers: pass the tile on through T.alloc_shared, or read it in the same T.ws",
    "寄存器对其他线程不可见：请用 T.alloc_shared 传递这块数据，或在同一个 T.ws 中读取")
ERR(role_barrier, "E596", Lerror, "T.{1} waits for threads that never get here", "T.{1} 要等待的线程不会来到这里",
    "T.ws has {2} of the {3} threads that it waits for", "它等待 {3} 个线程，而 T.ws 中只有其中的 {2} 个",
    "move it out of T.ws, or use T.sync_threads(id, {2}) for these threads alone, with an id from 1 to 15",
    "请移到 T.ws 之外；若只需同步这些线程，请用 T.sync_threads(id, {2})，编号取 1 到 15")
ERR(pipe_never, "E597", Lwarning, "this T.Pipelined never runs", "这个 T.Pipelined 一次也不执行",
    "it starts at {1} and stops at {2}", "它从 {1} 开始，到 {2} 为止",
    "{0|did you mean {num_stages = {2}}?|did you mean num_stages={2}?} The second argument is where the loop stops",
    "{0|您是否想写 {num_stages = {2}}？|您是否想写 num_stages={2}？}第二个参数是循环的终点")
ERR(loop_idle, "E728", Lerror, "the loop that writes `{5}` never runs", "写入 `{5}` 的循环一次也不执行",
    "`{1}` goes from {2} to {3}, in steps of {4}; nothing else writes `{5}`", "`{1}` 从 {2} 到 {3}，步长为 {4}；没有其他语句写入 `{5}`",
    "check the bounds and the sizes they are computed from", "请检查循环的边界以及得出它们的各个大小")
ERR(atomic_once, "E339", Lwarning, "this atomic is done once for the block", "这个原子操作每块执行一次",
    "TileLang does it in each thread that gets here, {1} of them in this block", "TileLang 会让到达此处的每个线程都执行一次，本块有 {1} 个线程",
    "write which is meant, and both agree: {0|`if tx == 0 then` around it (tx = T.get_thread_binding())|`if tx == 0:` around it (tx = T.get_thread_binding())} for once, {0|`for i in T.Parallel({1}) do`|`for i in T.Parallel({1}):`} for each thread",
    "请写明本意，两者便一致：只执行一次，用 {0|`if tx == 0 then`|`if tx == 0:`}（tx = T.get_thread_binding()）；每个线程一次，用 {0|`for i in T.Parallel({1}) do`|`for i in T.Parallel({1}):`}")
