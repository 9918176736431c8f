-- help/topics_kernels.lua: pages about kernels: writing, looking inside, running.

local columns = require "moontile.term.columns"

return {
  {"kernels", en = "Writing a kernel", zh = "编写内核",
    text = {
      en = [[
A kernel is a Lua function that is run once with symbolic values; what its T.* calls describe is
compiled.  tl.jit makes one that is compiled when it is called, for the sizes of its
arguments; tl.compile makes one from a T.prim_func.

1. Types: `A: T.Tensor({M, K}, T.float16)` for each tensor; other parameters are compile-time
values, by position or by name.  `local M, K = T.const "M, K"` names sizes.
2. Results: `local C = T.empty({M, N}, T.float32)`, and `return C` at the end.
3. The launch: `for bx, by in T.Kernel(..) do`: what one block does.
4. Tiles: T.alloc_shared, T.alloc_fragment; T.copy, T.gemm, T.reduce_sum; T.Parallel for
anything element by element; T.Pipelined for the loop along K.

The compiler takes care of barriers, layouts, vector accesses and asynchronous copies;
`k:explain()` and `:ir` show what it did.]],
      zh = [[
内核是以符号值运行一次的 Lua 函数，其中 T.* 调用所描述的内容被编译。tl.jit 得到的函数在调用时按
参数的尺寸编译；tl.compile 编译 T.prim_func。

1. 类型：每个张量写 `A: T.Tensor({M, K}, T.float16)`；其余参数为编译期参数，可按位置或名称给出。
`local M, K = T.const "M, K"` 为尺寸命名。
2. 结果：`local C = T.empty({M, N}, T.float32)`，最后 `return C`。
3. 启动：`for bx, by in T.Kernel(..) do`，循环体是一个块所做的事。
4. 分块：T.alloc_shared、T.alloc_fragment；T.copy、T.gemm、T.reduce_sum；逐元素的计算用
T.Parallel；沿 K 的循环用 T.Pipelined。

屏障、布局、向量访问与异步复制由编译器完成；`k:explain()` 与 `:ir` 说明它做了什么。]],
    },
    see = {"start", "memory", "pipelines", "checking", "tl.jit"}},

  {"memory", en = "Where buffers live", zh = "缓冲区的位置",
    text = {
      en = [[
  global     tensors of the call, T.alloc_global: slow, large, visible to all blocks
  shared     T.alloc_shared: one block's, about 48 to 227 KB in all
  fragment   T.alloc_fragment: spread over the registers of the block's threads
  local      T.alloc_local: an array for each thread
  var        T.alloc_var: a variable for each thread

Data goes global -> shared -> fragment with T.copy; T.gemm reads shared memory (A may be a
fragment) and adds to a fragment.  Reads of unwritten memory are found by checks and by the
simulator.  On the cpu target all of these are ordinary memory.]],
      zh = [[
  global     调用的张量、T.alloc_global：慢而大，所有块可见
  shared     T.alloc_shared：属于一个块，共约 48 到 227 KB
  fragment   T.alloc_fragment：分布在块内各线程的寄存器中
  local      T.alloc_local：每个线程的数组
  var        T.alloc_var：每个线程的变量

数据用 T.copy 从 global 到 shared 再到 fragment；T.gemm 读取共享内存（A 也可为片段），累加到片段。
读取未写入的内容会被检查与模拟器发现。在 cpu 目标上，它们都是进程的内存。]],
    },
    see = {"T.alloc_shared", "T.alloc_fragment", "T.alloc_local", "layouts"}},

  {"pipelines", en = "Pipelines", zh = "流水线",
    text = {
      en = [[
`for ko in T.Pipelined(n, {num_stages = 3}) do` lets the copies of later iterations run while this
one computes: each buffer that they fill gets 3 stages.  More stages hide more of the memory
latency and take more shared memory; 2 to 4 are usual.

On sm_80 copies become cp.async, on sm_90 TMA with barriers and, where it pays, a separate role
for the loads.  `k:explain()` says which copy could not run ahead, and why; `:trace k`
draws the stages on a timeline; plot(k, "stages") draws the plan.]],
      zh = [[
`for ko in T.Pipelined(n, {num_stages = 3}) do` 使后续迭代的复制与本次迭代的计算同时进行：这些复制
所填的缓冲区分为 3 级，每级一份。级数越多，越能隐藏内存延迟，占用的共享内存也越多；通常取 2 到 4。

在 sm_80 上复制变为 cp.async，在 sm_90 上变为带屏障的 TMA，必要时由专门的角色负责加载。
`k:explain()` 说明哪些复制未能提前及其原因；`:trace k` 以时间线画出各级；plot(k, "stages") 画出计划。]],
    },
    see = {"T.Pipelined", "T.copy", "kernel:explain", ":trace"}},

  {"layouts", en = "Layouts and fragments", zh = "布局与片段",
    text = {
      en = [[
A layout says where an element of a tile is: a T.Layout its offset in memory, a T.Fragment
its thread and register.  Both are sums of modes and one XOR, so they can be inverted and
composed; `l:modes()` shows the modes, plot(l) draws them.

  tl.layout.mma("m16n8k16", "C")                 what a matrix instruction holds
  tl.layout.swizzle {rows = 8, bytes = 128}      an XOR swizzle
  tl.layout.cute "(8,4):(4,1)"                   CuTe's notation
  T.Layout({8, 64}, function(i, j) .. end)       your own
  k:layout "Cl"                                  what the compiler chose, and why

Bank conflicts: l:conflicts {access = "columns"}.  T.annotate_layout fixes one in a kernel.]],
      zh = [[
布局说明分块中元素的位置：T.Layout 给出内存中的偏移，T.Fragment 给出线程与寄存器。两者都由若干 mode
之和加一次 XOR 构成，因此可以求逆与复合；`l:modes()` 显示 mode，plot(l) 画出来。

  tl.layout.mma("m16n8k16", "C")                 矩阵指令的片段
  tl.layout.swizzle {rows = 8, bytes = 128}      XOR 交错布局
  tl.layout.cute "(8,4):(4,1)"                   CuTe 记法
  T.Layout({8, 64}, function(i, j) .. end)       自定义
  k:layout "Cl"                                  编译器的选择及其原因

bank 冲突：l:conflicts {access = "columns"}。在内核中用 T.annotate_layout 固定布局。]],
    },
    see = {"layout:modes", "layout:conflicts", "T.annotate_layout", "plots"}},

  {"plots", en = "Plots", zh = "图",
    text = function(lang)
      local ok, plot = pcall(require, "moontile.layout_viz.plot")
      local list = {}
      if ok and plot.list then
        plot.list()
      end
      for _, b in ipairs(ok and plot.builders or {}) do
        list[#list + 1] = {b.name, b.summary[lang]}
      end
      local head = lang == "zh" and [[
`plot(x)` 在终端画出 x；`plot(x, 名称)` 选择其中一种图；选项写在最后的表中：
{svg = "f.svg"} 写成文件，{json = true} 输出 JSON，{rows = {0, 15}} 只画一部分。]] or [[
`plot(x)` draws x in the terminal; `plot(x, NAME)` draws one particular figure.  Options go in
a last table: {svg = "f.svg"} writes a file, {json = true} prints JSON, {rows = {0, 15}} draws
a part.]]
      return head .. "\n\n" .. columns.table {
        {"plot(t)", lang == "zh" and "张量：热图" or "a tensor: a heat map"},
        {"plot(c, want)", lang == "zh" and "两个张量：误差所在" or "two tensors: where they differ"},
        {"plot(l)", lang == "zh" and "布局或片段" or "a layout or a fragment"},
        {'plot(k, "As")', lang == "zh" and "内核的缓冲区" or "a buffer of a kernel"},
        {'plot(k, "stages")', lang == "zh" and "内核的流水线" or "the pipeline of a kernel"},
        {"plot(k:bench())", lang == "zh" and "计时结果" or "results of a benchmark"},
      } .. (#list > 0 and "\n\n" .. columns.table(list) or "")
    end,
    see = {"layouts", "colours", "kernel:explain"}},

  {"checking", en = "Is it right?", zh = "结果对吗",
    text = {
      en = [[
Before anything runs, types, shapes, scopes, tile bounds and double writes are checked.

  tl.testing.assert_close(c, want)   where two tensors differ, with a map
  tl.ref.matmul(a, b) and others     slow, obviously correct references in float64
  k:check()                          odd sizes, in the simulator and against the cpu target
  moontile check FILE                the same for all kernels of a file

The simulator runs the thread program that a GPU would run, with its barriers and layouts, and
finds races, reads of unwritten memory, missing waits, divergence and deadlocks.
`-t sim` or `:target sim` runs everything there.]],
      zh = [[
运行之前会检查类型、形状、作用域、分块边界与重复写入。

  tl.testing.assert_close(c, want)   两个张量在何处不同，并画出分布
  tl.ref.matmul(a, b) 等             以 float64 计算的参考实现，慢但显然正确
  k:check()                          不规则的尺寸，用模拟器运行并与 cpu 目标比较
  moontile check FILE                对文件中的所有内核做同样的检查

模拟器执行与 GPU 相同的线程程序，包括屏障与布局，能发现数据竞争、读取未写入的内存、缺少等待、
分歧与死锁。`-t sim` 或 `:target sim` 使一切都在模拟器中运行。]],
    },
    example = "tl.testing.assert_close(c, want, {rtol = 1e-2, atol = 1e-2})",
    see = {"kernel:check", "tl.testing.assert_close", "targets", "errors"}},

  {"timing", en = "How fast is it?", zh = "有多快",
    text = {
      en = [[
  k:bench()                      medians of many runs, against the machine's limits
  k:bench {vs = "cublas"}        against the vendor's library, in the same rounds (cuda)
  k:explain {card = "H200"}      an estimate of its cost, without running it
  k:tune {budget = "20s"}        tries configurations, returns the fastest kernel
  :time on                       the time of every input

Caches are flushed between runs, and rounds in which the clock changed do not count.]],
      zh = [[
  k:bench()                      多次运行的中位数，并对照机器上限
  k:bench {vs = "cublas"}        与厂商库在同一轮中对比（cuda）
  k:explain {card = "H200"}      不运行，推算其开销
  k:tune {budget = "20s"}        尝试各种配置，返回最快的内核
  :time on                       显示每次输入所用的时间

各次运行之间清空缓存，时钟频率变化的轮次不计入。]],
    },
    example = "print(k:bench {rounds = 3})",
    see = {"kernel:bench", "kernel:tune", "kernel:explain", ":time"}},

  {"targets", en = "Targets", zh = "目标",
    text = function(lang)
      local device, list = require "moontile.tl.device", {}
      for _, d in ipairs(device.devices()) do
        local here = lang == "zh" and (d.present and "" or "（此机器上没有）") or
          d.present and "" or " (not on this machine)"
        list[#list + 1] = {d.name, d.summary .. here}
      end
      local head = lang == "zh" and [[
内核运行之处。`-t` 与 `:target` 设置，编译选项 {target = ..} 只对一个内核。auto 取 cuda、cpu 中
第一个可用的。]] or [[
Where kernels run.  `-t` and `:target` set it, {target = ..} as an option of a compilation sets
it for one kernel.  auto is the first of cuda, cpu that works.]]
      local tail = lang == "zh" and [[
可带选项："sim -arch=sm_90a"、"cpu -threads=1"、"cuda -arch=sm_80"。任何目标的源代码、IR、布局与静态
分析都可在任何机器上查看。]] or [[
Targets take options: "sim -arch=sm_90a", "cpu -threads=1", "cuda -arch=sm_80".  Source, IR,
layouts and static analyses of any target can be shown on any machine.]]
      return head .. "\n\n" .. columns.table(list) .. "\n\n" .. tail
    end,
    see = {":target", "tl.devices", "kernel:retarget", "flags"}},
}
