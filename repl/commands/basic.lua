-- commands/basic.lua: leaving, loading, settings, variables.

local config = require "moontile.config"
local diag = require "moontile.diag"
local session = require "moontile.prompt"
local term = require "moontile.term"

return function(M)
local say = M.say

M.add {
  name = "quit",
  args = "[STATUS]",
  summary = { en = "exit, as Ctrl-D does", zh = "退出，与 Ctrl-D 相同" },
  text = { en = "STATUS is the exit status, 0 by default.", zh = "STATUS 是退出状态，默认为 0。" },
  run = function(args)
    if args ~= "" and not math.tointeger(tonumber(args)) then
      return say(":quit takes a number, not '%s'", ":quit 需要数字，而不是“%s”", args)
    end
    session.quit(math.tointeger(tonumber(args)) or 0)
  end,
}

-- Python and Lua ------------------------------------------------------------------------

local languages = {
  { "python", en = "read what could be Lua or Python as Python", zh = "两种语言都成立的输入按 Python 读取",
    now = { en = "an input that could be Lua or Python is Python now; :lua goes back",
      zh = "两种语言都成立的输入现在按 Python 读取；:lua 返回" } },
  { "lua", en = "read what could be Lua or Python as Lua", zh = "两种语言都成立的输入按 Lua 读取",
    now = { en = "an input that could be Lua or Python is Lua now; :python goes back",
      zh = "两种语言都成立的输入现在按 Lua 读取；:python 返回" } },
}

for _, l in ipairs(languages) do
  M.add {
    name = l[1],
    args = "",
    summary = { en = l.en, zh = l.zh },
    text = {
      en = "An input that only one of them has is read as that, and a statement of it settles the language too.  "
        .. "The prompt shows Python as `py 3>`.  `:help python` says what runs.",
      zh = "只有一种语言成立的输入总按该语言读取，其中的语句也会改变此设置。提示符为 `py 3>` 时表示 Python。"
        .. "`:help python` 说明支持的内容。",
    },
    example = ":" .. l[1],
    run = function()
      session.language(l[1], true)
      print(say(l.now.en, l.now.zh))
    end,
  }
end

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
      print(session.timing and say("times are now shown", "显示计时")
        or say("times are no longer shown", "不显示计时"))
      return
    end
    local chunk, err = session.compile(args, "=time")
    if not chunk then
      error(err, 0)
    end
    local t0 = term.clock()
    session.run(chunk)
    print(("%.3f ms"):format((term.clock() - t0) * 1e3))
  end,
}

M.add {
  name = "target",
  args = "[TARGET]",
  summary = { en = "where kernels run: show it, or change it", zh = "显示或更改内核在哪里运行" },
  text = {
    en = "TARGET is as for -t: auto, cpu, or one with options, as in `:target cpu -threads=1`.",
    zh = "TARGET 与 -t 相同：auto、cpu，或带选项，例如 `:target cpu -threads=1`。",
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
  text = { en = "Messages from now on are in that language.", zh = "此后的错误以该语言显示。" },
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
    en = "A kernel that takes longer is stopped; tensors stay intact. As long as you set none, a kernel whose\ntext declares a lot of work gets more: it is for those that hang.",
    zh = "超过时间的内核会被停止；张量保持不变。未设置时，文本声明了大量工作的内核会得到更多时间：它针对的是卡死的内核。",
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

-- Variables ------------------------------------------------------------------------------

local Most = 1 << 24 -- elements of a tensor that are looked at for its range

-- Smallest and largest value of a tensor of numbers, as text; "" where there are none.
local function range_of(t)
  local n = 1
  for _, extent in ipairs(t.shape) do
    n = n * extent
  end
  if n == 0 or n > Most or t.dtype == "bool" then
    return ""
  end
  local lo, hi = tonumber(tostring(t:min())), tonumber(tostring(t:max()))
  if not lo or not hi then
    return ""
  end
  return lo == hi and ("= %g"):format(lo) or ("%g .. %g"):format(lo, hi)
end

-- What kind of thing a variable is, and what there is to say of it.
local function about(v)
  local pretty = require "moontile.repl.pretty"
  local tensor = package.loaded["moontile.tensor"]
  if tensor and tensor.istensor(v) then
    return "tensor", ("%s (%s)"):format(v.dtype, table.concat(v.shape, ", ")), range_of(v)
  end
  local versions = package.loaded["moontile.T"] and require "moontile.repl.versions"
  local kind = versions and versions.kind(v)
  if kind then
    local line = tostring(v):match "^[^\n]*"
    return kind, kind == "prim_func" and v.name or (line:gsub("^kernel ", ""):gsub("^jit ", "")), ""
  end
  local mt = type(v) == "table" and getmetatable(v)
  local name = type(mt) == "table" and rawget(mt, "__name")
  if type(v) == "function" then
    local P = package.loaded["moontile.python"] -- the function of Python's that Lua calls
    local info = debug.getinfo(P and P.from_lua(v) or v, "S")
    local where = ("%s:%d"):format(info.source:sub(2), info.linedefined)
    return "function", info.what == "C" and "C" or where, ""
  end
  return name or math.type(v) or type(v), pretty.line(v, 1000), ""
end

M.add {
  name = "vars",
  args = "[NAME]",
  summary = { en = "your variables: kept locals, then globals", zh = "您的变量：保留的局部变量，然后是全局变量" },
  text = {
    en = "Kernels with their parameters, tensors with their dtype, shape and range.  With NAME: "
      .. "those that begin with it.",
    zh = "内核列出参数，张量列出 dtype、形状与取值范围。给出 NAME 时只列出以它开头的变量。",
  },
  run = function(args)
    local rows = {}
    require("moontile.repl.vars").each(function(name, v)
      if name:sub(1, #args) == args then
        local kind, what, range = about(v)
        rows[#rows + 1] = { diag.visible(name), kind, range ~= "" and what .. "  " .. range or what }
      end
    end)
    if #rows == 0 then
      print(say("none yet", "还没有"))
      return
    end
    local style = require("moontile.term").terminal()
    print(require("moontile.term.columns").table(rows, { width = style.width - 1 }))
  end,
}
end
