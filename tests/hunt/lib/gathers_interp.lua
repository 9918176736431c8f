-- gathers_interp.lua: what a program of lib/gathers.lua computes: one statement after the other, one element after the
-- other, in Lua's integers.
local M = {}

local function size(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

-- The place of an element; nothing beyond the shape.
local function place(shape, at)
  local o = 0
  for i, d in ipairs(shape) do
    if at[i] < 0 or at[i] >= d then return end
    o = o * d + at[i]
  end
  return o
end

local eval

-- Which element a read takes: for repeats, and whether an index is always below 0.
local function note(m, e, at)
  local low = m.below[e] or {}
  m.below[e] = low
  for d, v in ipairs(at) do low[d] = v < 0 and low[d] ~= false end
  if m.taken and e[2]:find "^A" then m.taken = m.taken .. e[2] .. table.concat(at, ",") .. ";" end
end

local function evals(list, m)
  local r = {}
  for i, e in ipairs(list) do r[i] = eval(e, m) end
  return r
end

local binary = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end, ["*"] = function(a, b) return a * b end,
  ["//"] = function(a, b) return a // b end, ["%"] = function(a, b) return a % b end,
  min = math.min, max = math.max,
  ["<"] = function(a, b) return a < b end, [">"] = function(a, b) return a > b end, ["<="] = function(a, b) return a <= b end,
  [">="] = function(a, b) return a >= b end, ["=="] = function(a, b) return a == b end, ["~="] = function(a, b) return a ~= b end,
  ["and"] = function(a, b) return a and b end, ["or"] = function(a, b) return a or b end,
}

function eval(e, m)
  if type(e) == "number" then return e end
  local op = e[1]
  if #e == 1 then
    return m.vars[op]
  elseif op == "read" then
    local t, at = m.memory[e[2]], evals(e[3], m)
    local o = place(t.shape, at)
    note(m, e, at)
    return o and t.data[o] or not o and (t.safe or 0)
  elseif op == "tile" then
    local t = m.memory[e[2]]
    return t.data[assert(place(t.shape, evals(e[3], m)))]
  elseif op == "pick" then
    if eval(e[2], m) then return eval(e[3], m) end
    return eval(e[4], m)
  elseif op == "not" then
    return not eval(e[2], m)
  elseif op == "bool" then
    return e[2]
  elseif op == "of" or op == "cast" then
    return eval(e[3], m)
  end
  return binary[op](eval(e[2], m), eval(e[3], m))
end

-- Behind a run: where an index was below 0 whenever it was computed.  The language counts it from the end if that can be
-- proved.
local function always_below(m)
  for _, low in pairs(m.below) do
    for _, b in pairs(low) do
      if b then return true end
    end
  end
  return false
end

-- f for all elements of an extent, with i, j, k set.
local function each(ext, m, f)
  local letters, n = {"i", "j", "k"}, #ext
  for o = 0, size(ext) - 1 do
    local rest = o
    for d = n, 1, -1 do
      m.vars[letters[d]] = rest % ext[d]
      rest = rest // ext[d]
    end
    f(o)
  end
end

local function point(m, n)
  return table.move({m.vars.i, m.vars.j, m.vars.k}, 1, n, 1, {})
end

local statement = {}

local function run(list, m)
  for _, s in ipairs(list) do statement[s.s](s, m) end
end

statement["if"] = function(s, m)
  if eval(s.c, m) then run(s.list, m) end
end

function statement.set(s, m) m.vars.p = eval(s.value, m) end

