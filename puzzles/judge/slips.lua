-- judge/slips.lua: hints for slips that have nothing to do with the puzzle: by the code of
-- the error and by the learner's line.
--
--     slips.find(error, text)  -> {en =, zh =} or nil
--
-- error: {code =, text =, line =} of a verdict; text: the learner's file.  Where the message
-- itself says what to write, there is no hint: two pieces of advice are one too many.

local M = {}

local function both(en, zh)
  return {en = en, zh = zh}
end

-- The hint for a code; where they are given, the pattern `line` must be in the learner's line
-- and `message` in the error's text.
local rows = {
  {code = "E001", line = "math%.%a", both("math.NAME is for numbers that Lua knows now. For "
    .. "those that a kernel computes, use T.NAME: T.max, T.exp2, T.sqrt ..",
    "math.名称 用于 Lua 现在就知道的数；内核里计算的数要用 T.名称：T.max、T.exp2、T.sqrt 等。")},
  {code = "E001", message = "function value %(field", both("It is a function and has to be "
    .. "called, as in T.infinity(T.float32).", "它是函数，需要调用，例如 T.infinity(T.float32)。")},
  {code = "E189", line = "%.astype", both("A value's methods are called with a colon: " ..
    "x:astype(T.float32).", "调用值的方法用冒号：x:astype(T.float32)。")},
  {code = "E513", both("All iterations of T.Parallel happen at once, so several of them cannot "
    .. "update one element: loop over its index alone, or add up with T.reduce_sum.",
    "T.Parallel 的各次迭代同时进行，不能有几次更新同一个元素：只用它自己的下标循环，或用 " ..
    "T.reduce_sum 求和。")},
  {code = "E003", line = "^end%)", both("Each `for .. do`, `if .. then` and `function` has an " ..
    "`end` of its own. Indent what is between them, and the missing one shows.",
    "每个 `for .. do`、`if .. then`、`function` 都有自己的 `end`。把其间的内容缩进，" ..
    "就能看出缺了哪一个。")},
  {code = "E003", both("Look at the line that the message names, where it was opened: the " ..
    "reader only notices further down.", "请看信息中所说的那一行，即括号打开之处：" ..
    "读到更下面才会发现它没有结束。")},
  {code = "E007", line = "==", both("`=` puts a value into an element, `==` asks whether two " ..
    "are equal.",
    "`=` 把值写入元素，`==` 判断两者是否相等。")},
  {code = "E008", line = "%w%s*%(.*%)%s*=", both("Elements are written with square brackets: B[i].",
    "元素用方括号：B[i]。")},
  {code = "E049", both("Is it a comment? Comments begin with `--`.", "这是注释吗？注释以 `--` " ..
    "开头。")},
  {code = "E097", line = "[tT]hreadIdx", both("Here no thread needs its number: T.Parallel(n) "
    .. "gives every thread its iterations.", "这里线程不需要知道自己的编号：" ..
    "T.Parallel(n) 会给每个线程分配迭代。")},
  {code = "E097", line = "[bB]lockIdx", both("The number of the block is the variable of `for " ..
    "bx in T.Kernel(..)`.", "线程块的编号就是 `for bx in T.Kernel(..)` 中的变量。")},
  {code = "E1054", line = "[tT]hreadIdx", both("Here no thread needs its number: T.Parallel(n) "
    .. "gives every thread its iterations.", "这里线程不需要知道自己的编号：" ..
    "T.Parallel(n) 会给每个线程分配迭代。")},
  {code = "E1054", line = "[bB]lockIdx", both("The numbers of the block are the names behind `as`: " ..
    "`with T.Kernel(nx, ny) as (bx, by):`.", "线程块的编号就是 `as` 之后的名称：`with T.Kernel(nx, ny) as (bx, by):`。")},
  {code = "E199", both("`B = A` copies nothing: it makes B a second name for A. Elements are " ..
    "written: B[i] = .., or T.copy(from, to).",
    "`B = A` 什么也不复制，只是让 B 成为 A 的另一个名字。要写入元素：B[i] = ..，或 " ..
    "T.copy(来源, 目标)。")},
  {code = "E133", both("With a tile, give only the place where its piece begins, as in " ..
    "T.copy(A[bx * BLOCK], a). A slice A[lo:hi] has hi - lo elements.",
    "与分块一起时，只需写出这一段的起点，如 T.copy(A[bx * BLOCK], a)。切片 A[lo:hi] 有 hi - lo " ..
    "个元素。")},
  {code = "E192", both("Use as many names as extents, and give the extents one by one: for i, j "
    .. "in " ..
    "T.Parallel(m, n), for bx, by in T.Kernel(nx, ny).",
    "变量与范围个数相同，范围逐个写出：for i, j in T.Parallel(m, n)，for bx, by in " ..
    "T.Kernel(nx, ny)。")},
  {code = "E505", both("From tile to tile a block walks with T.Serial. T.Parallel is for work on "
    .. "single elements.", "线程块逐个走过分块时用 T.Serial；T.Parallel " ..
    "用于对单个元素的操作。")},
  {code = "E518", both("A new tile holds nothing meaningful. Something must be written into it "
    .. "before it is read, as T.copy(from, to) does; the target comes second.",
    "新的分块中没有有意义的内容，读取之前必须先写入，例如 T.copy(来源, 目标)，目标在后。")},
  {code = "E519", both("What is read here is only written further down. Swap the lines; and in "
    .. "T.copy(from, to) the target comes second.",
    "这里读取的内容到后面才写入。请交换次序；另外 T.copy(来源, 目标) 的目标在后。")},
  {code = "E523", both("Nothing is ever stored in the result. In B[i] = .. it is on the left, in "
    .. "T.copy(from, to) it comes second.",
    "结果从未被写入。它在 B[i] = .. 中位于左边，在 T.copy(来源, 目标) 中位于后面。")},
}

