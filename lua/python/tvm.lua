-- python/tvm.lua: `import tvm`, `from tilelang import tvm`: the few names of TVM that programs for TileLang use
-- beside T: dtypes, targets, constants and bits of expressions.  Its compiler is not here.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local ir = require "moontile.ir"
local native = require "moontile.python.native"
local target = require "moontile.python.target"
local T = require "moontile.T"
local types = require "moontile.base.types"

local M = {}

-- DataType("float16"): dtypes are texts here, which have .bits and .itemsize.
M.DataType = native.make("DataType", "dtype", function(d)
  if not types.isdtype(d) then
    exc.fail("ValueError", ("unknown dtype `%s`"):format(core.late.str(d)), nil, "DataType")
  end
  return ir.dtypename(d)
end)

-- A module that names what it does not have.
local function module(name, own)
  own.__name__ = name
  own.__getattr__ = native.make("__getattr__", "name", function(k)
    exc.fail("AttributeError", ("module '%s' has no attribute '%s' here: moontile compiles by itself, use tilelang's names")
      :format(name, k), nil, k)
  end)
  return setmetatable(own, core.Module)
end

-- tvm.tirx (tvm.tir before): parts of expressions.
local function tirx()
  return foreign.wrap("tvm.tirx", {
    const = function(v, dtype) return T.cast(v, dtype or (math.type(v) == "integer" and "int32" or "float32")) end,
    reinterpret = function(dtype, v) return T.reinterpret(v, dtype) end,
    Cast = function(dtype, v) return T.cast(v, dtype) end,
    if_then_else = T.if_then_else, PrimExpr = core.types.object, Var = core.types.object, Buffer = core.types.object,
    PrimFunc = core.types.object,
  })
end

function M.install(P)
  local loaders = P.imports.loaders
  function loaders.tvm()
    local t = module("tvm", {DataType = M.DataType})
    t.tirx = tirx()
    t.tir, t.target = t.tirx, module("tvm.target", {Target = target.Target})
    t.runtime, t.testing = module("tvm.runtime", {DataType = M.DataType}), P.import_as "tilelang.testing"
    return t
  end
  for name, path in pairs {["tvm.tirx"] = "tirx", ["tvm.tir"] = "tirx", ["tvm.target"] = "target",
    ["tvm.runtime"] = "runtime"} do
    loaders[name] = function()
      return P.import_as "tvm"[path]
    end
  end
  loaders["tilelang.tvm"] = function() return P.import_as "tvm" end
end

return M
