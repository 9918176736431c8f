-- T/misuse.lua: what to say besides Lua's own words where a value of ours is used as what it is
-- not: a name of T that is indexed or added, a method that an object does not have.

local registry = require "moontile.T.registry"

local M = {}

-- Operations on a name of T, as Lua says them.
local operations = {
  "attempt to index ", "attempt to call ", "attempt to perform ", "attempt to concatenate ",
  "attempt to get length of ",
}

-- The example of a name, on one line.
local function example(row)
  return row.example and (row.example:match "^[^\n]*")
end

local function of_T(text, name)
  local row = registry.names[name]
  if not row or row.later or not example(row) then
    return nil
  end
  for _, words in ipairs(operations) do
    if text:sub(1, #words) == words then
      return "lua_misuse", name, example(row)
    end
  end
end

local function of_object(text, name, owner)
  local mt = debug.getmetatable(owner)
  if type(mt) ~= "table" or not mt.__names or not text:find("(method", 1, true) then
    return nil
  end
  local list = {}
  for k, v in pairs(mt.__names) do
    if type(k) == "string" and type(v) == "function" and not k:find "^_" then
      list[#list + 1] = k
    end
  end
  table.sort(list)
  return "lua_method", name, table.concat(list, ", ")
end

-- text: what Lua says of `name`; line: the source's; owner: what stands before `.name` or
-- `:name`, if that is known.  -> the message's id and arguments, or nil
function M.find(text, name, line, owner)
  if not name:find "^[%a_][%w_]*$" then
    return nil
  end
  if line:find("%f[%w_]T%." .. name .. "%f[^%w_]") then
    return of_T(text, name)
  end
  return of_object(text, name, owner)
end

return M
