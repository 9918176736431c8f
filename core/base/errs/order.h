/* Messages of what orders accesses of threads, or does not: E465 to E468, E497, E498, E732, E733.
 * See errs.h. */
ERR(sync_rounds, "E732", Lnote, "the iterations of this loop are not distinguished", "未逐轮区分此循环的各次迭代",
    "there are too many to follow each one: it may have a barrier for an iteration that never comes", "迭代次数太多，无法逐轮跟踪：其中的屏障可能是为并不存在的情形而设",
    "the kernel is correct; fewer iterations, or indices that repeat after a few, may need fewer barriers", "内核是正确的；若迭代较少，或下标每隔几轮重复，所需屏障可能更少")
ERR(sync_places, "E733", Lnote, "this is assumed to access all of `{1}`", "此处按访问整个 `{1}` 处理",
    "it accesses more places than are tracked: there may be a barrier that is not needed", "它访问的位置多于逐一检查的上限：可能会多出并不需要的屏障",
    "the kernel is correct; smaller tiles or fewer iterations may need fewer barriers", "内核是正确的；较小的分块或较少的轮数所需屏障可能更少")
ERR(order_mended, "E497", Lnote, "a {3} that the compiler had left out is added here", "此处补上了编译器遗漏的同步（{3}）",
    "nothing ordered the accesses to `{1}` here after those on line {2}; a second check of the finished program found this",
    "此处对 `{1}` 的访问与第 {2} 行的访问之间没有次序；对成品程序的复查发现了这一点",
    "the kernel is correct, but slower than it could be: please report this", "内核是正确的，只是可能偏慢：请报告此问题")
ERR(order_open, "E498", Lwarning, "nothing orders the accesses to `{1}` here after those on line {2}", "此处对 `{1}` 的访问与第 {2} 行的访问之间没有次序",
    "the threads that make them cannot all meet here for a {3}", "执行这些访问的线程无法全部在此处会合以执行{3}",
    "order them: T.sync_threads, or an mbarrier between the roles of T.ws", "请为它们规定次序：T.sync_threads，或在 T.ws 的各角色之间使用 mbarrier")
ERR(order_part_limit, "E465", Lnote, "the barriers of this kernel were only partly checked", "只检查了这个内核的一部分屏障",
    "{1} accesses to shared memory were checked; there are more", "已查看 {1} 次共享内存访问，还有更多",
    "smaller tiles or fewer iterations can be checked completely; -t sim checks every access of a run", "较小的分块或较少的轮数可以完整检查；-t sim 会检查一次运行中的每次访问")
ERR(order_part_value, "E466", Lnote, "the barriers of this kernel were only partly checked", "只检查了这个内核的一部分屏障",
    "which mbarrier is meant, or how often, is known only when it runs", "使用哪个 mbarrier 或使用多少次，只有运行时才知道",
    "index mbarriers by loop variables; -t sim checks every access of a run", "请用循环变量索引 mbarrier；-t sim 会检查一次运行中的每次访问")
ERR(order_part_wait, "E467", Lnote, "the barriers of this kernel were only partly checked", "只检查了这个内核的一部分屏障",
    "with the assumed trip counts and conditions, some wait would never end", "按所假设的循环次数和条件，某处等待不会结束",
    "-t sim checks every access of a run", "-t sim 会检查一次运行中的每次访问")
ERR(order_stuck, "E468", Lwarning, "threads may wait here forever", "线程可能在此处永远等待",
    "when other threads run ahead, what is waited for never comes, or has passed unseen", "当其他线程先行时，所等待的事件不会到来，或已错过",
    "let those who arrive wait until all have seen the previous phase: mbarriers come in pairs, full and empty", "请让到达方等到所有线程看到上一阶段之后再继续：mbarrier 应成对使用（full 与 empty）")
