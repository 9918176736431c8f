-- help/show.lua: pages: of a row, and of whatever an expression stands for.

local help = require "moontile.help"
local diag = require "moontile.diag"
local given = require "moontile.help.given"
local term = require "moontile.term"
local text = require "moontile.help.text"

local M = {}

-- Phrases, English and Chinese.
local say = {
  example = {"Example", "示例"},
  see = {"See also", "另见"},
  defined = {"Defined in", "定义于"},
  also = {"The same name: ", "同名："},
  alias = {"Another spelling of %s.", "%s 的另一种写法。"},
  later = {"TileLang has %s; this version of moontile does not have it yet.",
    "TileLang 有 %s；此版本的 moontile 还没有。"},
  blackwell = {"%s is of Blackwell alone (sm_100 and later), for which no target here makes code.",
    "%s 仅 Blackwell（sm_100 及更新）可用，此处没有目标为其生成代码。"},
  before = {"On machines before it use %s.", "在更早的机器上请改用 %s。"},
  instead = {"Use %s instead.", "请改用 %s。"},
  one_of = {"one of %s", "取值 %s"},
  default = {"%s by default", "默认 %s"},
  named = {"by name", "按名称"},
  rest = {"any number", "任意多个"},
  tilelang = {"As in TileLang: tilelang.language.%s.", "与 TileLang 相同：tilelang.language.%s。"},
  keywords = {"Arguments with a default may be given by name, in a last table: %s.",
    "有默认值的参数可在最后一个表中按名称给出：%s。"},
  more = {"%s shows more.", "%s 显示更多内容。"},
  program = {"The example in a whole kernel", "示例所在的完整内核"},
  lowering = {"What the lines of the example become, as threads run it (%s)",
    "示例各行降级后的线程程序（%s）"},
  nothing = {"nothing of its own: it is known at compile time",
    "没有单独的代码：在生成内核时已确定"},
  threads = {"It names threads: the cpu target executes such a kernel thread by thread, slowly.",
    "它涉及具体线程：cpu 目标会逐线程执行这样的内核，速度较慢。"},
  needs = {"It needs a %s target.", "它需要 %s 目标。"},
  unknown = {"nothing is known about '%s'", "没有关于“%s”的说明"},
  similar = {"; similar names: %s", "；相近的名称：%s"},
  apropos = {"; :apropos WORD searches all texts", "；:apropos WORD 在全部说明中搜索"},
}