local by_code = {}
for _, row in ipairs(rows) do
  for code in row.code:gmatch "%S+" do
    by_code[code] = by_code[code] or {}
    table.insert(by_code[code], row)
  end
end

-- Line n of a text, or "".
local function line_of(text, n)
  local i = 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    i = i + 1
    if i == n then
      return line
    end
  end
  return ""
end

-- Errors about a call, whose name the message or the line has: where to read about it.
local function look_up(err, line)
  local name = (err.message or ""):match "%f[%w]T%.[%w_]+" or line:match "%f[%w]T%.[%w_]+"
  if name then
    return both(("`help %s` says what it takes (in a shell: moontile help %s)."):format(name, name),
      ("`help %s` 说明它的参数（在 shell 中：moontile help %s）。"):format(name, name))
  end
end

-- Does the message already say what to write?
local function advises(err)
  return err.text and (err.text:find("\nhelp: ", 1, true) or err.text:find("\n建议: ", 1, true)) and
    not err.text:find "\nhelp: signature" and not err.text:find "\n建议: 签名"
end

function M.find(err, text)
  local line = line_of(text or "", err.line or 0)
  for _, row in ipairs(by_code[err.code] or {}) do
    if (not row.line or line:find(row.line)) and
      (not row.message or (err.message or err.text):find(row.message)) then
      return row[1]
    end
  end
end

-- For an error without a row: where to read on; nil where the message says enough.
function M.last(err, text)
  return not advises(err) and look_up(err, line_of(text or "", err.line or 0)) or nil
end

-- Is the file no text of ours at all?
local marks = {
  {"^\xff\xfe", "UTF-16"}, {"^\xfe\xff", "UTF-16"}, {"^PK\3\4", "ZIP"}, {"^{\\rtf", "RTF"},
}

-- What hinders before a word was read: said, hint; nil: nothing.
function M.unreadable(text)
  if not text:find "[^%s\xef\xbb\xbf]" then
    return both("The file is empty.", "文件是空的。"), both("Undo in your editor, or reset the " ..
    "puzzle (r in the watch mode): that puts the starter back.",
      "请在编辑器中撤销，或重置本题（监视模式中按 r），即可恢复起始文件。")
  end
  for _, m in ipairs(marks) do
    if text:find(m[1]) then
      return both(("The file is saved as %s, not as plain text in UTF-8."):format(m[2]),
        ("文件保存成了 %s，而不是 UTF-8 纯文本。"):format(m[2])), both("Save it as UTF-8: in " ..
        "most editors the encoding can be chosen under `Save as`.",
        "请保存为 UTF-8：多数编辑器可在“另存为”中选择编码。")
    end
  end
end

return M
