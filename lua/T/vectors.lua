-- T/vectors.lua: values of several lanes: T.ldg128, T.extract_lane, T.Broadcast, T.add2, T.float32x4.
--
-- A vector is a list of scalars of one type while the kernel is made; each becomes an expression or a
-- store of its own, so that nothing below knows of vectors: values are those of TileLang, and the
-- compiler of the text decides whether adjacent accesses are one.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local stage = require "moontile.stage"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def, names = registry.def, registry.names

local Vector = {__name = "vector"}
local lanes_of = setmetatable({}, {__mode = "k"}) -- vector -> {dtype =, its lanes ..}

local function vector(dtype, lanes)
  local v = setmetatable({}, Vector)
  lanes.dtype = dtype
  lanes_of[v] = lanes
  return v
end

function Vector.__index(self, key)
  local v = lanes_of[self]
  if key == "dtype" then
    return ("%sx%d"):format(v.dtype, #v)
  end
end

function Vector.__tostring(self) return ("a vector %s"):format(self.dtype) end

local bits_of = function(dtype) return ir.dtypes[dtype].bits end

-- The elements of a region, or n of them from its first one on: TileLang takes that one's address.
local function elements(what, name, v, n)
  local kind = ir.kind(v)
  if kind ~= "element" and kind ~= "region" and kind ~= "buffer" then
    diag.fail("arg_type", what, name, W"a buffer, element or slice", describe(v), what .. "(A[i:i + 4])")
  end
  local at, buffer = {}, kind == "buffer" and v or v.buffer
  if kind == "buffer" then
    for d = 1, #v.shape do at[d] = 0 end
  else
    at = ir.origin(v)
  end
  if kind ~= "element" and not n then
    local total = 1
    for d, e in ipairs(v.shape) do
      local c = ir.const(e)
      if not c or d < #v.shape and c ~= 1 and kind == "region" then
        diag.fail("arg_value", what, name, W"adjacent elements, as many as are known", tostring(e))
      end
      total = total * c
    end
    n = total
  end
  local list = {}
  for i = 0, (n or 1) - 1 do
    local p = table.move(at, 1, #at, 1, {})
    p[#p] = p[#p] + i
    list[i + 1] = {buffer = buffer, at = p}
  end
  return list, buffer
end

-- v as lanes: a vector, or adjacent elements of memory, which are read now.
local function lanes(what, name, v)
  if getmetatable(v) == Vector then
    return lanes_of[v]
  end
  local list, buffer = elements(what, name, v)
  local r = {dtype = buffer.dtype}
  for i, e in ipairs(list) do r[i] = ir.cast(e.buffer[e.at], buffer.dtype) end
  return r
end

-- A[lo:hi] = vector; A: a buffer or a part of one.  The C side calls it (lua/seam/ir_buf.c).
function Vector.__store(self, target, key)
  local v = lanes_of[self]
  local list, buffer = elements("T.Broadcast", "target", target[key])
  if #list ~= #v then
    diag.fail("arg_value", buffer.name, "slice", W"%d elements":format(#v), #list)
  end
  for i, e in ipairs(list) do
    e.buffer[e.at] = ir.cast(v[i], buffer.dtype)
  end
end

-- Arithmetic, lane by lane; a scalar stands beside each.
local function lanewise(what, f, ...)
  local given, n = table.pack(...), nil
  for i = 1, given.n do
    local v = given[i]
    if getmetatable(v) == Vector or ir.kind(v) == "region" then
      given[i] = lanes(what, "x", v)
      if n and n ~= #given[i] then
        diag.fail("arg_value", what, "x", W"%d elements":format(n), #given[i])
      end
      n = #given[i]
    end
  end
  local r = {}
  for i = 1, n do
    local a = {}
    for k = 1, given.n do
      a[k] = type(given[k]) == "table" and given[k].dtype and given[k][i] or given[k]
    end
    r[i] = f(table.unpack(a, 1, given.n))
  end
  return vector(ir.dtype(r[1]), r)
end

for name, f in pairs {__add = ir.add, __sub = ir.sub, __mul = ir.mul, __div = ir.div} do
  Vector[name] = function(a, b) return (lanewise("+ - * /", f, a, b)) end
end

-- Bits ---------------------------------------------------------------------------

-- The bits of lanes as words of uint32, the first lane lowest.
local function words_of(v)
  local bits, words = bits_of(v.dtype), {}
  if bits == 32 then
    for i, e in ipairs(v) do words[i] = v.dtype == "uint32" and e or ir.bits(e, "uint32") end
  elseif bits == 64 then
    for i, e in ipairs(v) do
      local b = v.dtype == "uint64" and e or ir.bits(e, "uint64")
      words[2 * i - 1], words[2 * i] = ir.cast(b, "uint32"), ir.cast(ir.shr(b, ir.cast(32, "uint64")), "uint32")
    end
  else
    local each, of = 32 // bits, "uint" .. bits
    for i, e in ipairs(v) do
      local b = ir.cast(v.dtype == of and e or ir.bits(e, of), "uint32")
      local at, shift = (i - 1) // each + 1, (i - 1) % each * bits
      b = shift > 0 and ir.shl(b, ir.cast(shift, "uint32")) or b
      words[at] = words[at] and ir.bor(words[at], b) or b
    end
  end
  return words
end

-- The other way round: n lanes of a dtype.
local function lanes_from(words, dtype, n)
  local bits, v = bits_of(dtype), {}
  for i = 1, n do
    local b
    if bits == 32 then
      b = words[i]
    elseif bits == 64 then
      b = ir.bor(ir.cast(words[2 * i - 1], "uint64"), ir.shl(ir.cast(words[2 * i], "uint64"), ir.cast(32, "uint64")))
    else
      local each = 32 // bits
      b = ir.cast(ir.shr(words[(i - 1) // each + 1], ir.cast((i - 1) % each * bits, "uint32")), "uint" .. bits)
    end
    local of = "uint" .. bits
    v[i] = dtype == of and b or ir.bits(b, dtype)
  end
  return v
end

-- The type "float32x4" as its element's and a count; nil: v is none.
local function split(v)
  local of, n = tostring(v):match "^(%l[%w_]-)x(%d+)$"
  n = math.tointeger(tonumber(n))
  if of and types.isdtype(of) and n and n > 1 then
    return types.canon(of), n
  end
end

-- T.float32x4: its name; nil where key is no such type.
function registry.vector_type(key)
  return split(key) and key or nil
end

local scalar_reinterpret = names.reinterpret.fn

-- T.reinterpret of a vector, or to one.
local function reinterpret(value, dtype)
  if split(value) then
    value, dtype = dtype, value
  end
  local to, n = split(dtype)
  if not to and getmetatable(value) ~= Vector then
    return scalar_reinterpret(value, dtype)
  end
  local from = getmetatable(value) == Vector and lanes_of[value] or ir.isvalue(value) and {dtype = ir.dtype(value), value}
    or lanes("T.reinterpret", "value", value)
  to, n = to or types.canon(dtype), n or 1
  if bits_of(to) * n ~= bits_of(from.dtype) * #from or bits_of(to) < 8 or bits_of(from.dtype) < 8 then
    diag.fail("arg_value", "T.reinterpret", "dtype", W"%d bits":format(bits_of(from.dtype) * #from), tostring(dtype))
  end
  local v = bits_of(to) * n < 32 and scalar_reinterpret(value, dtype) or lanes_from(words_of(from), to, n)
  return n == 1 and v[1] or vector(to, v)
end

names.reinterpret.checks.value = nil
names.reinterpret.checks.dtype = nil
names.reinterpret.fn = reinterpret
registry.renew "reinterpret"

-- Loads and stores of a given width --------------------------------------------------

local function scope_of(what, name, list, scope)
  local has = list[1].buffer.scope
  if has ~= scope then
    diag.fail("arg_value", what, name, W("a " .. scope .. " buffer"), has)
  end
end

-- How many elements of a dtype have so many bits.
local function count(what, name, buffer, bits)
  local of = bits_of(buffer.dtype)
  if of < 8 or bits % of ~= 0 then
    diag.fail("arg_value", what, name, W"elements of 8 to %d bits":format(bits), buffer.dtype)
  end
  return bits // of
end

local function buffer_of(v) return ir.kind(v) == "buffer" and v or v.buffer end

local function load_bits(what, scope, bits, src, pred)
  local kind = ir.kind(src)
  if kind ~= "element" and kind ~= "region" and kind ~= "buffer" then
    diag.fail("arg_type", what, "src", W"a buffer, element or slice", describe(src), what .. "(A[i])")
  end
  local n = count(what, "src", buffer_of(src), bits)
  local list, buffer = elements(what, "src", src, n)
  scope_of(what, "src", list, scope)
  local v = {dtype = buffer.dtype}
  for i, e in ipairs(list) do
    v[i] = e.buffer[e.at]
    v[i] = pred == nil and ir.cast(v[i], buffer.dtype) or ir.select(pred, v[i], ir.cast(0, buffer.dtype))
  end
  local words = words_of(v)
  return bits == 32 and words[1] or vector("uint32", words)
end

local function store_bits(what, scope, bits, dst, value, pred)
  local kind = ir.kind(dst)
  if kind ~= "element" and kind ~= "region" and kind ~= "buffer" then
    diag.fail("arg_type", what, "dst", W"a buffer, element or slice", describe(dst), what .. "(A[i], value)")
  end
  local n = count(what, "dst", buffer_of(dst), bits)
  local list, buffer = elements(what, "dst", dst, n)
  scope_of(what, "dst", list, scope)
  local from = getmetatable(value) == Vector and lanes_of[value] or {dtype = ir.dtype(value), value}
  if bits_of(from.dtype) * #from ~= bits then
    diag.fail("arg_value", what, "value", W"%d bits":format(bits), bits_of(from.dtype) * #from)
  end
  local P = trace.kernel(what)
  local v = lanes_from(words_of(from), buffer.dtype, n)
  for i = 1, n do v[i] = ir.let(P, "lane", v[i]) end
  if pred ~= nil then ir.if_(P, pred) end
  for i, e in ipairs(list) do e.buffer[e.at] = v[i] end
  if pred ~= nil then ir.close(P) end
end

for _, o in ipairs {
  {"ldg", "global", {32, 64, 128, 256}, "global", "全局内存"}, {"lds", "shared", {32, 64, 128}, "shared", "共享内存"},
} do
  local load, scope, all, en, zh = table.unpack(o)
  local store = load == "ldg" and "stg" or "sts"
  local pred, ptype = load == "ldg" and ", pred=None" or "", load == "ldg" and " pred:value" or ""
  local region = load == "ldg" and "A[0, %s]" or "As[0, %s]"
  for _, bits in ipairs(all) do
    local n = bits // 32
    local slice = region:format(bits == 32 and load == "ldg" and "0" or "0:" .. (load == "ldg" and n or 2 * n))
    local put = load == "lds" and slice or n == 1 and "C[by * 32, bx * 32]" or ("C[by * 32, bx * 32:bx * 32 + %d]"):format(n)
    local example = ("T.%s%d(%s, T.%s%d(%s))"):format(store, bits, put, load, bits, slice)
    def {
      name = load .. bits, sig = ("%s%d(src%s)"):format(load, bits, pred), types = "src:any" .. ptype, band = "B",
      summary = ("%d adjacent bits of %s memory as %s%s"):format(bits, en, n == 1 and "an uint32" or "a vector uint32x" .. n,
        pred ~= "" and "; 0 where pred does not hold" or ""),
      summary_zh = ("%s中相邻的 %d 位，作为 uint32%s%s"):format(zh, bits, n == 1 and "" or "x" .. n .. " 向量",
        pred ~= "" and "；pred 不成立时为 0" or ""),
      example = example,
      fn = function(src, p) return (load_bits("T." .. load .. bits, scope, bits, src, p)) end,
    }
    def {
      name = store .. bits, sig = ("%s%d(dst, value%s)"):format(store, bits, pred), types = "dst:any value:any" .. ptype,
      band = "B", summary = ("stores the %d bits of a value or vector to %s memory%s"):format(bits, en,
        pred ~= "" and ", where pred holds" or ""),
      summary_zh = ("把值或向量的 %d 位写入%s%s"):format(bits, zh, pred ~= "" and "（pred 成立时）" or ""),
      example = example,
      fn = function(dst, value, p) store_bits("T." .. store .. bits, scope, bits, dst, value, p) end,
    }
  end
end

def {
  name = "__ldg", sig = "__ldg(load_or_buf, index=None)", types = "load_or_buf:any index:value", band = "B",
  summary = "an element of global memory that nothing writes meanwhile; the compiler chooses the cache",
  summary_zh = "读取期间无人写入的全局内存元素；缓存由编译器选择",
  example = "row[0] = T.__ldg(A[0, 1])",
  fn = function(v, index)
    if ir.kind(v) == "buffer" and index ~= nil then
      v = v[{index}]
    end
    if ir.kind(v) ~= "element" then
      diag.fail("arg_type", "T.__ldg", "load_or_buf", W"an element of a buffer", describe(v), "T.__ldg(A[i])")
    end
    return (ir.cast(v, v.dtype))
  end,
}

-- Vectors by name --------------------------------------------------------------------

local function lane_count(what, n)
  local c = ir.const(n)
  if math.type(c) ~= "integer" or c < 1 or c > 64 then
    diag.fail("arg_value", what, "lanes", "1 .. 64", describe(n))
  end
  return c
end

def {
  name = "Broadcast", sig = "Broadcast(value, lanes)", types = "value:value lanes:value", band = "B",
  summary = "a vector with one value in all its lanes", summary_zh = "各通道取同一值的向量",
  example = "C[by * 32, bx * 32:bx * 32 + 4] = T.Broadcast(T.cast(1, T.float32), 4)",
  fn = function(value, n)
    local v = {}
    for i = 1, lane_count("T.Broadcast", n) do v[i] = value end
    return (vector(ir.dtype(value), v))
  end,
}

def {
  name = "Ramp", sig = "Ramp(base, stride, lanes)", types = "base:value stride:value lanes:value", band = "B",
  summary = "the index of adjacent elements, base .. base + lanes - 1: A[T.Ramp(i, 1, 4)] is A[i:i + 4]",
  summary_zh = "相邻元素的下标 base 到 base + lanes - 1：A[T.Ramp(i, 1, 4)] 即 A[i:i + 4]",
  example = "C[by * 32, T.Ramp(bx * 32, 1, 2)] = T.add2(A[0, T.Ramp(0, 1, 2)], B[0, 0:2])",
  fn = function(base, step, n)
    if ir.const(step) ~= 1 then
      diag.fail("arg_value", "T.Ramp", "stride", "1", describe(step))
    end
    return (stage.slice(base, base + lane_count("T.Ramp", n)))
  end,
}

local function lane_at(what, name, v, i)
  local c = ir.const(i)
  if math.type(c) ~= "integer" or c < 0 or c >= #v then
    diag.fail("arg_value", what, name, ("0 .. %d"):format(#v - 1), describe(i))
  end
  return v[c + 1]
end

def {
  name = "extract_lane", sig = "extract_lane(vector, lane)", types = "vector:any lane:value", band = "B",
  summary = "one lane of a vector, counted from 0", summary_zh = "向量的一个通道，从 0 计数",
  example = "row[0] = T.extract_lane(A[0, 0:4], 2)",
  fn = function(v, lane) return (lane_at("T.extract_lane", "lane", lanes("T.extract_lane", "vector", v), lane)) end,
}

def {
  name = "Shuffle", sig = "Shuffle(vectors, indices)", types = "vectors:table indices:table", band = "B",
  summary = "lanes of vectors, counted through all of them: a vector, or of one index a scalar",
  summary_zh = "按编号（在所有向量中连续计数）选取通道：得到向量；只有一个编号时得到标量",
  example = "C[by * 32, bx * 32:bx * 32 + 2] = T.Shuffle({A[0, 0:2], B[0, 0:2]}, {3, 0})",
  fn = function(vectors, indices)
    local all, r = {}, {}
    for _, v in ipairs(vectors) do
      local part = getmetatable(v) ~= Vector and ir.kind(v) ~= "region" and {v, dtype = ir.dtype(v)} or
        lanes("T.Shuffle", "vectors", v)
      all.dtype = all.dtype or part.dtype
      table.move(part, 1, #part, #all + 1, all)
    end
    for i, k in ipairs(indices) do r[i] = lane_at("T.Shuffle", "indices", all, k) end
    return #r == 1 and r[1] or vector(all.dtype, r)
  end,
}

-- Two lanes at once --------------------------------------------------------------------

local function fused(x, y, z)
  local dtype = ir.dtype(x)
  if dtype == "float32" then
    return ir.call.ieee_fmaf(x, y, z, 0)
  end
  local wide = function(v) return (ir.cast(v, "float64")) end
  return (ir.cast(ir.call.ieee_fmaf(wide(x), wide(y), wide(z), 0), dtype))
end

local pairwise = {float32 = true, float16 = true, bfloat16 = true}

for _, o in ipairs {
  {"add2", "x, y", ir.add, "x + y"}, {"sub2", "x, y", ir.sub, "x - y"}, {"mul2", "x, y", ir.mul, "x * y"},
  {"fma2", "x, y, z", fused, "x * y + z, rounded once", "x * y + z（只舍入一次）"}, {"max2", "x, y", ir.max, "max(x, y)"},
  {"min2", "x, y", ir.min, "min(x, y)"}, {"abs2", "x", ir.call.abs, "abs(x)"},
} do
  local name, args, f = o[1], o[2], o[3]
  local count_of = select(2, args:gsub("%l", ""))
  local rest = args:gsub("x, y, z", "B[0, 0:2], A[0, 2:4]"):gsub("^x, y$", "B[0, 0:2]")
  def {
    name = name, sig = ("%s(%s)"):format(name, args), types = args:gsub("(%l)", "%1:any"):gsub(",", ""), band = "B",
    summary = o[4] .. " of two lanes, of float32, float16 or bfloat16",
    summary_zh = "两个通道的 " .. (o[5] or o[4]) .. "，类型为 float32、float16 或 bfloat16",
    example = ("C[by * 32, bx * 32:bx * 32 + 2] = T.%s(A[0, 0:2]%s)"):format(name, args == "x" and "" or ", " .. rest),
    fn = function(...)
      local what, dtype = "T." .. name, nil
      for i = 1, count_of do
        local v = lanes(what, "x", (select(i, ...)))
        dtype = dtype or v.dtype
        if #v ~= 2 or not pairwise[v.dtype] or v.dtype ~= dtype then
          diag.fail("arg_value", what, "x", "float32x2, float16x2, bfloat16x2", ("%sx%d"):format(v.dtype, #v))
        end
      end
      return (lanewise(what, f, ...))
    end,
  }
end

-- Bits of a number -----------------------------------------------------------------------

def {
  name = "__ffs", sig = "__ffs(value)", types = "value:value", band = "B",
  summary = "the number of the lowest bit that is set, from 1; 0 where none is",
  summary_zh = "最低的置位位的编号，从 1 计数；没有置位时为 0",
  example = "Ir[0] = T.__ffs(Ir[0])",
  fn = function(value)
    local dtype = ir.dtype(value)
    local bits = dtype:find "64" and 64 or 32
    local of = bits == 64 and "int64" or "int32"
    local v = ir.let(trace.kernel "T.__ffs", "value", dtype == of and ir.cast(value, of) or
      ir.cast(value, of), true)
    local lowest = ir.band(v, ir.cast(0, of) - v)
    return (ir.select(ir.eq(v, ir.cast(0, of)), ir.cast(0, "int32"),
      ir.cast(ir.cast(bits, of) - ir.call.clz(lowest), "int32")))
  end,
}

def {
  name = "__fns", sig = "__fns(mask, base, offset)", types = "mask:value base:value offset:value", band = "B",
  summary = "the offset-th bit of mask that is set, from bit base on upwards, or with a negative offset downwards; " ..
    "offset 0: base itself; 0xFFFFFFFF where there is none",
  summary_zh = "mask 中自第 base 位起向上第 offset 个置位位的编号；offset 为负时向下；为 0 时只看 base；没有时为 0xFFFFFFFF",
  example = "Ir[0] = T.cast(T.__fns(0xF0, 0, 2), T.int32)",
  fn = function(mask, base, offset)
    local P = trace.kernel "T.__fns"
    local m, b = ir.let(P, "mask", ir.cast(mask, "uint32"), true), ir.let(P, "base", ir.cast(base, "int32"), true)
    local n = ir.let(P, "offset", ir.cast(offset, "int32"), true)
    local found = names.alloc_var.value("uint32", ir.cast(0xFFFFFFFF, "uint32"))
    local left = names.alloc_var.value("int32", ir.select(ir.eq(n, 0), 1, ir.select(ir.lt(n, 0), ir.cast(0, "int32") - n, n)))
    local i = ir.loop(P, "serial", "bit", nil, 0, 32)
    local at = ir.let(P, "at", b + ir.select(ir.lt(n, 0), ir.cast(0, "int32") - i, i), true)
    local inside = ir.and_(ir.le(0, at), ir.lt(at, 32))
    inside = ir.and_(inside, ir.or_(ir.ne(n, 0), ir.eq(i, 0)))
    ir.if_(P, inside)
    ir.if_(P, ir.ne(ir.band(ir.shr(m, ir.cast(at, "uint32")), ir.cast(1, "uint32")), ir.cast(0, "uint32")))
    ir.set(left, left - 1)
    ir.if_(P, ir.eq(left, 0))
    ir.set(found, ir.cast(at, "uint32"))
    ir.close(P)
    ir.close(P)
    ir.close(P)
    ir.close(P)
    return (ir.let(P, "found", ir.cast(found, "uint32"), true))
  end,
}
