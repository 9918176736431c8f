-- pretty.lua: values as text, for the results that the prompt prints.
--
--     pretty.format(v [, {depth = 4, items = 40, width = 78, colour = false}]) -> string
--
--         {1, 2, 3, name = "x", {nested = true}}
--
--     pretty.result(v)       what the prompt prints for a result: a table as above, in
--                            the terminal's width and colours; a layout with its figure
--                            where that is small; anything else as it prints itself
--     pretty.line(v, width)  one line about a variable, for lists
--
-- A table that fits goes on one line; else its fields stand one below another, short
-- ones side by side in columns.  Deeper levels and further items are cut and say so:
-- {...}, "... 60 more".  A table seen twice on the way down prints as <cycle>.  Strings
-- inside tables are quoted; anything with __tostring or __name speaks for itself.
-- Places are counted in columns of the terminal: a Chinese character takes two.

local diag = require "moontile.diag"
local term = require "moontile.term"

local M = {}

local keywords = {}
for w in ([[and break do else elseif end false for function goto if in local nil
            not or repeat return then true until while]]):gmatch("%a+") do
  keywords[w] = true
end

local function quote(s)
  s = s:gsub('[%c"\\\127]', function(c)
    local short = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }
    return short[c] or ("\\x%02x"):format(c:byte())
  end)
  return '"' .. diag.visible(s) .. '"'
end

-- Colours: of each kind of value, and of what stands between them.
local tints = { number = "\27[36m", string = "\27[32m", boolean = "\27[33m", ["nil"] = "\27[33m" }
local Dim, Reset = "\27[2m", "\27[0m"

local function tinted(s, tint, opt)
  return opt.colour and tint and tint .. s .. Reset or s
end

local function dim(s, opt)
  return tinted(s, Dim, opt)
end

-- Columns that a text takes, its colours left out.
local function width_of(s, opt)
  return term.width(opt.colour and s:gsub("\27%[[%d;]*m", "") or s)
end

-- A value that is not opened up.
local function atom(v, opt)
  if type(v) == "string" then
    return tinted(quote(v), tints.string, opt)
  end
  local ok, s = pcall(tostring, v)
  return tinted(ok and diag.visible(s) or "<" .. type(v) .. ">", tints[type(v)], opt)
end

local function is_name(k)
  return type(k) == "string" and k:find("^[%a_][%w_]*$") and not keywords[k]
end

-- Keys beside 1..n in an order that does not change from run to run: numbers,
-- then strings, then the rest by what they print.
local rank = { number = 1, string = 2, boolean = 3 }
local function by_key(a, b)
  local ra, rb = rank[type(a)] or 4, rank[type(b)] or 4
  if ra ~= rb then
    return ra < rb
  end
  if ra <= 2 then
    return a < b
  end
  return tostring(a) < tostring(b)
end

