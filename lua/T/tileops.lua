-- T/tileops.lua: operations on whole tiles.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def = registry.def
local op = ir.op

-- Entries of annotations = {...} win over the keyword of the same meaning.
local function merge(attrs, annotations)
  for k, v in pairs(annotations or {}) do
    attrs[k] = v
  end
  return attrs
end

-- Moving -------------------------------------------------------------------

local eviction = {evict_normal = 0, evict_first = 1, evict_last = 2}
local prefer = {tma = 1, cp_async = 2, sync = 3}

-- The dimensions of a region that are no single row.
local function wide(shape)
  local list = {}
  for d, n in ipairs(shape) do
    if ir.const(n) ~= 1 then list[#list + 1] = d end
  end
  return list
end

-- Regions both of whose extents in a dimension are known only when the kernel runs, by as many as the smaller tile
-- has there: a loop over all of that, of which what lies beyond the extents does nothing.
local function copy_some(P, src, dst)
  local n, m, from, to = src.shape, dst.shape, ir.origin(src), ir.origin(dst)
  local s, t = wide(n), wide(m)
  local own, at = src.buffer.shape, s
  if src.buffer.scope == "global" then
    own, at = dst.buffer.shape, t
  end
  local bounds, inside = {}, true
  for d = 1, #s do
    bounds[2 * d - 1] = 0
    bounds[2 * d] = ir.const(n[s[d]]) or t[d] and ir.const(m[t[d]]) or at[d] and ir.const(own[at[d]])
    if not bounds[2 * d] or #s ~= #t or #s > 3 then
      return false
    end
  end
  local v = table.pack(ir.loop(P, "parallel", ("i,j,k"):sub(1, 2 * #s - 1), nil, table.unpack(bounds)))
  for d = 1, #s do
    if not ir.const(n[s[d]]) then
      inside = ir.and_(inside, ir.lt(v[d], ir.min(n[s[d]], m[t[d]])))
    end
    from[s[d]], to[t[d]] = from[s[d]] + v[d], to[t[d]] + v[d]
  end
  ir.if_(P, inside)
  dst.buffer[to] = ir.cast(src.buffer[from], dst.buffer.dtype)
  ir.close(P)
  ir.close(P)
  return true
end

local function runtime_extent(v)
  for _, n in ipairs(ir.kind(v) == "region" and v.shape or {}) do
    if not ir.const(n) then
      return true
    end
  end
end

-- Beside a tile whose extents are numbers, a region of a tensor with extents that only a run knows counts from its
-- first element on, as far as the tile goes and the tensor has elements: TileLang's rule.
local function from_origin(region, tile)
  if not runtime_extent(region) or region.buffer.scope ~= "global" or runtime_extent(tile) then
    return region
  end
  local kind = ir.kind(tile)
  if kind ~= "buffer" and kind ~= "region" or
    #region.shape ~= #tile.shape and #wide(region.shape) ~= #wide(tile.shape) then
    return region
  end
  return region.buffer[ir.origin(region)]
end

def {
  name = "copy",
  sig = "copy(src, dst, *, coalesced_width=None, disable_tma=False, eviction_policy=None, " ..
    "prefer_instruction=None, annotations=None, loop_layout=None)",
  types = "src:region dst:region coalesced_width:int disable_tma:bool annotations:table " ..
    "eviction_policy:evict_normal|evict_first|evict_last prefer_instruction:tma|cp_async|sync",
  summary = "copies a tile, converting its type; out-of-range reads give 0, writes are dropped",
  summary_zh = "复制分块并转换类型；越界读取得 0，越界写入被丢弃",
  example = "T.copy(A[by * 32, bx * 32], As)",
  fn = function(src, dst, width, notma, evict, instr, annotations)
    local P = trace.kernel("T.copy")
    local attrs
    if runtime_extent(src) and runtime_extent(dst) and copy_some(P, src, dst) then
      return
    end
    src, dst = from_origin(src, dst), from_origin(dst, src)
    if width or notma or evict or instr or annotations then
      attrs = merge({coalesced_width = width, disable_tma = notma, eviction = eviction[evict],
      prefer = prefer[instr]}, annotations)
    end
    op(P, "copy", attrs, nil, nil, src, dst)
  end,
}

def {
  name = "transpose", sig = "transpose(src, dst, annotations=None)",
  types = "src:region dst:region annotations:table",
  summary = "dst[j, i] = src[i, j]", summary_zh = "转置：dst[j, i] = src[i, j]",
  example = "T.transpose(As, Bs)",
  fn = function(src, dst)
    op(trace.kernel("T.transpose"), "transpose", nil, nil, nil, src, dst)
  end,
}

-- Filling ------------------------------------------------------------------

local function fill(what, buffer, value)
  if ir.kind(buffer) == "var" then
    trace.kernel(what)
    ir.set(buffer, value)
    return
  end
  op(trace.kernel(what), "fill", nil, value, nil, buffer)
end

def {
  name = "fill", sig = "fill(buffer, value, annotations=None)",
  types = "buffer:region value:value annotations:table",
  summary = "sets every element of a tile", summary_zh = "把分块的每个元素设为同一值",
  example = "T.fill(row, -T.infinity(T.float32))",
  fn = function(buffer, value)
    fill("T.fill", buffer, value)
  end,
}

def {
  name = "clear", sig = "clear(buffer, annotations=None)",
  types = "buffer:region annotations:table",
  summary = "sets every element of a tile to 0", summary_zh = "把分块的每个元素清零",
  example = "T.clear(Cl)",
  fn = function(buffer)
    fill("T.clear", buffer, 0)
  end,
}

-- Matrix multiply ------------------------------------------------------------

def {
  name = "GemmWarpPolicy", sig = "GemmWarpPolicy",
  summary = "how T.gemm spreads the warps: Square, FullRow, FullCol",
  summary_zh = "T.gemm 如何分布 warp：Square、FullRow、FullCol",
  example = "T.gemm(As, Bs, Cl, {policy = T.GemmWarpPolicy.FullRow})",
  value = setmetatable({Square = 0, FullRow = 1, FullCol = 2}, {
    __index = function(_, k)
      diag.fail("mode_value", "T.GemmWarpPolicy", "policy", tostring(k), "Square, FullRow, FullCol")
    end,
  }),
}

def {
  name = "gemm",
  sig = "gemm(A, B, C, transpose_A=False, transpose_B=False, policy=GemmWarpPolicy.Square, " ..
    "clear_accum=False, k_pack=1, mbar=None, annotations=None)",
  types = "A:region B:region C:region transpose_A:bool transpose_B:bool policy:int " ..
    "clear_accum:value k_pack:int annotations:table",
  summary = "C += A * B on tiles", summary_zh = "分块矩阵乘：C += A * B",
  example = "T.gemm(As, Bs, Cl, {transpose_B = true})",
  fn = function(A, B, C, ta, tb, policy, clear, k_pack, mbar, annotations)
    local P = trace.kernel("T.gemm")
    if mbar ~= nil then
      diag.fail("t_later_use", "gemm(mbar=...)", "T.gemm(A, B, C)")
    end
    if type(clear) ~= "boolean" then -- decided when the kernel runs
      ir.if_(P, clear)
      op(P, "fill", nil, 0, nil, C)
      ir.close(P)
      clear = false
    end
    op(P, "gemm", merge({transpose_A = ta, transpose_B = tb, policy = policy or 0,
      clear_accum = clear,
      k_pack = k_pack}, annotations), nil, nil, A, B, C)
  end,
}
registry.alias("gemm_v1", "gemm")
registry.alias("gemm_v2", "gemm")

-- Reductions ---------------------------------------------------------------

local kinds = "sum|abssum|max|absmax|min|bitand|bitor|bitxor"

local function reduce(what, kind, src, out, dim, clear, batch, nan)
  if batch < 1 then
    diag.fail("reduce_batch", what, batch)
  end
  op(trace.kernel(what), "reduce", {kind = ir.red(kind), dim = dim, clear = clear, batch = batch,
    nan_propagate = nan}, nil, nil, src, out)
end

def {
  name = "reduce",
  sig = "reduce(buffer, out, reduce_type, dim, clear, batch=1, nan_propagate=False, " ..
    "annotations=None)",
  types = "buffer:region out:region reduce_type:" .. kinds ..
    " dim:int clear:bool batch:int nan_propagate:bool annotations:table",
  summary = "combines the elements along one dimension", summary_zh = "沿一维归约",
  example = "T.reduce(Cl, row, 'sum', 1, true)",
  fn = function(buffer, out, kind, dim, clear, batch, nan)
    reduce("T.reduce", kind, buffer, out, dim, clear, batch, nan)
  end,
}

local function def_reduce(kind, sum, zh, nan)
  local name = "reduce_" .. kind
  def {
    name = name,
    sig = ("%s(buffer, out, dim=-1, clear=True, batch=1, %sannotations=None)"):format(name,
      nan and "nan_propagate=False, " or ""),
    types = "buffer:region out:region dim:int clear:bool batch:int nan_propagate:bool " ..
      "annotations:table",
    summary = sum .. " along one dimension; clear = false combines with what out holds",
    summary_zh = "沿一维" .. zh .. "；clear = false 时与 out 原有的值合并",
    example = kind:find("^bit") and ("T.%s(Is, Ir, 1)"):format(name) or
      ("T.%s(Cl, row, 1)"):format(name),
    fn = function(buffer, out, dim, clear, batch, p)
      reduce("T." .. name, kind, buffer, out, dim, clear, batch, nan and p or false)
    end,
  }
end

def_reduce("sum", "sum", "求和")
def_reduce("max", "maximum", "取最大值", true)
def_reduce("min", "minimum", "取最小值", true)
def_reduce("absmax", "largest magnitude", "取绝对值的最大值", true)
def_reduce("bitand", "bitwise and", "按位与")
def_reduce("bitor", "bitwise or", "按位或")
def_reduce("bitxor", "bitwise exclusive or", "按位异或")

def {
  name = "reduce_abssum", sig = "reduce_abssum(buffer, out, dim=-1, batch=1, annotations=None)",
  types = "buffer:region out:region dim:int batch:int annotations:table",
  summary = "sum of magnitudes along one dimension", summary_zh = "沿一维对绝对值求和",
  example = "T.reduce_abssum(Cl, row, 1)",
  fn = function(buffer, out, dim, batch)
    reduce("T.reduce_abssum", "abssum", buffer, out, dim, true, batch, false)
  end,
}

local function def_scan(name, kind, sum, zh)
  def {
    name = name, sig = name .. "(src, dst=None, dim=0, reverse=False, annotations=None)",
    types = "src:region dst:region dim:int reverse:bool annotations:table",
    summary = sum .. " along one dimension, in place without dst", summary_zh = "沿一维" .. zh ..
      "；省略 dst 时原地进行",
    example = ("T.%s(Cl, Cl, 1)"):format(name),
    fn = function(src, dst, dim, reverse)
      op(trace.kernel("T." .. name), "scan", {kind = ir.red(kind), dim = dim, reverse = reverse},
        nil, nil,
        src, dst or src)
    end,
  }
end
def_scan("cumsum", "sum", "prefix sum", "求前缀和")
def_scan("cummax", "max", "prefix maximum", "求前缀最大值")

-- Debugging ----------------------------------------------------------------

def {
  name = "print", sig = 'print(obj=None, msg="", warp_group_id=0, warp_id=0)',
  types = "msg:string warp_group_id:int warp_id:int",
  summary = "prints a value, a tile or a message from the kernel", summary_zh = "从内核中打印值、分块或消息",
  example = "T.print(row, 'row')",
  fn = function(obj, msg, group, warp)
    local P = trace.kernel("T.print")
    if type(obj) == "string" and msg == "" then
      obj, msg = nil, obj
    end
    local k = ir.kind(obj)
    if obj == nil then
      if msg == "" then
        diag.fail("arg_missing", "T.print", "msg", 'T.print(obj, "message")')
      end
      ir.print(P, nil, msg)
    elseif k == "buffer" or k == "region" then
      op(P, "print", {warp_group = group, warp = warp}, nil, msg ~= "" and msg or nil, obj)
    elseif ir.isvalue(obj) then
      ir.print(P, obj, msg ~= "" and msg or nil)
    else
      diag.fail("arg_type", "T.print", "obj", W"a value or a tile", describe(obj),
        "T.print(obj, msg)")
    end
  end,
}

def {
  name = "device_assert", sig = 'device_assert(condition, msg="", no_stack_info=False)',
  types = "condition:value msg:string no_stack_info:bool",
  summary = "stops the kernel with a message when the condition does not hold",
  summary_zh = "条件不成立时以消息终止内核",
  example = "T.device_assert(bx < 2, 'too many blocks')",
  fn = function(c, msg)
    ir.assert(trace.kernel("T.device_assert"), c, msg ~= "" and msg or nil)
  end,
}

def {
  name = "assume", sig = "assume(cond)", types = "cond:value",
  summary = "tells the compiler that a condition holds", summary_zh = "告诉编译器某条件成立",
  example = "T.assume(bx < 2)",
  fn = function(c)
    local P = trace.prog("T.assume")
    if ir.const(c) ~= true then -- known anyway
      ir.assume(P, c)
    end
  end,
}
