-- python/lib/textwrap.lua: Python's module textwrap.

local core = require "moontile.python.core"
local native = require "moontile.python.native"

local M = {}

local function lines_of(s)
  local l = {}
  for line in (s .. "\n"):gmatch "(.-)\n" do
    l[#l + 1] = line
  end
  return l
end

-- The blanks that all lines that have something begin with.
local function margin(lines, from)
  local m
  for i = from, #lines do
    local blanks = lines[i]:match "^([ \t]*)%S"
    if blanks and not m then
      m = blanks
    elseif blanks then
      while blanks:sub(1, #m) ~= m do
        m = m:sub(1, -2)
      end
    end
  end
  return m or ""
end

local function dedent(s)
  local lines = lines_of(s)
  local m = #margin(lines, 1)
  for i, line in ipairs(lines) do
    lines[i] = line:find "%S" and line:sub(m + 1) or ""
  end
  return table.concat(lines, "\n")
end

local function cleandoc(s)
  local lines = lines_of(s)
  local m = #margin(lines, 2)
  lines[1] = lines[1]:gsub("^%s+", "")
  for i = 2, #lines do
    lines[i] = lines[i]:sub(m + 1):gsub("%s+$", "")
  end
  return (table.concat(lines, "\n"):gsub("^\n+", ""):gsub("\n+$", ""))
end

local function wrap(s, width)
  local l, line = {}, nil
  for word in s:gmatch "%S+" do
    if line and #line + 1 + #word > (width or 70) then
      l[#l + 1], line = line, word
    else
      line = line and line .. " " .. word or word
    end
  end
  l[#l + 1] = line
  return l
end

native.functions(M, {
  ["dedent(text)"] = dedent, ["cleandoc(doc)"] = cleandoc,
  ["indent(text, prefix)"] = function(s, prefix)
    return (s:gsub("[^\n]+", function(line) return line:find "%S" and prefix .. line or line end))
  end,
  ["wrap(text, width?)"] = function(s, width) return core.list(wrap(s, width)) end,
  ["fill(text, width?)"] = function(s, width) return table.concat(wrap(s, width), "\n") end,
  ["shorten(text, width, *, placeholder)"] = function(s, width, dots)
    dots = dots or " [...]"
    s = s:gsub("%s+", " ")
    if #s <= width then
      return s
    end
    return (wrap(s, width - #dots)[1] or "") .. dots
  end,
})

return M
