-- commands/inside.lua: looking inside a kernel: its text at every stage, values, costs.

local session = require "moontile.prompt"
local term = require "moontile.term"

-- What the terminal can show.
local function style()
  return require("moontile.term").terminal()
end

return function(M)
-- The kernel that the first of words means, which is taken from them; without such a
-- word the last kernel.  stays(word): it is no kernel but what follows one.
local function take_kernel(words, stays)
  local kernels = require "moontile.repl.kernels"
  local word = words[1]
  if not word or (stays and stays(word) and kernels.value(word) == nil) then
    return kernels.find("")
  end
  local k, why = kernels.find(word)
  if k then
    table.remove(words, 1)
  end
  return k, why
end

-- Raises for a field of the table behind a command that it does not take.
local function check(command, opts, known)
  require("moontile.tl.tensor").rules.options(command, opts, known)
end

M.add {
  name = "ir",
  args = "[KERNEL] [PASS|step] [{target =}]",
  summary = { en = "the IR of a kernel: as traced, or pass by pass",
    zh = "内核的 IR：跟踪所得、某个过程之后，或逐步查看" },
  text = {
    en = [[`:ir k` prints the tile program, `:ir k thread` the thread program, `:ir k pipeline` the
program after that pass (:passes lists them), `:ir k ..pipeline` with the plans for later
passes, as `--ir-lower` reads them.  `:ir k step`, or `:ir k` at a terminal, walks
from pass to pass: n next, p previous, f full text, d changes, a number or a name, q.]],
    zh = [[`:ir k` 打印分块程序，`:ir k thread` 打印线程程序，`:ir k pipeline` 打印该过程之后的程序
（:passes 列出所有过程），`:ir k ..pipeline` 还带有给后面过程的计划，可供 `--ir-lower` 读取。`:ir k step`，或在终端中输入 `:ir k`，逐个过程查看：
n 下一个，p 上一个，f 全文，d 差异，编号或名称跳转，q 退出。]],
  },
  run = function(args)
    local irview = require "moontile.repl.irview"
    local words, opts = M.words(args)
    check(":ir", opts, {target = true})
    local k, why = take_kernel(words, function(w) return w == "step" or irview.is_pass(w) end)
    if not k then
      return why
    end
    local pass = words[1]
    if pass == "step" or (pass == nil and term.capable()) then
      irview.step(k, style(), session, opts)
    else
      irview.show(k, pass, style(), opts)
    end
  end,
}

M.add {
  name = "passes",
  args = "[KERNEL] [{target =}]",
  summary = { en = "what the passes do, and how many lines each changed",
    zh = "各个过程做什么，各改动多少行" },
  text = { en = "`:ir k PASS` shows the program after one.",
    zh = "`:ir k 过程名` 显示该过程之后的程序。" },
  run = function(args)
    local words, opts = M.words(args)
    check(":passes", opts, {target = true})
    local k, why = take_kernel(words)
    if not k and args:find "%S" then
      return why
    end
    require("moontile.repl.irview").passes(k, style(), opts)
  end,
}

M.add {
  name = "src",
  args = "[KERNEL] [LINE] [ir|thread|c|cuda|..|ptx|sass] [{target =, all =}]",
  summary = { en = "what a kernel became, next to its source lines",
    zh = "内核生成的代码，与源行对照" },
  text = {
    en = [[`:src k` prints the generated source, each part at the line it comes from: next to it
where the terminal has 120 columns, otherwise below it.  `:src k 14`: only what line 14 became.
ptx and sass need NVIDIA's compiler.  {all = true}: helpers too, nothing folded;
{cells = "rows"}: always below.]],
    zh = [[`:src k` 打印生成的代码，每一段对应它所来自的行：终端有 120 列时并排显示，否则显示在该行之下。
`:src k 14`：只显示第 14 行生成的代码。ptx 和 sass 需要 NVIDIA 的编译器。
{all = true}：包括辅助函数，不折叠；{cells = "rows"}：不并排显示。]],
  },
  run = function(args)
    local srcview = require "moontile.repl.srcview"
    local words, opts = M.words(args)
    check(":src", opts, {target = true, all = true, cells = true})
    local is_kind = {}
    for _, w in ipairs(srcview.kinds) do
      is_kind[w] = true
    end
    local name = words[1]
    local k, why = take_kernel(words, function(w) return is_kind[w] or w:find "^%d+$" end)
    if not k then
      return why
    end
    local o, kind = {target = opts.target, all = opts.all, cells = opts.cells,
      name = name ~= words[1] and name or ""}, nil
    for _, w in ipairs(words) do
      if w:find "^%d+$" then
        o.line = math.tointeger(tonumber(w))
      else
        kind = w
      end
    end
    srcview.show(k, kind, style(), o)
  end,
}

