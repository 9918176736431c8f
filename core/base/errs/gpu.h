/* Messages of the run-time of GPUs (targets/gpu): E480 to E499, E903, and of E422 to E469 those that are of
 * every GPU: code, limits and arguments of a launch, what a kernel did wrong on the card.  Those of
 * cuda that say more stand in cuda.h.  See errs.h. */
ERR(gpu_no_library, "E480", Lerror, "the {2} runtime was not found", "未找到 {2} 的运行时",
    "looked for {3} in {4}", "已在以下位置查找 {3}：{4}",
    "install {2}, or set {5} to the library; or run on the cpu: -t cpu",
    "请安装 {2}，或用 {5} 指定该库；也可在 CPU 上运行：-t cpu")
ERR(gpu_old_library, "E481", Lerror, "the {2} runtime is too old, or is something else", "{2} 的运行时过旧，或并非运行时",
    "{3} lacks {4}", "{3} 缺少 {4}", "update {2}", "请更新 {2}")
ERR(gpu_no_device, "E482", Lerror, "the {2} runtime sees no GPU", "{2} 的运行时未检测到 GPU", "{3}", "{3}",
    "see what {4} says; {5} must exist, and you must be able to open it (a container needs it passed in; group `video` or `render`)",
    "请查看 {4} 的输出；{5} 必须存在且可以打开（容器需要把它传入；用户须属于 `video` 或 `render` 组）")
ERR(gpu_no_ordinal, "E483", Lerror, "there is no GPU {2}", "没有编号为 {2} 的 GPU", "the runtime sees {3}, counted from 0", "运行时检测到 {3} 个，从 0 开始编号",
    "name another one: -device=0", "请指定另一个：-device=0")
ERR(gpu_wrong_arch, "E484", Lerror, "code for {2} does not run on this GPU", "{2} 的代码无法在此 GPU 上运行", "{3} is a {4}", "{3} 属于 {4}",
    "leave out -arch, or use -build to compile without running", "请去掉 -arch，或用 -build 只编译不运行")
ERR(gpu_old_chip, "E485", Lerror, "the GPU {2} is unknown", "未知的 GPU {2}", "it reports itself as {3}", "它自称为 {3}",
    "if it can run code for a known chip, name that chip: -arch={4}", "如果它能运行某个已知芯片的代码，请指定该芯片：-arch={4}")
ERR(gpu_no_compiler, "E486", Lerror, "no {2} compiler was found", "未找到 {2} 的编译器",
    "neither the library ({3}) nor {4} can be used", "库（{3}）与 {4} 均不可用",
    "install all of {2}, or set {5} to the library", "请完整安装 {2}，或用 {5} 指定该库")
ERR(gpu_compiler_broken, "E487", Lerror, "the compiler {2} does not work", "编译器 {2} 无法工作", "it fails with {4}", "它以 {4} 失败",
    "install all of it", "请完整安装")
ERR(gpu_other_compiler, "E488", Lwarning, "{1} does not work here: {3} is used instead", "{1} 在此无法工作：改由 {3} 编译", "{2}", "{2}",
    "each new kernel takes longer to compile; -rtc=off selects it without this warning", "每个新内核的编译时间会更长；用 -rtc=off 明确选择它，便不再提示")
ERR(gpu_doubtful, "E903", Lwarning, "the results of `{1}` may be wrong: its warps may not come together again", "`{1}` 的结果可能有误：其 warp 分开后可能不再汇合",
    "{2} ran out of barriers for lanes and made code of a form that it is known to get wrong", "{2} 的通道汇合屏障不够用，生成了已知会出错的代码",
    "use fewer `if`, `and`, `or`, `break` in unrolled loops (T.serial, T.unroll with a smaller factor), and compare with -t sim", "请在展开的循环中减少 `if`、`and`、`or`、`break`（T.serial，或减小 T.unroll 的倍数），并与 -t sim 的结果比较")
ERR(gpu_threads, "E489", Lerror, "the kernel `{1}` has too many threads", "内核 `{1}` 的线程过多",
    "{2} threads per block; {4} allows {3}", "每个线程块 {2} 个线程，{4} 最多 {3} 个", "use fewer threads", "请减少线程数")
ERR(gpu_init, "E490", Lerror, "the {5} runtime could not be started", "无法启动 {5} 的运行时",
    "{2} says {3} ({4})", "{2} 返回 {3}（{4}）", "see what {6} and dmesg say", "请查看 {6} 和 dmesg 的输出")
