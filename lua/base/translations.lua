-- base/translations.lua: phrases that messages take as arguments, in both languages.
--
--     local W = require "moontile.base.translations"
--     diag.fail("arg_value", what, "dim", W"0, 1 or 2", dim)
--
-- The texts of messages live in core/base/errs/; this is for what fills them.

local diag = require "moontile.diag"

local zh = {
  ["a buffer, element or slice"] = "缓冲区、元素或切片",
  ["a buffer"] = "缓冲区",
  ["a number or expression"] = "数值或表达式",
  ["an element of a buffer"] = "缓冲区的元素",
  ["a T.alloc_var"] = "T.alloc_var 变量",
  ["a T.alloc_var or a buffer"] = "T.alloc_var 变量或缓冲区",
  ["an integer"] = "整数",
  ["a number"] = "数值",
  ["a number from 1 up"] = "不小于 1 的数",
  ["true or false"] = "true 或 false",
  ["a string"] = "字符串",
  ["a string without NUL bytes"] = "不含 NUL 字节的字符串",
  ["a dtype"] = "dtype",
  ["a shape: a table of integers, or one integer"] = "形状：整数表或单个整数",
  ["a table"] = "表",
  ["a table of options"] = "选项表",
  ["a list of tables"] = "由表组成的列表",
  ["a list of T.prim_func"] = "T.prim_func 的列表",
  ["the text of a kernel's IR"] = "内核 IR 的文本",
  ["an integer or a table of integers"] = "整数或整数表",
  ["a function"] = "函数",
  ["anything"] = "任意值",
  ["an expression: "] = "表达式：",
  ["a tensor"] = "张量",
  ["the same tensors"] = "相同的张量",
  ["it may be waiting for another block to write `%s`; -t cpu and -t sim start blocks in order, a few at a time"] =
    "它可能在等待另一个块写入 `%s`；-t cpu 与 -t sim 按次序启动各块，每次只运行少数几个",
  ["nothing"] = "空值",
  ["a userdata"] = "userdata",
  ["a thread"] = "协程",
  ["a path"] = "路径",
  ["{from, to}, counted from 0"] = "{起, 止}，从 0 数起",
  ["a number of seconds"] = "秒数",
  ['a kernel, a function, "cublas" or "copy"'] = '内核、函数、"cublas" 或 "copy"',
  ["a tl.jit function"] = "tl.jit 函数",
  ["an element, since the value is a scalar"] = "元素（因为值是标量）",
  ["false: a tile has no single previous value"] = "false：分块没有单一的旧值",
  ["%d values"] = "%d 个值",
  ["the first of %d adjacent elements"] = "%d 个相邻元素中的第一个",
  ["a shared buffer"] = "共享内存缓冲区",
  ["a fragment buffer"] = "寄存器片段",
  ["a local buffer"] = "线程私有缓冲区",
  ["positive integers"] = "正整数",
  ["rows of a multiple of %d bytes"] = "每行字节数为 %d 的倍数",
  ["buffers as keys"] = "以缓冲区为键",
  ["a T.Fragment"] = "T.Fragment",
  ["a T.Layout"] = "T.Layout",
  ["0 or more"] = "0 或更大",
  ["nothing besides explicit = true"] = "explicit = true 时不应给出",
  ["a float"] = "浮点数",
  ["%d strides"] = "%d 个步长",
  ["a string of names"] = "名称字符串",
  ["a T.alloc_var, an element or a slice"] = "T.alloc_var 变量、元素或切片",
  ["names"] = "名称",
  ["0, 1 or 2"] = "0、1 或 2",
  ["an integer or a condition"] = "整数或条件",
  ["a value or a tile"] = "值或分块",
  ["a float dtype with an infinity"] = "有无穷大的浮点 dtype",
  ["a buffer or a slice"] = "缓冲区或切片",
  ["the new buffer"] = "新缓冲区",
  ["a boolean"] = "布尔值",
  ["other than 0"] = "非 0 的数",
  ["1 to 3 positive integers, 16 blocks in all"] = "1 到 3 个正整数，总共至多 16 个块",
  ["integers from 0"] = "从 0 开始的整数",
  ["groups that are adjacent"] = "相邻的线程组",
  ["a barrier: bar, or bar[i]"] = "屏障：bar 或 bar[i]",
  ["positive integers, a list or one"] = "正整数，单个或列表",
  ["a positive multiple of 32"] = "32 的正整数倍",
  ["16 bits, one for each block"] = "16 位，每块一位",
  ["a multiple of 8 from 24 to 240"] = "24 到 240 之间 8 的倍数",
  ["at most 8 tables deep"] = "至多嵌套 8 层的表",
  ["a dimension that was not given before"] = "尚未给出的维",
  ["a step within the dimension"] = "该维之内的步长",
  -- layouts
  ["lane"] = "通道", ["warp"] = "线程束", ["register"] = "寄存器", ["offset"] = "偏移",
  ["row"] = "行", ["column"] = "列", ["copies"] = "副本",
  ["%s bit %d"] = "%s位 %d", ["%s bits %d..%d"] = "%s位 %d..%d",
  ["%s mode of %d, weight %d"] = "%s mode（大小 %d，权 %d）",
  ["%d-way, %d wavefronts of %d needed"] = "%d 路冲突，%d 次访问，至少需要 %d 次",
  ["a positive integer"] = "正整数", ["a dimension of the layout"] = "布局的某一维",
  ["one number for each dimension"] = "每一维一个数", ["as many elements as before"] = "与原来相同的元素个数",
  ["no such shape"] = "没有这种形状", ["no layout"] = "不是布局",
  ["B is read from shared memory"] = "B 从共享内存读取",
  ["n is a multiple of 8 up to 256"] = "n 是 8 的倍数，至多 256",
  ["128, 64, 32 or 0, with rows of a multiple of it"] = "128、64、32 或 0，且行长是它的倍数",
  ["a number is missing"] = "缺少一个数", ["a parenthesis is missing"] = "缺少括号",
  ["something follows it"] = "后面还有多余的内容",
  ["shape and stride differ in form"] = "形状与步长的嵌套不同",
  ["sizes are positive"] = "大小应为正数", ["the last part is a layout"] = "最后一部分应为布局",
  ["it has more than 8 modes"] = "它的模式超过 8 个",
  ["a TV layout has two modes: threads and values"] = "TV 布局有两个模式：线程和值",
  ["thread %d, value %d is element %d of %d"] = "线程 %d 的第 %d 个值为元素 %d（共 %d 个）",
  ["element %d is held %d times"] = "元素 %d 被持有 %d 次",
  ["a line, or true"] = "行号或 true", ["a list of indices"] = "下标列表",
  ["a list"] = "列表", ["an integer from 0 to 2^31 - 1"] = "0 到 2^31 - 1 的整数",
  ["a number from 0 to 2^31 - 1"] = "0 到 2^31 - 1 的数", ["a list of positive integers"] = "正整数列表",
  ["sizes by name, {M = 64}"] = "按名称给出的大小，如 {M = 64}",
  ["a list of sizes, {{M = 64}, ..}"] = "大小的列表，如 {{M = 64}, ..}",
  ["a list of numbers from 0 to 1"] = "0 到 1 之间的数的列表",
  ["a tensor of two dimensions"] = "二维张量", ["a tensor of four dimensions"] = "四维张量",
  ["a tensor of one dimension or more"] = "至少一维的张量",
  ["a layout"] = "布局", ["a kernel"] = "内核", ["a profiler"] = "性能分析器", ["a trace"] = "时间线",
  ["a connection"] = "连接", ["a tl.autotune function"] = "tl.autotune 函数", ["a T.prim_func"] = "T.prim_func",
  ["a name, a function or a T.Fragment"] = "名称、函数或 T.Fragment",
  ["an integer from 1 to 64"] = "1 到 64 的整数", ["an integer from 1 to 128"] = "1 到 128 的整数",
  ["an integer from 1 to 2^31 - 1"] = "1 到 2^31 - 1 的整数",
  ["a table or a function"] = "表或函数", ["integers"] = "整数",
  ["at most 16 bytes of an access"] = "一次访问至多 16 字节",
  ["a stride of 0 puts elements in one place"] = "步长 0 会使多个元素位于同一位置",
}

local M = setmetatable({zh = zh}, {
  __call = function(_, en)
    return diag.lang() == "zh" and zh[en] or en
  end,
})

-- The name of a type as messages say it: "integer" -> "an integer".
function M.kind(name)
  local en = name == "nil" and "nothing" or
    not name:find " " and (name:find "^[aeiou]" and "an " or "a ") .. name or name
  return M(en)
end

return M
