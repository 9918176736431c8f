-- help/overview.lua: the pages that list: `:help`, `:help T`, `:apropos`.

local help = require "moontile.help"
local term = require "moontile.term"
local text = require "moontile.help.text"

local M = {}

local say = {
  intro = {"Type Lua with T.* kernels; an incomplete input continues on the next line.",
    "输入带 T.* 内核的 Lua；未完成的输入在下一行继续。"},
  ask = {"Ask", "查询"}, commands = {"Commands", "命令"}, topics = {"Topics", "主题"},
  name = {"what a name, a kernel or a tensor is; ??NAME shows its source, or what it becomes",
    "查看名称、内核或张量；??NAME 显示其源代码或生成的程序"},
  list = {"the page on a topic, a command or a name", "查看某个主题、命令或名称的说明"},
  search = {"names whose texts contain the words", "在全部说明中搜索"},
  sections = {"the names of T and of tl, by subject", "按主题列出 T 与 tl 的名称"},
  prefix = {"A unique prefix is enough.  Ctrl-C drops the input or stops what runs, Ctrl-D exits.",
    "唯一的前缀即可。Ctrl-C 放弃输入或停止运行，Ctrl-D 退出。"},
  one = {"?NAME explains one of them.", "?NAME 查看其中一个。"},
  none = {"no text contains '%s'", "没有说明提到“%s”"},
  many = {"... and %d more", "……另有 %d 条"},
}

local function phrase(t, ...)
  local s = t[help.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

local function valid(row)
  return not (row.command and row.command.when and not row.command.when())
end

-- :help
function M.page(style)
  local page = text.page(style)
  page:para(phrase(say.intro)):gap()
  page:rows {
    {"?NAME  ??NAME", phrase(say.name)}, {":help TOPIC", phrase(say.list)},
    {":help T  :help tl", phrase(say.sections)}, {":apropos WORD", phrase(say.search)},
  }
  page:gap():line(phrase(say.commands), "accent")
  local list = {}
  for _, r in ipairs(help.list "command") do
    if valid(r) then
      -- a line each: what a command with many arguments takes is on its own page
      local sig = term.width(r.sig) <= 20 and r.sig or r.name .. " ..."
      list[#list + 1] = {sig, help.pick(r.summary)}
    end
  end
  page:rows(list, 20)
  page:gap():line(phrase(say.topics), "accent")
  local names = {}
  for _, r in ipairs(help.list "topic") do
    names[#names + 1] = r.name
  end
  page:names(names)
  page:gap():para(phrase(say.prefix))
  return page:text()
end

function M.show()
  io.stdout:write(M.page())
end

-- The kinds that a word lists: ":help T", ":help tl.ref", ":help kernel".
function M.kind(word)
  word = word:gsub("s$", "")
  for _, k in ipairs(help.kinds) do
    if k.id == word and k.id ~= "topic" and k.id ~= "command" then
      return k
    end
  end
end

-- Names of a kind, by group where it has groups.
function M.list(kind, style)
  local page = text.page(style)
  page:title(help.pick(kind))
  if kind.id == "T" then
    for _, g in ipairs(help.groups) do
      local names = {}
      for _, r in ipairs(help.list "T") do
        if r.group == g.id then
          names[#names + 1] = r.name
        end
      end
      if #names > 0 then
        page:gap():line(help.pick(g), "accent")
        page:names(names)
      end
    end
  else
    local list = {}
    for _, r in ipairs(help.list(kind.id)) do
      list[#list + 1] = {r.sig and #r.sig <= 24 and r.sig or r.name, help.pick(r.summary)}
    end
    page:gap():rows(list)
  end
  page:gap():para(phrase(say.one))
  return page:text()
end

local Most = 20

-- What :apropos finds, as text; nil and why when there is nothing.
function M.apropos(words, style)
  local found = help.apropos(words)
  if #found == 0 then
    return nil, phrase(say.none, words)
  end
  local page, list = text.page(style), {}
  for i = 1, math.min(Most, #found) do
    list[i] = {found[i].name, help.pick(found[i].summary)}
  end
  page:rows(list)
  if #found > Most then
    page:line("  " .. phrase(say.many, #found - Most), "dim")
  end
  return page:text()
end

return M
