-- T/misuse.lua: what to say besides Lua's own words where a value of ours is used as what it is
-- not: a name of T that is indexed or added, a method that an object does not have, an argument of
-- Lua's own functions of numbers.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local place = require "moontile.base.place"
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

-- Lua's functions of numbers: what does the same for values of a kernel.
local of_numbers = {
  abs = "T.abs(x)", acos = "T.acos(x)", asin = "T.asin(x)", atan = "T.atan(x)` / `T.atan2(y, x)",
  ceil = "T.ceil(x)` / `T.ceildiv(x, y)", cos = "T.cos(x)", deg = "x * (180 / math.pi)",
  exp = "T.exp(x)", floor = "T.floor(x)` / `x // y", fmod = "T.fmod(x, y)` / `T.truncmod(x, y)",
  log = "T.log(x)` / `T.log2(x)` / `T.log10(x)", max = "T.max(x, y)", min = "T.min(x, y)",
  modf = "T.trunc(x)", rad = "x * (math.pi / 180)", sin = "T.sin(x)", sqrt = "T.sqrt(x)",
  tan = "T.tan(x)", cosh = "T.cosh(x)", sinh = "T.sinh(x)", tanh = "T.tanh(x)",
  log10 = "T.log10(x)", pow = "T.pow(x, y)", ldexp = "x * T.exp2(n)", -- where Lua still has them
  ult = 'T.cast(x, "uint64") < T.cast(y, "uint64")',
}

local getinfo, getlocal = debug.getinfo, debug.getlocal

-- The name in `math` of the function at a level of the stack, the number of its first argument
-- that is a value of a kernel, and what that is.
local function given(f, level)
  local name
  for k in pairs(of_numbers) do
    name = rawequal(math[k], f) and k or name
  end
  local i = 1
  local key, v = getlocal(level + 1, i)
  while name and key do
    if ir.kind(v) then
      return name, i, describe(v)
    end
    i = i + 1
    key, v = getlocal(level + 1, i)
  end
end

-- Called while the stack of a failed call stands: did one of Lua's functions of numbers fail with
-- a value of a kernel?  -> the message's object, or nil
function M.number()
  local name, i, what
  for level = 2, 12 do
    local info = getinfo(level, "fSl")
    if not info then
      return nil
    elseif not name and info.what == "C" then
      name, i, what = given(info.func, level)
    elseif info.what ~= "C" and not info.source:find "^@moontile/" then
      if not name then
        return nil
      end
      local line = place.line(info.source, info.currentline) or ""
      local at = line:find("%f[%w_]math%s*%.%s*" .. name .. "%f[^%w_]") or line:find "%S"
      return diag.at("plain_math", info.source, info.currentline, at or 0, name, i, what,
        of_numbers[name])
    end
  end
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
