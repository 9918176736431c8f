-- pyhelp.lua: help at a prompt that reads Python: help's pages in Python's words, and pages of Python's own values.
--
--     pyhelp.code(lua)       statements of ours as Python; what cannot be said so stays
--     pyhelp.words(text)     a text of help's
--     pyhelp.sig(sig)        "tl.randn(shape, dtype='float32')"
--     pyhelp.page(name, detail) -> text, or nil: nothing in Python has that name
--     pyhelp.of(v)           the page of a value, as help(v) shows it

local core = require "moontile.python.core"
local func = require "moontile.python.func"
local help = require "moontile.help"
local inpython = require "moontile.puzzles.judge.inpython"
local P = require "moontile.python"
local python = require "moontile.repl.python"
local text = require "moontile.help.text"
local value = require "moontile.help.value"
local values = require "moontile.help.values"

local M = {}

local getmt = debug.getmetatable

local say = {
  module = {"%s: a module", "%s：模块"}, class = {"%s: a class", "%s：类"},
  builtin = {"a function of Python's", "Python 的函数"}, own = {"a function", "函数"},
  is = {"%s is %s", "%s 是 %s"}, object = {"an object of class %s", "类 %s 的对象"},
  members = {"Members", "可用的成员"}, bases = {"base classes", "基类"},
}

