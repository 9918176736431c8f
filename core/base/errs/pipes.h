/* Messages of pipelines, roles, barriers and shared memory: E530 to E539, E360 to E362, E450, E499,
 * E580 to E593, E720, E734 to E739; order.h has what nothing orders.  See errs.h. */
ERR(pipe_jump, "E580", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "`break` or `continue` leaves its body early", "其中的 `break` 或 `continue` 会提前离开循环体", "put the condition around the statements instead", "请改用 `if` 包住相应语句")
ERR(pipe_range, "E737", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "only threads {1} run it, not whole warps: its stages would wait for each other", "只有线程 {1} 执行它，不是完整的 warp：各级需要相互等待",
    "let whole warps run it: begin and end the range at multiples of the warp's size", "请让完整的 warp 执行它：范围的起止应为 warp 大小的倍数")
ERR(range_empty, "E738", Lnote, "no thread reaches this T.ws", "没有线程会执行这个 T.ws",
    "it is for threads {1}, and only threads {2} get here", "它属于线程 {1}，而来到此处的只有线程 {2}",
    "move it out of the condition around it", "请把它移到外层条件之外")
ERR(pipe_binding, "E581", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "`{1}` gets its first value in the body, which `order` and `stage` do not count", "`{1}` 在循环体内取得初值，而 `order` 与 `stage` 不计这条语句",
    "allocate it before the loop", "请在循环之前分配它")
ERR(pipe_entries, "E362", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "its body has become {1} {1|statement|statements}, and `order` and `stage` have {2} {2|entry|entries}",
    "其循环体已变为 {1} 条语句，而 `order` 与 `stage` 有 {2} 项", "", "")
ERR(pipe_source, "E583", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "{1} changes in the loop, or differs between threads", "{1} 在循环中改变，或因线程而异", "", "")
ERR(pipe_reuse, "E584", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "its buffer cannot have a copy for each stage: {1}", "它的缓冲区不能为每一级各留一份：{1}",
    "let one copy fill the whole buffer before it is read in an iteration", "请让每次迭代先用一次拷贝写满整个缓冲区，再读取")
ERR(pipe_registers, "E585", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "it would hold {1} bytes of registers in each thread, the limit is {2}", "它会占用每个线程 {1} 字节的寄存器，上限为 {2} 字节",
    "use a smaller tile or more threads", "请减小分块或增加线程数")
ERR(pipe_none, "E586", Lnote, "this T.Pipelined runs without a pipeline", "这个 T.Pipelined 没有使用流水线",
    "no copy from global to shared memory in it can run ahead", "其中没有可以提前执行的从全局内存到共享内存的拷贝", "", "")
ERR(pipe_own, "E366", Lnote, "the roles of this T.Pipelined do not run apart", "这个 T.Pipelined 的各个角色不会错开执行",
    "its iterations cannot have a place each for `{1}`", "各次迭代无法为 `{1}` 各留一份",
    "an mbarrier has one phase in each iteration and is waited for with a parity that alternates; a tile is written whole before it is read, and read by nobody behind the loop",
    "mbarrier 每次迭代只完成一个阶段，等待时奇偶交替；分块应先写满再读取，且循环之后不再读取")
ERR(pipe_carried, "E587", Lerror, "`{1}` carries a value through a pipeline with stages", "`{1}` 的值跨越了分级的流水线",
    "it is not written anew in each iteration, but used in stages {2} and {3}", "它并非每次迭代都重新写入，却用于第 {2} 级和第 {3} 级",
    "give all statements that use `{1}` one stage, in their order", "请让使用 `{1}` 的语句处于同一级，并保持先后顺序")
ERR(pipe_viewed, "E360", Lerror, "`{1}` cannot have a copy for each stage of the pipeline", "`{1}` 无法为流水线的每一级各留一份",
    "it is used in stages {2} and {3}, also under another name: T.view or T.reshape of what is not in shared memory", "它用于第 {2} 级和第 {3} 级，并且另有别名：对非共享内存使用了 T.view 或 T.reshape",
    "give all statements that use `{1}` one stage, or copy it instead of viewing it", "请让使用 `{1}` 的语句处于同一级，或用拷贝代替视图")
