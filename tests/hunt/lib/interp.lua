-- interp.lua: runs a generated program in plain Lua, block after block, iteration after iteration.
--
-- It is the yardstick, so it is sequential and does nothing clever.  It also says when a program is not
-- right by the language's contract, by raising {invalid = why}: reading what was never written, indices
-- outside of a tile, two iterations of T.Parallel that meet in one element, sums that are not exact.
-- The shrinker relies on it: what it makes of a program must still be right.
local types = require "hunt.types"
local tiles = require "hunt.tiles"
local M = {}

local function invalid(why) error({invalid = why}, 0) end

-- Programs that take too long to interpret are not counted.
local function spend(S, n)
  S.steps = S.steps + n
  if S.limit and S.steps > S.limit then invalid "too long" end
end

-- expressions --------------------------------------------------------------------

local function trunc_div(a, b)
  local q = a // b
  if q * b ~= a and (a < 0) ~= (b < 0) then q = q + 1 end
  return q
end

local int_ops = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["//"] = function(a, b) return a // b end,
  ["%"] = function(a, b) return a % b end,
  ["&"] = function(a, b) return a & b end,
  ["|"] = function(a, b) return a | b end,
  ["~"] = function(a, b) return a ~ b end,
  ["<<"] = function(a, b) return a << b end,
  [">>"] = function(a, b) return a // (1 << b) end,
  min = math.min, max = math.max,
  truncdiv = trunc_div,
  truncmod = function(a, b) return a - trunc_div(a, b) * b end,
  ceildiv = function(a, b) return (a + b - 1) // b end,
  align_up = function(a, b) return (a + b - 1) // b * b end,
}

local divides = {["//"] = true, ["%"] = true, truncdiv = true, truncmod = true, ceildiv = true, align_up = true}

local float_ops = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b) return a / b end,
  min = math.min, max = math.max, fmod = math.fmod,
}

local compare = {
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
  ["=="] = function(a, b) return a == b end,
  ["~="] = function(a, b) return a ~= b end,
}

local expr
local values = {}                       -- kinds of expressions besides those that expr tells apart

local function binary(S, e)
  local a, b, t = expr(S, e.a), expr(S, e.b), types.of[e.t]
  if t.kind == "int" then
    local f, wrap, bits = int_ops[e.op], t.wrap, t.bits
    if divides[e.op] then
      return function()
        local x, y = a(), b()
        if y == 0 or (y == -1 and x == t.lo and bits >= 32) then invalid "integer division" end
        return wrap(f(x, y))
      end
    elseif e.op == "<<" or e.op == ">>" then
      return function()
        local x, y = a(), b()
        if y < 0 or y >= bits then invalid "shift by more than the type has" end
        return wrap(f(x, y))
      end
    end
    return function() return wrap(f(a(), b())) end
  end
  local f, round, exact = float_ops[e.op], t.round, S.exact
  return function()
    local v = f(a(), b())
    local r = round(v)
    if exact and r ~= v then invalid "a float operation that rounds" end
    return r
  end
end

-- A whole number from half of one.
local halves = {
  floor_half = math.floor, ceil_half = math.ceil,
  trunc_half = function(v) return v < 0 and math.ceil(v) or math.floor(v) end,
  round_half = function(v)              -- ties to even
    local f = math.floor(v)
    return v - f == 0.5 and f + f % 2 or f
  end,
}

-- Bits of 32 that are 1, or those of 0 in front of the first 1.
local function bit_counter(op, a)
  return function()
    local v, n = a() & 0xFFFFFFFF, 0
    if op == "clz" then
      while n < 32 and v & 1 << 31 - n == 0 do n = n + 1 end
      return n
    end
    while v ~= 0 do v, n = v & v - 1, n + 1 end
    return n
  end
end

