/* Messages of building: the compiler of the cpu target, the cache: E320 to E349, E400 to E409, E721 to
 * E724.  See errs.h. */
ERR(no_cc, "E320", Lerror, "no C compiler was found", "未找到 C 编译器", "looked for {1}", "已查找 {1}",
    "install one (Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc; Alpine: apk add build-base), or set CC to yours; -t sim needs none",
    "请安装一个（Debian、Ubuntu：apt-get install gcc；Fedora：dnf install gcc；Alpine：apk add build-base），或用 CC 指定；-t sim 不需要编译器")
ERR(cc_failed, "E321", Lerror, "a bug in moontile, not in your kernel", "这是 moontile 的缺陷，与您的内核无关",
    "the C compiler refused the generated source; its messages are in {1}", "C 编译器拒绝了生成的源码；其消息保存在 {1}",
    "please report it with that file", "请附上该文件报告给我们")
ERR(cc_own, "E909", Lerror, "the C compiler {1} refused C of your own", "C 编译器 {1} 拒绝了您自己的 C 代码", "{2}", "{2}",
    "on the cpu target T.import_source is C, without templates: put what is CUDA's alone between #ifdef __CUDACC__ and #endif, or write #include <math.h>",
    "在 cpu 目标上 T.import_source 按 C 编译，没有模板：请把 CUDA 专用的代码放在 #ifdef __CUDACC__ 与 #endif 之间，或加上 #include <math.h>")
ERR(cc_broken, "E322", Lerror, "the C compiler {1} does not work", "C 编译器 {1} 无法工作", "{2}", "{2}",
    "install all of it (Debian, Ubuntu: apt-get install gcc binutils), or set CC to another",
    "请完整安装（Debian、Ubuntu：apt-get install gcc binutils），或用 CC 指定另一个")
ERR(cc_killed, "E323", Lerror, "the C compiler {1} was ended by the system ({2})", "C 编译器 {1} 被系统终止（{2}）", "", "",
    "free memory and run the kernel again", "请释放内存后重新运行内核")
ERR(cc_fault, "E723", Lerror, "the C compiler {1} failed with an internal error", "C 编译器 {1} 自身出错", "{2}", "{2}",
    "try another version of the compiler, or a shorter kernel", "换一个版本的编译器或缩短内核可能会更好")
ERR(cc_output, "E724", Lerror, "the C compiler {1} reported success but wrote no complete shared object",
    "C 编译器 {1} 报告成功，却没有写出完整的共享库", "", "", "set CC to another compiler", "请用 CC 指定另一个编译器")
ERR(cc_plain, "E721", Lwarning, "the C compiler {1} did not finish with its usual options",
    "C 编译器 {1} 用通常的选项未能完成编译", "the kernel was compiled with {2} and may be slower", "内核已改用 {2} 编译，可能较慢",
    "try another version of the compiler, or a shorter kernel", "换一个版本的编译器或缩短内核可能会更好")
ERR(cache_fallback, "E400", Lwarning, "the cache folder {1} cannot be used", "无法使用缓存目录 {1}", "{3}; {2} is used instead", "{3}；改用 {2}",
    "make sure that you own it and can write to it, or set MOONTILE_CACHE_DIR to another", "请使其归您所有且可写，或用 MOONTILE_CACHE_DIR 指定其他目录")
ERR(cache_none, "E401", Lerror, "no folder for compiled kernels can be used", "没有可用于存放已编译内核的目录", "{1}: {2}", "{1}：{2}",
    "set MOONTILE_CACHE_DIR to a writable folder", "请用 MOONTILE_CACHE_DIR 指定一个可写目录")
ERR(disk_full, "E402", Lerror, "no space is left for compiled kernels", "没有空间存放已编译的内核", "in {1}", "位置：{1}",
    "free some space, or set MOONTILE_CACHE_DIR to a folder elsewhere", "请释放空间，或用 MOONTILE_CACHE_DIR 指定别处的目录")
ERR(temp_full, "E969", Lerror, "no space is left for the compiler's own files", "没有空间存放编译器自己的文件", "in {1}", "位置：{1}",
    "free some space, or set TMPDIR to a folder elsewhere", "请释放空间，或用 TMPDIR 指定别处的目录")
