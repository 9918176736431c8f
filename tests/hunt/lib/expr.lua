-- expr.lua: random expressions.
--
-- A node is {k = kind, t = type, lo = , hi = , ...}; lo and hi bound its value.  Integers wrap, so that a
-- node whose bounds leave its type gets the type's; floats stay small integers, so that every operation
-- is exact: an operand that could grow too large is clamped first.
local types = require "hunt.types"
local E = {}

-- nodes --------------------------------------------------------------------------------

function E.lit(v, t)
  t = t or (math.type(v) == "float" and "float32" or "int32")
  return {k = "lit", t = t, v = v, lo = v, hi = v}
end

function E.var(name, lo, hi, t)
  return {k = "var", t = t or "int32", name = name, lo = lo, hi = hi}
end

local function bounded(e, lo, hi)
  local t = types.of[e.t]
  if t.kind == "int" and (lo < t.lo or hi > t.hi) then lo, hi = t.lo, t.hi end
  e.lo, e.hi = lo, hi
  return e
end

local huge = 2.0 ^ 62

local function spread(f, a, b)
  local w, x, y, z = f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)
  return math.min(w, x, y, z), math.max(w, x, y, z)
end

-- Bounds in doubles first: in 64 bits they could wrap.
local function arithmetic(f, a, b)
  local lo, hi = spread(function(x, y) return f(x + 0.0, y + 0.0) end, a, b)
  if lo < -huge or hi > huge then return -math.huge, math.huge end
  return spread(f, a, b)
end

