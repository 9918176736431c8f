-- pretty.lua: a table as text, for the results that the prompt prints.
--
--     pretty.format(v [, {depth = 4, items = 40, width = 78}]) -> string
--
--     {1, 2, 3, name = "x", {nested = true}}
--
-- A table that fits goes on one line; else its fields stand one below another.
-- Deeper levels and further items are cut and say so: {...}, "... 60 more".
-- A table seen twice on the way down prints as <cycle>.  Strings inside tables
-- are quoted; anything with __tostring or __name speaks for itself.

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
  return '"' .. s .. '"'
end

-- A value that is not opened up.
local function atom(v)
  if type(v) == "string" then
    return quote(v)
  end
  local ok, s = pcall(tostring, v)
  return ok and s or "<" .. type(v) .. ">"
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

-- Many short items stand side by side: the lines, or nil when some are long.
local function fill(list, width)
  local lines, line = {}, ""
  for i, s in ipairs(list) do
    if #s > 16 or s:find("\n", 1, true) then
      return nil
    end
    local item = s .. (i < #list and "," or "")
    if line ~= "" and #line + #item + 1 > width then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and item or line .. " " .. item
  end
  lines[#lines + 1] = line
  return lines
end

local render

-- The items of t as strings, at most opt.items of them.
local function items_of(t, opt, indent, seen)
  local list, n, left = {}, rawlen(t), opt.items
  local keys = other_keys(t, n)
  for i = 1, math.min(n, left) do
    list[i] = render(rawget(t, i), opt, indent + 2, seen)
  end
  left = left - #list
  for i = 1, math.min(#keys, left) do
    local k = keys[i]
    local name = is_name(k) and k or "[" .. atom(k) .. "]"
    list[#list + 1] = name .. " = " .. render(rawget(t, k), opt, indent + 2, seen)
  end
  local more = n + #keys - #list
  if more > 0 then
    list[#list + 1] = ("... %d more"):format(more)
  end
  return list
end

function render(v, opt, indent, seen)
  if type(v) ~= "table" then
    return atom(v)
  end
  local mt = getmetatable(v)
  if type(mt) == "table" and (rawget(mt, "__tostring") or rawget(mt, "__name")) then
    return atom(v)
  end
  if seen[v] then
    return "<cycle>"
  end
  if next(v) == nil then
    return "{}"
  end
  if indent // 2 >= opt.depth then
    return "{...}"
  end
  seen[v] = true
  local list = items_of(v, opt, indent, seen)
  seen[v] = nil
  local line = "{" .. table.concat(list, ", ") .. "}"
  if #line + indent <= opt.width and not line:find("\n", 1, true) then
    return line
  end
  local pad = (" "):rep(indent + 2)
  local filled = fill(list, opt.width - indent - 2)
  if filled then
    return "{\n" .. pad .. table.concat(filled, "\n" .. pad) .. "\n" .. (" "):rep(indent) .. "}"
  end
  return "{\n" .. pad .. table.concat(list, ",\n" .. pad) .. "\n" .. (" "):rep(indent) .. "}"
end

function M.format(v, opt)
  opt = opt or {}
  return render(v, {
    depth = opt.depth or 4,
    items = opt.items or 40,
    width = opt.width or 78,
  }, 0, {})
end

return M
