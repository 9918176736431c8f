/* Messages of building, running, the worker, the machine: E300 to E499.  See errs.h. */
ERR(timeout, "E300", Lerror, "the kernel `{1}` did not finish within {2} s", "内核 `{1}` 未能在 {2} 秒内完成",
    "it was stopped; all tensors are intact", "它已被终止；所有张量完好无损",
    "look for a loop that never ends, or allow more time: `:limit 60` at the prompt, or MOONTILE_TIME_LIMIT=60 (0: no limit)",
    "请检查是否有永不结束的循环，或放宽时限：在提示符下用 `:limit 60`，或设置 MOONTILE_TIME_LIMIT=60（0 表示不限）")
ERR(interrupted, "E301", Lerror, "the kernel `{1}` was interrupted", "内核 `{1}` 被中断",
    "it was stopped; all tensors are intact", "它已被终止；所有张量完好无损", "", "")
ERR(build_interrupted, "E302", Lerror, "compiling was interrupted", "编译被中断", "", "", "", "")
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
ERR(device_assert, "E307", Lerror, "a device_assert of the kernel `{1}` failed", "内核 `{1}` 的 device_assert 失败",
    "{2}, in block ({3})", "{2}，位于块 ({3})", "", "")
ERR(device_load, "E308", Lerror, "the compiled kernel `{1}` could not be loaded", "无法加载已编译的内核 `{1}`", "{2}", "{2}",
    "run it again: it is compiled anew when its cache entry is missing or damaged",
    "请重新运行：缓存条目缺失或损坏时会重新编译")
ERR(device_args, "E309", Lerror, "the kernel `{1}` got {2} {2|argument|arguments} instead of {3}",
    "内核 `{1}` 收到 {2} 个参数，应为 {3} 个", "", "", "", "")
ERR(device_memory, "E310", Lerror, "not enough memory to run the kernel `{1}`", "内存不足，无法运行内核 `{1}`",
    "its tiles and workspaces need {2}", "其分块与工作区需要 {2}",
    "make its shared tiles and fragments smaller, or use fewer threads (-threads=N)",
    "请缩小共享分块与片段，或减少线程数（-threads=N）")
ERR(worker_memory, "E311", Lerror, "the worker could not map the tensors of the kernel `{1}`",
    "工作进程无法映射内核 `{1}` 的张量", "{2}", "{2}", "free memory, or use smaller tensors", "请释放内存，或使用更小的张量")
ERR(target_option, "E312", Lerror, "the target has no option `{2}`", "该目标没有选项 `{2}`",
    "its options are {3}", "可用选项为 {3}", "", "")
ERR(target_value, "E313", Lerror, "the target's option `{2}` has a wrong value", "目标选项 `{2}` 的取值有误",
    "it takes {3}", "它接受 {3}", "", "")
ERR(target_unknown, "E314", Lerror, "there is no target `{1}`", "没有名为 `{1}` 的目标", "known are {2}", "已知的有 {2}", "", "")
ERR(session_closed, "E315", Lerror, "the device session is closed", "设备会话已关闭", "", "", "", "")
ERR(subbyte_view, "E316", Lerror, "a {1} view that starts inside a byte cannot be passed to a kernel",
    "起始于字节中间的 {1} 视图不能传给内核", "argument {2} of `{3}`", "`{3}` 的第 {2} 个参数",
    "pass a copy: t:copy()", "请传入副本：t:copy()")
ERR(argument_bounds, "E317", Lerror, "argument {2} of the kernel `{1}` reaches beyond its storage",
    "内核 `{1}` 的第 {2} 个参数超出其存储范围", "", "", "", "")
ERR(no_cc, "E320", Lerror, "no C compiler was found", "未找到 C 编译器", "looked for {1}", "已查找 {1}",
    "install one (Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc; Alpine: apk add build-base), or name it in CC",
    "请安装一个（Debian、Ubuntu：apt-get install gcc；Fedora：dnf install gcc；Alpine：apk add build-base），或用 CC 指定")
ERR(cc_failed, "E321", Lerror, "a bug in moontile, not in your kernel", "这是 moontile 的缺陷，与您的内核无关",
    "the C compiler refused the generated source; its messages are in {1}", "C 编译器拒绝了生成的源码；其消息保存在 {1}",
    "please report it with that file", "请附上该文件报告给我们")
