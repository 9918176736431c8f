-- base/describe.lua: what a value is, for messages.
--
--     describe(v)    "a tensor", "{1, 2}", "A[i, 0]"

local ir = require "moontile.ir"
local tensor = require "moontile.tensor"
local W = require "moontile.base.translations"

local plain = tensor.isplain

-- Types of objects that users know by another name.
local objects = {jit = "a tl.jit function", prim_func = "a T.prim_func",
  autotuned = "a tl.autotune function"}

return function(v)
  local k = ir.kind(v)
  if k == "buffer" or k == "element" or k == "region" or k == "partial" then
    return tostring(v)
  elseif k then
    return W"an expression: " .. tostring(v)
  elseif type(v) == "string" then
    return ("%q"):format(v)
  elseif math.type(v) or type(v) == "boolean" then
    return tostring(v)
  elseif v == nil then
    return W"nothing"
  elseif tensor.istensor(v) then
    return W"a tensor"
  end
  local mt = type(v) == "table" and getmetatable(v)
  if type(mt) == "table" and type(mt.__name) == "string" and not plain(v) then
    local name = objects[mt.__name]
    return name and W(name) or W.kind(mt.__name)
  elseif plain(v) and #v > 0 then
    local parts = {}
    for i = 1, math.min(#v, 8) do
      parts[i] = type(v[i]) == "table" and "{...}" or tostring(v[i])
    end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  return W("a " .. type(v))
end
