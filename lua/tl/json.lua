-- tl/json.lua: tables as JSON text and back: keys in order of their names, lists
-- as arrays; an empty table is an empty list.

local diag = require "moontile.diag"

local M = {}

local function number(v)
  if v ~= v or v == math.huge or v == -math.huge then
    return "null"
  end
  if math.type(v) == "integer" then
    return ("%d"):format(v)
  end
  for digits = 10, 16 do
    local s = ("%." .. digits .. "g"):format(v)
    if tonumber(s) == v then
      return s
    end
  end
  return ("%.17g"):format(v)
end

local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local encode

local function object(t)
  local keys, parts = {}, {}
  for k in pairs(t) do
    keys[#keys + 1] = tostring(k)
  end
  table.sort(keys)
  for i, k in ipairs(keys) do
    parts[i] = quote(k) .. ": " .. encode(t[k])
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function list(t)
  local parts = {}
  for i, v in ipairs(t) do
    parts[i] = encode(v)
  end
  return "[" .. table.concat(parts, ", ") .. "]"
end

-- v: nil, boolean, number, string, or a table of them without cycles; anything
-- else is written as tostring() has it.
function encode(v)
  if v == nil then
    return "null"
  elseif type(v) == "boolean" then
    return tostring(v)
  elseif type(v) == "number" then
    return number(v)
  elseif require("moontile.tensor").isplain(v) then
    return (#v > 0 or next(v) == nil) and list(v) or object(v)
  end
  return quote(tostring(v))
end

M.encode = encode

-- C1 and what turns the order of characters around (core/base/visible.c), as UTF-8.
local hidden = {"\xc2[\x80-\x9f]", "\xd8\x9c", "\xe2\x80[\x8e\x8f\xa8-\xae]", "\xe2\x81[\xa6-\xa9]",
  "\xef\xbb\xbf"}

local function escape(c)
  return ("\\u%04x"):format(utf8.codepoint(c))
end

-- encode(v) for other programs: UTF-8, whatever bytes names of files and texts of programs are,
-- and nothing that a terminal would obey.
function M.public(v)
  local s = encode(v)
  for _, pattern in ipairs(hidden) do
    s = s:gsub(pattern, escape)
  end
  return diag.visible(s)
end

-- Reading -------------------------------------------------------------------------

local escapes = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t"}

-- A failed read: what was wanted, at the place.
local function bad(at, what)
  error({json = what, at = at}, 0)
end

local function skip(s, at)
  return s:find("[^ \t\r\n]", at) or #s + 1
end

local function surrogates(s, at, high)
  local low = s:match("^\\u(%x%x%x%x)", at)
  low = low and tonumber(low, 16)
  if not low or low < 0xdc00 or low > 0xdfff then
    bad(at, "the second half of a character")
  end
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), at + 6
end

-- The string whose quote stands at `at`, and where it ends.
local function string_at(s, at)
  local parts = {}
  at = at + 1
  while true do
    local plain, stop = s:match('^([^"\\%c]*)()', at)
    parts[#parts + 1] = plain
    local c, e = s:sub(stop, stop), s:sub(stop + 1, stop + 1)
    if c == '"' then
      return table.concat(parts), stop + 1
    elseif c ~= "\\" then
      bad(stop, "the end of a string")
    elseif e == "u" then
      local code = tonumber(s:match("^%x%x%x%x", stop + 2) or bad(stop, "four digits"), 16)
      at = stop + 6
      if code >= 0xd800 and code <= 0xdbff then
        code, at = surrogates(s, at, code)
      end
      parts[#parts + 1] = utf8.char(code)
    else
      parts[#parts + 1] = escapes[e] or e:match('["\\/]') or bad(stop, "an escape")
      at = stop + 2
    end
  end
end

local words = {["true"] = true, ["false"] = false}

local value

local function list_at(s, at, depth)
  local t, n = {}, 0
  at = skip(s, at + 1)
  if s:sub(at, at) == "]" then
    return t, at + 1
  end
  while true do
    n = n + 1
    t[n], at = value(s, at, depth)
    at = skip(s, at)
    local c = s:sub(at, at)
    if c == "]" then
      return t, at + 1
    elseif c ~= "," then
      bad(at, "`,` or `]`")
    end
    at = at + 1
  end
end

local function object_at(s, at, depth)
  local t = {}
  at = skip(s, at + 1)
  if s:sub(at, at) == "}" then
    return t, at + 1
  end
  while true do
    at = skip(s, at)
    if s:sub(at, at) ~= '"' then
      bad(at, "a name")
    end
    local key
    key, at = string_at(s, at)
    at = skip(s, at)
    if s:sub(at, at) ~= ":" then
      bad(at, "`:`")
    end
    t[key], at = value(s, at + 1, depth)
    at = skip(s, at)
    local c = s:sub(at, at)
    if c == "}" then
      return t, at + 1
    elseif c ~= "," then
      bad(at, "`,` or `}`")
    end
    at = at + 1
  end
end

function value(s, at, depth)
  at = skip(s, at)
  local c = s:sub(at, at)
  if depth > 100 then
    bad(at, "less depth")
  elseif c == "{" then
    return object_at(s, at, depth + 1)
  elseif c == "[" then
    return list_at(s, at, depth + 1)
  elseif c == '"' then
    return string_at(s, at)
  end
  local digits, stop = s:match("^(-?%d+%.?%d*[eE]?[+-]?%d*)()", at)
  if tonumber(digits) then
    return tonumber(digits), stop
  end
  local word
  word, stop = s:match("^(%a+)()", at)
  if word == "null" then
    return nil, stop
  elseif words[word] == nil then
    bad(at, "a value")
  end
  return words[word], stop
end

-- The value that the text holds, or nil and what was wanted where.  null is nil,
-- and not there in lists and objects.
function M.decode(s)
  local ok, v, at = pcall(value, s, 1, 0)
  if not ok then
    if type(v) ~= "table" or not v.json then
      error(v, 0)
    end
    return nil, ("%s at %d"):format(v.json, v.at)
  end
  if skip(s, at) <= #s then
    return nil, ("the end at %d"):format(at)
  end
  return v
end

return M