-- The tiles of a kernel, a line each.
local function list_tiles(k)
  local ir = require "moontile.ir"
  for _, b in ipairs(ir.peekable(k.P)) do
    M.columns(b.name, ("%s %s"):format(b.scope, b.dtype))
  end
end

M.add {
  name = "peek",
  args = "[KERNEL] TILE [{block =, iteration =, line =, rows =, cols =, ..}]",
  summary = { en = "the values of a tile at a point of a run", zh = "分块在运行中某一处的值" },
  text = {
    en = [[
`:peek k` lists the tiles of k, `:peek k Cl` shows Cl after its last write, in block 0;
`:peek k Cl {iteration = 0, rows = {0, 3}}` shows part of it after one iteration.

  block = {0, 1}               the block, x first
  iteration = 3, {ko = -1}     an iteration of the innermost loop; the last one of ko
  line = 14                    after that line
  rows, cols = {0, 3}          a part, both ends included
  inputs = {a, b}              default: those of the last call
  target = "sim -arch=sm_90a"  another machine
  plot = true                  a heat map

k:peek("Cl", {..}) gives the values as a tensor.]],
    zh = [[
`:peek k` 列出 k 的分块，`:peek k Cl` 显示块 0 中最后一次写入之后的 Cl；
`:peek k Cl {iteration = 0, rows = {0, 3}}` 显示一次迭代之后的一部分。

  block = {0, 1}               哪个块，x 在前
  iteration = 3, {ko = -1}     最内层循环的某次迭代；ko 的最后一次
  line = 14                    该行之后
  rows, cols = {0, 3}          一部分，两端都包含
  inputs = {a, b}              默认为上次调用的参数
  target = "sim -arch=sm_90a"  另一种机器
  plot = true                  热图

k:peek("Cl", {..}) 以张量返回这些值。]],
  },
  run = function(args)
    local words, opts = M.words(args)
    local kernels = require "moontile.repl.kernels"
    local k, why
    if #words >= 2 or (words[1] and kernels.find(words[1])) then
      k, why = take_kernel(words)
    else
      k, why = kernels.find("")
    end
    if not k then
      return why
    elseif not words[1] then
      list_tiles(k)
      return
    end
    local peek = require "moontile.tl.peek"
    local plotted = opts.plot
    opts.plot = nil
    local t, info = peek.peek(k, words[1], opts)
    if plotted then
      require "moontile.layout_viz.plot"(t, {source = info.heading})
    else
      print(peek.text(t, info, style().width))
    end
  end,
}

-- Does a word look like the code of a message?
local function is_code(word)
  return word:find "^[Ee]%d+$" ~= nil
end

M.add {
  name = "explain",
  args = "[KERNEL] [{target =, card =, dims =}] | E512",
  summary = { en = "what a kernel costs, on one page; or what an error means",
    zh = "一页看清内核的开销；或解释错误编号" },
  text = {
    en = [[`:explain k`: what takes longest, what each line became, bank conflicts and sectors, shared
memory, registers, blocks per multiprocessor, memory- or compute-bound, and what was not done.  Nothing is run.
`:explain E512`, or `:explain` after an error: what the message means.]],
    zh = [[`:explain k`：哪里最耗时、每一行生成了什么、bank 冲突与扇区、共享内存、寄存器、每个多处理器的块数、
受限于内存还是运算，以及没有采用什么。不运行任何东西。
`:explain E512`，或在出错之后输入 `:explain`：解释这条消息。]],
  },
  run = function(args)
    local words, opts = M.words(args)
    if words[1] and is_code(words[1]) then
      return require("moontile.repl.errors").explain(words[1])
    end
    check(":explain", opts, {target = true, card = true, dims = true})
    local name = words[1]
    local k, why = take_kernel(words)
    if not k then
      return why
    end
    require("moontile.repl.page").print(k, opts, style(), name and ":explain " .. args or nil)
  end,
}
end
