-- T/values.lua: choosing, converting and limits of values.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def = registry.def

-- Choosing -------------------------------------------------------------------

-- What has been done is not chosen any more.  The reader of the text sees to it where a chooser
-- is called by its own name; two calls up is whose name counts.
local function unchosen(name, ...)
  local t, called = trace.current(), debug.getinfo(3, "n")
  if t and t.chosen or not called.name or called.name == name then
    return
  end
  for i = 1, select("#", ...) do
    if ir.outcome((select(i, ...))) then
      diag.fail("stage_chosen", "T." .. name)
    end
  end
end

def {
  name = "if_then_else", sig = "if_then_else(c, a, b)", types = "c:value a:value b:value",
  summary = "a where c holds, else b; only that side is evaluated",
  summary_zh = "c 成立时取 a，否则取 b；只计算被选中的一侧",
  example = [[
for i, j in T.Parallel(32, 32) do
  Cl[i, j] = T.if_then_else(Cl[i, j] > 0, Cl[i, j], 0)
end]],
  fn = function(c, a, b)
    unchosen("if_then_else", a, b)
    return (ir.select(c, a, b))
  end,
}

def {
  name = "Select", sig = "Select(condition, true_value, false_value)",
  types = "condition:value true_value:value false_value:value",
  summary = "true_value where condition holds, else false_value",
  summary_zh = "条件成立取 true_value，否则取 false_value",
  example = "for i in T.Parallel(32) do row[i] = T.Select(row[i] < 0, -row[i], row[i]) end",
  fn = function(c, a, b) return (ir.select(c, a, b)) end,
}

def {
  name = "likely", sig = "likely(c)", types = "c:value",
  summary = "c, expected to hold", summary_zh = "条件 c，提示其通常成立",
  example = "if T.likely(bx < 2) then row[0] = 1 end",
  fn = function(c) return c end,
}

def {
  name = "clamp", sig = "clamp(dst, min_val, max_val)",
  types = "dst:value min_val:value max_val:value",
  summary = "dst limited to min_val .. max_val: an expression",
  summary_zh = "把 dst 限制在 min_val 与 max_val 之间（表达式）",
  example = "for i in T.Parallel(32) do row[i] = T.clamp(row[i], -1, 1) end",
  fn = function(x, lo, hi) return (ir.min(ir.max(x, lo), hi)) end,
}

-- Comparisons and logic under their names.
for _, o in ipairs {
  {"And", "and_", "a and b", "a 与 b"}, {"Or", "or_", "a or b", "a 或 b"},
} do
  local f = ir[o[2]]
  def {
    name = o[1], sig = o[1] .. "(a, b)", types = "a:value b:value",
    summary = o[3] .. " of two conditions", summary_zh = "两个条件的逻辑运算：" .. o[4],
    example = ("if T.%s(bx < 1, by < 1) then row[0] = 1 end"):format(o[1]),
    fn = function(a, b)
      unchosen(o[1], b)
      return (f(a, b))
    end,
  }
end
def {
  name = "Not", sig = "Not(a)", types = "a:value", summary = "not a", summary_zh = "条件取反",
  example = "if T.Not(bx < 1) then row[0] = 1 end",
  fn = function(a) return (ir.not_(a)) end,
}

-- Converting -----------------------------------------------------------------

def {
  name = "cast", sig = 'cast(value, dtype, round="", sat=True, rbits=None)',
  types = "value:value dtype:dtype round:|rn|rz|rp|rm|rs sat:bool",
  summary = "value converted to dtype, rounded to nearest", summary_zh = "把值转换为 dtype，舍入到最近",
  example = "for i in T.Parallel(32) do row[i] = T.cast(row[i], T.float16) end",
  fn = function(v, d, round)
    if round ~= "" and round ~= "rn" and round ~= nil then
      diag.fail("t_later_use", ("cast(round = %q)"):format(round), "T.cast(x, dtype)")
    end
    return (ir.cast(v, d))
  end,
}