ERR(gpu_lanes, "E491", Lerror, "the GPU {2} has waves of {3} lanes", "GPU {2} 的 wave 有 {3} 个通道", "{4} has {5}", "{4} 有 {5} 个",
    "please report it with the file that `moontile doctor --report` writes", "请附上 `moontile doctor --report` 写出的文件报告给我们")
ERR(gpu_failed, "E492", Lerror, "the {6} runtime refused a call for the kernel `{1}`", "{6} 的运行时拒绝了为内核 `{1}` 进行的调用", "{2} says {3} ({4})", "{2} 返回 {3}（{4}）",
    "see what {5} and dmesg say", "请查看 {5} 和 dmesg 的输出")
ERR(gpu_lost, "E493", Lerror, "the GPU is gone", "GPU 已不可用", "{2} says {3} ({4})", "{2} 返回 {3}（{4}）", "see what {5} and dmesg say", "请查看 {5} 和 dmesg 的输出")
ERR(gpu_uncorrected, "E494", Lerror, "the memory of the GPU has failed", "GPU 内存出现故障", "{2}: a memory error that could not be corrected", "{2}：无法纠正的内存错误",
    "restart the machine; if it happens again, have the GPU checked", "请重启机器；若再次出现，请检查 GPU")
ERR(gpu_probe_mma, "E495", Lnote, "{5|no|not all} matrix instructions are used on {1}: a probe of this device found lanes or results of {2} that differ from what is assumed",
    "{1} 上{5|不使用矩阵指令|只使用部分矩阵指令}：检查发现 {2} 的通道分布或结果与预期不同", "", "", "their products are computed by single multiplications; the results are in {4}, and `moontile doctor {3} --report` writes a report to send to us; -mma=on uses the instructions anyway",
    "相应的矩阵乘法改用逐个乘加；检查结果保存在 {4}，`moontile doctor {3} --report` 可写成报告发给我们；-mma=on 可强制使用")
ERR(gpu_aborted, "E496", Lerror, "the kernel `{1}` failed on the GPU", "内核 `{1}` 在 GPU 上失败",
    "the GPU's runtime ended the worker process, as it does when a kernel accesses memory that is not its own or a device_assert fails", "GPU 的运行时终止了工作进程：内核访问了不属于它的内存，或 device_assert 失败时会这样",
    "target = \"sim\" may name the line", "用 target = \"sim\" 或可定位到行")
ERR(gpu_compile, "E422", Lerror, "a bug in moontile, not in your kernel `{1}`", "这是 moontile 的缺陷，与您的内核 `{1}` 无关",
    "{2} refused the generated source; its messages are in {3}", "{2} 拒绝了生成的源码；其消息保存在 {3}",
    "please report it with that file", "请附上该文件报告给我们")
ERR(gpu_load, "E424", Lerror, "the driver could not load the kernel `{1}`", "驱动无法加载内核 `{1}`", "{2} says {3}", "{2} 返回 {3}",
    "check that the driver and the compiler match: `moontile doctor` shows both", "请检查驱动与编译器是否匹配：`moontile doctor` 会显示这两者")
/* limits and arguments of a launch */
ERR(gpu_shared, "E425", Lerror, "the kernel `{1}` needs too much shared memory", "内核 `{1}` 需要的共享内存过多",
    "{2} bytes per block, {4} has {3}", "每个线程块 {2} 字节，{4} 只有 {3} 字节", "use smaller tiles, or fewer stages of T.Pipelined", "请使用更小的分块，或减少 T.Pipelined 的级数")
ERR(gpu_grid, "E427", Lerror, "the grid of the kernel `{1}` is too large", "内核 `{1}` 的网格过大",
    "{2} blocks in dimension {3}, the limit is {4}", "第 {3} 维有 {2} 个线程块，上限为 {4}", "put the longest extent first in T.Kernel, or use larger tiles", "请把最长的一维放在 T.Kernel 的首位，或使用更大的分块")
ERR(gpu_resident, "E428", Lerror, "the blocks of the kernel `{1}` cannot all run at once", "内核 `{1}` 的线程块无法同时运行",
    "sync_grid needs {2} blocks side by side, {3} fit", "sync_grid 需要 {2} 个线程块同时驻留，只能容纳 {3} 个", "use T.Persistent, or fewer blocks with more work each", "请使用 T.Persistent，或减少线程块数并让每块做更多工作")
