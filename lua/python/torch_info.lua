-- python/torch_info.lua: torch.finfo, torch.iinfo, torch.linalg, and a loss made of operators.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local host = require "moontile.host"
local made = require "moontile.python.made"
local more = require "moontile.python.torch_more"
local native = require "moontile.python.native"
local rows = require("moontile.tl.host.registry").rows
local strict = require "moontile.python.torch_strict"
local types = require "moontile.base.types"

local M = {}

local None, to_lua = core.None, foreign.to_lua

-- dtype, bits of the fraction, least exponent, decimal digits that it keeps
local floats = {
  float64 = {52, -1022, 15}, float32 = {23, -126, 6}, float16 = {10, -14, 3}, bfloat16 = {7, -126, 2},
  float8_e4m3fn = {3, -6, 0}, float8_e5m2 = {2, -14, 0},
}

local function shown(v)
  return ("%g"):format(v)
end

local finfo = made.class("finfo", "torch", {
  ["__init__(self, dtype?)"] = function(o, d)
    d = d and to_lua(d) or "float32"
    local f = floats[d]
    if not f then
      exc.fail("TypeError", "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch." .. tostring(d) .. "'")
    end
    o.dtype, o.bits, o.max, o.min = d, types.info(d).bits, types.info(d).max, -types.info(d).max
    o.eps, o.tiny, o.resolution = 2.0 ^ -f[1], 2.0 ^ f[2], tonumber("1e-" .. f[3])
    o.smallest_normal = o.tiny
    return None
  end,
  ["__repr__(self)"] = function(o)
    return ("finfo(resolution=%s, min=%s, max=%s, eps=%s, smallest_normal=%s, tiny=%s, dtype=%s)"):format(shown(o.resolution),
      shown(o.min), shown(o.max), shown(o.eps), shown(o.tiny), shown(o.tiny), o.dtype)
  end,
})

local iinfo = made.class("iinfo", "torch", {
  ["__init__(self, dtype)"] = function(o, d)
    d = to_lua(d)
    local info = types.isdtype(d) and types.info(d)
    if not info or info.class == "F" or d == "bool" then
      exc.fail("TypeError", "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch." .. tostring(d) .. "'")
    end
    if info.class == "U" and info.bits == 64 then
      exc.fail("TypeError", "torch.iinfo() takes an integer dtype of at most 63 bits and a sign here, not torch." .. d)
    end
    local wide = info.bits == 64 -- whose bounds floats do not hold
    o.dtype, o.bits = d, info.bits
    o.max, o.min = wide and math.maxinteger or math.tointeger(info.max), wide and math.mininteger or math.tointeger(info.min)
    return None
  end,
  ["__repr__(self)"] = function(o) return ("iinfo(min=%d, max=%d, dtype=%s)"):format(o.min, o.max, o.dtype) end,
})

-- torch.linalg.norm of vectors, and of all elements of a matrix
local function norm(_, x, ord, dim, keepdim)
  x, ord, dim = to_lua(x), to_lua(ord), to_lua(dim)
  if ord == "fro" and (dim == nil or type(dim) == "table") then
    ord = nil
  end
  local pair = type(dim) == "table" and #dim > 1 or dim == nil and x.ndim > 1
  if ord ~= nil and (type(ord) == "string" or pair) then
    exc.fail("NotImplementedError", "torch.linalg.norm has no matrix norms but 'fro' here")
  end
  strict.check("norm", {x})
  return (rows.norm.fn(x, ord or 2, dim, keepdim == true))
end

local vector = native.make("linalg.norm", "x, ord?, dim?, keepdim?", function(x, ord, dim, keepdim) return norm(nil, x, ord, dim, keepdim) end)

-- torch.nn.functional.smooth_l1_loss
local smooth = native.make("smooth_l1_loss", "input, target, size_average?, reduce?, reduction?, beta?",
  function(x, y, _, _, reduction, beta)
    beta, reduction = beta or 1.0, reduction or "mean"
    local d = rows.abs.fn(rows.sub.fn(x, y))
    local r = d
    if beta ~= 0 then
      local near = rows.mul.fn(rows.mul.fn(d, d), 0.5 / beta)
      r = rows.where.fn(rows.lt.fn(d, beta), near, rows.sub.fn(d, 0.5 * beta))
    end
    if reduction == "none" then
      return r
    elseif reduction ~= "mean" and reduction ~= "sum" then
      exc.fail("ValueError", reduction .. " is not a valid value for reduction")
    end
    return (rows[reduction].fn(r))
  end)

-- torch.utils.cpp_extension: functions that would have a C++ compiler make a module of CPython's.
local function extensions(module)
  local list = {}
  for _, name in ipairs {"load", "load_inline", "CUDAExtension", "CppExtension", "BuildExtension"} do
    list[name] = native.make(name, "**", function()
      exc.fail("NotImplementedError", ("torch.utils.cpp_extension.%s builds C++ for CPython, which is not here: write the operator \z
        with tilelang.language, or its device code with T.import_source and T.call_extern"):format(name), nil, name)
    end)
  end
  return module("torch.utils.cpp_extension", list)
end

-- Tensor.untyped_storage(): the memory that a tensor and its views share.
local Storage = made.class("UntypedStorage", "torch.storage", {})
for _, name in ipairs {"data_ptr", "nbytes", "size"} do
  made.methods(Storage, {[name .. "(self)"] = function(s)
    local t, bytes = s._tensor, rows.element_size.fn(s._tensor)
    if name == "data_ptr" then
      return rows.data_ptr.fn(t) - rows.storage_offset.fn(t) * bytes
    end
    return select(3, host.storage(t)) * bytes
  end})
end
made.methods(Storage, {["__len__(self)"] = function(s)
  return select(3, host.storage(s._tensor)) * rows.element_size.fn(s._tensor)
end})

more.methods.untyped_storage = native.make("Tensor.untyped_storage", "self", function(t)
  return setmetatable({_tensor = t}, Storage.meta)
end)

function M.fill(t, module)
  t.utils = module("torch.utils", {cpp_extension = extensions(module)})
  t.finfo, t.iinfo = finfo, iinfo
  t.linalg = module("torch.linalg", {norm = vector, vector_norm = vector})
  require("moontile.python.torch_linalg").fill(t)
  t.nn.functional.smooth_l1_loss = smooth
  more.fill(t)
  require("moontile.python.torch_nn_more").fill(t, module)
end

return M
