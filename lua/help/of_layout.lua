-- help/of_layout.lua: what layouts and fragments offer.

require "moontile.layout.algebra"
require "moontile.layout.cute" -- adds methods
local methods = require("moontile.layout.object").methods

return {
  {
    kind = "layout", var = "l", methods = methods,
    {"at", "(i, j)", en = "the offset of an element; for a fragment, its thread and register",
      zh = "元素的偏移；对片段为线程号与寄存器",
      more = {en = "l(i, j) is the same.  All indices count from 0.",
        zh = "也可写作 l(i, j)。下标都从 0 数起。"},
      example = "print(l:at(3, 5))   print(s:at(3, 5))", see = {"layout:owner", "layout:inverse"}},
    {"owner", "(i, j)",
      en = "the threads that hold an element, in a list; for a layout, owner(offset) is the "
        .. "element",
      zh = "持有某元素的线程列表；对内存布局，owner(偏移) 给出该处的元素",
      example = "print(table.concat(l:owner(5, 3), ' '))   print(s:owner(64))",
      see = {"layout:at", "layout:inverse"}},
    {"inverse", "()", en = "from positions to elements: at(offset), or at(thread, register)",
      zh = "由位置查元素：at(偏移)，或 at(线程, 寄存器)",
      example = "print(l:inverse():at(7, 2))", see = {"layout:owner", "layout:compose"}},
    {"compose", "(other)", en = "this layout after another: index -> other(index) -> position",
      zh = "复合：下标 -> other(下标) -> 位置",
      example = "print(tl.layout.linear {64}:compose(tl.layout.linear {8, 8}):at(1, 2))",
      see = {"layout:inverse", "layout:reshape"}},
    {"modes", "()", en = "one readable row for each mode: which bits of the index go where",
      zh = "每个 mode 一行：下标的哪些位去往何处",
      more = {
        en = "A layout is a sum of modes and one XOR.  `offset bits 4..6 ^= offset bits 7..9` is "
          .. "a swizzle.",
        zh = "布局由若干 mode 之和加一次 XOR 构成。`offset bits 4..6 ^= offset bits 7..9` 即交错布局。",
      },
      example = "print(l:modes())", see = {"layout:text", "layouts"}},
    {"conflicts", "{bits = 16, vector = 8, lanes = 32, access = \"columns\"}",
      en = "what one access of a warp to shared memory costs under this layout",
      zh = "在此布局下 warp 的一次共享内存访问的代价",
      more = {
        en = [[
access is "rows", "columns", "ldmatrix", a function of the lane that gives an index, or a
fragment whose registers are stored `vector` elements at a time.  bits: of an element.  The
result has ways (how often the busiest bank is accessed), waves (transactions), ideal (the fewest
possible) and bank.]],
        zh = [[
access 为 "rows"、"columns"、"ldmatrix"、由通道号给出下标的函数，或一个片段（每次存 `vector` 个元素）。
bits 为元素的位数。结果含 ways（最忙的 bank 被访问几次）、waves（访问次数）、ideal（最少
次数）与 bank。]],
      },
      example = "print(s:conflicts {bits = 8, vector = 16, access = 'columns'})",
      see = {"layouts", "T.make_swizzled_layout"}},
    {"convert", "(other)",
      en = "how elements get from this fragment to another: same, registers, shuffles or shared",
      zh = "元素如何从此片段转到另一片段：same、registers、shuffles 或 shared",
      example = "print(l:convert(l))", see = {"layout:is_equal"}},
    {"is_equal", "(other)", en = "whether both put every element in the same place",
      zh = "两者是否把每个元素放在相同的位置", example = "print(l:is_equal(l))"},
    {"text", "(warp)", en = "the layout as text, as the IR shows it", zh = "IR 中显示的布局文本",
      example = "print(l:text())", see = {"tl.layout.parse", "layout:modes"}},
    {"cute", "()", en = "the layout in CuTe's notation, where it has one",
      zh = "以 CuTe 记法表示的布局（如果可以表示）",
      example = "print(tl.layout.linear {8, 4}:cute())", see = {"tl.layout.cute", "layout:text"}},
    {"reshape", "(shape)", en = "the same elements, row-major, under another shape",
      zh = "同样的元素（行主序）换一种形状", example = "print(s:reshape {32, 32}:at(1, 0))"},
    {"expand", "(leading)", en = "adds leading dimensions that pass through",
      zh = "在前面加上原样通过的维", example = "print(s:expand {2}:get_input_shape()[1])"},
    {"repeat_", "(...)",
      sig = "l:repeat_(dim, factor)   fragment: l:repeat_(repeats [, on_thread [, "
        .. "lower_dim_first]])",
      en = "repeats it along a dimension; a fragment, over threads or registers",
      zh = "沿某一维重复；对片段为在线程或寄存器上重复",
      more = {
        en = "`repeat` is a Lua keyword, hence the underscore; l[\"repeat\"] is the same.",
        zh = "`repeat` 是 Lua 的关键字，故加下划线；也可写作 l[\"repeat\"]。",
      },
      example = "print(T.make_gemm_fragment_8x8():repeat_ {2, 1}:get_register_size())",
      see = {"layout:replicate", "T.make_gemm_fragment_8x8"}},
    {"repeat", "(...)", en = "same as repeat_", zh = "同 repeat_", alias_of = "repeat_",
      example = "print(s['repeat'](s, 0, 2):get_input_shape()[1])"},
    {"replicate", "(n)", en = "n times as many threads, each group with all of the fragment",
      zh = "线程数变为 n 倍，每组线程都持有整个片段",
      example = "print(l:replicate(2):get_thread_size())",
      see = {"layout:repeat_", "layout:condense_rep_var"}},
    {"condense_rep_var", "()", en = "without copies that are in the same thread",
      zh = "去掉位于同一线程的副本", example = "print(l:replicate(2):condense_rep_var())",
      see = {"layout:replicate"}},
    {"reduce", "(dim)", en = "what a reduction over a dimension leaves: the same threads hold "
      .. "copies",
      zh = "沿某一维归约后的片段：同样的线程持有副本",
      example = "print(table.concat(l:reduce(1):owner(0), ' '))", see = {"T.reduce_sum"}},
    {"get_input_shape", "()", en = "the shape of the index", zh = "下标的形状",
      example = "print(table.concat(l:get_input_shape(), ' '))"},
    {"get_output_shape", "()", en = "the shape of the positions: one more than the largest "
      .. "coordinates",
      zh = "位置的形状：最大坐标加一", example = "print(s:get_output_shape()[1])"},
    {"get_thread_size", "()", en = "how many threads hold the fragment", zh = "持有片段的线程数",
      example = "print(l:get_thread_size())"},
    {"get_register_size", "()", en = "registers of a thread, counted in elements",
      zh = "每个线程的寄存器数（以元素计）", example = "print(l:get_register_size())"},
    {"get_forward_vars", "()", en = "names of the indices in the formulas of get_forward_index",
      zh = "get_forward_index 文本中下标的名称",
      example = "print(table.concat(s:get_forward_vars(), ' '))"},
    {"get_forward_index", "()", en = "the coordinates as formulas of the indices, in text",
      zh = "以下标公式表示的坐标文本", example = "print(table.concat(s:get_forward_index(), ', '))"},
    {"get_linearized_forward_index", "()", en = "the offset as a formula of the indices",
      zh = "以下标公式表示的偏移", example = "print(s:get_linearized_forward_index())"},
    {"map_forward_index", "(i, j)", en = "the coordinates of an element, in a list",
      zh = "元素的坐标列表", example = "print(s:map_forward_index(1, 2)[1])", see = {"layout:at"}},
    {"map_forward_thread", "(i, j)", en = "the thread of an element of a fragment",
      zh = "片段中元素所在的线程", example = "print(l:map_forward_thread(1, 2))",
      see = {"layout:at"}},
  },
}
