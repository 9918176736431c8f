-- judge/translations.lua: what the judge says, in both languages: one sentence for what is wrong,
-- and a hint chosen by the failure.

local differences = require "moontile.layout_viz.differences"
local slips = require "moontile.puzzles.judge.slips"

local M = {}

local function both(en, zh, ...)
  return {en = en:format(...), zh = zh:format(...)}
end
M.both = both

-- Which outcome an error of the compiler, the simulator or the device is, by its code.
local codes = {
  bounds = "E317 E356 E439 E500 E501 E524 E525 E640 E642 E303 E350",
  race = "E512 E513 E514 E515 E600 E601 E602 E603 E604 E605 E610 E611 E612 E613 E614 E615 E637 " ..
    "E638 E639 E644 E646 E647 E616 E617 E618 E619 E620 E621 E622 E623 E624 E626 E635 E636 E645",
  unwritten = "E518 E519 E520 E523 E606 E607 E608 E609 E641",
  hang = "E300 E338 E596 E443 E625 E632 E633 E634",
  wrong = "E307 E343 E358",
  trouble = "E302 E304 E305 E306 E308 E310 E311 E315 E320 E321 E322 E323 E332 E334 E400 E401 " ..
    "E402 E410 E411 E412 E413 E414 E415 E416 E417 E420 E421 E422 E435 E444 E446 E447 E900 E999",
}
local outcome_of = {}
for outcome, list in pairs(codes) do
  for code in list:gmatch "%S+" do
    outcome_of[code] = outcome
  end
end

-- The outcome of an error; `otherwise` where its code says nothing.
function M.outcome(code, otherwise)
  return outcome_of[code] or otherwise
end

-- Sentences ------------------------------------------------------------------------------

-- "copy_blocks, M = 17, N = 130"
local function where(v)
  return v.size_text ~= "" and ("%s, %s"):format(v.part, v.size_text) or v.part
end

-- "in the simulator" "on cpu"
local function machine(v)
  local word = v.target and (v.target:match "^remote .*%-on=(%S+)" or v.target:match "^%S+") or "sim"
  if word == "sim" then
    local lanes = v.target and v.target:match "%-warp=(%d+)"
    return lanes == "64" and both("in the simulator with 64 lanes", "模拟器（64 通道）中") or
      both("in the simulator", "模拟器中")
  end
  return both("on %s", "%s 上", word)
end

local sentences = {
  ok = function(v)
    return {en = v.title.en .. ": right.", zh = v.title.zh .. "：正确。"}
  end,
  slow = function(v)
    return {en = v.title.en .. ": right, but too slow for the last star.",
      zh = v.title.zh .. "：正确，但速度还不足以得到最后一颗星。"}
  end,
  compile = function(v)
    return both("%s does not compile.", "%s 无法编译。", where(v))
  end,
  bounds = function(v)
    return both("%s accesses memory out of bounds.", "%s 访问了界外的内存。", where(v))
  end,
  race = function(v)
    return both("%s has a race: what it computes depends on chance.",
      "%s 存在数据竞争：结果取决于偶然的先后。", where(v))
  end,
  unwritten = function(v)
    return both("%s leaves something unwritten.", "%s 有内容没有写入。", where(v))
  end,
  hang = function(v)
    return both("%s does not finish.", "%s 无法结束。", where(v))
  end,
  weak = function(v)
    return both("%s is right in form, but not precise enough: %d of %d elements of %s exceed the "
      .. "limit.",
      "%s 的算法正确，但精度不够：%d / %d 个元素（%s）超出误差限。", where(v), v.wrong.bad, v.wrong.count,
      v.wrong.name)
  end,
  goal = function(v)
    return {en = ("%s computes the right thing, but the puzzle asks for more: %s."):format(where(v),
      v.goal.en), zh = ("%s 的结果正确，但题目还要求：%s。"):format(where(v), v.goal.zh)}
  end,
}

function sentences.wrong(v)
  if v.changed then
    return both("%s writes to its input %s.", "%s 改写了输入 %s。", where(v), v.changed)
  elseif v.guard then
    return both("%s writes outside its tensors.", "%s 写到了张量之外。", where(v))
  elseif not v.wrong then
    return both("%s fails.", "%s 没有通过。", where(v))
  end
  local w, m = v.wrong, machine(v)
  return {en = ("%s is wrong %s: %d of %d elements of %s."):format(where(v), m.en, w.bad, w.count,
    w.name), zh = ("%s 在%s结果有误：%s 的 %d 个元素中有 %d 个不对。"):format(where(v), m.zh, w.name,
    w.count, w.bad)}
