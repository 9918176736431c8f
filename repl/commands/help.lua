-- commands/help.lua: help from the one registry, and a search in it.

return function(M)
local say = M.say

local function overview()
  return require "moontile.help.overview"
end

M.add {
  name = "help",
  args = "[NAME]",
  summary = { en = "this list, or the page on a topic, command or name",
    zh = "本列表，或某个主题、命令、名称的说明" },
  text = {
    en = "NAME is a topic (`:help locals`), a command (`:help load`), a name (`:help T.gemm`), "
      .. "a kind of names (`:help T`, `:help kernel`), or anything that `?` takes.",
    zh = "NAME 可以是主题（`:help locals`）、命令（`:help load`）、名称（`:help T.gemm`）、"
      .. "一类名称（`:help T`、`:help kernel`），或 `?` 接受的任何内容。",
  },
  example = ":help locals",
  run = function(args)
    local help = require "moontile.help"
    local kind = overview().kind(args)
    if args == "" then
      return overview().show()
    end
    local row = help.find(args)
    if kind and not (row and row.name == args) and not M.by_name[args] then
      io.stdout:write(overview().list(kind))
      return
    end
    -- a command may be said without its colon, and cut short
    if not row then
      row = help.find(":" .. args:gsub("^:", ""))
    elseif row.kind ~= "topic" and row.kind ~= "command" and M.by_name[args] then
      row = help.find(":" .. args)
    end
    if row then
      io.stdout:write(help.page(row))
      return
    end
    return help.show(args)
  end,
}

M.add {
  name = "apropos",
  args = "WORD ...",
  summary = { en = "names whose texts contain all the words", zh = "说明中含有全部词语的名称" },
  text = {
    en = "The words may be anywhere in a name, its line or its page, in English or Chinese.",
    zh = "词语可以出现在名称、摘要或说明中，中英文均可。",
  },
  example = ":apropos bank conflict",
  run = function(args)
    if args == "" then
      return say(":apropos needs a WORD", ":apropos 需要一个词")
    end
    local page, why = overview().apropos(args)
    if not page then
      return why
    end
    io.stdout:write(page)
  end,
}
end