-- Whether every two neighbours, of those that come from a tensor at all, are one element of it.
local function repeats(tile, from)
  local pairs_of, last = 0, tile.shape[#tile.shape]
  for o, a in pairs(from) do
    local b = from[o + 1]
    if a ~= "" and b and b ~= "" and o % last % 2 == 0 then
      if a ~= b then return false end
      pairs_of = pairs_of + 1
    end
  end
  return pairs_of > 0
end

-- A parallel loop reads nothing that it writes.
function statement.gather(s, m)
  local tile, from = m.memory[s.tile], {}
  each(s.ext, m, function()
    if s.mask and not eval(s.mask, m) then return end
    local o = assert(place(tile.shape, evals(s.at, m)))
    m.taken = ""
    tile.data[o] = eval(s.value, m)
    from[o], m.taken = m.taken, nil
  end)
  m.repeats = m.repeats or repeats(tile, from)
end

function statement.copy(s, m)
  local tile, t, base = m.memory[s.tile], m.memory[s.from], evals(s.base, m)
  local more = #base - #tile.shape
  local low = m.below[s] or {}
  m.below[s] = low
  for d, v in ipairs(base) do low[d] = v < 0 and low[d] ~= false end
  each(tile.shape, m, function(o)
    local at, q = table.move(base, 1, #base, 1, {}), point(m, #tile.shape)
    for d, v in ipairs(q) do at[d + more] = at[d + more] + v end
    local from = place(t.shape, at)
    tile.data[o] = from and t.data[from] or not from and (t.safe or 0)
  end)
end

function statement.turn(s, m)
  local tile = m.memory[s.tile]
  each(tile.shape, m, function(o) tile.data[o] = 3 - tile.data[o] end)
end

function statement.sum(s, m)
  local f, tile = m.memory[s.frag], m.memory[s.tile]
  each(f.shape, m, function(o) f.data[o] = f.data[o] + tile.data[place(tile.shape, evals(s.at, m))] end)
end

local function out(s, m)
  local tile, e = m.memory[s.tile], m.memory[s.to]
  local first = place(e.shape, {m.vars.bx, m.vars.o * m.most + m.vars.ko, table.unpack({0, 0, 0}, 1, #tile.shape)})
  for o = 0, first and size(tile.shape) - 1 or -1 do e.data[first + o] = tile.data[o] end
end
statement.out, statement.out_copy = out, out

function statement.keep(s, m)
  local tile, d = m.memory[s.tile], m.memory[s.to]
  local n = size(tile.shape)
  for o = 0, n - 1 do d.data[m.vars.bx * n + o] = tile.data[o] end
end

function statement.rows(s, m)
  local tile, v, g = m.memory[s.tile], m.memory[s.frag], m.memory[s.via]
  each(tile.shape, m, function(o)
    local to = s.dim == 0 and m.vars.j or m.vars.i
    v.data[to] = v.data[to] + tile.data[o]
    g.data[o] = tile.data[o]
  end)
end

function statement.gemm(s, m)
  local a, b, c = m.memory[s.a], m.memory[s.b], m.memory[s.frag]
  for i = 0, s.m - 1 do
    for j = 0, s.n - 1 do
      local sum = c.data[i * s.n + j]
      for k = 0, s.k - 1 do
        sum = sum + a.data[s.ta and k * s.m + i or i * s.k + k] * b.data[s.tb and j * s.k + k or k * s.n + j]
      end
      c.data[i * s.n + j] = sum
    end
  end
end

function statement.poke(s, m)
  local x = m.memory.X
  local first = eval(s.at, m)
  for i = 0, s.n - 1 do
    local o = place(x.shape, {m.vars.bx, first + i})
    if o then x.data[o] = i % 8 + m.vars.ko + s.add end
  end
end

local function block(p, m)
  for _, list in ipairs {p.tiles, p.fragments} do
    for _, b in ipairs(list) do
      local data = {}
      for o = 0, size(b.shape) - 1 do data[o] = b.fill or list == p.fragments and 0 or nil end
      m.memory[b.name] = {shape = b.shape, data = data}
    end
  end
  m.vars.p, m.vars.o, m.vars.ko = 0, 0, 0
  if not p.around or eval(p.around, m) then
    for o = 0, (p.outer or 1) - 1 do
      m.vars.o = o
      for ko = p.first or 0, (p.first or 0) + eval(p.trips, m) - 1 do
        m.vars.ko = ko
        run(p.load, m)
        run(p.use, m)
      end
    end
  end
  run(p.behind or {}, m)
  for _, f in ipairs(p.fragments) do
    local to, n = m.memory[f.out], size(f.shape)
    for o = 0, n - 1 do to.data[m.vars.bx * n + o] = m.memory[f.name].data[o] end
  end
end

-- Tensor -> its elements after the run, counted from 0; and the names of what p does that has no one answer, or none yet:
--   below     an index that is never 0 or more
--   repeats   neighbours of a tile that are one element of a tensor
function M.run(p)
  local m = {vars = {m = p.m}, memory = {}, below = {}, most = p.most}
  for _, t in ipairs(p.tensors) do
    m.memory[t.name] = {shape = t.shape, safe = t.safe, data = table.move(t.data, 0, size(t.shape) - 1, 0, {})}
  end
  for bx = 0, p.blocks - 1 do
    m.vars.bx = bx
    block(p, m)
  end
  local want = {}
  for _, t in ipairs(p.tensors) do want[t.name] = m.memory[t.name].data end
  return want, {below = always_below(m), repeats = m.repeats}
end

M.size = size
return M