end

function sentences.trouble()
  return both("The judge could not decide; this is not your fault.", "判题未能完成；" ..
    "这不是您的问题。")
end

-- What is wrong with a text as a whole: the readers of Lua and of Python say these.
local unreadable = {"^syn_", "^lex_", "^pysyn_", "^py_outside_", "^py_.*_argument$", "^py_.*_global$",
  "^py_global_", "^py_nonlocal_", "^py_star_", "^py_loop_else$"}

local function cannot_read(line)
  return both("Line %d cannot be read, so nothing of the file runs yet.",
    "第 %d 行无法读懂，因此整个文件都还不能运行。", line)
end

-- Of an error that concerns the whole file: it cannot be read, or fails outside of the kernels.
function M.unread(err)
  local id, line = err.id or "", err.line or 0
  if line == 0 then
    return nil
  end
  for _, pattern in ipairs(unreadable) do
    if id:find(pattern) then
      return cannot_read(line)
    end
  end
  return both("The file fails in line %d, outside its kernels.", "文件在第 %d 行、" ..
    "内核之外出错。", line)
end
-- The verdict's sentence; v.said takes precedence.
function M.sentence(v)
  if v.said then
    return v.said
  end
  return sentences[v.outcome](v)
end

-- Of a kernel that does no more for a size than for half of it, judge/growth.lua: a sentence and a hint.
function M.counted(part, name, less, more)
  return both("%s does no more for %s = %d than for %s = %d: something is counted by a number.",
    "%s 在 %s = %d 时所做的并不比 %s = %d 时多：某处的次数写死了。", part, name, more, name, less),
    both("The number of blocks and the turns of loops follow from the sizes, as T.ceildiv(%s, ..) does; one that is "
      .. "large enough for many sizes is not for all. (Nothing was run for this: it can be read off the program.)",
      "线程块的数目和循环的次数要由尺寸得出，如 T.ceildiv(%s, ..)；再大的数也不可能对所有尺寸都够。（这里没有运行内核：从程序中就能读出。）",
      name)
end

-- Hints by failure -------------------------------------------------------------------------

local late = both("The kernel ran as long as it may. How many iterations "
  .. "does its longest loop make? With barriers, a thread may also wait for an arrival that "
  .. "never comes.", "内核运行到了时限。最长的循环要执行多少次？若用了 barrier，也可能有线程" ..
  "在等待一次永远不会到来的到达。")

