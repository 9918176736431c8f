-- commands/plots.lua: figures at the prompt, and who owns what in words.

local kernels = require "moontile.repl.kernels"

-- The layout that words mean, and how many words it took: a variable that holds a
-- layout, a buffer of the last kernel, or a kernel and its buffer.  nil, why: none.
local function layout_of(words, opts, say)
  local object = require "moontile.layout.algebra"
  local v = words[1] and kernels.value(words[1])
  if object.is(v) then
    return v, 1
  end
  local k, n = kernels.find(words[1] or ""), 1
  if not k then
    local why
    k, why = kernels.find ""
    n = 0
    if not k then
      return nil, why
    end
  end
  local name = words[n + 1]
  if not name then
    return nil, say("which buffer of %s? it has %s", "要看 %s 的哪个缓冲区？可用的有 %s", k.name,
      table.concat(require("moontile.tl.buffers").names(k, opts), ", "))
  end
  return k:layout(name, opts), n + 1
end

-- A layout in words, in lines that fit the terminal.
local function head(l)
  local width = require("moontile.term").terminal().width
  print(table.concat(require("moontile.layout_viz.owner").lines(l, width), "\n"))
end

-- Each buffer of a kernel that has a layout.
local function list(k, opts)
  for _, name in ipairs(require("moontile.tl.buffers").names(k, opts)) do
    head(k:layout(name, opts))
  end
end

-- The facts of one layout: the line, its modes, its formulas, and why.
local function one(l)
  head(l)
  for _, row in ipairs(l:modes()) do
    print("  " .. row)
  end
  local f = l:get_forward_index()
  if l.thread then
    print("  thread = " .. f[1])
    print("  register = " .. f[2])
  else
    print("  offset = " .. f[1])
  end
  for i = 2, #(l.why or {}) do
    print("  " .. l.why[i])
  end
end

-- What `:owner` says of the words behind the layout: an element, a thread, a byte.
local function owner_lines(l, words, from, say)
  local owner = require "moontile.layout_viz.owner"
  local first = words[from]
  local thread = first and first:match "^[Tt](%d+)$"
  local byte = first and first:match "^@(%d+)$"
  if thread and l.thread then
    return owner.thread(l, math.tointeger(tonumber(thread)))
  elseif byte and not l.thread then
    return owner.byte(l, math.tointeger(tonumber(byte)))
  end
  local idx = {}
  for i = from, #words do
    idx[#idx + 1] = math.tointeger(tonumber((words[i]:gsub(",$", ""))))
  end
  idx = owner.index(l, idx)
  if not first or #idx < #words - from + 1 or #idx ~= #l.shape then
    return nil, l.thread and
      say("write %d indices of the element, or a thread, as in :owner Cl T37",
        "请写出元素的 %d 个下标，或者线程，例如 :owner Cl T37", #l.shape) or
      say("write %d indices of the element, or a byte, as in :owner As @1024",
        "请写出元素的 %d 个下标，或者字节，例如 :owner As @1024", #l.shape)
  end
  return (owner.element(l, idx))
end

return function(M)
  M.add {
    name = "plot", args = "[THING] [WHAT] [{OPTIONS}]",
    summary = {en = "draw a kernel, a buffer, a tensor, a layout, a result", zh = "绘制内核、缓冲区、张量、布局或结果"},
    text = {en = [[
  :plot                 the grid of the last kernel: blocks, order, waves
  :plot As              a buffer of the last kernel; also stages, shared, roofline
  :plot k As            the same for the kernel k
  :plot got want        where two tensors differ
  :plot tl.randn{8, 8}  any expression

{svg = "a.svg"} at the end writes a file; {page = 2} shows the next page.]],
      zh = [[
  :plot                 上一个内核的网格：线程块、顺序、波次
  :plot As              上一个内核的缓冲区；还有 stages、shared、roofline
  :plot k As            内核 k 的同样内容
  :plot got want        两个张量的差异所在
  :plot tl.randn{8, 8}  任意表达式

末尾加 {svg = "a.svg"} 写成文件；{page = 2} 显示下一页。]]},
    run = function(args)
      local v, what, opts = require("moontile.repl.plotting").parse(args)
      if v == nil then
        return what or M.say("there is nothing to plot", "没有可绘制的内容")
      end
      local plot = require "moontile.layout_viz.plot"
      if what ~= nil then
        plot(v, what, opts)
      else
        plot(v, opts)
      end
    end,
  }

  M.add {
    name = "layout", args = "[KERNEL] [BUFFER] [{target =}]",
    summary = {en = "who holds which element of a kernel's buffers", zh = "内核缓冲区的布局：谁持有哪个元素"},
    text = {en = [[
  :layout       each buffer of the last kernel: threads, registers, modes, and what
                fixed it
  :layout k Cl  one buffer: its modes one by one, and as formulas
  :layout l     a variable that holds a layout, such as l = tl.layout.swizzle{rows = 8,
                bytes = 128}

{target = "sm_90a"} at the end selects another machine; plot(k, "Cl") draws it.]],
      zh = [[
  :layout       上一个内核的每个缓冲区：线程、寄存器、mode 以及由什么决定
  :layout k Cl  单个缓冲区：逐个 mode，以及公式
  :layout l     保存布局的变量，例如 l = tl.layout.mma("m16n8k16", "C")

后面加 {target = "sm_90a"} 可查看其他机器；plot(k, "Cl") 将其画出。]]},
    run = function(args)
      local words, opts = M.words(args)
      local k = kernels.find(words[1] or "")
      if k and #words < 2 then
        return list(k, opts)
      end
      local l, n = layout_of(words, opts, M.say)
      if not l then
        return n
      elseif n < #words then
        return M.say("'%s' is one argument too many; :help layout", "“%s”多余；见 :help layout",
          words[n + 1])
      end
      one(l)
    end,
  }

  M.add {
    name = "owner", args = "[KERNEL] BUFFER INDEX.. | T<thread> | @<byte>",
    summary = {en = "who holds an element, and what a thread holds", zh = "元素由谁持有，线程持有哪些元素"},
    text = {en = [[
  :owner Cl 5 9    the warp, lane and register that hold element [5, 9] of a fragment;
                   for a buffer in memory, its byte, bank and chunk
  :owner Cl T37    the elements of thread 37
  :owner As @1024  the element at byte 1024 of a buffer in memory

A kernel may come before the buffer, {target = "sm_90a"} at the end.]],
      zh = [[
  :owner Cl 5 9    持有片段元素 [5, 9] 的 warp、通道和寄存器；
                   对内存缓冲区则为字节、bank 和块号
  :owner Cl T37    线程 37 持有的元素
  :owner As @1024  内存缓冲区字节 1024 处的元素

缓冲区之前可写内核，末尾可加 {target = "sm_90a"}。]]},
    run = function(args)
      local words, opts = M.words(args)
      local l, n = layout_of(words, opts, M.say)
      if not l then
        return n
      end
      local lines, why = owner_lines(l, words, n + 1, M.say)
      if not lines then
        return why
      end
      for _, line in ipairs(lines) do
        print(line)
      end
    end,
  }
end