ERR(cache_size, "E403", Lwarning, "MOONTILE_CACHE_SIZE=`{1}` is not a size", "MOONTILE_CACHE_SIZE=`{1}` 不是有效的大小", "512M is used instead", "使用 512M",
    "write a number of bytes, or one with K, M or G", "请写字节数，或带 K、M、G 的数")
ERR(cache_foreign, "E404", Lwarning, "the cache folder {1} belongs to another user", "缓存目录 {1} 属于其他用户", "{2} is used instead", "改用 {2}",
    "set MOONTILE_CACHE_DIR to a folder of your own", "请用 MOONTILE_CACHE_DIR 指定您自己的目录")
ERR(cache_shared, "E405", Lwarning, "other users can write to the cache folder {1}", "其他用户可以写入缓存目录 {1}", "{2} is used instead", "改用 {2}",
    "make it private: chmod go-w {1}", "请将其设为私有：chmod go-w {1}")
ERR(cache_noexec, "E406", Lwarning, "compiled kernels cannot be loaded from {1}", "无法从 {1} 加载已编译的内核",
    "it is on a file system mounted noexec; {2} is used instead", "它位于以 noexec 挂载的文件系统上；改用 {2}",
    "set MOONTILE_CACHE_DIR to another folder", "请用 MOONTILE_CACHE_DIR 指定其他目录")
ERR(cpu_threads, "E340", Lerror, "{1} needs the threads of a block", "{1} 需要线程块中的线程",
    "the cpu target runs a block as one thread", "cpu 目标用一个线程运行整个线程块",
    "run it with target = \"sim\", which has threads, or write it with T.Parallel, which every target can run",
    "请用有线程的 target = \"sim\" 运行，或改用 T.Parallel：任何目标都会把它的各次迭代分配到线程上")
ERR(cpu_number, "E342", Lerror, "`{2}` is {3}, which the kernel `{1}` does not accept on the cpu", "`{2}` 的值为 {3}，内核 `{1}` 在 cpu 上不接受",
    "it must be from {4} to {5}: the kernel's index arithmetic relies on that", "允许的范围为 {4} 到 {5}：其下标运算以此为前提",
    "split the tensor along that dimension", "请沿该维度拆分张量")
ERR(cpu_executor, "E559", Lnote, "executed thread by thread", "逐线程执行",
    "it names single threads: the cpu target runs its thread program (for {1}) instead of compiled C, and does not look for races or reads of unwritten memory",
    "程序涉及单个线程：cpu 目标执行其线程程序（{1}），而不是编译后的 C，并且不检查竞争与未写入内容的读取",
    "`moontile check FILE` and -t sim do; this is tens to hundreds of times slower than T.Parallel and tile operations alone, which are compiled to C",
    "`moontile check FILE` 与 -t sim 会检查这些错误；逐线程执行比只用 T.Parallel 和分块操作（编译为 C）慢几十到几百倍")
ERR(cpu_host, "E341", Lerror, "a statement outside T.Kernel", "T.Kernel 之外的语句",
    "only bindings and T.alloc_global are allowed between launches", "各次启动之间只能有绑定和 T.alloc_global",
    "move it into a T.Kernel, or {0|do it in Lua before|do it on the host before} the kernel is called", "请移入 T.Kernel，或{0|在调用内核之前用 Lua 完成|在调用内核之前在主机上完成}")
ERR(index_stop, "E356", Lerror, "index out of range for `{2}` in the kernel `{1}`", "内核 `{1}` 中 `{2}` 的下标越界",
    "index {3}, the extent is {4}; in block ({5})", "下标为 {3}，该维大小为 {4}；位于块 ({5})",
    "guard the access with `if`, or clamp the index", "请用 `if` 保护这次访问，或限制下标的范围")
ERR(history_lost, "E679", Lwarning, "input is not saved to the history file", "输入的内容未写入历史文件", "{1}", "{1}",
    "the session continues; :save FILE saves it", "会话可继续；用 :save FILE 保存")
ERR(int_zero, "E678", Lwarning, "integer division by zero", "整数除以零",
    "the result is 0 here; on a GPU it can be anything", "此处结果为 0；在 GPU 上可能是任意值",
    "test the divisor first: {0|T.if_then_else(b ~= 0, a // b, 0)|T.if_then_else(b != 0, a // b, 0)}", "请先检查除数：{0|T.if_then_else(b ~= 0, a // b, 0)|T.if_then_else(b != 0, a // b, 0)}")
