/* Messages of running: the worker, the session, what a kernel did to them: E300 to E359, with launch.h
 * and room.h.  See errs.h. */
ERR(timeout, "E300", Lerror, "the kernel `{1}` did not finish within {2} s", "内核 `{1}` 未能在 {2} 秒内完成",
    "it was stopped; tensors made before are still there", "它已被终止；先前创建的张量仍在",
    "look for a loop that never ends, or allow more time: `:limit 60` at the prompt, or MOONTILE_TIME_LIMIT=60 (0: no limit)",
    "请检查是否有永不结束的循环，或放宽时限：在提示符下用 `:limit 60`，或设置 MOONTILE_TIME_LIMIT=60（0 表示不限）")
ERR(timeout_work, "E338", Lerror, "the kernel `{1}` did not finish within {2} s", "内核 `{1}` 未能在 {2} 秒内完成",
    "its loops and tiles declare {3} operations, a lot for this device; it was stopped; tensors made before are still there",
    "其循环与分块共声明了 {3} 次运算，对此设备而言很多；它已被终止；先前创建的张量仍在",
    "smaller sizes, or more time: `:limit 60` at the prompt, or MOONTILE_TIME_LIMIT=60 (0: no limit)",
    "请用更小的尺寸，或放宽时限：在提示符下用 `:limit 60`，或设置 MOONTILE_TIME_LIMIT=60（0 表示不限）")
ERR(late_load, "E901", Lerror, "the kernel `{1}` was not ready to run within {2} s", "内核 `{1}` 未能在 {2} 秒内就绪",
    "its compiler or the device's driver did not respond; it was stopped, and tensors made before are still there",
    "它的编译器或设备驱动没有响应；它已被终止，先前创建的张量仍在",
    "`moontile doctor` shows both; to allow more time: `:limit 60` at the prompt, or MOONTILE_TIME_LIMIT=60 (0: no limit)",
    "`moontile doctor` 会显示这两者；要放宽时限：在提示符下用 `:limit 60`，或设置 MOONTILE_TIME_LIMIT=60（0 表示不限）")
ERR(crash_load, "E902", Lerror, "the worker process ended while it compiled and loaded the kernel `{1}`", "编译并加载内核 `{1}` 时，工作进程意外结束",
    "signal {2}: the compiler or the driver failed, not the kernel; tensors made before are still there",
    "信号 {2}：出错的是编译器或驱动，而不是内核；先前创建的张量仍在",
    "`moontile doctor` shows both: try another version of one of them", "`moontile doctor` 会显示这两者：请尝试换用其中之一的其他版本")
ERR(interrupted, "E301", Lerror, "the kernel `{1}` was interrupted", "内核 `{1}` 被中断",
    "it was stopped; tensors made before are still there", "它已被终止；先前创建的张量仍在", "", "")
ERR(crash_segv, "E303", Lerror, "the kernel `{1}` crashed (segmentation fault)", "内核 `{1}` 崩溃（段错误）",
    "tensors made before are still there", "先前创建的张量仍在",
    "compare its indices and loop bounds with the shapes of its buffers", "请对照各缓冲区的形状检查其下标和循环边界")
ERR(crash_bus, "E350", Lerror, "the kernel `{1}` crashed (bus error)", "内核 `{1}` 崩溃（总线错误）",
    "tensors made before are still there", "先前创建的张量仍在",
    "compare its indices and loop bounds with the shapes of its buffers", "请对照各缓冲区的形状检查其下标和循环边界")
ERR(crash_fpe, "E351", Lerror, "the kernel `{1}` crashed (integer division by zero or overflow)", "内核 `{1}` 崩溃（整数除零或溢出）",
    "tensors made before are still there", "先前创建的张量仍在",
    "guard the divisor of // and %", "请确保 // 和 % 的除数不为零")
ERR(crash_ill, "E352", Lerror, "the kernel `{1}` crashed (illegal instruction)", "内核 `{1}` 崩溃（非法指令）",
    "tensors made before are still there", "先前创建的张量仍在",
    "clear the cache folder if it was filled on another machine", "若缓存目录来自另一台机器，请将其清空")
