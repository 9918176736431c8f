-- doctor/show.lua: a target's rows as text.

local term = require "moontile.term"

local M = {}

local marks = {
  en = { ok = "ok", warning = "warning", missing = "missing", failed = "failed",
    none = "not here" },
  zh = { ok = "正常", warning = "警告", missing = "缺失", failed = "失败", none = "没有" },
}
local tints = { ok = "\27[32m", warning = "\27[33m", missing = "\27[31m", failed = "\27[31m",
  none = "\27[2m" }

local function pad(s, width)
  return s .. (" "):rep(width - term.width(s))
end

local function mark(kind, lang, opt, width)
  local s = pad(marks[lang][kind], width)
  return opt.colour and tints[kind] .. s .. "\27[0m" or s
end

-- The width of the names of rows and facts.
local function names(t)
  local w = 0
  for _, r in ipairs(t.rows) do
    w = math.max(w, term.width(r.name))
  end
  for _, f in ipairs(t.facts) do
    w = math.max(w, term.width(f[1]))
  end
  return math.min(w, 26)
end

-- A text in lines of at most `width` columns, cut at spaces; further ones begin below it.
local function wrapped(s, indent, width)
  local out, line, used = {}, "", 0
  for word in s:gmatch "%S+" do
    local w = term.width(word)
    if used > 0 and used + 1 + w > width - indent then
      out[#out + 1] = line
      line, used = "", 0
    end
    line = used > 0 and line .. " " .. word or word
    used = used > 0 and used + 1 + w or w
  end
  out[#out + 1] = line
  return table.concat(out, "\n" .. (" "):rep(indent))
end

-- opt: width, colour, all (a target that is not there with what was looked for, too)
function M.text(t, lang, opt)
  local out = { pad(t.name, 10) .. mark(t.state, lang, opt, 10) .. (t.why or "") }
  local w, say_fix = names(t), lang == "zh" and "修复：" or "fix: "
  local indent = 10 + w + 2
  local function add(left, name, text)
    out[#out + 1] = left .. pad(name, w + 2) .. wrapped(text, indent, opt.width)
  end
  for _, f in ipairs(t.facts) do
    add((" "):rep(10), f[1], f[2])
  end
  for _, r in ipairs(t.rows) do
    add("  " .. mark(r.mark, lang, opt, 8), r.name, r.text)
    if r.fix then -- a command stays on its line, to be copied
      out[#out + 1] = (" "):rep(indent) .. say_fix .. r.fix
      if r.again and r.fix:find("usermod", 1, true) then
        out[#out + 1] = (" "):rep(indent) .. (lang == "zh" and "然后重新登录" or "then log in again")
      end
    elseif r.help then
      out[#out + 1] = (" "):rep(indent) .. wrapped(r.help, indent, opt.width)
    end
  end
  out[1] = out[1]:gsub("%s+$", "")
  return table.concat(out, "\n")
end

return M