-- The first row whose fields all agree with the verdict.  d: of layout_viz/differences.lua
local general = {
  {outcome = "unwritten", code = "E609", both("Some elements get no value at all. Is there a " ..
    "block for each tile (T.ceildiv), and does the block write its whole tile?",
    "有些元素从未写入。每个分块都有一个线程块吗（T.ceildiv）？线程块是否写满了自己的分块？")},
  {outcome = "unwritten", both("Something is read before anything was put there: clear an " ..
    "accumulator before the loop (T.clear, T.fill), copy before you compute.",
    "读取了尚未写入的内容：循环之前先把累加器清零（T.clear、T.fill），先复制再计算。")},
  {outcome = "race", code = "E604", both("Two blocks write the same place: does each block " ..
    "have tiles of its own? Sums over blocks need T.atomic_add.",
    "两个线程块写了同一处：每个线程块都有自己的分块吗？跨线程块求和需要 T.atomic_add。")},
  {outcome = "race", code = "E639", both("One block adds with T.atomic_add where another one "
    .. "writes or reads plainly: clear it before the launch, and let every block add.",
    "一个线程块用 T.atomic_add 累加，另一个却普通地读写同一处：请在启动前清零，让每个线程块都用累加。")},
  {outcome = "race", both("Two threads access one element in no fixed order: put "
    .. "T.sync_threads() " ..
    "between the write and the read, or let one iteration own the element.",
    "两个线程访问同一元素，先后不定：请在写与读之间加 T.sync_threads()，或让一次迭代独占该元素。")},
  {outcome = "bounds", both("Look at the last tile: its index runs past the end when the size is "
    .. "not a multiple of the block.", "请看最后一个分块：尺寸不是分块大小的整数倍时，" ..
    "下标会越过末尾。")},
  {outcome = "hang", stage = "evaluate", both("Plain Lua runs while the kernel is traced: a loop "
    .. "of plain Lua, for or while, has to end before the kernel is known.",
    "追踪内核时会执行普通 Lua：普通的 for、while 循环必须先结束，才能得到内核。"), both("Python's own loops run while the kernel is traced: each has to end, and each turn adds its " ..
    "statements to the kernel. T.serial, T.Parallel are loops of the kernel's.",
    "追踪内核时会执行 Python 自己的循环：它们必须结束，而且每一轮都把其中的语句加入内核。T.serial、T.Parallel " ..
    "才是内核的循环。")},
  {outcome = "hang", stage = "evaluate"}, -- the message says it
  -- A time limit: a loop, more often than not; the simulator names what waits for ever itself.
  {outcome = "hang", code = "E300", late},
  {outcome = "hang", code = "E338", late},
  {outcome = "hang", both("A thread waits for an arrival that never comes: count the arrivals "
    .. "and waits of each barrier, in every iteration of the loop.",
    "有线程在等待一次永远不会到来的到达：请逐轮核对每个 barrier 的到达与等待次数。")},
  {outcome = "compile", cause = "missing", both("The judge finds a kernel by its name: NAME = " ..
    "tl.jit(function(..) .. end). Was it renamed or deleted? A reset puts the starter back and " ..
    "keeps your text.", "判题程序按名称寻找内核：名称 = tl.jit(function(..) .. end)。" ..
    "它被改名或删掉了吗？重置会恢复起始文件，并保留您的文本。"), both("The judge finds a kernel by its name: `def NAME(..):` below `@tilelang.jit`. Was it renamed or deleted, or is " ..
    "the decorator missing? A reset puts the starter back and keeps your text.", "判题程序按名称寻找内核：" ..
    "`@tilelang.jit` 之下的 `def 名称(..):`。它被改名或删掉了吗，还是缺了装饰器？重置会恢复起始文件，并保留您的文本。")},
  {outcome = "compile", cause = "signature", both("What a kernel takes and returns is part of " ..
    "the puzzle: leave the starter's parameters, their types, T.empty and `return` as they were.",
    "内核的参数与返回值由题目规定：请保留起始代码中的参数、类型、T.empty 与 `return`。")},
  {outcome = "weak", both("Accumulate in float32 and convert once, when you store.",
    "用 float32 累加，只在写回时转换一次。")},
  {outcome = "wrong", cause = "input", both("Inputs are for reading: keep what you change in a " ..
    "tile (T.alloc_fragment, T.alloc_shared), and write only what you return.",
    "输入只供读取：要改的数据请放进分块（T.alloc_fragment、T.alloc_shared），只写要返回的张量。")},
  {outcome = "wrong", cause = "shape", both("The shape of the result is in T.empty({...}).",
    "结果的形状写在 T.empty({...}) 里。")},
  {outcome = "wrong", cause = "zeros", both("The wrong elements are all 0: they were cleared " ..
    "and never computed, or the tile was read outside the tensor.",
    "出错的元素全为 0：它们清零之后没有参与计算，或者分块读到了张量之外。")},
  {outcome = "wrong", cause = "nan", both("NaN: 0 / 0, inf - inf, or the exponential of " ..
    "something too large. Which of them can happen in a row of zeros, or past the end of a row?",
    "出现 NaN：0 / 0、inf - inf，或指数过大。在全零的行、行尾之外，哪一种会发生？")},
  {outcome = "wrong", cause = "transposed", both("Rows and columns are swapped: the first " ..
    "block index counts along x, columns; the second along y, rows.",
    "行与列互换了：线程块的第一个下标沿列方向（x），第二个沿行方向（y）。")},
  {outcome = "wrong", cause = "factor", both("All wrong by one factor: is something added " ..
    "twice, or scaled in the wrong place?", "都差同一个倍数：是否有内容被加了两次，" ..
    "或缩放的位置不对？")},
  {outcome = "wrong", cause = "shifted", both("The right values in the wrong place: look at the "
    .. "origin of the tile, bx * BLOCK + i.", "数值正确但位置不对：请检查分块的起点 bx * " ..
    "BLOCK + i。")},
  {outcome = "wrong", pattern = "one", both("One element alone: often the first or the last of " ..
    "a loop, or one that several iterations write.", "只有一个元素有误：常是循环的首尾，" ..
    "或被多次迭代写入的元素。")},
  {outcome = "wrong", stage = "hidden", both("Right for the sizes that were shown, wrong for " ..
    "another one: which number in the kernel should come from the shape?",
    "对给出的尺寸正确，对其他尺寸有误：内核里哪个数本应来自形状？")},
  {outcome = "wrong", pattern = "outside", both("The first tile is right, the others are not: " ..
    "a tensor index lacks bx or by (bx * BLOCK + i), or all tiles read the same piece.",
    "第一个分块正确，其余不对：张量的某个下标少了 bx 或 by（bx * BLOCK + i），" ..
    "或各分块读的是同一段。")},
  {outcome = "wrong", pattern = "cols", both("Whole columns are wrong: look at the last tile "
    .. "along the columns, and at what the loop over columns carries from one iteration to the "
    .. "next.",
    "整列有误：请看列方向的最后一个分块，以及列循环带到下一轮的内容。")},
  {outcome = "wrong", pattern = "rows", both("Whole rows are wrong: look at the last tile " ..
    "along the rows.", "整行有误：请看行方向的最后一个分块。")},
  {outcome = "wrong", pattern = "all", both("Every element is wrong: begin with the smallest " ..
    "case and compute one element by hand.", "所有元素都不对：从最小的一组开始，手算一个元素。")},
  {outcome = "wrong", both("Compare the first wrong element with the definition in the statement.",
    "请拿第一个出错的元素与题目中的定义对照。")},
}

