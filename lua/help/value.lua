-- help/value.lua: pages of values: a kernel, a tensor, a function, a number.

local diag = require "moontile.diag"
local given = require "moontile.help.given"
local help = require "moontile.help"
local term = require "moontile.term"
local text = require "moontile.help.text"
local values = require "moontile.help.values"

local M = {}

local say = {
  kernel = {"%s: a kernel", "%s：内核"},
  jit = {"%s: a function of tl.jit; a call compiles a kernel for its sizes and runs it",
    "%s：tl.jit 的函数；调用时按尺寸生成内核并运行"},
  prim = {"%s: a program of T.prim_func; tl.compile makes a kernel from it",
    "%s：T.prim_func 的程序；用 tl.compile 生成内核"},
  call = {"call", "调用"}, gives = {"gives", "返回"}, grid = {"grid", "网格"},
  blocks = {"(%s) blocks of %d threads", "(%s) 个块，每块 %d 个线程"},
  target = {"target", "目标"}, values = {"compiled for", "取值"}, where = {"defined", "定义"},
  kernels = {"kernels", "内核"}, tuned = {"tuned", "调优"},
  made = {"%d compiled; the last: %s", "已生成 %d 个；最近一个：%s"},
  none_made = {"none compiled yet", "尚未生成"},
  compile_time = {"compile-time", "编译期参数"}, tensors = {"tensors", "张量"},
  tensor = {"%s: a tensor", "%s：张量"}, shape = {"shape", "形状"}, dtype = {"dtype", "dtype"},
  memory = {"memory", "内存"}, strides = {"strides", "步长"}, content = {"values", "内容"},
  bytes = {"%s bytes, %s elements", "%s 字节，%s 个元素"},
  range = {"%s .. %s, mean %s", "%s 到 %s，平均 %s"},
  not_finite = {", %d not finite", "，其中 %d 个非有限值"},
  gaps = {"with gaps or transposed", "不连续或经过转置"},
  layout = {"%s: a layout, index -> position in memory", "%s：布局，下标 -> 内存位置"},
  fragment = {"%s: a fragment, index -> thread and register", "%s：片段，下标 -> 线程与寄存器"},
  copies = {"copies", "副本"}, modes = {"modes", "mode"},
  other = {"%s: %s", "%s：%s"}, is = {"%s is %s", "%s 是 %s"},
  func = {"%s(%s): a Lua function", "%s(%s)：Lua 函数"},
  pyfunc = {"%s(%s): a Python function", "%s(%s)：Python 函数"},
  cfunc = {"%s: a Lua library function", "%s：Lua 库函数"},
  table = {"%s: a table of %d fields", "%s：含 %d 个字段的表"},
  methods = {"Members", "可用的成员"},
  source = {"As it was typed", "源代码"}, no_source = {"its source was not kept", "没有保留源代码"},
  program = {"The tile program", "分块程序"},
  more = {"?? shows the source and the tile program.", "用 ?? 查看源代码与分块程序。"},
  calls = {"to run", "运行"},
}