-- TVM's node, whose type comes first; the other order is T.cast's.
def {
  name = "Cast", sig = "Cast(dtype, value)", types = "dtype:any value:any",
  summary = "T.cast with the dtype first, as TVM has it; either order", summary_zh = "同 T.cast，dtype 在前（TVM 的次序）；两种次序均可",
  example = "for i in T.Parallel(32) do row[i] = T.Cast(T.float16, row[i]) end",
  fn = function(d, v)
    if types.isdtype(v) and not types.isdtype(d) then
      v, d = d, v
    end
    return (registry.names.cast.value(v, d))
  end,
}

def {
  name = "reinterpret", sig = "reinterpret(value, dtype)", types = "value:value dtype:handle",
  summary = "the bits of value read as dtype", summary_zh = "把值的位按 dtype 解释",
  example = "for i in T.Parallel(32) do Ir[i] = T.reinterpret(row[i], T.int32) end",
  fn = function(v, d)
    if types.isdtype(v) then -- TVM's order: reinterpret(dtype, value)
      v, d = d, v
    elseif d == "handle" then -- no pointer: what T.attr wants to see
      if ir.const(v) ~= 0 then
        diag.fail("arg_value", "T.reinterpret", "value", "0", describe(v))
      end
      return 0
    end
    return (ir.bits(v, d))
  end,
}

-- Limits ---------------------------------------------------------------------

local as_written = {float32 = true, int32 = true, int64 = true, bool = true}

-- In a kernel the limit is of its type; as a number written down it would be an int32 or a float32.
local function limit_of(d, v)
  return trace.current() and not as_written[types.canon(d)] and ir.cast(v, d) or v
end

local function def_limit(name, summary, zh, get)
  def {
    name = name, sig = name .. "(dtype)", types = "dtype:dtype", summary = summary, summary_zh = zh,
    example = ("T.fill(row, T.%s(T.float32))"):format(name),
    fn = function(d) return (limit_of(d, get(d))) end,
  }
end

def_limit("infinity", "positive infinity of a float dtype", "浮点类型的正无穷", function(d)
  if not types.infinite(d) then
    diag.fail("arg_value", "T.infinity", "dtype", W"a float dtype with an infinity", d)
  end
  return math.huge
end)
def_limit("max_value", "largest finite value of a dtype", "类型的最大有限值", function(d)
  return types.info(d).max or true
end)
def_limit("min_value", "smallest finite value of a dtype", "类型的最小有限值", function(d)
  return types.info(d).min or false
end)

-- Logical reductions -----------------------------------------------------------

-- A variable that is non-zero when any (or, inverted, not all) elements of a
-- region are non-zero: a loop over its last dimension's elements.
local function over(what, x, want)
  local P = trace.kernel(what)
  local k = ir.kind(x)
  if k ~= "buffer" and k ~= "region" then
    diag.fail("arg_type", what, "buffer", W"a buffer or a slice", describe(x),
      what .. "(buffer)")
  end
  local buffer = k == "buffer" and x or x.buffer
  local shape = x.shape
  local lo = k == "region" and ir.origin(x) or {}
  local found = ir.buffer(P, "var", "bool", 1, want and "any" or "all")
  ir.alloc(found, not want)
  local bounds = {}
  for _, n in ipairs(shape) do
    bounds[#bounds + 1] = 0
    bounds[#bounds + 1] = n
  end
  local at = table.pack(ir.loop(P, "serial", nil, nil, table.unpack(bounds)))
  for d = 1, at.n do
    at[d] = lo[d] and lo[d] + at[d] or at[d]
  end
  local hit = ir.ne(buffer[at], 0)
  ir.if_(P, want and hit or ir.not_(hit))
  ir.set(found, want)
  ir.close(P)
  ir.close(P)
  return (ir.let(P, want and "any_of" or "all_of", found, true))
end

for _, o in ipairs {
  {"any_of", true, "whether any element is non-zero", "是否有元素非零"},
  {"all_of", false, "whether all elements are non-zero", "是否所有元素非零"},
} do
  def {
    name = o[1], sig = o[1] .. "(buffer)", types = "buffer:region", summary = o[3],
    summary_zh = o[4],
    example = ("if T.%s(As[0, 0:8]) then row[0] = 1 end"):format(o[1]),
    fn = function(x)
      local r = over("T." .. o[1], x, o[2])
      return r
    end,
  }
end