local function phrase(t, ...)
  local s = t[help.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

-- Words -------------------------------------------------------------------------------------------

local function attempt(f, s)
  local ok, new = pcall(f, s)
  return ok and type(new) == "string" and new or s
end

function M.code(lua)
  return (attempt(inpython.code, lua):gsub("%f[%w]tl%.host%.", "torch."):gsub("\n*$", ""))
end

local words = {
  {"nested Lua tables", "nested lists"}, {"嵌套 Lua 表", "嵌套列表"}, {"true or false", "True or False"},
  {"true 或 false", "True 或 False"}, {"%f[%w]false by default", "False by default"}, {"%f[%w]true by default", "True by default"},
  {"默认 false", "默认 False"}, {"默认 true", "默认 True"}, {"in a table", "in a tuple"}, {"（表）", "（元组）"},
  {"^false:", "False:"}, {"^true:", "True:"}, {"为 false 时", "为 False 时"}, {"为 true 时", "为 True 时"}, {"；表$", "；列表或字典"},
  {"{(%u)}", "(%1,)"}, {"{(%u), (%u)}", "(%1, %2)"}, {"{(%u), (%u), (%u)}", "(%1, %2, %3)"}, {"a table of integers", "a list of integers"}, {"整数的表", "整数的列表"}, {"a table by name", "a dict"}, {"a table", "a list or dict"},
  {"by name, in a last table: {([%w_]+) = ([^{}]*)}", "by name: %1=%2"}, {"可在最后一个表中按名称给出：{([%w_]+) = ([^{}]*)}", "可按名称给出：%1=%2"},
  {"a function of tl%.jit", "a function of tilelang.jit"}, {"tl%.compile", "tilelang.compile"}, {"tl%.jit", "tilelang.jit"},
}

local function constants(s)
  return (s:gsub("%s*=%s*false%f[^%w_]", "=False"):gsub("%s*=%s*true%f[^%w_]", "=True"):gsub("%s*=%s*nil%f[^%w_]", "=None"))
end

function M.words(s)
  for _, w in ipairs(words) do
    s = s:gsub(w[1], w[2])
  end
  return (constants(attempt(inpython.sentence, s)):gsub("%f[%w]([kxtf]):([%a_]+)", "%1.%2"))
end

function M.sig(sig)
  sig = sig:gsub("^tl%.host%.", "torch."):gsub("^tl%.", "tilelang."):gsub("^([%a]+):", "%1.")
  return constants((sig:gsub(" = ", "=")))
end

-- Names -------------------------------------------------------------------------------------------

-- The value of a name; a module of Python's need not be imported.
local function first_of(name)
  local v = python.peek(name)
  if v ~= nil then
    return P.from_lua(v)
  end
  local ok, m = pcall(P.import_as, core.late.has_module(name) and name or "")
  return ok and m or nil
end

-- The value of "a.b.c" in Python; nothing of the user's is called.
local function value_of(path)
  local v
  for name in path:gmatch "[^.]+" do
    if v == nil then
      v = first_of(name)
    else
      v = core.late.attr_or_nil(v, name)
    end
    if v == nil then
      return nil
    end
  end
  return v
end

-- Pages -------------------------------------------------------------------------------------------

local function doc_of(v)
  local doc = core.late.attr_or_nil(v, "__doc__")
  return type(doc) == "string" and doc or nil
end

local function names_of(page, v)
  local shown = {}
  for _, name in ipairs(core.late.names(v)) do
    shown[#shown + 1] = not name:find "^_" and name or nil
  end
  if #shown > 0 then
    page:gap():line(phrase(say.members), "accent")
    page:para(table.concat(shown, ", "), 2)
  end
end

local function described(page, v)
  local doc = doc_of(v)
  if doc then
    page:gap()
    for line in (doc .. "\n"):gmatch "(.-)\n" do
      page:line((line:gsub("^    ", "")))
    end
  end
end

local pages = {}

function pages.module(page, name, v)
  page:title(phrase(say.module, v.__name__ or name))
  names_of(page, v)
end

pages["type"] = function(page, name, v)
  page:title(phrase(say.class, name))
  described(page, v)
  names_of(page, v)
end

pages["function"] = function(page, name, v)
  local sig = core.sigs[v]
  page:title((func.signature(sig):gsub("^[%w_.<>]+", name))):gap():para(phrase(sig.native and say.builtin or say.own))
  described(page, v)
end

-- Does help have a page of its own for the value, which M.words turns into Python?
local function ours(v)
  return values.kind(v) ~= nil or type(v) ~= "string" and help.of_value(v) ~= nil
end

-- The row of what PyTorch's name does: torch.softmax, x.softmax.
local function operator_row(path)
  local module, name = path:match "^(.-)([%w_]+)$"
  if module == "torch." or module == "torch.nn.functional." or module == "torch.Tensor." then
    return help.find("tl.host." .. name) or help.find("tensor:" .. name)
  end
  return values.kind(value_of(module)) == "tensor" and (help.find("tensor:" .. name) or help.find("tensor." .. name)) or nil
end

local function page_of(name, v, detail)
  local sig = type(v) == "function" and core.sigs[v]
  if ours(v) or sig and not sig.native and not sig.bound then
    return value.page(name, v, detail)
  end
  local page = text.page()
  local kind = getmt(v) == core.Module and "module" or getmt(v) == core.Type and "type" or sig and "function"
  if kind then
    pages[kind](page, name, v)
  else
    local shown = P.repr(v)
    page:line(phrase(say.is, name, #shown > 300 and shown:sub(1, 297) .. "..." or shown))
    page:gap():para(phrase(say.object, core.typename(v)))
    names_of(page, v)
  end
  return page:text()
end

function M.page(name, detail)
  local path = name:match "^[%a_][%w_.]*$"
  if not path then
    return nil
  end
  local row = operator_row(path)
  if row then
    return require("moontile.help.show").page(row, detail)
  end
  local root = path:match "^[^.]*"
  if root == "T" or root == "tl" or root == "tilelang" and path ~= root and help.find(path) then
    return nil -- help's own
  end
  local v = value_of(path)
  return v ~= nil and page_of(path, v, detail) or nil
end

function M.of(v)
  if type(v) == "string" then
    return nil
  end
  local sig = type(v) == "function" and core.sigs[v]
  local row = sig and sig.native and sig.qual and operator_row((sig.qual:gsub("^Tensor%.", "torch.Tensor.")))
  if row then
    return require("moontile.help.show").page(row, false)
  end
  local name = sig and sig.name or getmt(v) == core.Type and v.name or getmt(v) == core.Module and v.__name__ or nil
  return page_of(name or core.typename(v), v, false)
end

return M