ERR(crash_abort, "E353", Lerror, "the kernel `{1}` crashed (aborted: its memory was overwritten)", "内核 `{1}` 崩溃（异常终止：其内存被改写）",
    "tensors made before are still there", "先前创建的张量仍在",
    "compare its indices and loop bounds with the shapes of its buffers", "请对照各缓冲区的形状检查其下标和循环边界")
ERR(crash_kill, "E354", Lerror, "the kernel `{1}` crashed (ended by the system, most likely for lack of memory)", "内核 `{1}` 崩溃（被系统终止，很可能是内存不足）",
    "tensors made before are still there", "先前创建的张量仍在",
    "free memory, or use smaller tensors", "请释放内存，或使用更小的张量")
ERR(worker_signal, "E355", Lerror, "the kernel `{1}` crashed (signal {2})", "内核 `{1}` 崩溃（信号 {2}）",
    "tensors made before are still there", "先前创建的张量仍在",
    "compare its indices and loop bounds with the shapes of its buffers", "请对照各缓冲区的形状检查其下标和循环边界")
ERR(worker_exit, "E304", Lerror, "the kernel `{1}` ended its worker process (exit status {2})",
    "内核 `{1}` 使工作进程退出（退出状态 {2}）", "tensors made before are still there", "先前创建的张量仍在", "", "")
ERR(worker_start, "E305", Lerror, "the worker process could not be started", "无法启动工作进程", "{1}", "{1}",
    "check free memory, the process limit (ulimit -u) and that /proc is mounted",
    "请检查可用内存、进程数限制（ulimit -u），以及 /proc 是否已挂载")
ERR(worker_died, "E306", Lerror, "the worker process ended twice before the kernel `{1}` was started",
    "在内核 `{1}` 启动之前，工作进程两次意外结束", "{2}", "{2}",
    "check whether the system is short of memory (dmesg names the processes it ended)",
    "请检查系统内存是否不足（dmesg 会列出被系统结束的进程）")
ERR(session_closed, "E315", Lerror, "the device session is closed", "设备会话已关闭", "", "", "", "")
ERR(stopped, "E330", Lerror, "interrupted", "已中断", "", "", "", "")
ERR(called, "E331", Lnote, "called from here", "从此处调用", "", "", "", "")
ERR(contents_lost, "E333", Lnote, "the newest contents of {1} {1|tensor|tensors} ({2}) were on the device only and are lost: {1|it is|they are} as the host last saw {1|it|them}",
    "有 {1} 个张量（{2}）的最新内容只在设备上，已经丢失：它们恢复为主机最后看到的内容", "", "", "", "")
ERR(contents_gone, "E334", Lerror, "the device's worker ended, and with it the newest contents of {1} {1|tensor|tensors} ({2})",
    "设备的工作进程已结束，{1} 个张量（{2}）的最新内容随之丢失",
    "{1|it is|they are} as the host last saw {1|it|them}; nothing was run", "它们恢复为主机最后看到的内容；没有运行任何内核",
    "compute {1|it|them} again", "请重新计算")
ERR(contents_unread, "E335", Lerror, "the newest contents of {1} {1|tensor|tensors} ({2}) could not be read from the device",
    "无法从设备读取 {1} 个张量（{2}）的最新内容",
    "{1|it is|they are} as the host last saw {1|it|them}", "它们恢复为主机最后看到的内容", "compute {1|it|them} again", "请重新计算")
/* an assert() of a file whose kernels are written or looked at, not run (lua/tl/dry.lua) */
ERR(dry_assert, "E337", Lnote, "assertions about results are skipped: nothing runs here, so results mean nothing",
    "此处不运行内核，结果没有意义，关于结果的断言已略过", "does not hold", "不成立", "", "")
ERR(dry_prim, "E1084", Lnote, "the file compiles no kernel: its one T.prim_func `{1}` is looked at",
    "文件没有编译内核：处理其中唯一的 T.prim_func `{1}`", "", "",
    "{0|tl.compile|tilelang.compile} it in the file where it needs options, such as out_idx", "若需要 out_idx 等选项，请在文件中用 {0|tl.compile|tilelang.compile} 编译它")
ERR(dry_exit, "E967", Lnote, "the rest of the file is left out: it ends itself with status {1}",
    "文件以状态 {1} 自行结束，其余部分已略去",
    "nothing runs here, so results mean nothing; its kernels up to here are looked at", "此处不运行内核，结果没有意义；到此为止的内核仍会处理",
    "", "")
