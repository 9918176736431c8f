-- base/types.lua: dtypes.
--
-- A dtype is its name, a string: T.float16 == "float16".  So that T.float16(x)
-- casts as in TileLang, strings that name a dtype can be called; calling any
-- other string remains the error that it is in Lua.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local suggest = require "moontile.base.suggest"

local M = {}

-- TileLang's dtypes that have no representation here yet.
local later = {}
for name in ([[float8_e3m4 float8_e4m3b11fnuz float8_e4m3fnuz
    float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn
    float4_e2m1_unpacked]]):gmatch("%S+") do
  later[name] = true
end
for base in ([[int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32
    float64 float8_e4m3fn float8_e5m2 float8_e4m3 float8_e3m4 float8_e4m3b11fnuz
    float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn
    float4_e2m1fn]]):gmatch("%S+") do
  for _, n in ipairs {2, 4, 8, 16, 32, 64} do
    later[base .. "x" .. n] = true
  end
end
later.bfloat16x2 = true

-- Short spellings that T offers as names.
local short = {
  short = "int16", int = "int32", uint = "uint32", long = "int64", half = "float16",
  float = "float32", double = "float64",
  float8_e4m3 = "float8_e4m3fn", -- TileLang makes the same CUDA of both
}

M.later = later
M.short = short

-- All names, in the order of their width and class, for messages.
M.list = {}
for name in pairs(ir.dtypes) do
  M.list[#M.list + 1] = name
end
table.sort(M.list, function(a, b)
  local x, y = ir.dtypes[a], ir.dtypes[b]
  if x.class ~= y.class then
    return x.class < y.class
  elseif x.bits ~= y.bits then
    return x.bits < y.bits
  end
  return a < b
end)

-- Raises: v is no dtype.
function M.unknown(v)
  local all = table.concat(M.list, " ")
  if type(v) == "string" and later[v] then
    diag.fail("dtype_later", v, all)
  end
  local shown = type(v) == "string" and ("%q"):format(v) or "(a " .. type(v) .. ")"
  local n = type(v) == "string" and suggest.find(v, M.list) or "float32"
  diag.fail("dtype_unknown", shown, n or "float32", all)
end

-- TileLang's spelling of a dtype; raises when it is none.
function M.canon(d)
  local name = ir.dtypename(d)
  if not name then
    M.unknown(d)
  end
  return name
end

function M.isdtype(d)
  return type(d) == "string" and (ir.dtypename(d) ~= nil or later[d] == true)
end

function M.info(d)
  return ir.dtypes[M.canon(d)]
end

function M.isfloat(d)
  return M.info(d).class == "F"
end

-- Is there an infinity of that dtype?
function M.infinite(d)
  return M.isfloat(d) and M.canon(d) ~= "float8_e4m3fn"
end

-- Strings that name a dtype cast what they are called with.
function M.install()
  local mt = getmetatable("")
  mt.__call = function(s, x, ...)
    if not M.isdtype(s) then
      error(("attempt to call a string value (%q)"):format(s), 2)
    end
    if select("#", ...) > 0 then
      diag.fail("arg_many", "T." .. s, 1, 1 + select("#", ...), "T." .. s .. "(x)")
    elseif x == nil then
      diag.fail("arg_missing", "T." .. s, "x", "T." .. s .. "(x)")
    end
    return (ir.cast(x, s))
  end
end

return M
