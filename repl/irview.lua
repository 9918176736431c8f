-- irview.lua: the IR of a kernel: one text, or pass after pass.
--
--     irview.show(k, pass, style)      prints the tile program ("tile", nil), the thread
--                                      program ("thread") or what stands behind a pass
--     irview.passes(k, style)          the list of passes and what each does
--     irview.step(k, style, keys)      pass after pass, as the changes it made
--     irview.words                     what a pass may be called: tile, flatten, .. thread
--     irview.colour(text)              IR text with the colours of a terminal
--
-- style: {colour =, width =} as term.terminal() gives it.  opts.target, of all three:
-- the machine instead of the kernel's own.

local device = require "moontile.tl.device"
local diff = require "moontile.repl.diff"
local ir = require "moontile.ir"
local diag = require "moontile.diag"
local suggest = require "moontile.base.suggest"
local term = require "moontile.term"

local M = {}

local function say(...)
  return require("moontile.repl.commands").say(...)
end

-- What a pass does, in a line: core/lower/lower.h says it in full.
local does = {
  tile = {"the kernel as it was traced, checked", "跟踪得到并通过检查的内核"},
  flatten = {"one row of threads; what the block does once becomes a parallel loop of one iteration",
    "线程排成一列；整个块只做一次的事变成一次迭代的循环"},
  select = {"instructions for products and copies", "为矩阵乘法和拷贝选择指令"},
  pipeline = {"pipelined loops: stages, producers and consumers",
    "流水线循环：级、生产者与消费者"},
  tile_ops = {"tile operations without an instruction become parallel loops",
    "没有对应指令的分块操作变为并行循环"},
  layouts = {"which thread and register holds which element; conversions between layouts",
    "每个元素由哪个线程的哪个寄存器存放；布局之间的转换"},
  shared = {"where elements of shared buffers are placed: rows, swizzles, padding",
    "共享缓冲区的元素放在哪里：行、交织（swizzle）、填充"},
  epilogue = {"results go out through shared memory, by stmatrix and TMA",
    "结果经共享内存，由 stmatrix 和 TMA 写出"},
  tma = {"copies by TMA become boxes and bulk copies", "TMA 拷贝变为数据盒与批量拷贝"},
  split_acc = {"sums that lanes exchange once, after the loop",
    "各通道的部分和只在循环之后交换一次"},
  partition = {"masks only where something is masked", "只在需要掩码的地方保留掩码"},
  zero_init = {"products that overwrite instead of adding to zeros", "乘积直接覆盖，而不是加到零上"},
  overlap = {"products in flight during other work", "乘法与其他工作重叠进行"},
  gemm = {"operand fetches and matrix instructions", "取操作数，发出矩阵指令"},
  reduce = {"reductions and scans become shuffles and exchanges", "归约与扫描变为 shuffle 和交换"},
  parallel = {"parallel loops become vector accesses of each thread, with their guards",
    "并行循环变为各线程的向量访问及其边界条件"},
  mbarriers = {"barrier pairs of pipelines become two mbarriers per stage",
    "流水线的屏障对变为每级两个 mbarrier"},
  simplify = {"what has become constant is folded; common parts of indices get names",
    "去掉已成常量的部分；下标的公共部分得到名字"},
  unused = {"buffers that nothing uses are removed", "去掉不再使用的缓冲区"},
  alloc_shared = {"byte offsets in shared memory, by lifetimes", "按生存期确定共享内存中的字节偏移"},
  sync = {"barriers and fences, from what each statement reads and writes",
    "按每条语句的读写插入屏障和栅栏"},
  fences = {"fences after writes to global memory that bulk copies access too",
    "全局内存若也由批量拷贝访问，写入之后插入栅栏"},
  ranges = {"ranges within a warp become conditions again", "只含半个 warp 的线程范围重新变回条件"},
  unroll = {"unrolled loops that would be too long stay loops", "展开后代码过长的循环保持为循环"},
  thread = {"the thread program, as it is printed or simulated", "最终的线程程序，用于输出源码或模拟执行"},
}