ERR(pipe_written, "E361", Lerror, "`{1}` is written in two stages of the pipeline", "`{1}` 在流水线的两级中都被写入",
    "in stages {2} and {3}, while its values move on from stage to stage", "第 {2} 级和第 {3} 级，而它的值会逐级传递",
    "let stage {3} write a buffer of its own", "请让第 {3} 级写入单独的缓冲区")
ERR(pipe_spare, "E367", Lnote, "this loop has one stage more than num_stages={1}", "此循环比 num_stages={1} 多一级",
    "shared memory has room for {2}: with one place more, a copy need not wait for who reads the last one",
    "共享内存容得下 {2} 级：多一个位置，拷贝就不必等待正在读取的一级",
    "to keep to num_stages: pass_configs = {0|{[\"tl.disable_spare_stage\"] = true}|{\"tl.disable_spare_stage\": True}}",
    "要严格按 num_stages：pass_configs = {0|{[\"tl.disable_spare_stage\"] = true}|{\"tl.disable_spare_stage\": True}}")
ERR(pipe_spare_tries, "E283", Lnote, "this loop and those behind it keep to their num_stages", "此循环及其后的循环保持各自的 num_stages",
    "one stage more was tried {1} times for the loops in front of it, which is as often as is tried", "已为前面的循环尝试增加一级 {1} 次，达到上限",
    "give them a num_stages of one more where it helps", "如有帮助，请将它们的 num_stages 加一")
ERR(pipe_after, "E588", Lnote, "`{1}` is read after the pipelined loop", "`{1}` 在流水线循环之后被读取",
    "its last stage is copied back", "需要把它的最后一级拷贝回来", "copy the tile again after the loop, or give that use its own buffer", "请在循环之后重新拷贝分块，或为那里使用单独的缓冲区")
ERR(roles_none, "E589", Lnote, "no producer warps for this kernel", "这个内核没有使用生产者线程束",
    "{1}", "{1}", "", "")
ERR(roles_copy, "E590", Lnote, "the producer does not load `{1}`", "生产者不负责加载 `{1}`",
    "TMA cannot be used: {2}", "不能使用 TMA：{2}", "", "")
ERR(roles_written, "E792", Lnote, "the producer does not load `{1}`", "生产者不负责加载 `{1}`",
    "this kernel also writes `{2}`, and a producer would not wait for those writes", "本内核也写入 `{2}`，而生产者不会等待该写入", "", "")
ERR(shared_plain, "E530", Lnote, "`{1}` is not swizzled", "`{1}` 没有采用交错布局",
    "{2}", "{2}",
    "rows of 32, 64, 128 or 256 bytes can be", "行长为 32、64、128 或 256 字节时可以交错")
ERR(shared_narrow, "E531", Lnote, "`{1}` is swizzled by {2} bytes, not {3}", "`{1}` 按 {2} 字节交错，而不是 {3} 字节",
    "its rows have {4} bytes", "它的一行为 {4} 字节", "", "")
ERR(shared_dense, "E344", Lnote, "rows of tiles in shared memory follow each other without gaps", "共享内存中分块的行之间没有间隔",
    "with gaps, which keep columns off one bank, the tiles need more than the {1} bytes of {2}",
    "间隔可使同一列不落在同一存储体；有间隔时，分块超过 {2} 的 {1} 字节", "", "")
ERR(shared_user, "E532", Lnote, "`{1}` keeps the layout that T.annotate_layout gave it", "`{1}` 保留 T.annotate_layout 指定的布局",
    "a swizzle of {2} bytes was wanted for the matrix instructions", "矩阵指令希望采用 {2} 字节的交错", "", "")
