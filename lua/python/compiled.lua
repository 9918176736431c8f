-- python/compiled.lua: compiled kernels as programs for TileLang see them: the names of their classes, and
-- kernel.params, a KernelParam for each of the program's parameters, outputs among them.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local jit = require "moontile.tl.jit"
local kernel = require "moontile.tl.kernel"
local native = require "moontile.python.native"
local types = require "moontile.base.types"

local M = {}

local getmt = debug.getmetatable

-- A class that values of moontile's own belong to; module: where TileLang has it.
local function marker(name, module, meta)
  local cls = class.make(name, {core.types.object}, {}, {})
  cls.module = module
  cls.native_check = function(v) return getmt(v) == meta end
  return cls
end

M.JITKernel = marker("JITKernel", "tilelang.jit.kernel", kernel.Kernel)
M.JITImpl = marker("JITImpl", "tilelang.jit", jit.Jit)

local Param = class.make("KernelParam", {core.types.object}, {}, {})
Param.module = "tilelang.engine.param"
M.KernelParam = Param

local function param(dtype, shape)
  return setmetatable({dtype = dtype, shape = shape}, Param.meta)
end

-- Is the parameter's type of one of these classes of base.types?
local function of_class(...)
  local classes = {...}
  return function(p)
    local of = types.info(p.dtype).class
    for _, c in ipairs(classes) do
      if c == of then
        return true
      end
    end
    return false
  end
end

native.methods(Param, {
  ["__init__(self, dtype, shape)"] = function(p, dtype, shape)
    p.dtype, p.shape = dtype, shape
    return core.None
  end,
  ["is_scalar(self)"] = function(p) return p.shape.n == 0 end,
  ["is_unsigned(self)"] = of_class "U",
  ["is_boolean(self)"] = of_class "B",
  ["is_float8(self)"] = function(p) return p.dtype:find "^float8" ~= nil end,
  ["is_float4(self)"] = function(p) return p.dtype:find "^float4" ~= nil end,
  ["torch_dtype(self)"] = function(p) return require("moontile.python.torch_dtype").of(p.dtype) end,
  ["tilelang_dtype(self)"] = function(p) return p.dtype end,
  ["__repr__(self)"] = function(p)
    return ("KernelParam(dtype=%s, shape=%s)"):format(p.dtype, core.late.repr(p.shape))
  end,
})

-- The parameters of a kernel, in the order of its program; of a dimension that a call gives, its symbol.
local function params(k)
  local list = {}
  for i, p in ipairs(k.params) do
    local shape = {}
    for d, r in ipairs(p.shape or {}) do
      shape[d] = r.n or r.e
    end
    list[i] = param(p.dtype, core.list(shape))
  end
  return core.list(list)
end

kernel.Kernel.__py_attr = function(k, name)
  if name == "params" then
    return params(k)
  elseif name == "prim_func" then
    return k.prim
  end
  local v = core.late.foreign_attr(k, name)
  if v == nil then
    attr.missing(k, name, ("'JITKernel' object has no attribute '%s'"):format(name))
  end
  return v
end

return M
