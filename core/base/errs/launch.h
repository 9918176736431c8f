/* Messages of a launch: what is loaded, its arguments and texts, its asserts.  Codes of run.h.  See errs.h. */
ERR(device_assert, "E307", Lerror, "a `T.device_assert` of the kernel `{1}` failed", "内核 `{1}` 的 `T.device_assert` 失败",
    "{2}, in block ({3})", "{2}，位于块 ({3})", "", "")
ERR(device_load, "E308", Lerror, "the compiled kernel `{1}` could not be loaded", "无法加载已编译的内核 `{1}`", "{2}", "{2}",
    "run it again: it is compiled again when its cache entry is missing or damaged",
    "请重新运行：缓存条目缺失或损坏时会重新编译")
ERR(device_args, "E309", Lerror, "the kernel `{1}` got {2} {2|argument|arguments} instead of {3}",
    "内核 `{1}` 收到 {2} 个参数，应为 {3} 个", "", "", "", "")
ERR(subbyte_view, "E316", Lerror, "a {1} view that starts inside a byte cannot be passed to a kernel",
    "起始于字节中间的 {1} 视图不能传给内核", "argument {2} of `{3}`", "`{3}` 的第 {2} 个参数",
    "pass a copy: {0|t:copy()|t.clone()}", "请传入副本：{0|t:copy()|t.clone()}")
ERR(argument_bounds, "E317", Lerror, "argument {2} of the kernel `{1}` reaches beyond its storage",
    "内核 `{1}` 的第 {2} 个参数超出其存储范围", "", "", "", "")
ERR(argument_meets, "E318", Lerror, "arguments {2} and {3} of the kernel `{1}` share memory, and it writes to one of them",
    "内核 `{1}` 的参数 {2} 与 {3} 共用内存，而内核会写入其中之一",
    "a kernel is compiled for tensors that do not overlap; it may get one twice only if it goes through it element by element",
    "内核按张量互不重叠来编译；只有逐元素地访问时才可以是同一个张量",
    "pass a copy: {0|t:copy()|t.clone()}", "请传入副本：{0|t:copy()|t.clone()}")
ERR(sim_assert, "E358", Lerror, "a `T.device_assert` of the kernel `{1}` failed", "内核 `{1}` 的 `T.device_assert` 失败",
    "{2}, in thread {4} of block ({3})", "{2}，位于块 ({3}) 的线程 {4}", "", "")
ERR(sim_assume, "E928", Lerror, "what a `T.assume` of the kernel `{1}` says is false", "内核 `{1}` 的 `T.assume` 所述条件不成立",
    "{2}, in thread {4} of block ({3})", "{2}，位于块 ({3}) 的线程 {4}",
    "targets that compile take it for granted: correct it, or use T.device_assert", "会编译的目标直接依据它优化：请改正，或改用 T.device_assert")
ERR(sim_presumed, "E343", Lerror, "the kernel `{1}` was given what its operation does not take", "内核 `{1}` 得到了其操作不接受的内容",
    "{2}, in thread {4} of block ({3})", "{2}，位于块 ({3}) 的线程 {4}",
    "targets that compile do not look, and compute nonsense of it", "会编译的目标不做检查，结果没有意义")
ERR(text_none, "E336", Lerror, "the kernel `{1}` has no {2}", "内核 `{1}` 没有 {2}",
    "its target has no such text", "它的目标不提供这种文本", "", "")