local bounds = {
  ["+"] = function(a, b) return arithmetic(function(x, y) return x + y end, a, b) end,
  ["-"] = function(a, b) return arithmetic(function(x, y) return x - y end, a, b) end,
  ["*"] = function(a, b) return arithmetic(function(x, y) return x * y end, a, b) end,
  min = function(a, b) return math.min(a.lo, b.lo), math.min(a.hi, b.hi) end,
  max = function(a, b) return math.max(a.lo, b.lo), math.max(a.hi, b.hi) end,
  ["//"] = function(a, b)
    if b.lo > 0 then return spread(function(x, y) return x // y end, a, b) end
  end,
  ["%"] = function(a, b)
    if b.lo == b.hi and b.lo > 0 then
      if a.lo >= 0 and a.hi < b.lo then return a.lo, a.hi end
      return 0, b.lo - 1
    end
  end,
  truncdiv = function(a, b)
    if b.lo > 0 then
      local function q(x, y) local v = x // y; if v < 0 and v * y ~= x then v = v + 1 end; return v end
      return spread(q, a, b)
    end
  end,
  truncmod = function(_, b)
    if b.lo == b.hi then return -math.abs(b.lo) + 1, math.abs(b.lo) - 1 end
  end,
  ceildiv = function(a, b)
    if b.lo > 0 then return spread(function(x, y) return (x + y - 1) // y end, a, b) end
  end,
  align_up = function(a, b)
    if b.lo > 0 then return spread(function(x, y) return (x + y - 1) // y * y end, a, b) end
  end,
  fmod = function(a, b) return -math.abs(b.hi), math.abs(b.hi) end,
  ["&"] = function(a, b)
    if b.lo == b.hi and b.lo >= 0 then return 0, b.lo end
    if a.lo >= 0 and b.lo >= 0 then return 0, math.min(a.hi, b.hi) end
  end,
  [">>"] = function(a, b) return a.lo >= 0 and 0 or a.lo, a.hi >= 0 and a.hi or -1 end,
}

local function above(hi)                -- the least 2^n - 1 that is not below hi
  local m = 1
  while m < hi do m = m * 2 + 1 end
  return m
end
local function bits(a, b)
  if a.lo >= 0 and b.lo >= 0 and a.hi < 1 << 40 and b.hi < 1 << 40 then return 0, above(math.max(a.hi, b.hi)) end
end
bounds["|"], bounds["~"] = bits, bits

function E.bin(op, a, b, t)
  local e = {k = "bin", op = op, a = a, b = b, t = t or (a.k ~= "lit" and a.t or b.t)}
  local kind = types.of[e.t]
  local lo, hi
  if bounds[op] then lo, hi = bounds[op](a, b) end
  if not lo then lo, hi = kind.lo, kind.hi end
  return bounded(e, lo, hi)
end

-- Index arithmetic: constants are folded here as Lua would.
function E.add(a, b)
  if b.k == "lit" and b.v == 0 then return a end
  if a.k == "lit" and a.v == 0 then return b end
  if b.k == "lit" and b.v < 0 and a.k ~= "lit" then return E.bin("-", a, E.lit(-b.v)) end
  if a.k == "lit" and b.k == "lit" then return E.lit(a.v + b.v) end
  return E.bin("+", a, b)
end
function E.mul(a, n)
  if n == 1 then return a end
  if a.k == "lit" then return E.lit(a.v * n) end
  return E.bin("*", a, E.lit(n))
end

-- As type t.
function E.cast(a, t, form)
  if a.t == t and a.k ~= "lit" then return a end
  local e = {k = "cast", t = t, a = a, form = form}
  local kind, from = types.of[t], types.of[a.t]
  if kind.kind == "bool" then return e end
  local lo, hi = a.lo, a.hi
  if from.kind == "bool" then lo, hi = 0, 1 end
  if kind.kind == "float" then
    e.lo, e.hi = lo + 0.0, hi + 0.0
    return e
  end
  if from.kind == "float" then lo, hi = math.tointeger(lo), math.tointeger(hi) end
  return bounded(e, lo, hi)
end

local function clamp(e, lo, hi)
  local function bound(v) return E.lit(types.of[e.t].kind == "float" and v + 0.0 or v, e.t) end
  if e.lo < lo then e = E.bin("max", e, bound(lo)) end
  if e.hi > hi then e = E.bin("min", e, bound(hi)) end
  return e
end
E.clamp = clamp

-- The expression as a value that a tile of type t with bounds lo .. hi may hold.
function E.fit(G, e, t, lo, hi)
  local kind, from = types.of[t], types.of[e.t]
  if kind.kind == "bool" then
    if from.kind == "bool" then return e end
    return {k = "cmp", op = "~=", t = "bool", a = e, b = E.lit(from.kind == "float" and 0.0 or 0, e.t)}
  end
  if from.kind == "bool" then return E.cast(e, t) end
  if kind.kind == "float" then
    if from.kind == "int" then
      local top = math.min(math.tointeger(hi), 64)
      if e.lo < lo or e.hi > hi then e = E.bin("%", e, E.lit(top, e.t)) end
    else
      e = clamp(e, lo, hi)
    end
  elseif from.kind == "float" then
    e = clamp(e, math.max(kind.lo, -2.0 ^ 20), math.min(kind.hi, 2.0 ^ 20))
  end
  if e.t ~= t and e.k ~= "lit" and G.r:chance(0.5) then
    return E.cast(e, t, G.r:chance(0.5) and "method" or nil)
  end
  return e
end

-- indices --------------------------------------------------------------------------------

-- A random integer variable in sight, with values of 0 and more.
local function index_var(G)
  local list, element = {}, {}
  for _, v in ipairs(G.vars) do
    if v.t == "int32" and v.lo >= 0 and v.hi < 4096 then
      list[#list + 1] = v
      if v.element then element[#element + 1] = v end
    end
  end
  if #element > 0 and G.r:chance(0.8) then list = element end
  if #list == 0 then return nil end
  local v = G.r:of(list)
  return E.var(v.name, v.lo, v.hi)
end
E.index_var = index_var

-- An index of 0 .. n - 1.
function E.index(G, n, plain)
  local r = G.r
  if n == 1 then return E.lit(0) end
  local v = index_var(G)
  if not v or r:chance(0.08) then
    return E.lit(r:int(0, n - 1))
  end
  if plain or r:chance(0.45) then
    if v.hi < n then return v end
    return E.bin("%", v, E.lit(n))
  end
  local how = r:int(1, 8)
  if how == 1 and v.hi < n then
    return E.bin("-", E.lit(n - 1), v)
  elseif how == 2 then
    local k = r:of {2, 3, 4, 8}
    local e = E.bin("//", v, E.lit(k))
    return e.hi < n and e or E.bin("%", e, E.lit(n))
  elseif how == 3 then
    return E.bin("%", E.add(E.mul(v, r:int(1, 5)), E.lit(r:int(0, n))), E.lit(n))
  elseif how == 4 then
    local w = index_var(G)
    return E.bin("%", E.add(E.mul(v, r:of {1, 2, 4, 8}), w), E.lit(n))
  elseif how == 5 and v.hi < n then
    local e = E.bin("~", v, E.lit(r:int(1, 7)))
    return e.hi < n and e or E.bin("%", e, E.lit(n))
  elseif how == 6 then
    local e = E.bin("-", v, E.lit(r:int(1, n)))
    if r:chance(0.5) then return E.bin("%", e, E.lit(n)) end
    return clamp(e, 0, n - 1)
  elseif how == 7 and G.profile.gather > 0 and r:chance(G.profile.gather) and G.depth < 2 then
    G.depth = G.depth + 1
    local e = E.gen(G, "int32", 1)
    G.depth = G.depth - 1
    if r:chance(0.3) then return clamp(e, 0, n - 1) end
    return E.bin("%", e, E.lit(n))
  elseif how == 8 and v.hi >= n then
    return clamp(v, 0, n - 1)
  end
  return v.hi < n and v or E.bin("%", v, E.lit(n))
end

-- An index into n elements of global memory, that may lie outside.  A provably negative index counts from
-- the end in TileLang: not used here.
function E.free_index(G, n)
  local r = G.r
  if r:chance(0.4) then return E.index(G, n) end
  local e = index_var(G)
  if not e then return E.lit(r:int(0, n - 1)) end
  if r:chance(0.5) then
    local w = index_var(G)
    if w then e = E.add(e, E.mul(w, r:of {1, 2, 8, 16})) end
  end
  if r:chance(0.3) then e = E.add(e, E.lit(r:int(-3, 3))) end
  if e.hi < 0 then return E.index(G, n) end
  return e
end

-- values ---------------------------------------------------------------------------------

-- The buffers that an expression may read here, of one type.
local function readable(G, t)
  local list = {}
  for _, b in ipairs(G.reading) do
    if b.init and (t == nil or b.dtype == t) and G:may_read(b) then list[#list + 1] = b end
  end
  return list
end
E.readable = readable

function E.load(G, b)
  local own = G.own and G.own[b.root or b.name]
  local idx = {}
  if own then
    if own.buf ~= b.name then return nil end
    idx = own.idx
  elseif b.scope == "fragment" and G.profile.fragmap == 0 then
    for d, n in ipairs(b.shape) do
      for _, v in ipairs(G.vars) do
        if v.element and v.hi == n - 1 then idx[d] = E.var(v.name, v.lo, v.hi) end
      end
      if n == 1 then idx[d] = E.lit(0) end
      if not idx[d] then return nil end
    end
  else
    for d, n in ipairs(b.shape) do
      if b.scope == "global" and G.profile.outside > 0 and G.r:chance(G.profile.outside) then
        idx[d] = E.free_index(G, n)
      else
        local keep = G.profile.gather
        if b.scope == "fragment" then
          -- which thread holds an element must be known
          G.profile = setmetatable({gather = 0}, {__index = G.profile})
        end
        idx[d] = E.index(G, n)
        if b.scope == "fragment" then G.profile = getmetatable(G.profile).__index end
        assert(G.profile.gather == keep)
      end
    end
  end
  return {k = "load", t = b.dtype, buf = b.name, idx = idx, lo = b.lo, hi = b.hi}
end

local function leaf_literal(G, t)
  local kind = types.of[t]
  local v
  if kind.signed and G.r:chance(G.profile.calls * 0.5) then
    local e = E.lit(G.r:chance(0.5) and kind.lo or kind.hi, t)
    e.limit = true
    return e
  end
  if kind.kind == "float" then
    v = G.r:int(-8, 8) + 0.0
  else
    v = G.r:of {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 100, 127}
    if kind.signed and G.r:chance(0.3) then v = -v end
  end
  return E.lit(v, t)
end

-- A value of type t that is no bare literal.
local function leaf(G, t)
  local r = G.r
  local bufs = readable(G, t)
  local vars = {}
  for _, v in ipairs(G.vars) do
    if v.t == t then vars[#vars + 1] = v end
  end
  if #bufs > 0 and (#vars == 0 or r:chance(0.6)) then
    local e = E.load(G, r:of(bufs))
    if e then return e end
  end
  if #vars > 0 then
    local v = r:of(vars)
    return E.var(v.name, v.lo, v.hi, t)
  end
  -- something of another type, cast
  local kind = types.of[t]
  local any = readable(G)
  local e = #any > 0 and r:chance(0.7) and E.load(G, r:of(any)) or nil
  if not e then
    local v = index_var(G)
    if not v then return E.cast(leaf_literal(G, t), t) end
    e = v
  end
  if kind.kind == "bool" then return E.fit(G, e, t) end
  local top = kind.kind == "float" and kind.cap or nil
  e = E.fit(G, e, t, top and -top, top)
  return E.cast(e, t)
end

-- A literal beside a value, sometimes.
local function operand(G, t, depth)
  if G.r:chance(0.25) then return leaf_literal(G, t) end
  return E.gen(G, t, depth)
end

-- What any or all elements of a tile say.
local function looks(G, whole)
  local r, list = G.r, {}
  for _, b in ipairs(G.tiles) do
    -- a fragment is looked at by all threads, wherever it stands
    if b.init and (b.scope == "shared" or whole and b.scope == "fragment") then list[#list + 1] = b end
  end
  if #list == 0 then return nil end
  local b = r:of(list)
  local e = {k = "any", t = "bool", op = r:of {"any_of", "all_of"}, buf = b.name}
  if b.scope == "shared" and r:chance(0.5) then
    e.from, e.extents, e.index = {}, {}, {}
    for d, n in ipairs(b.shape) do
      if d < #b.shape and r:chance(0.5) then
        e.from[d], e.extents[d], e.index[d] = E.index(G, n, true), 1, true
      else
        e.extents[d] = r:int(1, n)
        e.from[d] = E.lit(r:int(0, n - e.extents[d]))
      end
    end
  end
  return e
end

function E.condition(G, depth)
  local r = G.r
  if not G.par and r:chance(G.profile.any) then
    local e = looks(G, depth > 0)
    if e then return e end
  end
  if depth > 0 and r:chance(G.plain_condition and 0 or 0.25) then
    local k = r:of {"and", "or", "not"}
    if k == "not" then return {k = "not", t = "bool", a = E.condition(G, depth - 1)} end
    return {k = k, t = "bool", a = E.condition(G, depth - 1), b = E.condition(G, depth - 1)}
  end
  if r:chance(0.1) then
    local bufs = readable(G, "bool")
    if #bufs > 0 then
      local e = E.load(G, r:of(bufs))
      if e then return e end
    end
  end
  if r:chance(0.5) then
    local v = index_var(G)
    if v then
      if r:chance(0.3) then v = E.bin("%", v, E.lit(r:of {2, 3, 4})) end
      local w = r:chance(0.3) and index_var(G) or E.lit(r:int(0, math.max(v.hi, 1)))
      return {k = "cmp", op = r:of {"<", "<=", ">", ">=", "==", "~="}, t = "bool", a = v, b = w}
    end
  end
  local t = r:of(G.value_types)
  if t == "bool" or G.profile.narrow_compare == 0 and types.of[t].kind == "int" and types.of[t].bits < 32 then t = "int32" end
  local a = E.gen(G, t, depth - 1)
  return {k = "cmp", op = r:of {"<", "<=", ">", ">=", "==", "~="}, t = "bool", a = a, b = operand(G, t, depth - 1)}
end

local function select(G, t, depth)
  local c = E.condition(G, 1)
  local form = G.r:of {"if_then_else", "Select", "and"}
  local a, b = E.gen(G, t, depth - 1), operand(G, t, depth - 1)
  if t == "bool" then return {k = "sel", form = "if_then_else", t = t, c = c, a = a, b = leaf(G, t)} end
  return {k = "sel", form = form, t = t, c = c, a = a, b = b, lo = math.min(a.lo, b.lo), hi = math.max(a.hi, b.hi)}
end

-- T.clamp between two numbers.
local function limited(G, a)
  local lo, hi = G.r:int(-9, 20), G.r:int(21, 60)
  if types.of[a.t].kind == "float" then lo, hi = lo + 0.0, hi + 0.0 end
  if types.of[a.t].signed == false then lo = math.abs(lo) end
  return {k = "clamp", t = a.t, a = a, b = E.lit(lo, a.t), c = E.lit(hi, a.t), lo = lo, hi = hi}
end

local function float_gen(G, t, depth)
  local r, kind = G.r, types.of[t]
  local op = r:of {"+", "-", "*", "min", "max", "+", "-", "abs", "neg", "half", "sel"}
  if r:chance(G.profile.calls) then op = r:of {"clamp", "fmod", "half"} end
  if op == "sel" then return select(G, t, depth) end
  local a = E.gen(G, t, depth - 1)
  if op == "abs" then
    return {k = "un", op = "abs", t = t, a = a, lo = 0.0, hi = math.max(math.abs(a.lo), math.abs(a.hi))}
  elseif op == "neg" then
    return {k = "un", op = "-", t = t, a = a, lo = -a.hi, hi = -a.lo}
  elseif op == "half" then
    local how = r:chance(G.profile.calls) and r:of {"ceil_half", "trunc_half", "round_half"} or "floor_half"
    return {k = "un", op = how, t = t, a = clamp(a, -kind.whole // 4, kind.whole // 4), lo = a.lo - 1, hi = a.hi + 1}
  elseif op == "clamp" then
    return limited(G, a)
  elseif op == "fmod" then
    return E.bin("fmod", a, E.lit(r:int(1, 9) + 0.0, t), t)
  end
  local b = operand(G, t, depth - 1)
  if op == "min" or op == "max" then return E.bin(op, a, b, t) end
  local top = op == "*" and 1 << (kind.digits // 2) or kind.whole // 2
  top = math.min(top, 1 << 20)
  return E.bin(op, clamp(a, -top, top), b.k == "lit" and b or clamp(b, -top, top), t)
end

local int_op_list = {"+", "-", "*", "+", "-", "//", "%", "&", "|", "~", "<<", ">>", "min", "max", "truncdiv", "truncmod",
                     "neg", "not", "abs", "sel", "narrow", "ceildiv"}

-- A divisor: never 0, and -1, whose quotient may not fit, for the narrow types only, which wrap.
local function divisor(G, t)
  local r, kind = G.r, types.of[t]
  if kind.signed and kind.bits < 32 and r:chance(0.3) then
    if r:chance(0.5) then return E.lit(-1, t) end
    return E.bin("|", leaf(G, t), E.lit(-7, t), t)
  end
  if r:chance(0.7) then
    local v = r:of {2, 3, 4, 5, 7, 8, 16, 33}
    if kind.signed and r:chance(0.3) then v = -v end
    return E.lit(v, t)
  end
  local m = r:of {3, 7, 15}
  return E.bin("+", E.bin("&", leaf(G, t), E.lit(m, t)), E.lit(r:int(1, 3), t))
end

-- The integer a through a function that kernels call now and then.
local function call(G, t, a)
  local r, kind = G.r, types.of[t]
  local op = r:of {"clamp", "popcount", "clz", "bits", "align_up", "//", "%", "<<"}
  if op == "clamp" then
    return limited(G, a)
  elseif op == "bits" then
    -- the same bits, with a sign and without
    local other = (kind.signed and "u" or "") .. t:gsub("^u", "")
    if not types.of[other] then return nil end
    return E.cast(E.cast(a, other, "bits"), t, r:chance(0.5) and "bits" or nil)
  elseif op == "align_up" then
    if a.hi > kind.hi - 16 or a.lo < kind.lo + 16 then return nil end
    return E.bin(op, a, E.lit(r:of {2, 4, 8, 3}, t), t)
  elseif op == "popcount" or op == "clz" then
    if t ~= "int32" or a.k == "lit" then return nil end
    return {k = "un", op = op, t = t, a = a, lo = 0, hi = 32}
  end
  local e = E.bin(op, a, op == "<<" and E.lit(r:int(0, kind.bits // 2), t) or divisor(G, t), t)
  e.named = true
  return e
end

local function int_gen(G, t, depth)
  local r, kind = G.r, types.of[t]
  local op = r:of(int_op_list)
  if op == "sel" then return select(G, t, depth) end
  if op == "narrow" and G.profile.narrow > 0 then
    -- there and back again
    local via = r:of {"int8", "uint8", "int16", "uint16", "int32", "uint32"}
    if via ~= t then return E.cast(E.cast(E.gen(G, t, depth - 1), via), t, r:chance(0.5) and "method" or nil) end
  end
  local a = E.gen(G, t, depth - 1)
  if r:chance(G.profile.calls) then
    local e = call(G, t, a)
    if e then return e end
  end
  if op == "neg" or op == "narrow" then
    if not kind.signed then return a end
    return bounded({k = "un", op = "-", t = t, a = a}, -a.hi, -a.lo == a.lo and kind.hi or -a.lo)
  elseif op == "not" then
    return bounded({k = "un", op = "~", t = t, a = a}, kind.lo, kind.hi)
  elseif op == "abs" then
    if not kind.signed then return a end
    if a.lo == kind.lo then
      if kind.bits >= 32 then return a end
      return bounded({k = "un", op = "abs", t = t, a = a}, kind.lo, kind.hi)   -- wraps
    end
    return bounded({k = "un", op = "abs", t = t, a = a}, 0, math.max(math.abs(a.lo), math.abs(a.hi)))
  elseif op == "//" or op == "%" or op == "truncdiv" or op == "truncmod" then
    return E.bin(op, a, divisor(G, t), t)
  elseif op == "ceildiv" then
    local n = r:of {2, 3, 8}
    if a.hi > kind.hi - 8 then return E.bin("//", a, E.lit(n, t), t) end
    return E.bin(op, a, E.lit(n, t), t)
  elseif op == "<<" or op == ">>" then
    if r:chance(0.7) then return E.bin(op, a, E.lit(r:int(0, math.min(kind.bits - 1, 12)), t), t) end
    return E.bin(op, a, E.bin("&", leaf(G, t), E.lit(7, t)), t)
  end
  local e = E.bin(op, a, operand(G, t, depth - 1), t)
  e.named = op:find "^[&|~]$" and r:chance(G.profile.calls) or nil
  return e
end

-- An expression of type t.
function E.gen(G, t, depth)
  local kind = types.of[t].kind
  if kind == "bool" then return depth > 0 and E.condition(G, depth) or leaf(G, t) end
  if depth <= 0 or G.r:chance(0.2) then return leaf(G, t) end
  if kind == "float" then return float_gen(G, t, depth) end
  return int_gen(G, t, depth)
end

return E