local function phrase(t, ...)
  local s = t[help.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

local function in_words(s)
  local python = given.in_python()
  return python and python.words(s) or s
end

-- Places and sources -------------------------------------------------------------------

-- "in:3", "kernels.lua:12" of a function, and its text; of ours the place alone.
local function source(f)
  local P = package.loaded["moontile.python"] -- the function of Python's that Lua calls
  f = P and type(f) == "function" and P.from_lua(f) or f
  local info = type(f) == "function" and debug.getinfo(f, "S")
  if not info or info.what == "C" then
    return nil
  end
  local ours = help.place(f)
  if ours and not (package.loaded["moontile.sources"] or {})[info.source] then
    return ours
  end
  local name = info.source:gsub("^[@=]", "")
  local whole = (package.loaded["moontile.sources"] or {})[info.source]
  local first, lines = info.linedefined, nil
  if whole then
    local all = {}
    for l in (whole .. "\n"):gmatch "(.-)\r?\n" do
      all[#all + 1] = l
    end
    first = require("moontile.base.decorators").first(all, first)
    lines = table.move(all, first, info.lastlinedefined, 1, {})
  end
  return ("%s:%d"):format(name, info.linedefined), lines, first
end

-- Lines with their numbers.
local function listing(page, lines, from)
  local n = #tostring(from + #lines - 1)
  for i, l in ipairs(lines) do
    page:line(("  %" .. n .. "d  %s"):format(from + i - 1, diag.visible(l)))
  end
end

-- The function of the user's that a kernel comes from.
local function origin(k)
  return k.jit and k.jit.f or k.f or k.prim and k.prim.f
end

-- Names of what a kind offers: the most used first.
local first = {
  kernel = "bench check ir explain get_kernel_source tune export",
  jit = "compile tune last",
  tensor = "shape dtype item totable to reshape sum max mean copy",
  layout = "at owner modes conflicts inverse compose",
}

-- What is called otherwise in Python.
local in_python = {totable = "tolist", copy = "clone"}

local function members(page, kind, var)
  local list, python = {}, given.in_python()
  for name in (first[kind] or ""):gmatch "%S+" do
    name = python and in_python[name] or name
    local r = help.find(kind .. ":" .. name) or help.find(kind .. "." .. name)
    if r and r.kind == kind then
      local summary = help.pick(r.summary)
      list[#list + 1] = {var .. ((r.field or python) and "." or ":") .. name, python and python.words(summary) or summary}
    end
  end
  if #list > 0 then
    page:gap():line(phrase(say.methods), "accent")
    page:rows(list)
  end
end

-- Only a name can stand before a method.
local function variable(name, default)
  return name:find "^[%a_][%w_.]*$" and name or default
end

-- Kernels --------------------------------------------------------------------------------

local function signature(k)
  local kernel = require "moontile.tl.kernel"
  local ins, outs = {}, {}
  for i, p in ipairs(k.inputs) do
    ins[i] = kernel.param_text(p)
  end
  for i, s in ipairs(k.outs) do
    outs[i] = kernel.param_text(s.param)
  end
  return ins, outs
end

local function config(k)
  local names, parts = {}, {}
  for name in pairs(k.config or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    local v = k.config[name]
    parts[i] = name .. " = " .. (type(v) == "table" and "{...}" or tostring(v))
  end
  return table.concat(parts, ", ")
end

local function tile_program(page, k)
  page:gap():line(phrase(say.program), "accent")
  for l in (k:ir()):gmatch "[^\n]+" do
    if not l:find "^file %d" then
      page:line("  " .. l:gsub(" @[%d:]+$", ""))
    end
  end
end

local function source_lines(page, f)
  local _, lines, from = source(f)
  page:gap():line(phrase(say.source), "accent")
  if lines and #lines > 0 then
    listing(page, lines, from)
  else
    page:para(phrase(say.no_source), 2)
  end
end

local kinds = {}

function kinds.kernel(page, name, k, detail)
  local ir = require "moontile.ir"
  local ins, outs = signature(k)
  page:title(phrase(say.kernel, name)):gap()
  local rows = {{phrase(say.call), ("%s(%s)"):format(variable(name, k.name),
    table.concat(ins, ", "))}}
  if #outs > 0 then
    rows[#rows + 1] = {phrase(say.gives), table.concat(outs, ", ")}
  end
  for _, l in ipairs(ir.launches(k.P)) do
    local grid = {}
    for i, v in ipairs(l.grid) do
      grid[i] = tostring(v)
    end
    rows[#rows + 1] = {phrase(say.grid), phrase(say.blocks, table.concat(grid, ", "), l.threads)}
  end
  rows[#rows + 1] = {phrase(say.target), k.spec or k.target}
  if next(k.config or {}) then
    rows[#rows + 1] = {phrase(say.values), config(k)}
  end
  local where = source(origin(k))
  if where then
    rows[#rows + 1] = {phrase(say.where), where}
  end
  page:rows(rows)
  if not detail then
    members(page, "kernel", variable(name, "k"))
    page:gap():para(phrase(say.more))
    return
  end
  if origin(k) then
    source_lines(page, origin(k))
  end
  tile_program(page, k)
end

function kinds.jit(page, name, f, detail)
  page:title(in_words(phrase(say.jit, name))):gap()
  if f.decorator then
    return
  end
  local static, tensors = {}, {}
  for _, p in ipairs(f.params) do
    table.insert(f.kinds[p] and tensors or static, p)
  end
  local rows = {{phrase(say.call), ("%s(%s)"):format(variable(name, f.name),
    table.concat(f.params, ", "))}}
  if next(f.kinds) then -- known since its first trace
    rows[#rows + 1] = #tensors > 0 and {phrase(say.tensors), table.concat(tensors, ", ")} or nil
    rows[#rows + 1] = #static > 0 and {phrase(say.compile_time), table.concat(static, ", ")} or nil
  end
  local n = 0
  for _ in pairs(f.kernels) do
    n = n + 1
  end
  rows[#rows + 1] = {phrase(say.kernels), f.last and phrase(say.made, n, config(f.last) ~= "" and
    config(f.last) or f.last.name) or phrase(say.none_made)}
  local where = source(f.f)
  rows[#rows + 1] = where and {phrase(say.where), where} or nil
  page:rows(rows)
  if not detail then
    members(page, "jit", variable(name, "f"))
    page:gap():para(phrase(say.more))
    return
  end
  source_lines(page, f.f)
  if f.last then
    tile_program(page, f.last)
  end
end

function kinds.prim_func(page, name, p, detail)
  page:title(in_words(phrase(say.prim, name))):gap()
  local f = p.f or p.body
  local where = source(f)
  if where then
    page:rows {{phrase(say.where), where}}
  end
  if detail then
    source_lines(page, f)
    tile_program(page, {ir = function() return tostring(p) end})
  else
    page:gap():para(phrase(say.more))
  end
end

-- Tensors and layouts ------------------------------------------------------------------------

local function number(v)
  return math.type(v) == "integer" and tostring(v) or ("%.5g"):format(v)
end

local function shape(t)
  local list = table.concat(t, ", ")
  return given.in_python() and ("(%s%s)"):format(list, #t == 1 and "," or "") or "{" .. list .. "}"
end

local Large = 1 << 22 -- elements that are looked at for the range

local function content(t)
  local n = t:numel()
  if n == 0 or n > Large or t.dtype == "bool" then
    return nil
  end
  local odd = 0
  if t.dtype:find "float" then
    odd = (t:isnan():sum() + t:isinf():sum()) // 1 | 0
  end
  return phrase(say.range, number(t:min()), number(t:max()), number(t:mean())) ..
    (odd > 0 and phrase(say.not_finite, odd) or "")
end

function kinds.tensor(page, name, t)
  page:title(phrase(say.tensor, name)):gap()
  local rows = {
    {phrase(say.shape), shape(t.shape)}, {phrase(say.dtype), t.dtype},
    {phrase(say.memory), phrase(say.bytes, t:nbytes(), t:numel())},
  }
  if not t:is_contiguous() then
    rows[#rows + 1] = {phrase(say.strides), shape(t.strides) .. ", " .. phrase(say.gaps)}
  end
  local c = content(t)
  rows[#rows + 1] = c and {phrase(say.content), c} or nil
  page:rows(rows)
  members(page, "tensor", variable(name, "t"))
end

function kinds.layout(page, name, l)
  page:title(phrase(l.thread and say.fragment or say.layout, name)):gap()
  local rows = {{phrase(say.shape), shape(l.shape)}}
  if l.thread and l.copies > 1 then
    rows[#rows + 1] = {phrase(say.copies), tostring(l.copies)}
  end
  page:rows(rows)
  local ok, modes = pcall(function() return tostring(l:modes()) end)
  if ok and modes ~= "" then
    page:gap():line(phrase(say.modes), "accent")
    page:code(modes)
  end
  members(page, "layout", variable(name, "l"))
end

-- The rest ---------------------------------------------------------------------------------------

-- The page of a function of Python's, or false.
local function python_function(page, name, f, detail)
  local core = package.loaded["moontile.python.core"]
  local sig = core and core.sigs[require("moontile.python").from_lua(f)]
  if not sig or sig.native then
    return false
  end
  local arguments = require("moontile.python.func").signature(sig):match "%b()"
  page:title(phrase(say.pyfunc, name, arguments:sub(2, -2))):gap()
  if sig.doc then
    page:para(sig.doc):gap()
  end
  page:rows {{phrase(say.where), (source(f))}}
  if detail then
    source_lines(page, f)
  end
  return true
end

local function functions(page, name, f, detail)
  if python_function(page, name, f, detail) then
    return
  end
  local names = values.parameters(f)
  local info = debug.getinfo(f, "S")
  if not names then
    page:title(phrase(say.cfunc, name))
    return
  end
  page:title(phrase(say.func, name, table.concat(names, ", "))):gap()
  local where = source(f)
  page:rows {{phrase(say.where), where or info.short_src}}
  if detail then
    source_lines(page, f)
  end
end

local function tables(page, name, t)
  local n, list = 0, {}
  for k, v in next, t do
    n = n + 1
    if type(k) == "string" and #list < 40 then
      list[#list + 1] = {k, values.note(v)}
    end
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  page:title(phrase(say.table, name, n)):gap():rows(list)
end

local function strings(page, name, s)
  local row = require("moontile.ir").dtypename(s) and help.find("T." .. s)
  if row then
    page:line(phrase(say.is, name, ("%q"):format(s)))
    page:para(help.pick(row.summary))
    return
  end
  page:line(phrase(say.is, name, term.cut(("%q"):format(s):gsub("\\\n", "\\n"), 200, "...")))
end

-- The page of the value v, which the user calls `name`; detail: with its source and
-- program.
function M.page(name, v, detail, style)
  local page = text.page(style)
  local kind, t = values.kind(v), type(v)
  local row = not kind and help.of_value(v)
  if row and row.sig then
    return require("moontile.help.show").page(row, detail, style)
  elseif kinds[kind] then
    kinds[kind](page, name, v, detail)
  elseif kind or diag.isdiag(v) then
    page:title(phrase(say.other, name, kind or "diagnostic")):gap()
    page:code(tostring(v))
    members(page, kind or "", variable(name, "r"))
  elseif t == "function" then
    functions(page, name, v, detail)
  elseif t == "string" then
    strings(page, name, v)
  elseif t == "table" and not (getmetatable(v) or {}).__tostring then
    tables(page, name, v)
  else
    page:line(phrase(say.is, name, tostring(v)))
  end
  return page:text()
end

return M