local function unary(S, e)
  local a, t = expr(S, e.a), types.of[e.t]
  if e.op == "~" then
    return function() return t.wrap(~a()) end
  elseif halves[e.op] then
    local f = halves[e.op]
    return function() return f(a() * 0.5) + 0.0 end
  elseif e.op == "popcount" or e.op == "clz" then
    return bit_counter(e.op, a)
  end
  local f = e.op == "-" and function(v) return -v end or math.abs
  if t.kind == "float" then return function() return f(a()) end end
  return function() return t.wrap(f(a())) end
end

-- Index i of global memory.  One that is negative wherever it comes may be provably so, and then it counts from
-- the end; whether it is proved is the compiler's business.
local function watched_index(S, i)
  local w = {}
  S.signs[#S.signs + 1] = w
  return function()
    local v = i()
    if v < 0 then w.below = true else w.above = true end
    return v
  end
end

-- Could no compiler know the sign of i: is it read from memory?
local function read_sign(i)
  if i.k == "load" then return i.t == "int32" end
  return i.k == "bin" and (i.op == "+" or i.op == "-") and i.t == "int32" and read_sign(i.a) and (i.b.k == "lit" or read_sign(i.b))
end

-- The place of an access in a buffer, and nothing when it is outside.
local function place(S, buf, idx)
  local at, shape, n = {}, buf.shape, #idx
  for d, i in ipairs(idx) do
    at[d] = expr(S, i)
    if buf.scope == "global" and not read_sign(i) then at[d] = watched_index(S, at[d]) end
  end
  if n == 1 then
    local a, m = at[1], shape[1]
    return function()
      local i = a()
      if i < 0 or i >= m then return nil end
      return i
    end
  elseif n == 2 then
    local a, b, m, k = at[1], at[2], shape[1], shape[2]
    return function()
      local i, j = a(), b()
      if i < 0 or i >= m or j < 0 or j >= k then return nil end
      return i * k + j
    end
  end
  return function()
    local p, inside = 0, true
    for d = 1, n do
      local i = at[d]()
      if i < 0 or i >= shape[d] then inside = false end
      p = p * shape[d] + i
    end
    return inside and p or nil
  end
end

-- What the turns of a T.vectorized do to one element: they have no order.
local function meet_turn(S, store, p, writes)
  if store.vector ~= S.vector then store.vector, store.written, store.read = S.vector, {}, {} end
  local turn, w, r = S.turn, store.written[p], store.read[p]
  if w and w ~= turn or writes and r and r ~= turn then invalid("two turns of a vector meet in " .. store.name) end
  if writes then
    store.written[p] = turn
  else
    store.read[p] = (r == nil or r == turn) and turn or -1
  end
end

-- What iterations of a T.Parallel, or threads between two barriers, do to one element.
local function meet(S, store, p, writes)
  local lane = S.lane
  if S.turn then meet_turn(S, store, p, writes) end
  if not lane or store.per_thread then return end
  if store.epoch ~= S.epoch then store.epoch, store.writer, store.reader = S.epoch, {}, {} end
  local w, r = store.writer[p], store.reader[p]
  if w and w ~= lane then invalid("two iterations meet in " .. store.name) end
  if writes then
    if r and r ~= lane then invalid("an iteration writes what another reads: " .. store.name) end
    store.writer[p] = lane
  elseif r == nil then
    store.reader[p] = lane
  elseif r ~= lane then
    store.reader[p] = -1
  end
end

local function storage(S, name)
  local get = S.bufs[name]
  while get.of do get = S.bufs[get.of] end
  return get
end

-- What a read outside of global memory gives.
local function outside(b, zero)
  if b.safe == nil then return zero end
  return b.safe
end

local function load(S, e)
  local b = S.bufs[e.buf]
  local root = storage(S, e.buf)
  local p = place(S, b, e.idx)
  local global, zero, watched = b.scope == "global", types.zero(b.dtype), S.stored[root.name]
  return function()
    local at = p()
    local data = root.data
    if not at then
      if global then return outside(b, zero) end
      invalid("index outside of " .. e.buf)
    end
    if watched then meet(S, root, at, false) end
    if root.per_thread then data = data[S.thread] or invalid "a thread's tile" end
    local v = data[at]
    if v == nil then invalid("read of " .. e.buf .. " before it is written") end
    return v
  end
end

function expr(S, e)
  local k = e.k
  if k == "lit" then
    local v = e.v
    return function() return v end
  elseif k == "var" then
    local V, name = S.values, e.name
    return function()
      local v = V[name]
      if v == nil then invalid(name .. " has no value") end
      return v
    end
  elseif k == "load" then
    return load(S, e)
  elseif k == "bin" then
    return binary(S, e)
  elseif k == "un" then
    return unary(S, e)
  elseif k == "cast" then
    local a, f = expr(S, e.a), types.cast(e.a.t, e.t)
    return function() return f(a()) end
  elseif k == "cmp" then
    local a, b, f = expr(S, e.a), expr(S, e.b), compare[e.op]
    return function() return f(a(), b()) end
  elseif k == "not" then
    local a = expr(S, e.a)
    return function() return not a() end
  elseif k == "and" then
    local a, b = expr(S, e.a), expr(S, e.b)
    return function() return a() and b() end
  elseif k == "or" then
    local a, b = expr(S, e.a), expr(S, e.b)
    return function() return a() or b() end
  elseif k == "sel" then
    local c, a, b = expr(S, e.c), expr(S, e.a), expr(S, e.b)
    return function()
      if c() then return a() end
      return b()
    end
  elseif k == "clamp" then
    local v, lo, hi = expr(S, e.a), expr(S, e.b), expr(S, e.c)
    return function() return math.min(math.max(v(), lo()), hi()) end
  elseif values[k] then
    return values[k](S, e)
  end
  error("expression " .. tostring(k))
end

-- statements -----------------------------------------------------------------------

local stat = {}

local function block(S, list)
  local run = {}
  for i, s in ipairs(list) do run[i] = stat[s.k](S, s) end
  local n = #run
  return function()
    for i = 1, n do
      local signal = run[i]()
      if signal then return signal end
    end
  end
end

function stat.store(S, s)
  local b, root = S.bufs[s.buf], storage(S, s.buf)
  local p, v = place(S, b, s.idx), expr(S, s.e)
  local cast, global = types.cast(s.e.t, b.dtype), b.scope == "global"
  return function()
    local value = cast(v())
    local at = p()
    if not at then
      if not global then invalid("index outside of " .. s.buf) end
      return
    end
    meet(S, root, at, true)
    local data = root.data
    if root.per_thread then
      data[S.thread] = data[S.thread] or {}
      data = data[S.thread]
    end
    data[at] = value
  end
end

local combine = {
  add = function(a, b) return a + b end,
  sum = function(a, b) return a + b end,
  abssum = function(a, b) return a + math.abs(b) end,
  max = math.max, min = math.min,
  absmax = function(a, b) return math.max(a, math.abs(b)) end,
  bitand = function(a, b) return a & b end,
  bitor = function(a, b) return a | b end,
  bitxor = function(a, b) return a ~ b end,
  ["or"] = function(a, b) return a | b end,
}

-- v combined with w in a buffer's type; sums of floats must be exact, then their order is no matter.
local function combiner(kind, dtype)
  local f, t = combine[kind], types.of[dtype]
  if t.kind == "int" then
    return function(a, b) return t.wrap(f(a, b)) end
  end
  return function(a, b)
    local v = f(a, b)
    if t.round(v) ~= v or math.abs(v) > t.whole then invalid "a sum that rounds" end
    return v
  end
end

function stat.atomic(S, s)
  local b, root = S.bufs[s.buf], storage(S, s.buf)
  local p, v, f = place(S, b, s.idx), expr(S, s.e), combiner(s.op, b.dtype)
  local cast, global = types.cast(s.e.t, b.dtype), b.scope == "global"
  return function()
    local value, at = cast(v()), p()
    if not at then
      if not global then invalid("index outside of " .. s.buf) end
      return
    end
    if root.data[at] == nil then invalid("read of " .. s.buf .. " before it is written") end
    root.data[at] = f(root.data[at], value)
  end
end

-- The element as it was, before an atomic changes it.
function stat.fetch(S, s)
  local old = expr(S, {k = "load", buf = s.buf, idx = s.idx})
  local change = s.op ~= "load" and stat.atomic(S, s)
  local root, V = storage(S, s.buf), S.values
  local p = place(S, S.bufs[s.buf], s.idx)
  return function()
    local v = old()
    if change then
      meet(S, root, p() or invalid("index outside of " .. s.buf), true)
      change()
    end
    V[s.name] = v
  end
end

function stat.let(S, s)
  local v, V = expr(S, s.e), S.values
  return function() V[s.name] = v() end
end

function stat.var(S, s)
  local v, V = s.e and expr(S, s.e), S.values
  return function()
    V[s.name] = nil
    if v then V[s.name] = v() end
  end
end

function stat.set(S, s)
  local v, V = expr(S, s.e), S.values
  local cast = types.cast(s.e.t, s.t)
  return function() V[s.name] = cast(v()) end
end

stat["if"] = function(S, s)
  local arms = {}
  for i, a in ipairs(s.arms) do arms[i] = {a.c and expr(S, a.c), block(S, a.body)} end
  return function()
    for _, a in ipairs(arms) do
      if not a[1] or a[1]() then return a[2]() end
    end
  end
end

stat["break"] = function() return function() return "break" end end
stat.continue = function() return function() return "continue" end end
stat.next = stat.continue

-- The names of storages that statements write element by element.
local function stores(S, list, into)
  for _, s in ipairs(list) do
    if s.k == "store" or s.k == "fetch" then into[storage(S, s.buf).name] = true end
    if s.body then stores(S, s.body, into) end
    for _, a in ipairs(s.arms or {}) do stores(S, a.body, into) end
  end
  return into
end

-- A block in which reads of what it writes are watched as well.
local function watched_block(S, list)
  local before = S.stored
  S.stored = stores(S, list, setmetatable({}, {__index = before}))
  local run = block(S, list)
  S.stored = before
  return run
end

-- The turns of a T.vectorized have no order; variables they write go from one to the next.
local function vector_loop(S, s)
  local lo, hi, body, V = expr(S, s.lo), expr(S, s.hi), watched_block(S, s.body), S.values
  return function()
    local vector, turn = S.vector, S.turn
    S.vectors = S.vectors + 1
    S.vector = S.vectors
    for i = lo(), hi() - 1 do
      V[s.var], S.turn = i, i
      spend(S, 1)
      body()
    end
    V[s.var], S.vector, S.turn = nil, vector, turn
  end
end

function stat.loop(S, s)
  if s.kind == "vectorized" then return vector_loop(S, s) end
  local lo, hi, step = expr(S, s.lo), expr(S, s.hi), s.step or 1
  local body, V = block(S, s.body), S.values
  return function()
    local a, b = lo(), hi()
    if step < 0 then b = b + 1 else b = b - 1 end
    for i = a, b, step do
      V[s.var] = i
      spend(S, 1)
      local signal = body()
      if signal == "break" then break end
    end
    V[s.var] = nil
  end
end

stat["while"] = function(S, s)
  local c, body = expr(S, s.c), block(S, s.body)
  return function()
    local n = 0
    while c() do
      n = n + 1
      if n > 1000 then invalid "a loop for ever" end
      local signal = body()
      if signal == "break" then break end
    end
  end
end

-- All points of a box, the last dimension fastest: f(point).
local function each(extents, f)
  local at, n = {}, #extents
  local function go(d)
    if d > n then return f(at) end
    for i = 0, extents[d] - 1 do
      at[d] = i
      go(d + 1)
    end
  end
  go(1)
end

function stat.par(S, s)
  local body, V = watched_block(S, s.body), S.values
  return function()
    S.epoch = S.epoch + 1
    local lane, outer = 0, S.lane
    each(s.extents, function(at)
      for d, name in ipairs(s.vars) do V[name] = at[d] end
      lane = lane + 1
      S.lane = lane
      spend(S, 1)
      body()
    end)
    for _, name in ipairs(s.vars) do V[name] = nil end
    S.lane = outer
  end
end

-- Code of single threads, cut into phases by barriers: each phase for one thread after another.
function stat.threads(S, s)
  local phases, V = {}, S.values
  for i, p in ipairs(s.phases) do
    phases[i] = watched_block(S, p)
  end
  return function()
    for _, p in ipairs(phases) do
      S.epoch = S.epoch + 1
      for t = 0, S.threads - 1 do
        V.tx, S.thread, S.lane = t, t, t + 1
        p()
      end
    end
    V.tx, S.thread, S.lane = nil, nil, nil
  end
end

function stat.grid(S, s)
  local body, V = block(S, s.body), S.values
  return function()
    each(s.extents, function(at)
      for d, name in ipairs(s.vars) do V[name] = at[d] end
      spend(S, 1)
      body()
    end)
    for _, name in ipairs(s.vars) do V[name] = nil end
  end
end

-- Facts hold, and what must not change results does not.
function stat.assume(S, s)
  local c = expr(S, s.c)
  return function()
    if not c() then invalid "what is assumed does not hold" end
  end
end
stat.assert = stat.assume

function stat.say(S, s)
  local c, e = expr(S, s.c), expr(S, s.e)
  return function()
    if not c() then invalid "a message that is printed" end
    e()
  end
end

function stat.safe(S, s)
  return function() S.bufs[s.buf].safe = s.v end
end

function stat.swizzle() return function() end end
stat.layout = stat.swizzle

function stat.range(S, s) return block(S, s.body) end
function stat.macro(S, s) return block(S, s.body) end
function stat.sync() return function() end end
function stat.view() return function() end end

-- tile operations ---------------------------------------------------------------------

local function allocate(b)
  b.data, b.epoch = {}, nil
end

function stat.alloc(S, s)
  local b = S.bufs[s.buf]
  return function() allocate(b) end
end

tiles.add(stat, values, {expr = expr, storage = storage, watched_index = watched_index, outside = outside,
                         combiner = combiner, each = each, invalid = invalid, spend = spend})

-- programs -----------------------------------------------------------------------------

-- Runs the program on its inputs (flat lists by name); gives the outputs, flat lists by name.
function M.run(program, limit)
  local S = {values = {}, bufs = {}, stored = {}, signs = {}, epoch = 0, vectors = 0, steps = 0, limit = limit,
             exact = program.exact}
  for name, b in pairs(program.bufs) do
    S.bufs[name] = {name = name, scope = b.scope, dtype = b.dtype, shape = b.shape, of = b.of,
                    per_thread = b.per_thread, data = {}}
  end
  for name, list in pairs(program.inputs) do
    local data = S.bufs[name].data
    for i, v in ipairs(list) do data[i - 1] = v end
  end
  for name, v in pairs(program.dims) do S.values[name] = v end
  for _, kernel in ipairs(program.kernels) do
    S.threads = kernel.threads
    for _, b in pairs(S.bufs) do b.safe = nil end -- it belongs to a kernel
    local run = block(S, kernel.body)
    local extents = {}
    for d, g in ipairs(kernel.grid) do extents[d] = g end
    each(extents, function(at)
      for d, name in ipairs(kernel.blocks) do S.values[name] = at[d] end
      run()
    end)
  end
  for _, w in ipairs(S.signs) do
    if w.below and not w.above then invalid "an index that is always negative" end
  end
  local out = {}
  for _, name in ipairs(program.outputs) do
    local b, n, list = S.bufs[name], 1, {}
    for _, m in ipairs(b.shape) do n = n * m end
    for i = 0, n - 1 do
      list[i + 1] = b.data[i]
      if list[i + 1] == nil then invalid("output " .. name .. " is not written whole") end
    end
    out[name] = list
  end
  return out
end

return M
