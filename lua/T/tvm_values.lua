-- T/tvm_values.lua: TVM's names for a value under a name, a loop while a condition holds, and no address.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def = registry.def

def {
  name = "bind", sig = "bind(value)", types = "value:value", band = "B",
  summary = "the value as it is now, also where what it was read from changes",
  summary_zh = "此刻的值，即使其来源之后改变",
  example = "local v = T.bind(row[0] * 2)\nrow[0] = v",
  fn = function(value) return (ir.let(trace.kernel "T.bind", "v", ir.cast(value, ir.dtype(value)), true)) end,
}

def {
  name = "let", sig = "let(v, value)", types = "v:var value:value", band = "B",
  summary = "gives the T.alloc_var v its value", summary_zh = "为 T.alloc_var v 赋值",
  example = "local v = T.alloc_var(T.float32)\nT.let(v, row[0] * 2)\nrow[0] = v",
  fn = function(v, value)
    trace.kernel "T.let"
    ir.set(v, ir.cast(value, v.dtype))
  end,
}

def {
  name = "While", sig = "While(condition)", types = "condition:value", band = "B",
  summary = "the statements within, again and again while condition holds: `while`",
  summary_zh = "只要 condition 成立就反复执行其中的语句，即 `while`",
  example = "local n = T.alloc_var(T.int32, 0)\nfor _ in T.While(n < 4) do n += 1 end\nIr[0] = n",
  fn = function(condition)
    if type(condition) == "boolean" or ir.const(condition) ~= nil then
      diag.fail("arg_type", "T.While", "condition", W"a condition that the loop changes", describe(condition),
        "T.While(n < 4), n: a T.alloc_var")
    end
    return require("moontile.T.loops").scope("T.While", function(P)
      ir.while_(P, condition)
      return function() ir.close(P) end, 0
    end)
  end,
}

def {
  name = "isnullptr", sig = "isnullptr(handle)", types = "handle:any", band = "B",
  summary = "whether an address is none: never, of the tensors of a kernel",
  summary_zh = "地址是否为空：内核的张量永不为空",
  example = "if not T.isnullptr(A) then row[0] = 1 end",
  fn = function(handle)
    local kind = ir.kind(handle)
    if kind ~= "buffer" and kind ~= "element" and kind ~= "region" and kind ~= "partial" then
      diag.fail("arg_type", "T.isnullptr", "handle", W"a buffer", describe(handle), "T.isnullptr(A)")
    end
    return false
  end,
}
