-- commands.lua: the commands of the prompt, ":name arguments".
--
-- One registry: help, abbreviation and, in time, completion are derived from
-- it.  A command is added with
--
--     commands.add{
--       name = "load", args = "FILE",
--       summary = {en = "...", zh = "..."},      -- a line in :help
--       text = {en = "...", zh = "..."},         -- below it in :help load
--       when = function() return true end,       -- [optional] valid now?
--       run = function(args, say) ... end,       -- args: the rest of the line
--     }
--
-- run returns nothing, or a text that says why it refused.  Any unique prefix
-- of a name will do.  What commands may use of the session (prompt.c) is in
-- moontile.prompt.

local config = require "moontile.config"
local session = require "moontile.prompt"

local M = { list = {}, by_name = {} }

local function lang()
  return config.lang == "zh" and "zh" or "en"
end

-- Texts of this file, picked by language.
local function say(en, zh, ...)
  return (lang() == "zh" and zh or en):format(...)
end

function M.add(c)
  assert(c.name and c.args and c.summary.en and c.summary.zh and c.text.en and c.text.zh and c.run,
    "a command needs name, args, summary, text and run")
  assert(not M.by_name[c.name], c.name)
  M.by_name[c.name] = c
  table.insert(M.list, c)
  table.sort(M.list, function(a, b) return a.name < b.name end)
end

local function valid(c)
  return not c.when or c.when()
end

