-- help/of_kernel.lua: what kernels offer; see from_methods.lua.

local methods = require("moontile.tl.kernel").methods

return {
  {
    kind = "kernel", var = "k", methods = methods,
    -- for the other modules of tl
    internal = {launch = true, loaded = true, bound = true, time = true, get_host_source = true},

    -- Right and fast
    {"check", "{target =, sizes =, seed =, all =, ref =}",
      en = "simulates a kernel on small, awkward sizes and compares with the cpu target or ref",
      zh = "在不规则的小尺寸上模拟内核，并与 cpu 目标或 ref 的结果比较",
      more = {
        en = [[
Prints a line per size and returns the verdict: `.ok`, and `.runs` with the result of each size.
The simulator finds races, reads of unwritten memory, indices out of range, missing
waits and deadlocks, and names the line and the thread.  The results are compared with
those of the cpu target; a kernel that names its threads is run again with the threads
in a different order.

  target   "sim -arch=sm_90a"; default: the machine that the kernel is for
  sizes    {{M = 65, N = 1}, ..}; default: sizes derived from the kernel's tiles
  seed     of the random inputs
  all      true: do not stop at the first error
  ref      a function of the inputs that returns what the outputs should be]],
        zh = [[
每个尺寸打印一行，返回结论：`.ok`，以及含各尺寸结果的 `.runs`。模拟器能发现数据竞争、
读取未写入的内存、下标越界、缺少等待以及死锁，并指出代码行与线程。结果与 cpu 目标的
结果比较；涉及具体线程的内核会换一种线程顺序再运行一次。

  target   "sim -arch=sm_90a"；省略时为内核所针对的机器
  sizes    {{M = 65, N = 1}, ..}；省略时由内核的分块推出
  seed     随机输入的种子
  all      为 true 时遇到第一个错误也不停止
  ref      以输入为参数、返回期望输出的函数]],
      },
      example = "assert(k:check().ok)",
      see = {"tl.testing.assert_close", "kernel:bench", "checking"}},
    {"bench", "{vs =, inputs =, sizes =, rounds =, rep =, flush =, batch =}",
      en = "times a kernel, against others and against the limits of the machine",
      zh = "为内核计时，可与其他实现对比，并对照机器的上限",
      more = {
        en = [[
Each round runs every candidate once; medians and quartiles are reported in milliseconds, ratios
are taken round by round.  The result compares as a number and prints as a table; its fields are
under "Results of k:bench" (`:help bench`).

  vs       a kernel, a tl.jit function, a Lua function, "cublas" or "copy" (cuda)
  inputs   the arguments of the launch; default: random numbers
  sizes    values of run-time symbols by name; scalars: of scalar parameters
  rounds   how many; default: as many as fit in rep milliseconds (300)
  flush    false: leave the caches warm between the rounds
  batch    launches one after another in a round (1)]],
        zh = [[
每一轮中各参赛者依次运行一次；报告毫秒的中位数与四分位数，比值逐轮计算。结果可当作数
比较，打印时为一张表；字段见“k:bench 的结果”（`:help bench`）。

  vs       内核、tl.jit 函数、Lua 函数、"cublas" 或 "copy"（cuda）
  inputs   启动的参数；省略时为随机数
  sizes    各运行期符号的取值；scalars 为标量参数的取值
  rounds   轮数；省略时取 rep 毫秒（300）内能完成的轮数
  flush    为 false 时各轮之间不清空缓存
  batch    每轮连续启动的次数（1）]],
      },
      example = "print(k:bench {vs = tl.ref.matmul, rounds = 3})",
      see = {"kernel:tune", "kernel:explain", "tl.profiler.do_bench"}},
    {"tune", "{budget =, space =, inputs =, sizes =, ref_prog =, fresh =}",
      en = "the fastest of a kernel's configurations, as a kernel",
      zh = "在内核的各种配置中找出最快的一个，返回该内核",
      more = {
        en = [[
Compiles configurations, drops wrong ones, times the others and returns the best.  It is
remembered on disk for this machine and these sizes.  The kernel must come from a tl.jit
function.

  budget   seconds, or "20s", "2m" (20 s)
  space    {BM = {64, 128}, num_stages = {2, 3}}; default: derived from the values
  inputs   tensors for the trials; ref_prog: a function that checks the results
  fresh    true: ignore earlier results; cache = false: do not keep this one
  verbose  true: a line per configuration]],
        zh = [[
编译各种配置，去掉结果错误的，对其余的计时并返回最快的内核。结果按机器与尺寸保存在
磁盘上。内核必须来自 tl.jit 函数。

  budget   秒数，或 "20s"、"2m"（默认 20 秒）
  space    {BM = {64, 128}, num_stages = {2, 3}}；省略时由现有取值推出
  inputs   试验所用的张量；ref_prog：用来核对结果的函数
  fresh    为 true 时不查找以前的结果；cache = false 时不保存结果
  verbose  为 true 时每种配置打印一行]],
      },
      example = "best = k:tune {budget = '2s', space = {BM = {32, 64}}, cache = false}",
      see = {"tl.autotune", "jit:tune", "kernel:bench"}},
    {"explain", "{target =, card =, dims =, json =}",
      en = "prints what a kernel costs on a machine, without running it",
      zh = "不运行内核，打印它在某台机器上的开销",
      more = {
        en = [[
One page: instructions, vectors, bank conflicts, sectors, itemized shared memory,
registers, blocks per multiprocessor, and the roofline.  For the cpu target, the
simulator's machine is used.

  target   "sim -arch=sm_90a", "cuda -arch=sm_80": no device is needed
  card     "H200", "A100": whose bandwidth and peak to use
  dims     {M = 4096}: values of run-time symbols
  json     true: one JSON object]],
        zh = [[
一页内容：指令、向量宽度、bank 冲突、扇区、共享内存明细、寄存器、每个多处理器的块数以及
屋顶线模型。对 cpu 目标，取模拟器的机器。

  target   "sim -arch=sm_90a"、"cuda -arch=sm_80"：不需要设备
  card     "H200"、"A100"：以哪块卡的带宽与峰值计算
  dims     {M = 4096}：运行期符号的取值
  json     为 true 时输出一个 JSON 对象]],
      },
      example = "k:explain {target = 'sim -arch=sm_90a', card = 'H200'}",
      see = {"kernel:analyze", "kernel:ir", ":explain"}},
    {"analyze", "{target =, card =, dims =}",
      en = "the facts of k:explain as a table", zh = "以表的形式返回 k:explain 的内容",
      more = {
        en = [[
Fields of the table and of each of `.launches`: threads, warps, shared (bytes), registers,
occupancy, blocks_sm, limit, flops, bytes, intensity, bound_ms, buffers, ops, access, notes.
Registers are an estimate here too, not a compiler's count.]],
        zh = [[
表以及 `.launches` 中各项的字段：threads、warps、shared（字节）、registers、occupancy、
blocks_sm、limit、flops、bytes、intensity、bound_ms、buffers、ops、access、notes。其中
registers 是估计值，不是编译器的统计。]],
      },
      example = "print(k:analyze().launches[1].occupancy)", see = {"kernel:explain"}},

    {"trace", "{target =, block =, inputs =, dims =, iterations =, keep =}",
      en = "what one block does, and when: roles, stages, copies, barriers on one clock",
      zh = "一个块的各操作发生在何时：角色、流水线级、复制与屏障在同一时间轴上",
      more = {
        en = "The block runs in the simulator; order and waits are those of the schedule; cycles "
          .. "are an estimate.  lua/tl/trace.lua lists the fields of the result.",
        zh = "该块在模拟器中执行；次序与等待即实际调度，周期数为估计值。结果的字段见 lua/tl/trace.lua。",
      },
      example = "print(k:trace {target = 'sim -arch=sm_80'}.cycles > 0)",
      see = {"kernel:explain", "pipelines"}},

    {"peek", "(buffer, {block =, iteration =, line =, inputs =, target =, rows =, cols =})",
      en = "the values of a tile at some point of a run, and which of them were never written",
      zh = "运行到某一点时分块中的值，以及其中哪些从未写入",
      more = {
        en = [[
Without options: block 0, after the last write to the buffer.  The kernel runs as it is.

  block       {x, y, z}, or {bx = 1}
  iteration   of the innermost loop, or values of loop variables; negative: from the end
  line        after that line of the kernel
  inputs      the arguments; default: those of the last call, or random ones
  rows, cols  {from, to} of the last two dimensions]],
        zh = [[
不带选项时取第 0 块、最后一次写入该缓冲区之处。内核照常运行。

  block       {x, y, z}，或 {bx = 1}
  iteration   最内层循环的迭代号，或各循环变量的取值；负数从末尾数起
  line        内核的某一行之后
  inputs      参数；省略时为上次调用的参数，否则为随机数
  rows, cols  最后两维的 {起, 止}]],
      },
      example = "print(k:peek('Cl', {block = {0, 1}}))", see = {"kernel:trace", "T.print"}},

    -- Texts
    {"ir", "(pass)",
      en = "the tile program as text; \"thread\": the thread program; a pass: the program after it",
      zh = "以文本给出分块程序；\"thread\" 给出线程程序；给出编译遍的名称时为该遍之后的程序",
      more = {
        en = "For a target without threads (cpu), the thread program is that of the simulator's "
          .. "machine.  Notes of the passes are a second result.  tl.from_ir reads what it "
          .. "prints.",
        zh = "对没有线程的目标（cpu），线程程序取模拟器的机器。第二个返回值是各编译遍的附注。"
          .. "打印的内容可由 tl.from_ir 读回。",
      },
      example = "print(k:ir 'thread')", see = {":ir", "tl.from_ir", "kernel:get_kernel_source"}},
    {"get_kernel_source", "()",
      en = "the source generated for the target, with your lines as comments",
      zh = "为目标生成的源代码，注释中带有您的代码行",
      more = {
        en = "C for cpu, CUDA C++ for cuda.  It includes no headers and is meant to be read.  "
          .. "`k.kernel_source` is the same, as in TileLang.",
        zh = "cpu 目标为 C，cuda 目标为 CUDA C++。不包含任何头文件，可直接阅读。与 TileLang 相同，"
          .. "也可写作 `k.kernel_source`。",
      },
      example = "print(#k:get_kernel_source())", see = {"kernel:show_source", "kernel:ir"}},
    {"show_source", "(which)", en = "prints the source", zh = "打印源代码",
      more = {
        en = "`which` is \"kernel\" or \"both\" as in TileLang; there is no host source.",
        zh = "`which` 为 \"kernel\" 或 \"both\"，同 TileLang；没有主机端源代码。",
      },
      example = "k:show_source()", see = {"kernel:get_kernel_source"}},
    {"print_source_code", "(which)", en = "prints the source", zh = "打印源代码",
      example = "k:print_source_code()", alias_of = "show_source"},
    {"export_sources", "(path)", en = "writes the source to a file", zh = "把源代码写入文件",
      example = "k:export_sources(os.tmpname())",
      see = {"kernel:export", "kernel:get_kernel_source"}},
    {"show_ptx", "()", en = "prints the PTX of the loaded kernel", zh = "打印已加载内核的 PTX",
      example = "k:show_ptx()", needs = "cuda", see = {"kernel:show_sass", "kernel:export_ptx"}},
    {"show_sass", "()", en = "prints the machine code of the loaded kernel",
      zh = "打印已加载内核的机器码", example = "k:show_sass()", needs = "cuda",
      see = {"kernel:show_ptx", "kernel:export_sass"}},
    {"export_ptx", "(path)", en = "writes the PTX to a file", zh = "把 PTX 写入文件",
      example = "k:export_ptx(os.tmpname())", needs = "cuda", see = {"kernel:show_ptx"}},
    {"export_sass", "(path)", en = "writes the machine code to a file", zh = "把机器码写入文件",
      example = "k:export_sass(os.tmpname())", needs = "cuda", see = {"kernel:show_sass"}},
    {"export", "(dir)", en = "exports to a folder, in forms that run without moontile",
      zh = "把不依赖 moontile 即可运行的各种形式写入文件夹",
      more = {
        en = [[
TileLang Python, the IR, the source, and for cuda the binary and a launcher in C with its
Makefile.  Returns the paths.]],
        zh = [[
TileLang Python、IR、源代码；cuda 目标另有二进制文件与带 Makefile 的 C 启动程序。
返回各文件的路径。]],
      },
      example = "print(#k:export(os.tmpname() .. '.d'))", see = {"kernel:export_sources"}},

    -- Running
    {"signature", "()", en = "how it is called: \"f(A, B)\"", zh = "调用形式，如 \"f(A, B)\"",
      example = "print(k:signature())", see = {"kernel.inputs"}},
    {"run_once", "()", en = "runs it once with generated inputs", zh = "用自动生成的输入运行一次",
      example = "c = k:run_once()", see = {"kernel:get_profiler"}},
    {"get_profiler", "(tensor_supply_type)",
      en = "a profiler: timing, and comparing with a reference",
      zh = "性能分析器：计时，并与参考实现比较",
      more = {
        en = "tensor_supply_type, a number or a name, says how inputs are filled: Integer, "
          .. "Uniform, Normal, Randn, Zero, One, Auto (the default), as in TileLang.",
        zh = "tensor_supply_type 为数字或名称，决定输入的取值：Integer、Uniform、Normal、Randn、"
          .. "Zero、One、Auto（默认），同 TileLang。",
      },
      example = "print(k:get_profiler():do_bench {n_warmup = 1, n_repeat = 3})",
      see = {"profiler:do_bench", "kernel:bench"}},
    {"retarget", "(target)", en = "the same program as a kernel for another target",
      zh = "同一程序在另一目标上的内核",
      example = "print(k:retarget 'sim -arch=sm_80')", see = {"tl.set_target", "targets"}},

    -- Fields
    {"name", field = true, en = "the name of the kernel", zh = "内核的名称",
      example = "print(k.name)"},
    {"target", field = true, en = "the target it was made for", zh = "内核的目标",
      example = "print(k.target)", see = {"targets"}},
    {"config", field = true, en = "the compile-time values and constants it was made for, by name",
      zh = "生成内核时的编译期参数与常量，按名称", example = "print(k.config.BM)"},
    {"params", field = true, en = "all parameters, outputs too: {name, kind, dtype, shape}",
      zh = "全部参数，包括输出：{name, kind, dtype, shape}",
      example = "print(k.params[1].name, k.params[1].dtype)", see = {"kernel.inputs"}},
    {"inputs", field = true, en = "the parameters that a call passes, in order",
      zh = "调用时给出的参数，按顺序", example = "print(#k.inputs)", see = {"kernel.params"}},
    {"kernel_source", field = true, en = "same as k:get_kernel_source()",
      zh = "同 k:get_kernel_source()",
      example = "print(#k.kernel_source)", see = {"kernel:get_kernel_source"}},
    {"out_idx", field = true, en = "the out_idx that it was compiled with",
      zh = "编译时给出的 out_idx", example = "print(k.out_idx)", see = {"tl.compile"}},
    {"resource_usage", field = true,
      en = "registers, spills, shared memory of the compiled kernel, as a table",
      zh = "编译后内核的寄存器、溢出与共享内存用量（表）", needs = "cuda",
      example = "print(k.resource_usage.regs)", see = {"kernel:analyze"}},
    {"n_regs", field = true, en = "registers per thread", zh = "每个线程的寄存器数",
      needs = "cuda", example = "print(k.n_regs)", see = {"kernel.resource_usage"}},
    {"n_spills", field = true, en = "bytes per thread that did not fit in registers",
      zh = "每个线程未能放入寄存器的字节数", needs = "cuda", example = "print(k.n_spills)",
      see = {"kernel.resource_usage"}},
    {"n_max_threads", field = true, en = "the most threads of a block that the compiled kernel "
      .. "allows",
      zh = "编译后内核允许的每块线程数", needs = "cuda", example = "print(k.n_max_threads)",
      see = {"kernel.resource_usage"}},
  },
}
