-- notes.lua: random statements that must not change what a kernel computes: facts, messages, and what helps
-- the compiler.
local types = require "hunt.types"
local E = require "hunt.expr"
local M = {}

local function compare(op, a, b)
  return {k = "cmp", op = op, t = "bool", a = a, b = b}
end

local function has_bounds(e)
  local t = types.of[e.t]
  return e.k ~= "lit" and e.lo and e.hi and (t.kind == "float" or t.kind == "int" and (e.lo > t.lo or e.hi < t.hi))
end

-- e lies within the bounds that are known of it.
local function bounded(G, e)
  local r, t = G.r, types.of[e.t]
  if not has_bounds(e) then return nil end
  local lo = t.kind == "float" and compare(">=", e, E.lit(e.lo + 0.0, e.t))
             or e.lo > t.lo and (r:chance(0.5) and compare(">=", e, E.lit(e.lo, e.t)) or compare(">", e, E.lit(e.lo - 1, e.t)))
  local hi = t.kind == "float" and compare("<=", e, E.lit(e.hi + 0.0, e.t))
             or e.hi < t.hi and (r:chance(0.5) and compare("<=", e, E.lit(e.hi, e.t)) or compare("<", e, E.lit(e.hi + 1, e.t)))
  if lo and hi and r:chance(0.4) then return {k = "and", t = "bool", a = lo, b = hi} end
  return r:chance(0.5) and (lo or hi) or hi or lo
end

local kinds = {}

-- A sum of variables, as indices are.
function kinds.index(G)
  local v, w = E.index_var(G), E.index_var(G)
  if not v then return nil end
  if w and G.r:chance(0.5) then v = E.add(E.mul(v, G.r:of {1, 2, 4, 8}), w) end
  return bounded(G, v)
end

-- An element that is read: what an input holds is known.
function kinds.element(G)
  local list = E.readable(G)
  if #list == 0 then return nil end
  local b = G.r:of(list)
  if b.dtype == "bool" then return nil end
  local e = E.load(G, b)
  if not e then return nil end
  if b.known then e.lo, e.hi = b.known.lo, b.known.hi end
  return bounded(G, e)
end

function kinds.value(G) return bounded(G, E.gen(G, "int32", 2)) end

-- The size of a tensor, which the kernel learns when it is called.
function kinds.size(G)
  local r, p = G.r, G.program
  if #p.dim_order == 0 or G.in_macro then return nil end
  local name = r:of(p.dim_order)
  local n = p.dims[name]
  local e = E.var(name, n, n)
  local k = r:of {2, 4, 8, 16}
  if n % k == 0 and r:chance(0.6) then return compare("==", E.bin("%", e, E.lit(k)), E.lit(0)) end
  return compare(r:of {"==", ">=", "<="}, e, E.lit(n))
end

-- One of two holds always.
function kinds.either(G)
  local c = E.condition(G, 1)
  return {k = "or", t = "bool", a = c, b = {k = "not", t = "bool", a = c}}
end

-- A condition that holds, or nil.
local function fact(G)
  return kinds[G.r:of {"index", "index", "element", "element", "value", "size", "size", "either"}](G)
end

function M.assume(G, out)
  local c = fact(G)
  if c and G.r:chance(0.15) then
    local other = fact(G)
    c = other and {k = "and", t = "bool", a = c, b = other} or c
  end
  if c then out[#out + 1] = {k = "assume", c = c} end
end

-- A check that holds, or a message that is never printed.
function M.say(G, out)
  local c = fact(G)
  if not c then return end
  if G.r:chance(0.5) then
    out[#out + 1] = {k = "assert", c = c}
  else
    out[#out + 1] = {k = "say", c = c, e = E.gen(G, G.r:of {"int32", "float32"}, 1)}
  end
end

-- Options of a statement that moves elements.
function M.options(G, s)
  local r = G.r
  if not r:chance(G.profile.options) then return s end
  s.options = {coalesced_width = r:of {1, 2, 4, 8}}
  if s.k == "par" and r:chance(0.3) then s.options.prefer_async = true end
  if s.k == "copy" and r:chance(0.3) then s.options = {disable_tma = true} end
  if s.k == "copy" and r:chance(0.3) then s.options.eviction_policy = r:of {"evict_normal", "evict_first", "evict_last"} end
  return s
end

-- At a kernel's head: the order of its blocks, and what reads outside of inputs give.
function M.kernel(G)
  local r = G.r
  if r:chance(G.profile.options) then
    table.insert(G.head, {k = "swizzle", n = r:int(1, 8), order = r:of {"row", "column"}})
  end
  for _, b in ipairs(G.inputs) do
    if r:chance(G.profile.safe) and b.known and not b.atomic then
      local kind = types.of[b.dtype].kind
      local v = kind == "float" and r:int(-4, 4) + 0.0 or r:int(0, 9)
      b.known = {lo = math.min(b.known.lo, v), hi = math.max(b.known.hi, v)}
      table.insert(G.head, {k = "safe", buf = b.name, v = v})
    end
  end
end

-- Layouts of shared tiles.
function M.tiles(G)
  for _, b in ipairs(G.tiles) do
    if b.scope == "shared" and not b.root and #b.shape == 2 and G.r:chance(G.profile.options * 0.3) then
      table.insert(G.head, {k = "layout", buf = b.name, kind = G.r:of {"swizzled", "linear"}})
    end
  end
end

return M
