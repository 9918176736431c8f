-- settings.lua: what :set can change.
--
--     settings.list              rows {name =, values = | check =, get =, set =, summary =}
--     settings.find(name)        a row | nil, why
--     settings.set(name, text)   nil, or why not
--
-- Settings are kept in moontile.config and moontile.config.style, where whoever
-- prints looks: style.colour (0, 4, 8, 24; nil: what the terminal can), style.width,
-- style.unicode, style.errors ("short" | "long"), style.hints, style.suggestions
-- (booleans), style.editor.

local config = require "moontile.config"
local suggest = require "moontile.base.suggest"
local session = require "moontile.prompt"

local M = { list = {}, by_name = {} }

config.style = config.style or {}
local style = config.style
local colour_at_start = config.colour

local function say(...)
  return require("moontile.repl.commands").say(...)
end

local function add(row)
  table.insert(M.list, row)
  M.by_name[row.name] = row
end

local function onoff(v)
  return v and "on" or "off"
end

-- A setting that is on or off in a table's field; default: where nothing was set.
local function switch(name, t, field, default, summary)
  add { name = name, values = { "on", "off" }, summary = summary,
    get = function() return onoff(t[field] == nil and default or t[field]) end,
    set = function(v) t[field] = v == "on" end }
end

local depth_of = { ["24bit"] = 24, ["256"] = 8, ["16"] = 4, none = 0 }
local name_of = { [24] = "24bit", [8] = "256", [4] = "16", [0] = "none" }

-- The most that the terminal behind TERM can, where a pipe would have none.
local function always()
  local more, term = os.getenv "COLORTERM" or "", os.getenv "TERM" or ""
  if more:find "truecolor" or more:find "24bit" then
    return 24
  end
  return term:find "256color" and 8 or 4
end

add {
  name = "color", values = { "auto", "24bit", "256", "16", "none", "always" },
  summary = { en = "colours in output", zh = "输出的颜色" },
  get = function() return style.colour == nil and "auto" or name_of[style.colour] or "always" end,
  set = function(v)
    style.colour = depth_of[v]
    if v == "always" then
      style.colour = always()
    end
    config.colour = v ~= "none" and (v ~= "auto" or colour_at_start)
    session.setcolour(v == "auto" and "auto" or v == "none" and "never" or "always")
  end,
}

add {
  name = "width", args = "auto|COLUMNS", values = { "auto" },
  summary = { en = "how wide figures and lists may be", zh = "图形与列表的最大宽度" },
  check = function(v)
    local n = math.tointeger(tonumber(v))
    return n and n >= 20 and n <= 1000 and n or nil,
      say("20 to 1000 columns, or auto", "20 到 1000 列，或 auto")
  end,
  get = function() return style.width and tostring(style.width) or "auto" end,
  set = function(v) style.width = v ~= "auto" and v or nil end,
}

add {
  name = "unicode", values = { "auto", "on", "off" },
  summary = { en = "boxes and blocks, or plain ASCII", zh = "使用制表与块字符，或仅用 ASCII" },
  get = function() return style.unicode == nil and "auto" or onoff(style.unicode) end,
  set = function(v)
    style.unicode = nil
    if v ~= "auto" then
      style.unicode = v == "on"
    end
  end,
}

add {
  name = "errors", values = { "long", "short" },
  summary = { en = "errors with or without the source line", zh = "错误是否显示源代码行" },
  get = function() return style.errors or "long" end,
  set = function(v)
    style.errors = v
    require("moontile.diag").setshort(v == "short")
  end,
}

switch("hints", style, "hints", true,
  { en = "the signature of the call that is being typed", zh = "输入时显示调用的签名" })
switch("suggestions", style, "suggestions", true,
  { en = "grey suggestions from the history", zh = "灰色的历史补全建议" })

add {
  name = "lang", values = { "en", "zh" },
  summary = { en = "the language of messages", zh = "消息的语言" },
  get = function() return config.lang == "zh" and "zh" or "en" end,
  set = function(v)
    config.lang = v
    session.setlang(v)
  end,
}

switch("time", session, "timing", false,
  { en = "the time after each input", zh = "每次输入后显示用时" })

add {
  name = "limit", args = "SECONDS", values = {},
  summary = { en = "how long a kernel may run; 0: no limit", zh = "内核最长运行时间（秒）；0 表示不限" },
  check = function(v)
    local n = tonumber(v)
    return n and n >= 0 and n < math.huge and n or nil, say("seconds", "秒数")
  end,
  get = function() return ("%g"):format(require("moontile.tl.device").time_limit()) end,
  set = function(v) require("moontile.tl.device").set_time_limit(v) end,
}

add {
  name = "target", args = "NAME", values = {},
  summary = { en = "where kernels run", zh = "内核在哪里运行" },
  check = function(v) return v end,
  get = function() return require("moontile.tl").current_device() end,
  set = function(v) require("moontile.tl").set_target(v) end,
}

add {
  name = "editor", args = "COMMAND", values = { "auto" },
  summary = { en = "for :edit; auto: $VISUAL, $EDITOR", zh = ":edit 使用的编辑器；auto 即 $VISUAL、$EDITOR" },
  check = function(v) return v end,
  get = function()
    local found = not style.editor and require("moontile.term.editors").name()
    return style.editor or ("auto (%s)"):format(found or "-")
  end,
  set = function(v) style.editor = v ~= "auto" and v or nil end,
}

-- What a row takes, as one word.
function M.form(row)
  return row.args or table.concat(row.values, "|")
end

function M.find(name)
  if M.by_name[name] then
    return M.by_name[name]
  end
  local names, found = {}, {}
  for i, row in ipairs(M.list) do
    names[i] = row.name
    if row.name:sub(1, #name) == name then
      found[#found + 1] = row
    end
  end
  if #found == 1 then
    return found[1]
  end
  local meant = name == "colour" and "color" or suggest.find(name, names)
  if meant then
    return nil, say("there is no setting %s; did you mean %s?", "没有设置 %s；您是否想写 %s？", name, meant)
  end
  return nil, say("there is no setting %s; the settings are %s", "没有设置 %s；现有设置：%s", name,
    table.concat(names, ", "))
end

function M.set(name, text)
  local row, why = M.find(name)
  if not row then
    return why
  end
  for _, v in ipairs(row.values) do
    if v == text then
      row.set(v)
      return
    end
  end
  local v, wanted = nil, M.form(row)
  if row.check then
    v, wanted = row.check(text)
  end
  if v == nil then
    local meant = suggest.find(text, row.values)
    if meant then
      return say("%s takes %s, not %s; did you mean %s?", "%s 可取 %s，而不是 %s；您是否想写 %s？", row.name,
        wanted, text, meant)
    end
    return say("%s takes %s, not %s", "%s 可取 %s，而不是 %s", row.name, wanted, text)
  end
  row.set(v)
end

return M
