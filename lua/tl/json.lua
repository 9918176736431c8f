-- tl/json.lua: tables as JSON text: keys in order of their names, lists as
-- arrays; an empty table is an empty list.

local dry = require "moontile.tl.dry"

local M = {}

local function number(v)
  if v ~= v or v == math.huge or v == -math.huge then
    return "null"
  end
  return math.type(v) == "integer" and ("%d"):format(v) or ("%.10g"):format(v)
end

local encode

local function object(t)
  local keys, parts = {}, {}
  for k in pairs(t) do
    keys[#keys + 1] = tostring(k)
  end
  table.sort(keys)
  for i, k in ipairs(keys) do
    parts[i] = dry.quote(k) .. ": " .. encode(t[k])
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
  elseif type(v) == "table" and getmetatable(v) == nil then
    return (#v > 0 or next(v) == nil) and list(v) or object(v)
  end
  return dry.quote(tostring(v))
end

M.encode = encode

return M
