-- help/markdown.lua: the whole reference as Markdown, from the rows.

local help = require "moontile.help"

local M = {}

local say = {
  title = {"moontile: reference", "moontile 参考手册"},
  intro = {"Everything that has a name, from the program itself: `moontile help --all`.",
    "全部名称的说明，由程序自身生成：`moontile help --all`。"},
  contents = {"Contents", "目录"}, parameter = {"parameter", "参数"}, default = {"default", "默认值"},
  meaning = {"meaning", "含义"}, see = {"See also", "另见"}, defined = {"Defined in", "定义于"},
  alias = {"Another spelling of `%s`.", "`%s` 的另一种写法。"},
}

local function phrase(t, ...)
  local s = t[help.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

-- Text that is set line by line is code; paragraphs stay paragraphs.
local function add_text(out, text)
  local code = false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local is = line:find "^ " ~= nil
    if is ~= code then
      out(is and "\n```text" or "```\n")
      code = is
    end
    out((is and line:gsub("^  ", "") or line))
  end
  out(code and "```\n" or "")
end

local function cell(s)
  return (s:gsub("|", "\\|"))
end

local function parameters(out, row)
  local list = require("moontile.help.show").parameters(row)
  if #list == 0 then
    return
  end
  out(("| %s | %s |\n|---|---|"):format(phrase(say.parameter), phrase(say.meaning)))
  for _, p in ipairs(list) do
    out(("| `%s` | %s |"):format(p[1], cell(p[2])))
  end
  out ""
end

local function links(row)
  local list = {}
  for i, name in ipairs(row.see) do
    list[i] = "`" .. name .. "`"
  end
  return table.concat(list, ", ")
end

local function add_row(out, row)
  local zh = help.lang() == "zh"
  if row.kind == "topic" then
    out(("### %s: %s\n"):format(row.name, help.pick(row.summary)))
  else
    out(("### `%s`\n\n`%s`\n"):format(row.name, row.sig))
    out(help.pick(row.summary) .. (zh and "。\n" or ".\n"))
  end
  parameters(out, row)
  local text = help.pick(row.text)
  if text ~= "" then
    add_text(out, text)
  end
  if row.example and row.example ~= "" then
    out(("```%s\n%s\n```\n"):format(row.kind == "command" and "text" or "lua", row.example))
  end
  if #row.see > 0 then
    out(("%s: %s\n"):format(phrase(say.see), links(row)))
  end
  if row.where then -- without its line, so that the text changes with the program only
    out(("%s `%s`\n"):format(phrase(say.defined), (row.where:gsub(":%d+$", ""))))
  end
end

local function add_kind(out, kind)
  local list = help.list(kind.id)
  if #list == 0 then
    return
  end
  out(("## %s\n"):format(help.pick(kind)))
  if kind.id ~= "T" then
    for _, row in ipairs(list) do
      add_row(out, row)
    end
    return
  end
  for _, group in ipairs(help.groups) do
    for _, row in ipairs(list) do
      if row.group == group.id then
        add_row(out, row)
      end
    end
  end
end

function M.text()
  local parts = {}
  local function out(s)
    parts[#parts + 1] = s
  end
  out(("# %s\n\n%s\n"):format(phrase(say.title), phrase(say.intro)))
  out(("## %s\n"):format(phrase(say.contents)))
  for _, kind in ipairs(help.kinds) do
    local names = {}
    for i, row in ipairs(help.list(kind.id)) do
      names[i] = "`" .. row.name .. "`"
    end
    if #names > 0 then
      out(("- **%s**: %s"):format(help.pick(kind), table.concat(names, " ")))
    end
  end
  out ""
  for _, kind in ipairs(help.kinds) do
    add_kind(out, kind)
  end
  return (table.concat(parts, "\n"):gsub("\n\n\n+", "\n\n"):gsub("[ \t]+\n", "\n"))
end

return M
