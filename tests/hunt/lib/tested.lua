-- tested.lua: indices that are read from memory, tested, stored over and used.
--
-- What a condition has found true of such an index is true no more behind a store to it: the accesses with it
-- lie outside then, and are dropped or give 0.  A block has rows of its own, an iteration elements of its own; what
-- several may reach are sums by atomics.
local E = require "hunt.expr"
local M = {}

local function cmp(op, a, b) return {k = "cmp", op = op, t = "bool", a = a, b = b} end

-- A tensor that only these statements touch, a row a block.
local function tensor(G, n, from)
  local shape, r = {}, G.r
  for d = #G.kernel.grid, 1, -1 do shape[#shape + 1] = G.kernel.grid[d] end
  shape[#shape + 1] = n
  local b = G:input("int32", shape, {atomic = true, name = G:name "R"})
  local list = G.program.inputs[b.name]
  for i in ipairs(list) do list[i] = from and r:int(-2, from + 1) or r:int(0, 9) end
  b.known = nil
  G.program.outputs[#G.program.outputs + 1] = b.name
  return b
end

-- Where the block's element i of b is.
local function place(G, b, i)
  local idx = {}
  if b.scope == "global" then
    for d = #G.kernel.grid, 1, -1 do
      idx[#idx + 1] = E.var(G.kernel.blocks[d], 0, G.kernel.grid[d] - 1)
    end
  end
  idx[#idx + 1] = i
  return idx
end

local function element(G, b, i)
  return {k = "load", t = "int32", buf = b.name, idx = place(G, b, i), lo = b.lo, hi = b.hi}
end

-- The size of b's last dimension, by its name perhaps.
local function size(G, b)
  local d = #b.shape
  local name = b.dims and b.dims[d]
  if name and not G.in_macro and G.r:chance(0.7) then return E.var(name, b.shape[d], b.shape[d]) end
  return E.lit(b.shape[d])
end

-- Is index e inside of what has w's length?
local function test(G, e, w)
  local r, n = G.r, size(G, w)
  local low, high = cmp(">=", e, E.lit(0)), cmp("<", e, n)
  if r:chance(0.2) then low = cmp("<", E.lit(-1), e) end
  local how = r:int(1, 8)
  if how == 1 then return high end
  if how == 2 then return low end
  if how == 3 then
    return {k = "not", t = "bool", a = {k = "or", t = "bool", a = cmp("<", e, E.lit(0)), b = cmp(">=", e, n)}}
  end
  if how <= 5 then low, high = high, low end
  return {k = "and", t = "bool", a = low, b = high}
end

local Tested = {}
Tested.__index = Tested

-- A new value for the index.
function Tested:change(out)
  local G, r = self.G, self.G.r
  local s = {k = "store", buf = self.index.name, idx = place(G, self.index, self.i)}
  local how = r:int(1, 6)
  if how == 1 and self.index.scope ~= "fragment" then
    s.k, s.op, s.e = "atomic", "add", E.cast(E.lit(r:int(-self.n, self.n)), "int32")
  elseif how == 2 then
    s.e, s.compound = E.bin("+", self.own, E.lit(r:int(-3, self.n))), r:chance(0.5) or nil
  elseif how == 3 then
    s.e = E.gen(G, "int32", 2)
  else
    s.e = E.bin("-", E.bin("%", E.gen(G, "int32", 1), E.lit(self.n + 6)), E.lit(3))
  end
  if r:chance(0.2) then s = {k = "if", arms = {{c = E.condition(G, 1), body = {s}}}} end
  out[#out + 1] = s
end

-- An access at the index.
function Tested:access(out)
  local G, r = self.G, self.G.r
  local read = {k = "load", t = "int32", buf = self.from.name, idx = {self.key}, lo = self.from.lo, hi = self.from.hi}
  local how = r:int(1, 6)
  if how == 1 then
    if r:chance(0.5) then
      read = {k = "sel", form = r:of {"if_then_else", "Select", "and"}, t = "int32", c = test(G, self.key, self.from), a = read,
              b = E.lit(r:int(1, 9)), lo = read.lo, hi = read.hi}
    end
    out[#out + 1] = {k = "store", buf = self.found.name, idx = place(G, self.found, self.i), e = read}
  elseif how == 2 then
    out[#out + 1] = {k = "store", buf = self.index.name, idx = place(G, self.index, self.i), e = read}
  elseif how <= 4 and not self.many then
    out[#out + 1] = {k = "store", buf = self.to.name, idx = place(G, self.to, self.key), e = E.lit(r:int(1, 9))}
  else
    out[#out + 1] = {k = "atomic", op = "add", buf = self.to.name, idx = place(G, self.to, self.key),
                     e = E.cast(r:chance(0.3) and read or E.lit(r:int(1, 9)), "int32")}
  end
end

function Tested:some(out, n)
  for _ = 1, n do
    if self.G.r:chance(0.5) then self:change(out) else self:access(out) end
  end
end

-- Statements in any order, of which the last is an access; again in a loop, perhaps.
function Tested:list()
  local G, r, out = self.G, self.G.r, {}
  self:some(out, r:int(1, 3))
  if r:chance(0.3) then
    local s = {k = "loop", kind = r:of {"serial", "serial", "unroll"}, var = G:name "q", lo = E.lit(0), hi = E.lit(r:int(1, 3)), body = {}}
    self:access(s.body)
    self:some(s.body, r:int(1, 2))
    out[#out + 1] = s
  end
  self:access(out)
  return out
end

function Tested:statements(out)
  local r = self.G.r
  local s = {k = "if", arms = {{c = test(self.G, self.key, r:chance(0.7) and self.to or self.from), body = self:list()}}}
  if r:chance(0.2) then s.arms[2] = {body = self:list()} end
  if r:chance(0.3) then self:change(out) end
  out[#out + 1] = s
  if r:chance(0.3) then self:access(out) end
end

-- The tile of indices, filled; m of them.
local function tile(G, out, scope, m, n)
  local b = G:tile(scope, "int32", {m})
  local v = G:name "i"
  local e = E.bin("%", E.bin("*", E.var(v, 0, m - 1), E.lit(G.r:of {1, 3, 5})), E.lit(n + 4))
  out[#out + 1] = {k = "par", vars = {v}, extents = {m}, body = {
    {k = "store", buf = b.name, idx = {E.var(v, 0, m - 1)}, e = E.bin("-", e, E.lit(2))}}}
  b.init = true
  return b
end

-- Adds such statements to out: for each element of a T.Parallel, or for one element of the block's.
function M.add(G, out)
  local r = G.r
  local m, n = r:of {4, 8, 16, 33}, r:of {3, 7, 8, 16}
  local many = r:chance(0.6)
  local scope = r:of(many and {"global", "global", "shared", "fragment"} or {"global", "global", "shared"})
  local t = setmetatable({G = G, n = n, many = many, to = tensor(G, n), found = tensor(G, m)}, Tested)
  t.from = G:input("int32", {n})
  t.index = scope == "global" and tensor(G, m, n) or tile(G, out, scope, m, n)
  local v = many and G:name "i"
  t.i = many and E.var(v, 0, m - 1) or E.lit(r:int(0, m - 1))
  t.own = element(G, t.index, t.i)
  t.key = t.own
  if scope == "global" and r:chance(0.3) then
    t.key = E.add(t.own, r:chance(0.5) and E.lit(r:int(-2, 2)) or element(G, tensor(G, m, 3), t.i))
  end
  local body = many and {} or out
  G:scope(function()
    if many then G:push {name = v, t = "int32", lo = 0, hi = m - 1, element = true} end
    local par, own = G.par, G.own
    G.par, G.own = many or nil, {[t.index.name] = {buf = t.index.name, idx = place(G, t.index, t.i)}}
    t:statements(body)
    G.par, G.own = par, own
  end)
  if many then out[#out + 1] = {k = "par", vars = {v}, extents = {m}, body = body} end
end

return M