-- The command that `word` abbreviates; else nil and why not.
function M.find(word)
  if M.by_name[word] and valid(M.by_name[word]) then
    return M.by_name[word]
  end
  local found = {}
  for _, c in ipairs(M.list) do
    if valid(c) and c.name:sub(1, #word) == word then
      found[#found + 1] = c.name
    end
  end
  if #found == 1 then
    return M.by_name[found[1]]
  end
  if #found > 1 then
    return nil, say("':%s' may be :%s", "“:%s”可以是 :%s", word, table.concat(found, ", :"))
  end
  return nil, say("there is no command ':%s'; :help lists them",
    "没有命令“:%s”；:help 列出全部命令", word)
end

-- Runs one line.  Returns nil, or a text that says why nothing was done.
function M.run(line)
  local word, args = line:match("^%s*:%s*(%S*)%s*(.-)%s*$")
  if word == "" or word == "?" then
    word = "help"
  end
  local c, why = M.find(word)
  if not c then
    return why
  end
  return c.run(args)
end

-- The commands -------------------------------------------------------------

local function columns(left, right)
  print(("  %-20s%s"):format(left, right))
end

M.add {
  name = "help",
  args = "[COMMAND]",
  summary = { en = "this list, or the text of one command", zh = "本列表，或某个命令的说明" },
  text = {
    en = "`:help locals` tells what the prompt keeps between inputs.",
    zh = "`:help locals` 说明提示符在两次输入之间保留什么。",
  },
  run = function(args)
    if args == "locals" then
      print(say([[
Locals of one input are there in the next.  Limits: `local k <const> = 1` is
folded away by Lua and not kept; a <close> variable is kept closed; a function
keeps its own variable, which a later assignment here does not reach; an input
that says `return f(x)` leaves no locals; a nil local does not hide a global.
`_` is the last result, `_7` that of input 7.]], [[
一次输入中的局部变量在下一次输入中仍可使用。限制：`local k <const> = 1` 会被
Lua 折叠而不保留；<close> 变量保留时已关闭；函数保留自己的变量，之后在此处的
赋值不会影响它；以 `return f(x)` 结尾的输入不留下局部变量；值为 nil 的局部变量
不会遮住同名全局变量。`_` 是上一个结果，`_7` 是第 7 次输入的结果。]]))
      return
    end
    if args ~= "" then
      local c, why = M.find((args:gsub("^:", "")))
      if not c then
        return why
      end
      print((":%s %s"):format(c.name, c.args))
      print(c.summary[lang()])
      if c.text[lang()] ~= "" then
        print(c.text[lang()])
      end
      return
    end
    print(say("Type Lua with T.* kernels; an input that is not complete goes on on the next line.",
      "输入带 T.* 内核的 Lua；未完成的输入在下一行继续。"))
    for _, c in ipairs(M.list) do
      if valid(c) then
        columns(":" .. c.name .. " " .. c.args, c.summary[lang()])
      end
    end
    print(say("A unique prefix is enough.  Ctrl-C drops or stops what there is, Ctrl-D leaves.",
      "唯一的前缀即可。Ctrl-C 放弃输入或停止运行，Ctrl-D 退出。"))
  end,
}

M.add {
  name = "quit",
  args = "[STATUS]",
  summary = { en = "leave, as Ctrl-D does", zh = "退出，与 Ctrl-D 相同" },
  text = { en = "STATUS is the exit status, 0 by default.", zh = "STATUS 是退出状态，默认为 0。" },
  run = function(args)
    if args ~= "" and not math.tointeger(tonumber(args)) then
      return say(":quit takes a number, not '%s'", ":quit 需要数字，而不是“%s”", args)
    end
    session.quit(math.tointeger(tonumber(args)) or 0)
  end,
}

M.add {
  name = "load",
  args = "FILE",
  summary = { en = "run a file here, keeping its locals", zh = "在此运行文件，并保留其局部变量" },
  text = {
    en = "FILE may also be the name of an example, as in `:load quickstart`.",
    zh = "FILE 也可以是示例的名字，例如 `:load quickstart`。",
  },
  run = function(args)
    if args == "" then
      return say(":load needs a FILE", ":load 需要 FILE")
    end
    local chunk, err, missing = session.open(args)
    if missing and not args:find("[/.]") then
      chunk = session.example(args)
    end
    if not chunk then
      if missing then
        return err
      end
      error(err, 0)
    end
    session.run(chunk)
  end,
}

M.add {
  name = "time",
  args = "[on|off|CODE]",
  summary = { en = "the time that CODE, or each input, takes", zh = "显示 CODE 或每次输入所用的时间" },
  text = {
    en = "Without an argument it turns the time after each input on or off.",
    zh = "不带参数时，开启或关闭每次输入后的计时。",
  },
  run = function(args)
    if args == "" or args == "on" or args == "off" then
      session.timing = args == "on" or (args == "" and not session.timing)
      print(session.timing and say("times are shown", "显示计时")
        or say("times are not shown", "不显示计时"))
      return
    end
    local chunk, err = session.compile(args, "=time")
    if not chunk then
      error(err, 0)
    end
    local t0 = session.clock()
    session.run(chunk)
    print(("%.3f ms"):format((session.clock() - t0) * 1e3))
  end,
}

M.add {
  name = "target",
  args = "[NAME]",
  summary = { en = "where kernels run: show it, or change it", zh = "显示或更改内核在哪里运行" },
  text = {
    en = "NAME as for -t: auto, cpu, or with options, as in `:target cpu -threads=1`.",
    zh = "NAME 与 -t 相同：auto、cpu，或带选项，例如 `:target cpu -threads=1`。",
  },
  run = function(args)
    local tl = require "moontile.tl"
    if args ~= "" then
      tl.set_target(args)
    end
    print(tl.current_device())
  end,
}

M.add {
  name = "lang",
  args = "en|zh",
  summary = { en = "the language of messages", zh = "消息的语言" },
  text = { en = "Errors shown from now on are in that language.", zh = "此后的错误以该语言显示。" },
  run = function(args)
    if args ~= "en" and args ~= "zh" then
      return say(":lang takes en or zh", ":lang 需要 en 或 zh")
    end
    config.lang = args
    session.setlang(args)
  end,
}

M.add {
  name = "limit",
  args = "[SECONDS]",
  summary = { en = "how long a kernel may run; 0: no limit", zh = "内核最长运行时间；0 表示不限" },
  text = {
    en = "A kernel that takes longer is stopped; tensors stay intact.",
    zh = "超过时间的内核会被停止；张量保持不变。",
  },
  run = function(args)
    local seconds = tonumber(args)
    if args ~= "" and not (seconds and seconds >= 0 and seconds < math.huge) then
      return say(":limit takes seconds, not '%s'", ":limit 需要秒数，而不是“%s”", args)
    end
    local device = require "moontile.tl.device"
    if seconds then
      device.set_time_limit(seconds)
    end
    print(say("%g s", "%g 秒", device.time_limit()))
  end,
}

-- Names and values of a table of variables, in order, each cut to a line.
local function list_vars(t, skip)
  local pretty = require "moontile.repl.pretty"
  local names = {}
  for k in next, t do
    if type(k) == "string" and not skip(k) then
      names[#names + 1] = k
    end
  end
  table.sort(names)
  for _, k in ipairs(names) do
    local s = pretty.format(rawget(t, k), { depth = 2, items = 8, width = 1000 })
    s = s:gsub("%s+", " ")
    columns(k, #s > 56 and s:sub(1, utf8.offset(s, 0, 54) - 1) .. "..." or s)
  end
  return #names
end

M.add {
  name = "vars",
  args = "",
  summary = { en = "your variables: kept locals, then globals", zh = "您的变量：保留的局部变量，然后是全局变量" },
  text = { en = "", zh = "" },
  run = function()
    local n = list_vars(session.env, function(k) return k:find("^_%d*$") end)
    n = n + list_vars(_G, function(k)
      return session.baseline[k] or k == "T" or k == "tl" or k:find("^_")
    end)
    if n == 0 then
      print(say("none yet", "还没有"))
    end
  end,
}

return M
