-- T/words.lua: phrases that messages take as arguments, in both languages.
--
--     local W = require "moontile.T.words"
--     diag.fail("arg_value", what, "dim", W"0, 1 or 2", dim)
--
-- The texts of messages live in core/errs_*.h; this is for what fills them.

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
  ["true or false"] = "true 或 false",
  ["a string"] = "字符串",
  ["a dtype"] = "dtype",
  ["a shape: a table of integers, or one integer"] = "形状：整数表或单个整数",
  ["a table"] = "表",
  ["an integer or a table of integers"] = "整数或整数表",
  ["a function"] = "函数",
  ["anything"] = "任意值",
  ["an expression: "] = "表达式：",
  ["a tensor"] = "张量",
  ["nothing"] = "空值",
  ["a userdata"] = "userdata",
  ["a thread"] = "协程",
  ["a path"] = "路径",
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
  ["nothing beside explicit = true"] = "explicit = true 时不应给出",
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
  ["at most 8 tables deep"] = "至多嵌套 8 层的表",
  ["a dimension that was not given before"] = "尚未给出的维",
  ["a step within the dimension"] = "该维之内的步长",
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