ERR(gpu_align, "E430", Lerror, "the argument `{3}` of the kernel `{1}` starts at an address that it cannot use", "内核 `{1}` 的参数 `{3}` 的起始地址无法使用",
    "argument {2} must start at a multiple of {4} bytes; it is {5} past one", "第 {2} 个参数须从 {4} 字节的整数倍处开始，现在超出 {5} 字节", "pass a copy: {0|t:copy()|t.clone()}", "请传入副本：{0|t:copy()|t.clone()}")
ERR(gpu_workspace, "E435", Lerror, "not enough memory on the GPU for the workspaces of the kernel `{1}`", "GPU 内存不足，无法为内核 `{1}` 分配工作区",
    "{2} asked for, {3} free of {4}", "需要 {2}，{4} 中尚余 {3}", "use smaller tensors, or drop those that are no longer used: {0|x = nil|del x}", "请使用较小的张量，或释放不再使用的张量：{0|x = nil|del x}")
ERR(gpu_offline, "E469", Lnote, "the target {2} has no device here: `{1}` was compiled for {3}", "目标 {2} 在此没有设备：`{1}` 是为 {3} 编译的", "", "",
    "for another chip: {0|k:retarget(\"{2} -arch={4}\")|k.retarget(\"{2} -arch={4}\")}", "如需其他芯片：{0|k:retarget(\"{2} -arch={4}\")|k.retarget(\"{2} -arch={4}\")}")
ERR(gpu_not_run, "E436", Lerror, "the kernel `{1}` was built, not run", "内核 `{1}` 已构建，但未运行", "the option -build uses no device", "选项 -build 不使用设备",
    "leave out -build to run it", "去掉 -build 即可运行")
/* what a kernel did wrong */
ERR(gpu_illegal_address, "E439", Lerror, "the kernel `{1}` accessed memory that is not its own", "内核 `{1}` 访问了不属于它的内存",
    "the GPU stopped it ({2})", "GPU 已将其终止（{2}）", "compare its indices and loop bounds with the shapes of its buffers; target = \"sim\" names the line", "请对照各缓冲区的形状检查其下标和循环边界；用 target = \"sim\" 可以定位到行")
ERR(gpu_misaligned, "E440", Lerror, "the kernel `{1}` accessed memory at a misaligned address", "内核 `{1}` 以未对齐的地址访问内存",
    "the GPU stopped it ({2})", "GPU 已将其终止（{2}）", "pass tensors that start at a multiple of 16 bytes; target = \"sim\" names the line", "请传入从 16 字节整数倍处开始的张量；用 target = \"sim\" 可以定位到行")
ERR(gpu_illegal_instruction, "E441", Lerror, "the kernel `{1}` executed an instruction that is not allowed there", "内核 `{1}` 执行了此处不允许的指令",
    "the GPU stopped it ({2})", "GPU 已将其终止（{2}）", "target = \"sim\" may tell more", "用 target = \"sim\" 或可了解更多")
ERR(gpu_trap, "E442", Lerror, "the kernel `{1}` failed on the GPU", "内核 `{1}` 在 GPU 上失败", "the GPU stopped it ({2})", "GPU 已将其终止（{2}）",
    "target = \"sim\" may name the line", "用 target = \"sim\" 或可定位到行")
ERR(gpu_watchdog, "E443", Lerror, "the kernel `{1}` ran longer than the display's watchdog allows", "内核 `{1}` 的运行时间超出显示看门狗的限制",
    "the driver stopped it ({2})", "驱动已将其终止（{2}）", "make it shorter, or use a GPU without a display", "请缩短其运行时间，或使用未接显示器的 GPU")
ERR(gpu_ecc, "E444", Lerror, "the memory of the GPU has failed", "GPU 内存出现故障", "{2}: a memory error that could not be corrected", "{2}：无法纠正的内存错误",
    "restart the machine; if it happens again, have the GPU checked (nvidia-smi -q -d ECC)", "请重启机器；若再次出现，请检查 GPU（nvidia-smi -q -d ECC）")
/* a vendor's library to measure against (GpuVendor.routines) */
ERR(vendor_none, "E463", Lerror, "the vendor's library has no such function", "厂商库中没有这个函数", "{2}", "{2}",
    "it has gemm, copy and memset", "可用的有 gemm、copy 和 memset")
ERR(vendor_args, "E464", Lerror, "the vendor's {2} takes {3} tensors, not {4}", "厂商库的 {2} 需要 {3} 个张量，而不是 {4} 个", "", "", "", "")
