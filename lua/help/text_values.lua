-- help/text_values.lua: longer texts of T: choices, conversions, arithmetic, layouts.

local M = {
  if_then_else = {
    en = "`c and x or y` in a kernel is the same.  The side that is not chosen is not evaluated, "
      .. "so it may read out of range.",
    zh = "内核中的 `c and x or y` 与此相同。未选中的一侧不会计算，因此可以越界读取。",
    see = {"T.Select", "T.max"},
  },
  Select = {
    en = "Printed as `c ? a : b`, as TileLang does.  The side that is not chosen may be evaluated all "
      .. "the same: it must not read out of range.  A shuffle or vote in it meets only the lanes that "
      .. "choose it, so put one that all lanes execute into a variable first: v = T.any_sync(p).",
    zh = "与 TileLang 一样输出为 `c ? a : b`。未选中的一侧也可能被计算，因此不得越界读取。其中的 shuffle 与表决只有"
      .. "选中该侧的通道参与；若须由所有通道执行，请先存入变量：v = T.any_sync(p)。",
    see = {"T.if_then_else"},
  },
  clamp = {see = {"T.max", "T.min"}},
  cast = {
    en = "x:astype(d) and T.float16(x) are the same.  Stores convert by themselves.",
    zh = "x:astype(d) 与 T.float16(x) 与此相同。存储时会自动转换。",
    see = {"T.reinterpret", "dtypes"},
  },
  reinterpret = {see = {"T.cast", "T.view"}},
  infinity = {see = {"T.max_value", "T.fill"}},
  max_value = {see = {"T.min_value", "T.infinity"}}, min_value = {see = {"T.max_value"}},
  any_of = {see = {"T.all_of"}}, all_of = {see = {"T.any_of"}},
  exp = {
    en = "On GPUs T.exp2(x * 1.44269504) is faster and almost the same; T.__exp is the hardware "
      .. "instruction.",
    zh = "在 GPU 上，T.exp2(x * 1.44269504) 更快，结果几乎相同；T.__exp 直接使用硬件指令。",
    see = {"T.exp2", "T.__exp", "T.log"},
  },
  exp2 = {see = {"T.exp", "T.log2"}}, log = {see = {"T.log2", "T.__log"}},
  max = {see = {"T.min", "T.reduce_max", "T.clamp"}}, min = {see = {"T.max", "T.reduce_min"}},
  sigmoid = {see = {"T.tanh", "T.exp"}},
  floordiv = {
    en = "For integers; `/` of two integers is an error that says what to use.",
    zh = "用于整数；两个整数用 `/` 会报错并给出建议。",
    see = {"T.floormod", "T.truncdiv", "T.ceildiv"},
  },
  floormod = {see = {"T.floordiv", "T.truncmod"}},
  truncdiv = {see = {"T.floordiv"}}, truncmod = {see = {"T.floormod"}},
  ceildiv = {
    en = "For numbers and symbols: T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM)).",
    zh = "数与符号均可：T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM))。",
    see = {"T.align_up", "T.Kernel"},
  },
  pow = {see = {"T.exp", "T.sqrt"}},
  rsqrt = {see = {"T.sqrt", "T.fast_rcp"}}, sqrt = {see = {"T.rsqrt", "T.ieee_fsqrt"}},

  -- Layouts
  Layout = {
    en = [[
T.Layout({32, 32}, function(i, j) return {j, i} end) stores a tile by columns.  Give it to a
kernel with T.annotate_layout, or inspect it by itself: l:at(3, 4), l:modes(), plot(l).  If the
function is not a sum of modes with one XOR, a kernel refuses it and says why.]],
    zh = [[
T.Layout({32, 32}, function(i, j) return {j, i} end) 按列存放分块。用 T.annotate_layout 交给内核，
也可单独查询：l:at(3, 4)、l:modes()、plot(l)。若函数不是若干 mode 之和加一次 XOR，内核会拒绝并
说明原因。]],
    see = {"T.Fragment", "T.annotate_layout", "tl.layout.cute", "layouts"},
  },
  Fragment = {
    en = [[
Either forward_fn returns {thread, register}, or two functions do: {thread = f, index = g}.  With
replicate = n, forward_fn and forward_thread_fn get one more argument, the number of the copy.]],
    zh = [[
由 forward_fn 给出 {线程, 寄存器}，或分别用两个函数：{thread = f, index = g}。replicate = n 时，
forward_fn 与 forward_thread_fn 的最后一个参数为副本编号。]],
    see = {"T.Layout", "tl.layout.mma", "layouts"},
  },
  annotate_layout = {
    en = "Shared buffers take a T.Layout, fragments a T.Fragment.  Without it the compiler "
      .. "chooses, and "
      .. "k:explain() says what a choice of yours costs.",
    zh = "共享缓冲区用 T.Layout，片段用 T.Fragment。不写时由编译器选择；k:explain() 会说明您的选择的代价。",
    see = {"T.Layout", "T.Fragment", "T.make_swizzled_layout", "layouts"},
  },
  annotate_safe_value = {see = {"T.copy"}},
  make_swizzled_layout = {
    en = "The widest of 128, 64 and 32 bytes that divides a row is used.  T.copy and T.gemm "
      .. "choose it by themselves.",
    zh = "取能整除一行的最宽者：128、64 或 32 字节。T.copy 与 T.gemm 会自行选择。",
    see = {"tl.layout.swizzle", "T.annotate_layout", "layout:conflicts"},
  },
  use_swizzle = {
    en = "Blocks are taken in panels of panel_size rows (or columns) of the grid, so that blocks "
      .. "that run at the same time share operands.  Results do not depend on it.",
    zh = "按网格中每 panel_size 行（或列）为一个面板的次序执行各块，使同时运行的块共享操作数。"
      .. "结果与此无关。",
    see = {"T.Kernel", "T.Persistent"},
  },
  make_gemm_fragment_8x8 = {see = {"layout:repeat_", "T.Fragment"}},

  -- Programs
  prim_func = {
    en = [[
The lazy style: T.prim_func(function(A, B) .. end) traces at once; tl.compile makes a kernel.
A function given to tl.jit may also return one.]],
    zh = [[
惰性写法：T.prim_func(function(A, B) .. end) 立即追踪，再由 tl.compile 生成内核。交给 tl.jit 的
函数也可以返回它。]],
    see = {"tl.compile", "tl.jit", "T.macro"},
  },
  macro = {
    en = "Plain Lua functions may be called from kernels too, but `if`, `while` and comparisons "
      .. "work on symbolic values only inside T.macro, T.prim_func and tl.jit.",
    zh = "内核中也可以调用普通的 Lua 函数，但只有在 T.macro、T.prim_func 与 tl.jit 之内，"
      .. "`if`、`while` 与比较才能用于符号值。",
    see = {"T.prim_func", "T.Ref", "language"},
  },
  Ref = {see = {"T.macro"}},
}

-- Families: functions of floats, their fast forms, and those that round as asked.
local fast = {
  en = "An approximation, for floats: the hardware instruction on a GPU.",
  zh = "近似计算，只用于浮点数：在 GPU 上即硬件自带的指令。",
}
for name, exact in pairs {__exp = "exp", __exp2 = "exp2", __exp10 = "exp10", __log = "log", __log2 = "log2",
  __log10 = "log10", __sin = "sin", __cos = "cos", __tan = "tan"} do
  M[name] = {en = fast.en, zh = fast.zh, see = {"T." .. exact}}
end
M.fast_rcp = {en = fast.en, zh = fast.zh, see = {"T.rsqrt"}}

return M
