-- commands/session.lua: settings, history, messages, a fresh start, the shell.

local diag = require "moontile.diag"
local journal = require "moontile.repl.journal"
local session = require "moontile.prompt"
local term = require "moontile.term"

return function(M)
local say = M.say

local function settings() return require "moontile.repl.settings" end

-- Settings ------------------------------------------------------------------------------

local function list_settings()
  local rows = {}
  for i, row in ipairs(settings().list) do
    rows[i] = { row.name, diag.visible(row.get()), row.summary[M.lang()] }
  end
  local style = require("moontile.term").terminal()
  print(require("moontile.term.columns").table(rows, { width = style.width - 1 }))
end

M.add {
  name = "set",
  args = "[NAME [VALUE]]",
  summary = { en = "settings: list them, show one, change one", zh = "设置：列出、显示或更改" },
  text = {
    en = "`:set` lists them, `:set color` shows what one may be, `:set color none` changes it.",
    zh = "`:set` 列出全部设置，`:set color` 显示可取的值，`:set color none` 更改它。",
  },
  complete = function(words)
    local list = {}
    local row = words[1] and settings().find(words[1])
    if row then
      return row.values
    elseif not words[1] then
      for i, r in ipairs(settings().list) do
        list[i] = { text = r.name, note = r.summary[M.lang()] }
      end
    end
    return list
  end,
  run = function(args)
    local name, value = args:match "^(%S*)%s*=?%s*(.-)$"
    if name == "" then
      return list_settings()
    elseif value ~= "" then
      local why = settings().set(name, value)
      if why then
        return why
      end
    end
    local row, why = settings().find(name)
    if not row then
      return why
    end
    local now = diag.visible(row.get())
    print(value ~= "" and ("%s %s"):format(row.name, now) or
      ("%s %s  (%s)\n%s"):format(row.name, now, settings().form(row), row.summary[M.lang()]))
  end,
}

-- History -------------------------------------------------------------------------------

M.add {
  name = "history",
  args = "[N|TEXT]",
  summary = { en = "what was typed: the last N entries, or those with TEXT",
    zh = "输入历史：最近 N 条，或包含 TEXT 的条目" },
  text = { en = "Without an argument: the last 20.", zh = "不带参数时显示最近 20 条。" },
  run = function(args)
    local all, list = session.history(), {}
    if #all == 0 then -- no terminal: of this session
      for _, e in ipairs(journal.list) do
        all[#all + 1] = (e.kind == "input" or e.kind == "command") and e.text or nil
      end
    end
    local n = math.tointeger(tonumber(args ~= "" and args or "20"))
    if n and n < 1 then
      return say(":history takes a number from 1 up, or a text", ":history 需要不小于 1 的数或文本")
    end
    for i = n and math.max(1, #all - n + 1) or 1, #all do
      if n or all[i]:find(args, 1, true) then
        list[#list + 1] = ("%5d  %s"):format(i, (all[i]:gsub("\n", "\n       ")))
      end
    end
    if #list == 0 then
      return n and say("the history is empty", "历史为空") or
        say("no entry contains %s", "没有包含 %s 的条目", args)
    end
    print(diag.visible(table.concat(list, "\n"))) -- what was pasted stands in it
  end,
}

-- A fresh start ---------------------------------------------------------------------------

M.add {
  name = "reset",
  args = "",
  summary = { en = "forget all variables", zh = "忘记所有变量" },
  text = { en = "Settings, the target and the history stay.", zh = "设置、目标与历史保持不变。" },
  run = function()
    local names = require("moontile.repl.vars").reset()
    if package.loaded["moontile.repl.versions"] then
      require("moontile.repl.versions").reset()
    end
    if package.loaded["moontile.repl.python"] then
      require("moontile.repl.python").reset()
    end
    collectgarbage()
    if #names == 0 then
      print(say("there were no variables", "没有变量"))
      return
    end
    print(say(#names == 1 and "forgot %d variable: %s" or "forgot %d variables: %s",
      "已忘记 %d 个变量：%s", #names, table.concat(names, ", ")))
  end,
}

-- Messages ----------------------------------------------------------------------------------

-- Explains the code, or the last error; nil, true: there was none.
local function explain(args)
  local last = diag.isdiag(session.error) and session.error or nil
  local code = args ~= "" and args:upper() or last and last.code
  if not code then
    return nil, true
  end
  return require("moontile.repl.errors").explain(code, last and last.code == code and last or nil)
end

-- :explain of inside.lua is about kernels, and a code by itself; here it learns of the
-- session's last error.
local explain_command = M.by_name.explain
local explain_kernel = explain_command.run

function explain_command.run(args)
  local failed = args == "" and journal.failed()
  if failed or args:find "^[Ee]%d+$" then
    local why, none = explain(args)
    if not none then
      return why
    end
  end
  return explain_kernel(args)
end

-- The shell -----------------------------------------------------------------------------------

M.add {
  name = "!",
  args = "COMMAND",
  summary = { en = "a shell command", zh = "运行 shell 命令" },
  text = { en = "`:!ls` or `!ls` runs it.", zh = "`:!ls` 或 `!ls`。" },
  run = function(args)
    if args == "" then
      return say(":! needs a COMMAND", ":! 需要命令")
    end
    local status = term.shell(args)
    if status ~= 0 then
      return say("exit status %d", "退出状态 %d", status)
    end
  end,
}
end
