-- tour.lua: ten steps through the program, at the real prompt.
--
--     tour.start([step])   shows a step; from then on it watches what is typed
--     tour.stop()          forgets the tour
--     tour.go()            types the step's input for the reader
--
-- A step is done when what it asks for was typed, in whatever form: `done` looks
-- at the input's text and at whether it worked.  Everything else that is typed
-- meanwhile runs as ever.  session.suggestion holds the step's input, which the
-- line editor shows in grey.

local session = require "moontile.prompt"

local M = {}

local function say(...)
  return require("moontile.repl.commands").say(...)
end

local kernel = [[
double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return B
end)]]

-- Was something like this typed?
local function typed(...)
  local patterns = {...}
  return function(event)
    for _, p in ipairs(patterns) do
      if event.text:find(p) then
        return true
      end
    end
    return false
  end
end

-- title and text in both languages, what to type, and what counts as done
M.steps = {
  {
    title = {en = "a tensor", zh = "一个张量"},
    text = {
      en = "Every input runs at once. Here is a matrix of random numbers; the result is kept\n" ..
        "as _ and as _1, after the number of its input.",
      zh = "每次输入都会立即执行。先来一个随机矩阵；\n结果会保存在 _ 中，也保存在 _1（1 是输入的编号）中。",
    },
    input = "tl.randn({6, 6})", done = typed "tl%.",
  },
  {
    title = {en = "a kernel", zh = "一个内核"},
    text = {
      en = "A kernel is a Lua function that is run once to see what it does. T.Kernel says how many\n" ..
        "blocks there are, T.Parallel that 64 elements are independent; the compiler chooses\n" ..
        "who computes which. Enter runs the input once it is complete; until then it adds a line.",
      zh = "内核是一个 Lua 函数，运行一次即可得知它要做什么。T.Kernel 给出块的个数，\n" ..
        "T.Parallel 表示 64 个元素相互独立；由哪个线程计算哪个元素，由编译器决定。\n" ..
        "输入完整时按回车就会执行，不完整时回车只是换行。",
    },
    input = kernel,
    done = function(event) return event.ok and event.text:find "tl%.jit" ~= nil end,
  },
  {
    title = {en = "run it", zh = "运行它"},
    text = {
      en = "Call it with a tensor. It is checked, compiled for this machine and run; the 10 elements\n" ..
        "do not fill a block of 64, and need not: what is outside is neither read nor written.",
      zh = "用一个张量来调用它：检查、为本机编译、运行，一气呵成。\n" ..
        "10 个元素填不满 64 的块，也没有关系：张量之外的元素既不读也不写。",
    },
    input = 'double(tl.arange(10, "float32"))',
    done = function(event) return event.ok and event.text:find "double" ~= nil end,
  },
  {
    title = {en = "a mistake", zh = "一个错误"},
    text = {
      en = "Now give it numbers of the wrong type. A message names the place, both facts and\n" ..
        "one thing to do; nothing is lost. :explain says more about the last one.",
      zh = "现在给它类型不对的数据。消息会指出位置、两方的事实和一个改法；什么都不会丢失。\n" ..
        ":explain 会进一步说明最近一次的错误。",
    },
    input = 'double(tl.arange(10, "int32"))',
    done = function(event) return not event.ok end,
  },
  {
    title = {en = "help", zh = "帮助"},
    text = {
      en = "A question mark before or after a name shows what it is; two show its source too.\n" ..
        "Tab completes names, arguments and files; an open call shows its signature below.",
      zh = "在名字前面或后面加一个问号，会显示它的说明；两个问号还会显示源代码。\n" ..
        "Tab 补全名字、参数和文件名；未写完的调用会在下方显示它的参数。",
    },
    input = "?T.Parallel", done = typed("^%s*%?", "%?%s*$", "^%s*:h"),
  },
  {
    title = {en = "a matrix product", zh = "矩阵乘法"},
    text = {
      en = "A larger kernel: tiles of A and B go through shared memory in a pipeline of three stages,\n" ..
        "T.gemm multiplies them into registers. The example checks itself and prints its times;\n" ..
        "its function `matmul` is now yours to use.",
      zh = "一个更大的内核：A 和 B 的分块经过三级流水线进入共享内存，T.gemm 把它们乘到寄存器里。\n" ..
        "示例会自行校验并打印用时；其中的函数 `matmul` 之后可以直接使用。",
    },
    input = ":load quickstart",
    done = function(event) return event.ok and event.text:find "^%s*:lo?a?d?%s" ~= nil end,
  },
  {
    title = {en = "who owns what", zh = "谁拥有哪个元素"},
    text = {
      en = "Cl is a tile of C in registers, spread over the threads of a block as the matrix\n" ..
        "instructions need it. This shows which thread holds each element, and in which\n" ..
        "register; :owner Cl 5 9 asks about one element.",
      zh = "Cl 是放在寄存器中的 C 的分块，按矩阵指令的要求分布在一个块的各个线程上。\n" ..
        "下图显示每个元素由哪个线程、放在哪个寄存器；:owner Cl 5 9 只问一个元素。",
    },
    input = ":plot Cl", done = typed("^%s*:pl", "^%s*:ow", "plot"),
  },
  {
    title = {en = "a swizzle", zh = "交错布局"},
    text = {
      en = "Shared memory has 32 banks. Rows of 128 bytes put a column into one bank; the swizzle moves\n" ..
        "each row's 16-byte chunks so that a column meets all of them. Left: before; right: after.",
      zh = "共享内存有 32 个 bank。每行 128 字节时，同一列的元素都落在同一个 bank；\n" ..
        "交错布局移动每行中 16 字节的小块，使同一列分散到所有 bank。左为之前，右为之后。",
    },
    input = "plot(tl.layout.swizzle{rows = 8, bytes = 128, mode = 128})", done = typed "swizzle",
  },
  {
    title = {en = "what it costs", zh = "代价有多大"},
    text = {
      en = "Before anything runs on a GPU: the instructions that were chosen, bank conflicts, shared\n" ..
        "memory, registers, occupancy, and where the kernel is on a card's roofline.",
      zh = "在 GPU 上运行之前就能知道：选用了哪些指令、bank 冲突、共享内存、寄存器、占用率，\n" ..
        "以及内核离显卡的上限有多远。",
    },
    input = ":explain matmul", done = typed("^%s*:ex", ":explain"),
  },
  {
    title = {en = "watch the pipeline", zh = "观察流水线"},
    text = {
      en = "The simulator runs one block and draws what its roles do over time: copies in flight,\n" ..
        "products, and who waits for whom. :ir walks through the compiler's passes, :src shows the\n" ..
        "generated source next to your lines.",
      zh = "模拟器运行一个块，画出各个角色随时间所做的事：正在进行的拷贝、乘法，以及谁在等谁。\n" ..
        ":ir 逐步展示编译的各个阶段，:src 把生成的代码与您写的行对照显示。",
    },
    input = ":trace matmul", done = typed "^%s*:tr",
  },
}

