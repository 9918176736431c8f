-- help/init.lua: moontile.help: everything that has a name, in one registry.
--
-- Rows are collected, not written here: from the registry of T, the doc tables of
-- tl and its parts, the methods of kernels, tensors and layouts, plot, the topics, and
-- what is handed in (help/given.lua): the commands of the prompt.  `?name`, `:help`,
-- completion, the hint of an open call, `moontile help` and the checks of the build
-- all read these rows:
--
--   name       "T.gemm", "tl.randn", "kernel:bench", "tensor.shape", ":load", "locals"
--   kind       one of M.kinds; group: a finer one, of T
--   sig        how it is called; params, rest: the same, read (base/sig.lua); a
--              parameter has name, default, optional, named, and of T kind and choices
--   summary, text     {en =, zh =}: one line; paragraphs, or nothing
--   example    Lua; of a command the line that is typed
--   where      "lua/T/tileops.lua:82", or nothing
--   see        names
--   value      what the name stands for
--   alias_of, later   another spelling; a name of TileLang's that is not here yet

local accept = require "moontile.base.accept"
local given = require "moontile.help.given"
local suggest = require "moontile.base.suggest"
local sig = require "moontile.base.sig"

local M = {}

-- Kinds, in the order of the reference: title, and what stands before a name there.
M.kinds = {
  {id = "topic", en = "Topics", zh = "主题"},
  {id = "command", en = "Prompt commands", zh = "提示符的命令"},
  {id = "T", en = "T: the kernel language", zh = "T：内核语言"},
  {id = "tl", en = "tl: tensors, compiling, devices", zh = "tl：张量、编译与设备"},
  {id = "kernel", en = "Kernels: members of k", zh = "内核：k: 与 k. 的成员"},
  {id = "jit", en = "Functions of tl.jit", zh = "tl.jit 的函数"},
  {id = "prim_func", en = "Programs of T.prim_func", zh = "T.prim_func 的程序"},
  {id = "tensor", en = "Tensors", zh = "张量"},
  {id = "layout", en = "Layouts and fragments", zh = "布局与片段"},
  {id = "profiler", en = "Profilers", zh = "性能分析器"},
  {id = "bench", en = "Results of k:bench", zh = "k:bench 的结果"},
  {id = "check", en = "Results of k:check", zh = "k:check 的结果"},
  {id = "tl.layout", en = "tl.layout: layouts without a kernel", zh = "tl.layout：不依赖内核的布局"},
  {id = "tl.ops", en = "tl.ops: the operator library", zh = "tl.ops：算子库"},
  {id = "tl.ref", en = "tl.ref: reference operators on the CPU", zh = "tl.ref：CPU 上的参考算子"},
  {id = "tl.host", en = "tl.host: PyTorch's operators on tensors", zh = "tl.host：张量上的 PyTorch 运算"},
  {id = "tl.testing", en = "tl.testing: comparing results", zh = "tl.testing：比较结果"},
  {id = "tl.profiler", en = "tl.profiler: timing", zh = "tl.profiler：计时"},
  {id = "global", en = "Globals", zh = "全局名称"},
}

function M.lang()
  return require("moontile.diag").lang() == "zh" and "zh" or "en"
end

-- A text of a row in the language in use.
function M.pick(t)
  return t and (t[M.lang()] or t.en) or ""
end

-- Collecting --------------------------------------------------------------------------

local rows, by_name, by_value, by_tail

-- "@moontile/T/x.lua" -> "lua/T/x.lua:82", where a function of ours stands.
function M.place(f)
  if type(f) ~= "function" then
    return nil
  end
  local info = debug.getinfo(accept.inner(f), "S")
  local file = info.source:match "^@moontile/(.*)$"
  if file then
    local top = file:match "^([%w_]+)/"
    file = (top == "repl" or top == "layout_viz") and file or "lua/" .. file
  else
    file = info.source:match "^@(lua/.*)$"
  end
  return file and info.linedefined > 0 and ("%s:%d"):format(file, info.linedefined) or nil
end

