-- T/atomics.lua: atomic operations on one element or on a tile.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local loops = require "moontile.T.loops"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def = registry.def

local orders = {relaxed = 0, consume = 1, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5}
local all_orders = "relaxed|consume|acquire|release|acq_rel|seq_cst"

local scalar_kinds = {expr = true, element = true, var = true}

local function isscalar(v)
  return type(v) == "number" or type(v) == "boolean" or scalar_kinds[ir.kind(v)]
end

-- A number for each element of a tile, in a parallel loop: each is updated once, whatever threads there are.
local function each_element(P, kind, order, dst, value)
  local whole, at, bounds, dims = ir.kind(dst) == "buffer", {}, {}, {}
  local origin = whole and {} or ir.origin(dst)
  for d, n in ipairs(dst.shape) do
    at[d] = whole and 0 or origin[d]
    if n ~= 1 then
      dims[#dims + 1] = d
      bounds[2 * #dims - 1], bounds[2 * #dims] = 0, n
    end
  end
  local one = #dims == 0
  local v = {ir.loop(P, "parallel", loops.letters(one and 1 or #dims), nil, table.unpack(one and {0, 1} or bounds))}
  for i, d in ipairs(dims) do
    at[d] = at[d] + v[i]
  end
  ir.atomic(P, kind, order, false, (whole and dst or dst.buffer)[at], value)
  ir.close(P)
end

local tiles = {buffer = true, region = true}

-- One element when neither side has an extent, else a loop over a region.
local function atomic(what, kind, dst, value, order, prev)
  local P = trace.kernel(what)
  order = orders[order or "relaxed"]
  if ir.kind(dst) == "element" and isscalar(value) then
    return (ir.atomic(P, kind, order, prev, dst, value))
  elseif tiles[ir.kind(dst)] and isscalar(value) and ir.kind(value) ~= "element" and not prev then
    each_element(P, kind, order, dst, value)
    return
  elseif isscalar(value) and ir.kind(value) ~= "element" then
    diag.fail("arg_type", what, "dst", W"an element, since the value is a scalar",
      describe(dst),
      what .. "(C[i, j], value)")
  elseif prev then
    diag.fail("arg_value", what, "return_prev", W"false: a tile has no single previous value",
      "true")
  end
  ir.op(P, "atomic", {kind = ir.red(kind), order = order}, nil, nil, dst, value)
end

local function def_atomic(name, kind, summary, zh, extra)
  def {
    name = name,
    sig = ("%s(dst, value, memory_order=None, return_prev=False, %sannotations=None)"):format(name,
      extra or ""),
    types = "dst:region memory_order:" .. all_orders ..
      " return_prev:bool use_tma:bool annotations:table",
    summary = summary .. ", on an element or a tile", summary_zh = zh .. "，用于单个元素或分块",
    example = ("for i in T.Parallel(32) do T.%s(A[by * 32, bx * 32 + i], 1) end\nT.%s(B[by * 32, bx * 32], Cl)"):format(name, name),
    fn = function(dst, value, order, prev)
      if value == nil then
        diag.fail("arg_missing", "T." .. name, "value", "T." .. name .. "(dst, value)")
      end
      local r = atomic("T." .. name, kind, dst, value, order, prev)
      return r
    end,
  }
end

def_atomic("atomic_add", "sum", "dst = dst + value", "原子加", "use_tma=False, ")
def_atomic("atomic_max", "max", "dst = max(dst, value)", "原子取最大值")
def_atomic("atomic_min", "min", "dst = min(dst, value)", "原子取最小值")

def {
  name = "atomic_or", sig = "atomic_or(dst, value, memory_order=None)",
  types = "dst:element value:value memory_order:" .. all_orders,
  summary = "dst = dst | value on an integer element", summary_zh = "对整数元素原子按位或",
  example = "T.atomic_or(Is[0, 0], 4)",
  fn = function(dst, value, order)
    atomic("T.atomic_or", "bitor", dst, value, order, false)
  end,
}

-- The first element of a slice of n adjacent ones; anything else as it is.
local function first_of(v, n)
  if ir.kind(v) ~= "region" then
    return v
  end
  local shape = v.shape
  for d = 1, #shape do
    if shape[d] ~= (d == #shape and n or 1) then
      return v
    end
  end
  return v.buffer[ir.origin(v)]
end

-- value: two or four scalars in a table, the first of adjacent elements, or a slice of them.
local function lanes(what, value, n)
  local v = {}
  value = first_of(value, n)
  if type(value) == "table" then
    for i = 1, n do
      v[i] = value[i]
    end
    if #value ~= n then
      diag.fail("arg_value", what, "value", W"%d values":format(n), #value)
    end
  elseif ir.kind(value) == "element" then
    for i = 1, n do
      v[i] = ir.shift(value, i - 1)
    end
  else
    diag.fail("arg_type", what, "value", W"the first of %d adjacent elements":format(n),
      describe(value),
      what .. "(C[i], V[i])")
  end
  return v
end

for _, n in ipairs {2, 4} do
  local name = "atomic_addx" .. n
  def {
    name = name, sig = name .. "(dst, value, return_prev=False)",
    types = "dst:region return_prev:bool",
    summary = ("adds to %d adjacent elements at once"):format(n),
    summary_zh = ("一次对相邻的 %d 个元素原子加"):format(n),
    example = ("for i in T.Parallel(%d) do T.%s(B[by * 32, bx * 32 + i * %d], A[by, i * %d]) end"):format(32 // n, name, n, n),
    fn = function(dst, value, prev)
      local what = "T." .. name
      local P = trace.kernel(what)
      if prev then
        diag.fail("t_later_use", name .. "(return_prev = true)", "T.atomic_add")
      end
      dst = first_of(dst, n)
      if ir.kind(dst) ~= "element" then
        diag.fail("arg_type", what, "dst", W"the first of %d adjacent elements":format(n), describe(dst), what .. "(C[i], V[i])")
      end
      ir.atomic(P, "sum", orders.relaxed, false, dst, table.unpack(lanes(what, value, n)))
    end,
  }
end

def {
  name = "atomic_load", sig = 'atomic_load(src, memory_order="seq_cst")',
  types = "src:element memory_order:relaxed|consume|acquire|seq_cst",
  summary = "the element, read atomically", summary_zh = "原子读取元素",
  example = "row[0] = T.atomic_load(A[0, 0])",
  fn = function(src, order)
    return (ir.atomic(trace.kernel("T.atomic_load"), "load", orders[order], true, src))
  end,
}

def {
  name = "atomic_store", sig = 'atomic_store(dst, src, memory_order="seq_cst")',
  types = "dst:element src:value memory_order:relaxed|release|seq_cst",
  summary = "writes the element atomically", summary_zh = "原子写入元素",
  example = "T.atomic_store(B[by * 32, bx * 32], 1)",
  fn = function(dst, src, order)
    ir.atomic(trace.kernel("T.atomic_store"), "store", orders[order], false, dst, src)
  end,
}
