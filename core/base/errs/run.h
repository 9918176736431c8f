/* Messages of running: the worker, the session, what a kernel did to them: E300 to E359.  See errs.h. */
ERR(timeout, "E300", Lerror, "the kernel `{1}` did not finish within {2} s", "内核 `{1}` 未能在 {2} 秒内完成",
    "it was stopped; tensors made before are still there", "它已被终止；先前创建的张量仍在",
    "look for a loop that never ends, or allow more time: `:limit 60` at the prompt, or MOONTILE_TIME_LIMIT=60 (0: no limit)",
    "请检查是否有永不结束的循环，或放宽时限：在提示符下用 `:limit 60`，或设置 MOONTILE_TIME_LIMIT=60（0 表示不限）")
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
ERR(device_assert, "E307", Lerror, "a `T.device_assert` of the kernel `{1}` failed", "内核 `{1}` 的 `T.device_assert` 失败",
    "{2}, in block ({3})", "{2}，位于块 ({3})", "", "")
ERR(device_load, "E308", Lerror, "the compiled kernel `{1}` could not be loaded", "无法加载已编译的内核 `{1}`", "{2}", "{2}",
    "run it again: it is compiled again when its cache entry is missing or damaged",
    "请重新运行：缓存条目缺失或损坏时会重新编译")
ERR(device_args, "E309", Lerror, "the kernel `{1}` got {2} {2|argument|arguments} instead of {3}",
    "内核 `{1}` 收到 {2} 个参数，应为 {3} 个", "", "", "", "")
ERR(device_memory, "E310", Lerror, "not enough memory to run the kernel `{1}`", "内存不足，无法运行内核 `{1}`",
    "its tiles and workspaces need {2}", "其分块与工作区需要 {2}",
    "make its shared tiles and fragments smaller, or use fewer threads (-threads=N)",
    "请缩小共享分块与片段，或减少线程数（-threads=N）")
ERR(worker_memory, "E311", Lerror, "the worker could not map the tensors of the kernel `{1}`",
    "工作进程无法映射内核 `{1}` 的张量", "{2}", "{2}", "free memory, or use smaller tensors", "请释放内存，或使用更小的张量")
ERR(session_closed, "E315", Lerror, "the device session is closed", "设备会话已关闭", "", "", "", "")
ERR(subbyte_view, "E316", Lerror, "a {1} view that starts inside a byte cannot be passed to a kernel",
    "起始于字节中间的 {1} 视图不能传给内核", "argument {2} of `{3}`", "`{3}` 的第 {2} 个参数",
    "pass a copy: t:copy()", "请传入副本：t:copy()")
ERR(argument_bounds, "E317", Lerror, "argument {2} of the kernel `{1}` reaches beyond its storage",
    "内核 `{1}` 的第 {2} 个参数超出其存储范围", "", "", "", "")
ERR(argument_meets, "E318", Lerror, "arguments {2} and {3} of the kernel `{1}` share memory, and it writes to one of them",
    "内核 `{1}` 的参数 {2} 与 {3} 共用内存，而内核会写入其中之一",
    "a kernel is compiled for tensors that do not overlap; it may get one twice only if it goes through it element by element",
    "内核按张量互不重叠来编译；只有逐元素地访问时才可以是同一个张量",
    "pass a copy: t:copy()", "请传入副本：t:copy()")
ERR(stopped, "E330", Lerror, "interrupted", "已中断", "", "", "", "")
ERR(called, "E331", Lnote, "called from here", "从此处调用", "", "", "", "")
ERR(sim_assert, "E358", Lerror, "a `T.device_assert` of the kernel `{1}` failed", "内核 `{1}` 的 `T.device_assert` 失败",
    "{2}, in thread {4} of block ({3})", "{2}，位于块 ({3}) 的线程 {4}", "", "")
/* memory of devices with their own (core/device/session_memory.c) */
ERR(device_full, "E332", Lerror, "no memory on the device for the kernel `{1}`", "设备内存不足，无法运行内核 `{1}`",
    "{2} asked for, {3} free of {4}", "需要 {2}，{4} 中尚余 {3}",
    "use smaller tensors, or drop those that are no longer used: x = nil", "请用较小的张量，或释放不再使用的张量：x = nil")
ERR(contents_lost, "E333", Lnote, "the newest contents of {1} {1|tensor|tensors} ({2}) were on the device only and are lost: {1|it is|they are} as the host last saw {1|it|them}",
    "有 {1} 个张量（{2}）的最新内容只在设备上，已经丢失：它们恢复为主机最后看到的内容", "", "", "", "")
ERR(contents_gone, "E334", Lerror, "the device's worker ended, and with it the newest contents of {1} {1|tensor|tensors} ({2})",
    "设备的工作进程已结束，{1} 个张量（{2}）的最新内容随之丢失",
    "{1|it is|they are} as the host last saw {1|it|them}; nothing was run", "它们恢复为主机最后看到的内容；没有运行任何内核",
    "compute {1|it|them} again", "请重新计算")
ERR(contents_unread, "E335", Lerror, "the newest contents of {1} {1|tensor|tensors} ({2}) could not be read from the device",
    "无法从设备读取 {1} 个张量（{2}）的最新内容",
    "{1|it is|they are} as the host last saw {1|it|them}", "它们恢复为主机最后看到的内容", "compute {1|it|them} again", "请重新计算")
ERR(text_none, "E336", Lerror, "the kernel `{1}` has no {2}", "内核 `{1}` 没有 {2}",
    "its target has no such text", "它的目标不提供这种文本", "", "")