local function add(row)
  if by_name[row.name] then
    return
  end
  row.text = row.text or {en = "", zh = ""}
  row.see = row.see or {}
  rows[#rows + 1], by_name[row.name] = row, row
  local tail = row.name:match "[^.:]+$"
  by_tail[tail] = by_tail[tail] or {}
  table.insert(by_tail[tail], row)
  local v = row.value
  if (type(v) == "function" or type(v) == "table") and not row.alias_of and not by_value[v] then
    by_value[v] = row
  end
end

-- What the sources call for each thing that they document.
function M.row(row)
  if not row.params and row.sig then
    local s = sig.parse(row.sig)
    row.params, row.rest = s.params, s.rest
  end
  row.params = row.params or {}
  add(row)
end

local sources = {"T", "tl", "methods", "plot", "topics"}

-- All sources, or none: what one of them raises goes on.
local function collect()
  rows, by_name, by_tail = {}, {}, {}
  by_value = setmetatable({}, {__mode = "k"})
  local ok, err = pcall(function()
    for _, name in ipairs(sources) do
      require("moontile.help.from_" .. name)(M)
    end
    for _, name in ipairs(given.sources) do
      require(name)(M)
    end
  end)
  if not ok then
    rows = nil
    error(err, 0)
  end
end

local function ready()
  if not rows then
    collect()
  end
end

-- Forgets all rows: after commands or documented modules were added.
function M.reset()
  rows = nil
end

-- Finding -------------------------------------------------------------------------------

-- Which of several names with one last part is meant first.
local rank = {topic = 1, global = 2, T = 3, tl = 4, kernel = 5, tensor = 6, layout = 7, jit = 8}

local function before(a, b)
  local x, y = rank[a.kind] or 20, rank[b.kind] or 20
  if x ~= y then
    return x < y
  end
  return a.name < b.name
end

-- The row of ":lo": the command that the prefix means, or nil.
local function command(word)
  local found
  for _, r in ipairs(rows) do
    if r.kind == "command" and r.name:sub(1, #word) == word then
      if r.name == word then
        return r
      elseif found then
        return nil
      end
      found = r
    end
  end
  return found
end

-- find("T.gemm"), find("gemm"), find(":lo") -> the row, and a list of other rows
-- with the same last part; nil when nothing has that name.
function M.find(name)
  ready()
  if type(name) ~= "string" then
    return nil
  end
  name = name:match "^%s*(.-)%s*$"
  if by_name[name] then
    return by_name[name], {}
  elseif name:find "^:%a" then
    return command(name), {}
  end
  local short = name:gsub("^tilelang%.language%.", "T."):gsub("^tilelang%.", "tl.")
  if by_name[short] then
    return by_name[short], {}
  end
  local list = by_tail[name]
  if not list then
    return nil
  end
  local others = {table.unpack(list)}
  table.sort(others, before)
  return table.remove(others, 1), others
end

-- The row of a value: a function of T or tl, a module, ..
function M.of_value(v)
  ready()
  return v ~= nil and by_value[v] or nil
end

-- All rows of a kind, or all rows; aliases and names to come only with `every`.
function M.list(kind, every)
  ready()
  local list = {}
  for _, r in ipairs(rows) do
    if (not kind or r.kind == kind) and (every or not (r.alias_of or r.later)) then
      list[#list + 1] = r
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Names near to a misspelled one, the nearest first, at most three.  With a prefix,
-- "T.gem", only names that have it.
function M.similar(name, most)
  ready()
  local prefix, tail = name:match "^(.-)([^.:]*)$"
  local list, full = {}, {}
  for _, r in ipairs(rows) do
    local p, t = r.name:match "^(.-)([^.:]*)$"
    if not r.later and (prefix == "" or p == prefix) then
      if not full[t] then
        full[t], list[#list + 1] = {}, t
      end
      table.insert(full[t], r)
    end
  end
  if #list == 0 and prefix ~= "" then -- the prefix is wrong too
    return M.similar(tail, most)
  end
  local found = {}
  while #found < (most or 3) do
    local t = suggest.find(tail, list)
    if not t then
      break
    end
    table.sort(full[t], before)
    found[#found + 1] = full[t][1].name
    for i, s in ipairs(list) do
      if s == t then
        table.remove(list, i)
        break
      end
    end
  end
  if #found == 0 and #tail >= 3 then -- at least the same beginning
    for _, s in ipairs(list) do
      if #found < (most or 3) and s:sub(1, 3):lower() == tail:sub(1, 3):lower() then
        found[#found + 1] = full[s][1].name
      end
    end
    table.sort(found)
  end
  return found
end

-- Does every word stand in the text?
local function has(text, words)
  for _, w in ipairs(words) do
    if not text:find(w, 1, true) then
      return false
    end
  end
  return true
end

-- Rows that say something of all the words: by name first, then by summary, then
-- by text, in either language.
function M.apropos(words)
  ready()
  local list = {}
  for w in tostring(words):lower():gmatch "%S+" do
    list[#list + 1] = w
  end
  local found, order = {}, {}
  for _, r in ipairs(#list > 0 and rows or {}) do
    if not r.alias_of and not r.later then
      local short = (r.summary.en .. " " .. r.summary.zh):lower()
      local long = short .. " " .. (r.text.en .. " " .. r.text.zh):lower() .. " " .. r.name:lower()
      local score = has(r.name:lower(), list) and 1 or has(short, list) and 2 or
        has(long, list) and 3
      if score then
        found[#found + 1], order[r] = r, score
      end
    end
  end
  table.sort(found, function(a, b)
    if order[a] ~= order[b] then
      return order[a] < order[b]
    end
    return before(a, b)
  end)
  return found
end

-- Showing --------------------------------------------------------------------------------

-- Prints the help for a name or an expression; detail: with source, program and
-- lowering.  Returns nothing, or why there is none.
function M.show(text, detail)
  return require("moontile.help.show").show(text, detail)
end

-- The page of a row as text.
function M.page(row, detail, style)
  return require("moontile.help.show").page(row, detail, style)
end

-- The whole reference as Markdown, in the language in use.
function M.markdown()
  return require("moontile.help.markdown").text()
end

return M