ERR(cc_broken, "E322", Lerror, "the C compiler {1} does not work", "C 编译器 {1} 无法工作", "{2}", "{2}",
    "install it completely (Debian, Ubuntu: apt-get install gcc binutils), or name another in CC",
    "请完整安装（Debian、Ubuntu：apt-get install gcc binutils），或用 CC 指定另一个")
ERR(cc_killed, "E323", Lerror, "the C compiler {1} was ended by the system ({2})", "C 编译器 {1} 被系统终止（{2}）", "", "",
    "free memory and run the kernel again", "请释放内存后重新运行内核")
ERR(cache_fallback, "E400", Lwarning, "the cache folder {1} cannot be used", "无法使用缓存目录 {1}", "{3}; {2} serves instead", "{3}；改用 {2}",
    "make it yours and writable, or name another in MOONTILE_CACHE_DIR", "请使其归您所有且可写，或用 MOONTILE_CACHE_DIR 指定其他目录")
ERR(cache_none, "E401", Lerror, "no folder for compiled kernels can be used", "没有可用于存放已编译内核的目录", "{1}: {2}", "{1}：{2}",
    "name a writable folder in MOONTILE_CACHE_DIR", "请用 MOONTILE_CACHE_DIR 指定一个可写目录")
ERR(disk_full, "E402", Lerror, "no space is left for compiled kernels", "没有空间存放已编译的内核", "in {1}", "位置：{1}",
    "free some space, or name a folder elsewhere in MOONTILE_CACHE_DIR", "请释放空间，或用 MOONTILE_CACHE_DIR 指定别处的目录")
ERR(cache_size, "E403", Lwarning, "MOONTILE_CACHE_SIZE=`{1}` is not a size", "MOONTILE_CACHE_SIZE=`{1}` 不是有效的大小", "512M is used", "使用 512M",
    "write a number of bytes, or one with K, M or G", "请写字节数，或带 K、M、G 的数")
ERR(stopped, "E330", Lerror, "interrupted", "已中断", "", "", "", "")
ERR(called, "E331", Lnote, "called from here", "从此处调用", "", "", "", "")
ERR(cache_foreign, "E404", Lwarning, "the cache folder {1} belongs to another user", "缓存目录 {1} 属于其他用户", "{2} serves instead", "改用 {2}",
    "name a folder of your own in MOONTILE_CACHE_DIR", "请用 MOONTILE_CACHE_DIR 指定您自己的目录")
ERR(cache_shared, "E405", Lwarning, "others may write to the cache folder {1}", "其他用户可以写入缓存目录 {1}", "{2} serves instead", "改用 {2}",
    "make it private: chmod go-w {1}", "请将其设为私有：chmod go-w {1}")
ERR(cache_noexec, "E406", Lwarning, "compiled kernels cannot be loaded from {1}", "无法从 {1} 加载已编译的内核",
    "it is on a file system mounted noexec; {2} serves instead", "它位于以 noexec 挂载的文件系统上；改用 {2}",
    "name another folder in MOONTILE_CACHE_DIR", "请用 MOONTILE_CACHE_DIR 指定其他目录")
ERR(cpu_threads, "E340", Lerror, "{1} needs the threads of a block", "{1} 需要线程块中的线程",
    "the cpu target runs a block as one thread", "cpu 目标用一个线程运行整个线程块",
    "run it with target = \"sim\", which has threads, or write it with T.Parallel, whose iterations every target spreads",
    "请用有线程的 target = \"sim\" 运行，或改用 T.Parallel：任何目标都会把它的各次迭代分配到线程上")
ERR(cpu_host, "E341", Lerror, "a statement outside of T.Kernel", "T.Kernel 之外的语句",
    "between launches only bindings and T.alloc_global can stand", "各次启动之间只能有绑定和 T.alloc_global",
    "move it into a T.Kernel, or do it in Lua before the kernel is called", "请移入 T.Kernel，或在调用内核之前用 Lua 完成")
ERR(index_stop, "E356", Lerror, "index out of range for `{2}` in the kernel `{1}`", "内核 `{1}` 中 `{2}` 的下标越界",
    "index {3}, the extent is {4}; in block ({5})", "下标为 {3}，该维大小为 {4}；位于块 ({5})",
    "guard the access with `if`, or clamp the index", "请用 `if` 保护这次访问，或限制下标的范围")
ERR(sim_assert, "E358", Lerror, "a device_assert of the kernel `{1}` failed", "内核 `{1}` 的 device_assert 失败",
    "{2}, in thread {4} of block ({3})", "{2}，位于块 ({3}) 的线程 {4}", "", "")