local fields = {"outcome", "pattern", "cause", "code", "goal", "stage"}

-- More of a pattern of rows or columns: "tail", the last ones; "every", the same ones of
-- every tile; else nil.
local function form(d)
  local set = d and d.facts and (d.pattern == "rows" and d.facts.row_set or d.pattern == "cols" and
    d.facts.col_set)
  local n = set and (d.pattern == "rows" and d.rows or d.cols)
  return set and (set.kind == "every" and "every" or set.kind == "range" and set.to == n - 1 and
    "tail") or nil
end

local function facts(v)
  local d = v.wrong and v.wrong.d
  return {outcome = v.outcome, pattern = d and d.pattern, form = form(d),
    cause = v.cause or d and d.causes[1] and d.causes[1].id, code = v.error and v.error.code,
    goal = v.goal and v.goal.id, stage = v.stage}
end

-- The first row of a list that fits; coded: only rows with a code count.
local function fitting(list, f, coded)
  for _, row in ipairs(list or {}) do
    local fits = row.code or not coded
    for _, name in ipairs(fields) do
      fits = fits and (row[name] == nil or row[name] == f[name] or name == "pattern" and
        row[name] == f.form)
    end
    if fits then
      return row
    end
  end
end

-- The hint for this failure; nil: none.  First what the puzzle says about this very error,
-- then what is a slip anywhere, then the puzzle's other hints, the general ones last.
function M.hint(v, own, text)
  local f = facts(v)
  local row = fitting(own, f, true)
  local slip = not row and v.error and slips.find(v.error, text)
  row = row or not slip and (fitting(own, f) or fitting(general, f)) or nil
  local hint = row and (row[1] or row)
  if hint then
    return hint.en and {en = hint.en, zh = hint.zh, python = row[2]} or nil
  end
  return slip or v.outcome == "compile" and v.error and slips.last(v.error, text) or nil
end

-- Words that describe a verdict, for `-- expect:` lines: a set.
function M.tags(v)
  local f, set = facts(v), {}
  for _, name in ipairs(fields) do
    if f[name] then
      set[f[name]] = true
    end
  end
  for _, c in ipairs(v.wrong and v.wrong.d.causes or {}) do
    set[c.id] = true
  end
  for _, name in ipairs {"part", "cause"} do
    if v[name] then
      set[v[name]] = true
    end
  end
  return set
end

M.say = differences.say

return M