local last_words = {
  en = "That was the tour. :help lists everything; lua/examples has kernels to read and run,\n" ..
    "such as :load flash_attention; :save work.lua keeps what you made.",
  zh = "导览到此结束。:help 列出全部命令；lua/examples 中有可读可运行的内核，例如\n" ..
    ":load flash_attention；:save work.lua 可保存您的工作。",
}

local at -- number of the step that is shown; nil: no tour

local function bold(s)
  local config = require "moontile.config"
  return config.colour and ("\27[1m%s\27[0m"):format(s) or s
end

local function lang()
  return require("moontile.repl.commands").lang()
end

-- Input lines, set off from the text.
local function indented(text)
  return "    " .. text:gsub("\n", "\n    ")
end

-- A text in lines of the terminal's width.
local function fill(text)
  local help = require "moontile.help.text"
  local joined = text:gsub("\n", lang() == "zh" and "" or " ")
  return table.concat(help.wrap(joined, help.terminal().width - 1), "\n")
end

local function show()
  local s = M.steps[at]
  print()
  print(bold(say("Step %d of %d: %s", "第 %d 步，共 %d 步：%s", at, #M.steps, s.title[lang()])))
  print(fill(s.text[lang()]))
  print(indented(s.input))
  if at <= 2 then -- then the reader knows
    local grey = require("moontile.config").colour -- else the line editor suggests nothing
    print(fill(say("(type it%s; :tour go types it for you, :tour next skips, :tour stop ends)",
      "（请输入它%s；:tour go 代为输入，:tour next 跳过，:tour stop 结束）", not grey and "" or
      say(", or accept the grey text with the right arrow and press Enter",
        "，或按右方向键采用灰色文字再按回车"))))
  end
  session.suggestion = s.input
end

local watching = false

local function advance()
  at = at + 1
  if at > #M.steps then
    print()
    print(fill(last_words[lang()]))
    M.stop()
    return
  end
  show()
end

-- After each input: was it what the step asks for?
local function watch(event)
  if not at or event.text:find "^%s*:tou?r?%f[%W]" then
    return
  end
  if M.steps[at].done(event) then
    advance()
  end
end

-- Shows step n (1 if nil).
function M.start(n)
  at = n or 1
  if not watching then
    watching = true
    table.insert(session.after, watch)
  end
  show()
end

function M.stop()
  at = nil
  session.suggestion = nil
end

-- The number of the step that is shown, or nil.
function M.step()
  return at
end

function M.skip(by)
  at = math.max(at + by - 1, 0)
  advance()
end

-- Runs the step's input as if it had been typed.
function M.go()
  session.enter(M.steps[at].input)
end

return M