local function summary(pass)
  local t = does[pass]
  return t and say(t[1], t[2]) or ""
end

M.words = {"tile"}
for _, name in ipairs(ir.passes()) do
  M.words[#M.words + 1] = name
end
M.words[#M.words + 1] = "thread"

local is_word = {}
for _, w in ipairs(M.words) do
  is_word[w] = true
end

function M.is_pass(word)
  return is_word[word] or is_word[word:match "^%.%.(.+)$" or ""] or false
end

-- Colours -------------------------------------------------------------------------

local Reset, Bold, Dim = "\27[0m", "\27[1m", "\27[2m"
local Word, Type, Text = "\27[36m", "\27[33m", "\27[32m"

local tint = {}
for w in ([[file kernel buffer view of dim scalar launch in threads for do end if then else while
            role alloc let def call printf assert assume break continue machine atomic not and or]])
  :gmatch "%a+" do
  tint[w] = Word
end
for w in ([[serial unroll vectorized parallel pipelined persistent global shared fragment local var
            barrier pipe]]):gmatch "%a+" do
  tint[w] = Type
end
for name in pairs(ir.dtypes) do
  tint[name] = Type
end

-- One line of IR text, its position dimmed.
local function colour_line(line)
  local body, at = line:match "^(.-)( @[%d:]+)$"
  body = body or line
  local operation = body:match "^%s*([%a_][%w_]*) [%a_(]"
  local out = body:gsub('("[^"]*")', "\1%1\2"):gsub("[%a_$][%w_]*", function(w)
    return tint[w] and tint[w] .. w .. Reset
  end)
  if operation and not tint[operation] then
    out = out:gsub("^(%s*)(" .. operation .. ")", "%1" .. Bold .. "%2" .. Reset, 1)
  end
  out = out:gsub("\1", Text):gsub("\2", Reset)
  return out .. (at and Dim .. at .. Reset or "")
end

function M.colour(text)
  return (text:gsub("[^\n]+", colour_line))
end

local function coloured(text, style)
  return style.colour > 0 and M.colour(text) or text
end

local function bold(s, style)
  return style.colour > 0 and Bold .. s .. Reset or s
end

local function dim(s, style)
  return style.colour > 0 and Dim .. s .. Reset or s
end

-- Texts ---------------------------------------------------------------------------

-- The target whose thread program is looked at: the kernel's own, or the simulator.
local function threads_of(k, opts)
  local spec = opts and opts.target and device.resolve(opts.target) or k.spec
  return device.threads(spec), ir.hasthreads(spec)
end

-- "matmul, thread program for sm_80"
local function title(k, what, spec, own)
  local machine = ir.machine(spec) or spec
  return own and ("%s: %s, %s"):format(k.name, what, machine)
    or say("%s: %s, %s (its own target has no threads: as simulated)",
      "%s：%s，%s（其目标没有线程：按模拟器处理）", k.name, what, machine)
end

local function print_notes(notes, style)
  for _, n in ipairs(notes) do
    print(dim(say("  note, line %d: %s", "  说明，第 %d 行：%s", n.line, n.text), style))
    if n.help_en ~= "" then
      print(dim("    " .. say(n.help_en:gsub("%%", "%%%%"), n.help_zh:gsub("%%", "%%%%")), style))
    end
  end
end

-- pass: a word of M.words; nil: the tile program.  Raises for a word that is none.
function M.show(k, pass, style, opts)
  if pass == nil or pass == "tile" then
    io.stdout:write(coloured(ir.text(k.P), style))
    return
  elseif not M.is_pass(pass) then
    k:ir(pass) -- raises
  end
  local spec, own = threads_of(k, opts)
  local text, notes = ir.lowered(k.P, spec, pass ~= "thread" and pass or nil)
  local what = pass == "thread" and say("thread program", "线程程序")
    or say("after %s", "%s 之后", pass)
  print(dim("-- " .. title(k, what, spec, own), style))
  io.stdout:write(coloured(text, style))
  print_notes(notes, style)
end

-- The passes; with a kernel also how many lines each of them changed.
function M.passes(k, style, opts)
  local changed = {}
  if k then
    local spec, own = threads_of(k, opts)
    print(dim(title(k, say("lines that each pass changed", "每个过程改动的行数"), spec, own), style))
    local before
    for _, s in ipairs(ir.stages(k.P, spec)) do
      if s.text and before then
        local n = 0
        for _, h in ipairs(diff.lines(before, s.text, 0)) do
          n = n + #h
        end
        changed[s.pass] = (changed[s.pass] or 0) + n
      end
      before = s.text or before
    end
  end
  for i, name in ipairs(ir.passes()) do
    local n = not k and "" or changed[name] and ("%5d"):format(changed[name]) or "    -"
    print(("%3d  %s %s  %s"):format(i, bold(("%-9s"):format(name), style), n, summary(name)))
  end
end

-- Stepping --------------------------------------------------------------------------

-- The steps of a kernel: only the passes that changed something, each with what
-- stood before, its number (as :passes counts) and those that were left out.
function M.steps(k, opts)
  local spec, own = threads_of(k, opts)
  local list, before, skipped = {}, nil, {}
  local all = ir.stages(k.P, spec)
  local launches = all[#all].launch
  local number, count = {}, 0
  for i, w in ipairs(M.words) do
    number[w] = i - 1
  end
  for _, s in ipairs(all) do
    if s.text or #s.notes > 0 then
      count = count + 1
      list[count] = {pass = s.pass, launch = launches > 1 and s.launch > 0 and s.launch or nil,
        number = number[s.pass], before = before, text = s.text or before, notes = s.notes,
        same = not s.text, skipped = skipped}
      skipped = {}
    elseif s.pass ~= "thread" then
      skipped[#skipped + 1] = s.pass
    end
    before = s.text or before
  end
  list[count].rest = skipped
  return list, spec, own
end

-- How many lines went and came.
local function counts(hunks)
  local less, more = 0, 0
  for _, h in ipairs(hunks) do
    for _, l in ipairs(h) do
      less = less + (l.sign == "-" and 1 or 0)
      more = more + (l.sign == "+" and 1 or 0)
    end
  end
  return less, more
end

local function head_line(s, i, n, style)
  local name = s.launch and say("%s (launch %d)", "%s（第 %d 次启动）", s.pass, s.launch) or s.pass
  local place = ("[%d/%d] "):format(i, n)
  print(place .. bold(name, style) .. "  " .. summary(s.pass))
  if #s.skipped > 0 then
    print(dim(say("  nothing changed in: %s", "  没有改动：%s", table.concat(s.skipped, ", ")), style))
  end
end

-- One step: its changes, or with full the whole text.
local function show_step(list, i, style, full)
  local s = list[i]
  head_line(s, i, #list, style)
  if not s.before or full then
    io.stdout:write(coloured(s.text, style))
  elseif s.same then
    print(dim(say("  no line changed", "  没有改动任何行"), style))
  else
    local less, more = counts(diff.lines(s.before, s.text, 0))
    print(dim(say("  %d lines removed, %d added", "  去掉 %d 行，新增 %d 行", less, more), style))
    io.stdout:write(diff.text(s.before, s.text, {context = 2, colour = style.colour}))
  end
  print_notes(s.notes, style)
end

local function keys_help()
  return say("n next  p previous  f full text  d diff  NUMBER or NAME jump  q quit",
    "n 下一个  p 上一个  f 全文  d 差异  编号或名称 跳转  q 退出")
end

-- Where a number or a name leads; nil: it is none.
local function find_step(list, word)
  local n = math.tointeger(tonumber(word))
  if n then
    return list[n] and n
  end
  local found
  for i, s in ipairs(list) do
    if s.pass == word then
      return i
    elseif s.pass:sub(1, #word) == word then
      found = found or i
    end
  end
  return found
end

-- What to say of a word that leads nowhere: a pass that changed nothing, or none.
local function nowhere(list, word)
  local n = tonumber(word)
  if n then
    return say("steps are 1 to %d", "步骤编号为 1 到 %d", #list)
  elseif is_word[word] then
    return say("%s changed nothing here", "%s 在这里没有改动", word)
  end
  local other = suggest.find(word, M.words)
  return other and say("no key or pass '%s'; did you mean %s?", "没有按键或过程“%s”；是否想写 %s？",
    word, other) or say("no key or pass '%s': %s", "没有按键或过程“%s”：%s", word, keys_help())
end

-- Names of keys of a terminal, as lines of a pipe have them.
local named = {["\27[C"] = "n", ["\27[B"] = "n", ["\27[D"] = "p", ["\27[A"] = "p", ["\27OC"] = "n",
  ["\27OB"] = "n", ["\27OD"] = "p", ["\27OA"] = "p", [" "] = "n", ["\r"] = "n", ["\n"] = "n",
  ["\127"] = "p", ["\b"] = "p", ["\27"] = "q", ["^C"] = "q"}
local single = {n = true, p = true, f = true, d = true, q = true, ["?"] = true}

-- Reads a word key by key behind what is typed already; nil when it is dropped.
local function type_word(session, first)
  local word = first
  while true do
    io.stdout:write("\r\27[K> ", word)
    local key = term.key()
    if key == "\r" or key == "\n" then
      return word
    elseif key == nil or key == "^C" or key == "\27" then
      return nil
    elseif key == "\127" or key == "\b" then
      word = word:sub(1, -2)
      if word == "" then
        return nil
      end
    elseif key:find "^[%w_]$" then
      word = word .. key
    end
  end
end

-- The next thing to do: n, p, f, d, q, ?, or a word.  A letter that is no key begins
-- the name of a pass.
local function ask(session, style)
  if not term.capable() then
    local line = io.read "l"
    return line and (line:match "^%s*(.-)%s*$") or "q"
  end
  io.stdout:write(dim(keys_help(), style))
  local key, word = term.key(), nil
  key = key == nil and "q" or named[key] or key
  if single[key] then
    word = key
  elseif key == "/" or key == ":" then
    word = type_word(session, "")
  elseif key:find "^[%w]$" then
    word = type_word(session, key)
  end
  io.stdout:write("\r\27[K")
  return word
end

-- The words that move: each gives the step to show next, or nil and what to say.
local moves = {
  n = function(list, i)
    local rest = list[#list].rest
    return list[i + 1] and i + 1, say("that was the last step", "已是最后一步") .. (#rest > 0 and
      say("; nothing changed in: %s", "；没有改动：%s", table.concat(rest, ", ")) or "")
  end,
  p = function(_, i)
    return i > 1 and i - 1, say("this is the first step", "这是第一步")
  end,
  f = function(_, i) return i end,
  d = function(_, i) return i end,
  ["?"] = function() return false, keys_help() end,
}
moves[""] = moves.n

-- Walks through the steps.  session: moontile.prompt.
function M.step(k, style, session, opts)
  local list, spec, own = M.steps(k, opts)
  local at, full = 1, false
  print(dim(title(k, say("pass after pass", "逐个过程"), spec, own), style))
  show_step(list, at, style)
  while true do
    local word = ask(session, style)
    if word == "q" then
      return
    elseif word then
      local to, why
      if moves[word] then
        to, why = moves[word](list, at)
      else
        to = find_step(list, word)
        why = not to and nowhere(list, word)
      end
      if to then
        full = word == "f" or (full and word ~= "d")
        at = to
        show_step(list, at, style, full)
      else
        print(diag.visible(why))
      end
    end
  end
end

return M