local function phrase(t, ...)
  local s = t[help.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

-- A text of ours in the prompt's language; how: a function of the module that says it in Python.
local function said(how, s)
  local python = given.in_python()
  return python and s and s ~= "" and python[how](s) or s
end

-- Parts of a page -------------------------------------------------------------------------

-- "an integer, 128 by default, by name"
local function about(p)
  local words, zh = {}, help.lang() == "zh"
  if p.choices then
    words[1] = phrase(say.one_of, table.concat(p.choices, ", "))
  elseif p.kind then
    words[1] = help.pick(p.kind)
  end
  if p.default and p.default ~= "nil" then
    words[#words + 1] = phrase(say.default, p.default)
  end
  if p.named then
    words[#words + 1] = phrase(say.named)
  end
  return table.concat(words, zh and "，" or ", ")
end

-- What parameters mean: the glossary knows names that many have.
local function meaning(row, p)
  local glossary = require "moontile.help.glossary"
  local t = glossary[row.name .. "." .. p.name] or row.kind == "T" and glossary[p.name]
  return t and help.pick(t) or ""
end

-- The parameters of a row of T: {name, what it means and takes} each.
function M.parameters(row)
  local list, zh = {}, help.lang() == "zh"
  if row.kind == "T" and row.rest then
    list[1] = {"*" .. row.rest, meaning(row, {name = row.rest}) .. (zh and "；" or "; ") ..
      phrase(say.rest)}
    list[1][2] = list[1][2]:gsub("^; ", ""):gsub("^；", "")
  end
  for _, p in ipairs(row.kind == "T" and row.params or {}) do
    local left, right = about(p), meaning(row, p)
    local both = left ~= "" and right ~= ""
    list[#list + 1] = {p.name, said("words", right .. (both and (zh and "；" or "; ") or "") .. left)}
  end
  return list
end

local function example(page, row)
  if row.example and row.example ~= "" then
    page:gap():line(phrase(say.example), "accent")
    page:code(said("code", row.example))
  end
end

local function links(page, row, others)
  local list, have = {}, {}
  for _, name in ipairs(row.see) do
    list[#list + 1], have[name] = name, true
  end
  for _, r in ipairs(others or {}) do
    if not have[r.name] and #list < 8 then
      list[#list + 1] = r.name
    end
  end
  if #list > 0 then
    page:gap():para(phrase(say.see) .. ": " .. table.concat(list, ", "))
  end
end

-- The longer text that follows from what a row is.
local function notes(page, row)
  if row.alias_of then
    page:para(phrase(say.alias, row.alias_of))
  end
  if row.threads then
    page:para(phrase(say.threads))
  end
  if row.needs then
    page:para(phrase(say.needs, row.needs))
  end
  if row.kind == "T" and row.sample and not row.sample.raw then
    for _, p in ipairs(row.params) do
      if p.default then
        local value = p.default == "nil" and "..." or p.default
        page:para(said("words", phrase(say.keywords, ("{%s = %s}"):format(p.name, value))))
        break
      end
    end
  end
end

-- Rows ----------------------------------------------------------------------------------------

local function later(page, row)
  page:head(row.name)
  page:para(phrase(row.blackwell and say.blackwell or say.later, row.name:sub(3)))
  if row.use then
    page:para(phrase(row.blackwell and say.before or say.instead, row.use))
  end
end

-- The program of a T example, and the lines of its thread program that the example
-- became.
local function lowering(page, row)
  local program, lines, machine = require("moontile.help.lower").example(row.sample)
  page:gap():line(phrase(say.program), "accent")
  page:code(said("code", program))
  if lines then
    page:gap():line(phrase(say.lowering, machine), "accent")
    if #lines == 0 then
      page:para(phrase(say.nothing), 2)
    end
    page:code(table.concat(lines, "\n"))
  end
end

-- The page of a row; detail: with program and lowering.  others: rows of the same
-- last name, for "see also".
function M.page(row, detail, style, others)
  local page = text.page(style)
  if row.later then
    later(page, row)
    return page:text()
  end
  local zh = help.lang() == "zh"
  if row.kind == "topic" then
    page:title(help.pick(row.summary))
    page:gap():para(help.pick(row.text))
    example(page, row)
    links(page, row, others)
    return page:text()
  end
  if row.kind == "command" then
    page:title(row.sig)
  else
    page:head(said("sig", row.sig or row.name))
  end
  page:gap():para(said("words", help.pick(row.summary)) .. (zh and "。" or "."))
  local list = M.parameters(row)
  if #list > 0 then
    page:gap():rows(list)
  end
  local long = help.pick(row.text)
  if long ~= "" then
    page:gap():para(row.kind == "command" and long or said("words", long))
  end
  if row.alias_of or row.threads or row.needs or row.sample then
    page:gap()
    notes(page, row)
  end
  example(page, row)
  if detail and row.sample and not row.alias_of then
    lowering(page, row)
  end
  links(page, row, others)
  if row.where then
    -- of our own files without the line, so that the text changes with the program only
    local ours = row.where:find "^lua/" or row.where:find "^repl/" or
      row.where:find "^layout_viz/"
    local file = ours and row.where:gsub(":%d+$", "") or row.where
    local where = phrase(say.defined) .. " " .. file
    local more = not detail and row.sample and phrase(say.more, "??" .. row.name)
    page:gap():aside(more and term.width(where .. more) + 4 <= page.width and
      where .. "    " .. more or where)
    if more and #page.lines > 0 and not page.lines[#page.lines]:find(more, 1, true) then
      page:aside(more)
    end
  end
  return page:text()
end

-- Names that may be meant ------------------------------------------------------------------

-- Variables of the session and globals whose names are near.
local function near_variables(name)
  local names = {}
  local env = given.prompt.env
  for _, t in ipairs {env, _G} do
    for k in next, t do
      if type(k) == "string" and not k:find "^_" then
        names[#names + 1] = k
      end
    end
  end
  return require("moontile.base.suggest").find(name, names)
end

-- "x:rehsape" of a tensor x: its methods that are near.
local function similar_methods(name)
  local object, method = name:match "^([%a_][%w_.]*):([%a_][%w_]*)$"
  local values = require "moontile.help.values"
  local kind = object and values.kind(values.eval(object))
  local list = kind and help.similar(kind .. ":" .. method) or {}
  for i, s in ipairs(list) do
    list[i] = s:gsub("^[^.:]*", object)
  end
  return #list > 0 and list or nil
end

local function unknown(name)
  local list = similar_methods(name) or help.similar(name)
  local var = name:find "^[%a_][%w_]*$" and near_variables(name)
  if var then
    table.insert(list, 1, var)
  end
  return phrase(say.unknown, diag.visible(name)) .. (#list > 0 and
    phrase(say.similar, table.concat(list, ", ")) or phrase(say.apropos))
end
M.unknown = unknown

-- Anything ------------------------------------------------------------------------------------

-- Runs an expression of the prompt: true and its value, or false and the error.
local function evaluate(expr)
  local session = given.prompt
  if not session.compile then
    return false
  end
  local chunk, err = session.compile(expr, "=help")
  if not chunk then
    return false, err
  end
  return pcall(session.run, chunk)
end

-- The method of a variable: "k:bench" where k is a kernel.
local function method_row(name)
  local object, method = name:match "^(.-):([%a_][%w_]*)$"
  if not object or object == "" then
    return nil
  end
  local values = require "moontile.help.values"
  local kind = values.kind(values.eval(object))
  return kind and help.find(kind .. ":" .. method)
end

-- Prints the help for what `expr` says.  Returns nothing, or why there is none.
function M.show(expr, detail)
  local name = expr:match "^%s*(.-)%s*$"
  if name == "" then
    return require("moontile.help.overview").show()
  end
  local python = given.in_python()
  local theirs = python and not name:find "^:" and python.page(name:gsub("%s*%(.*$", ""), detail)
  if theirs then
    io.stdout:write(theirs)
    return
  end
  local plain = name:gsub("%s*%(.*$", "") -- "T.gemm(A, B)" asks for T.gemm
  local isname = name:find "^[%a_][%w_.:]*$"
  local row, others = help.find(name)
  row = row or method_row(name)
  local values = require "moontile.help.values"
  local known = isname and not name:find ":" and values.eval(name)
  if known ~= nil and known ~= false and not (row and (row.name == name or row.value == known)) then
    io.stdout:write(require("moontile.help.value").page(name, known, detail))
    return
  elseif row then
    io.stdout:write(M.page(row, detail, nil, others))
    return
  elseif plain ~= name and help.find(plain) then
    return M.show(plain, detail)
  elseif not isname then
    local ok, v = evaluate(name)
    if ok then
      io.stdout:write(require("moontile.help.value").page(name, v, detail))
      return
    end
  end
  return unknown(name)
end

return M