local function other_keys(t, n)
  local keys = {}
  for k in next, t do
    if not (math.type(k) == "integer" and k >= 1 and k <= n) then
      keys[#keys + 1] = k
    end
  end
  table.sort(keys, by_key)
  return keys
end

-- Many short items stand side by side, in columns when they are numbers: the lines,
-- or nil when some are long.
local function fill(list, numbers, opt, width)
  local widest = 0
  for i, s in ipairs(list) do
    local w = width_of(s, opt)
    if (w > 16 or s:find("\n", 1, true)) and not (i == #list and opt.cut) then
      return nil
    end
    widest = (i < #list or not opt.cut) and w > widest and w or widest
  end
  local lines, line, used = {}, "", 0
  for i, s in ipairs(list) do
    local w = width_of(s, opt)
    local pad = numbers and i <= numbers and (" "):rep(widest - w) or ""
    local item = pad .. s .. (i < #list and dim(",", opt) or "")
    w = w + #pad + (i < #list and 1 or 0)
    if line ~= "" and used + w + 1 > width then
      lines[#lines + 1], line, used = line, "", 0
    end
    line = line == "" and item or line .. " " .. item
    used = used + w + (used > 0 and 1 or 0)
  end
  lines[#lines + 1] = line
  return lines
end

local render

-- The items of t as strings, at most opt.items of them; how many of the first are
-- numbers, when all of 1..n are; were some left out?
local function items_of(t, opt, indent, seen)
  local list, n, left = {}, rawlen(t), opt.items
  local keys, numbers = other_keys(t, n), true
  for i = 1, math.min(n, left) do
    local v = rawget(t, i)
    numbers = numbers and type(v) == "number"
    list[i] = render(v, opt, indent + 2, seen)
  end
  numbers = numbers and #list > 0 and #list
  left = left - #list
  for i = 1, math.min(#keys, left) do
    local k = keys[i]
    local name = is_name(k) and k or dim("[", opt) .. atom(k, opt) .. dim("]", opt)
    list[#list + 1] = name .. dim(" = ", opt) .. render(rawget(t, k), opt, indent + 2, seen)
  end
  local more = n + #keys - #list
  if more > 0 then
    list[#list + 1] = dim(("... %d more"):format(more), opt)
  end
  return list, numbers, more > 0
end

function render(v, opt, indent, seen)
  if type(v) ~= "table" then
    return atom(v, opt)
  end
  local mt = getmetatable(v)
  if type(mt) == "table" and (rawget(mt, "__tostring") or rawget(mt, "__name")) then
    return atom(v, opt)
  end
  if seen[v] then
    return dim("<cycle>", opt)
  end
  if next(v) == nil then
    return dim("{}", opt)
  end
  if indent // 2 >= opt.depth then
    return dim("{...}", opt)
  end
  seen[v] = true
  local list, numbers, cut = items_of(v, opt, indent, seen)
  seen[v] = nil
  local line = dim("{", opt) .. table.concat(list, dim(", ", opt)) .. dim("}", opt)
  if not line:find("\n", 1, true) and width_of(line, opt) + indent <= opt.width then
    return line
  end
  local pad = (" "):rep(indent + 2)
  opt.cut = cut
  local filled = fill(list, numbers, opt, opt.width - indent - 2)
  opt.cut = nil
  return dim("{", opt) .. "\n" .. pad ..
    table.concat(filled or list, filled and "\n" .. pad or dim(",", opt) .. "\n" .. pad) .. "\n" ..
    (" "):rep(indent) .. dim("}", opt)
end

function M.format(v, opt)
  opt = opt or {}
  return render(v, {
    depth = opt.depth or 4,
    items = opt.items or 40,
    width = opt.width or 78,
    colour = opt.colour and opt.colour ~= 0,
  }, 0, {})
end

-- Results --------------------------------------------------------------------------------

local Rows = 20 -- lines of a figure that is shown without being asked for

-- A layout's figure as text when it is small enough, else how to see it; nil where one
-- figure does not show it.
local function figure_of(v, style)
  local plot = require "moontile.layout_viz.plot"
  local ok, f = pcall(plot.figure, v)
  if not ok or type(f) == "table" and getmetatable(f) == nil then
    return nil
  end
  local s = f:render { format = "text", colour = style.colour, unicode = style.unicode,
    width = style.width }
  local _, lines = s:gsub("\n", "")
  if lines > Rows then
    return dim(require("moontile.diag").lang() == "zh" and "plot(_) 可画出它" or "plot(_) draws it",
      { colour = style.colour ~= 0 })
  end
  return (s:gsub("\n$", ""))
end

local function is_layout(v)
  local object = package.loaded["moontile.layout.object"]
  return object and object.is(v)
end

function M.result(v)
  if type(v) ~= "table" then
    return diag.visible(tostring(v))
  end
  local style = term.terminal()
  local mt = getmetatable(v)
  if is_layout(v) then
    local figure = figure_of(v, term.terminal())
    return tostring(v) .. (figure and "\n" .. figure or "")
  elseif type(mt) == "table" and rawget(mt, "__tostring") then
    return diag.visible(tostring(v), style.colour)
  end
  return M.format(v, { width = style.width - 2, colour = style.colour })
end

-- Lists ------------------------------------------------------------------------------------

function M.line(v, width)
  local s = M.format(v, { depth = 2, items = 8, width = 10000 }):gsub("%s+", " ")
  return term.cut(s, width, "...")
end

return M