ERR(shared_view, "E533", Lnote, "`{1}` is not swizzled", "`{1}` 没有采用交错布局",
    "it is also used as `{2}`, of another shape or type", "它还以另一种形状或类型作为 `{2}` 使用", "", "")
ERR(shared_name, "E534", Lerror, "`{1}` has an unknown layout", "`{1}` 的布局未知",
    "\"{2}\" is neither a layout's name nor its text", "\"{2}\" 既不是布局名，也不是布局文本",
    "known names are linear, swizzle_128, swizzle_64, swizzle_32, padded_N and what T.annotate_layout writes",
    "可用的有 linear、swizzle_128、swizzle_64、swizzle_32、padded_N 以及 T.annotate_layout 写出的形式")
ERR(shared_shape, "E535", Lerror, "the layout of `{1}` is for another shape", "`{1}` 的布局属于另一种形状",
    "the layout is over {2}, the buffer is {3}", "布局的形状为 {2}，缓冲区为 {3}",
    "give it the last dimensions of the buffer; leading ones may be left out", "请使用缓冲区最后几维的大小；前面的维可以省略")
ERR(shared_dynamic, "E536", Lerror, "the size of `{1}` in shared memory is not known", "`{1}` 在共享内存中的大小未知",
    "its shape depends on run-time values", "它的形状取决于运行时的值",
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
ERR(shared_held, "E905", Lnote, "`{1}`: {2} bytes", "`{1}`：{2} 字节",
    "{3}; a bulk store reads it, and nothing waits for all of them behind it: T.tma_store_wait(0) there frees it",
    "{3}；批量存储读取它，而其后没有等待全部完成：在那里调用 T.tma_store_wait(0) 即可释放", "", "")
ERR(shared_stages, "E539", Lnote, "this loop runs with num_stages={1} instead of {2}", "此循环以 num_stages={1} 运行，而不是 {2}",
    "{2} would need {3} bytes of shared memory; {4} has {5}", "取 {2} 需要 {3} 字节共享内存，而 {4} 只有 {5} 字节",
    "smaller tiles leave room for more stages", "较小的分块可以容纳更多级")
ERR(named_many, "E592", Lerror, "too many named barriers", "命名屏障过多",
    "a block has 16, one for each role that needs one", "每个块有 16 个，每个需要的角色占用一个", "use fewer T.ws roles", "请减少 T.ws 角色")
ERR(persist_none, "E574", Lnote, "each block of this launch works on one tile", "此启动的每个块只处理一个分块",
    "a loop over tiles in as many blocks as there are multiprocessors is not possible: {1}", "无法让与多处理器同样多的块循环处理各分块：{1}",
    "", "")
ERR(launch_hint, "E363", Lnote, "T.{1} has no effect here", "T.{1} 在此处不起作用",
    "{2}", "{2}", "", "")
ERR(cluster_apart, "E578", Lnote, "blocks along `{2}` do not load tiles for each other", "沿 `{2}` 的各块不为彼此载入分块",
    "`{1}` may differ between them, and both must load equally often", "`{1}` 在它们之间可能不同，而两者的载入次数必须一致",
    "", "")
ERR(pipe_unread, "E593", Lnote, "this copy does not run ahead", "这次拷贝没有提前执行",
    "no statement of the loop uses `{1}`", "循环中没有语句用到 `{1}`", "", "")
ERR(unroll_size, "E739", Lnote, "the loop over `{1}` is not unrolled", "对 `{1}` 的循环没有展开",
    "with those inside it would be over {2} statements", "连同其中的循环，展开后将超过 {2} 条语句",
    "make the tile smaller, or give it more threads", "请减小分块，或使用更多线程")
ERR(unroll_rounds, "E499", Lnote, "the loop over `{1}` is not unrolled", "对 `{1}` 的循环没有展开",
    "how many iterations it has is known only when it runs", "它的循环次数只有在运行时才知道", "", "")
