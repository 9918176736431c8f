-- interp.lua: runs a generated program in plain Lua, block after block, iteration after iteration.
--
-- It is the yardstick, so it is sequential and does nothing clever.  It also says when a program is not
-- right by the language's contract, by raising {invalid = why}: reading what was never written, indices
-- outside of a tile, two iterations of T.Parallel that meet in one element, sums that are not exact.
-- The shrinker relies on it: what it makes of a program must still be right.
local types = require "hunt.types"
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
}

local divides = {["//"] = true, ["%"] = true, truncdiv = true, truncmod = true, ceildiv = true}

local float_ops = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b) return a / b end,
  min = math.min, max = math.max,
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

local function binary(S, e)
  local a, b, t = expr(S, e.a), expr(S, e.b), types.of[e.t]
  if t.kind == "int" then
    local f, wrap, bits = int_ops[e.op], t.wrap, t.bits
    if divides[e.op] then
      return function()
        local x, y = a(), b()
        if y == 0 or (y == -1 and x == t.lo) then invalid "integer division" end
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

local function unary(S, e)
  local a, t = expr(S, e.a), types.of[e.t]
  if e.op == "~" then
    return function() return t.wrap(~a()) end
  elseif e.op == "floor_half" then
    return function() return math.floor(a() * 0.5) + 0.0 end
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

-- The place of an access in a buffer, and nothing when it is outside.
local function place(S, buf, idx)
  local at, shape, n = {}, buf.shape, #idx
  for d, i in ipairs(idx) do
    at[d] = expr(S, i)
    if buf.scope == "global" then at[d] = watched_index(S, at[d]) end
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

-- What iterations of a T.Parallel, or threads between two barriers, do to one element.
local function meet(S, store, p, writes)
  local lane = S.lane
  if not lane then return end
  if store.epoch ~= S.epoch then store.epoch, store.writer, store.reader = S.epoch, {}, {} end
  local w, r = store.writer[p], store.reader[p]
  if w and w ~= lane then invalid "two iterations meet in an element" end
  if writes then
    if r and r ~= lane then invalid "an iteration writes what another reads" end
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

local function load(S, e)
  local b = S.bufs[e.buf]
  local root = storage(S, e.buf)
  local p = place(S, b, e.idx)
  local global, zero, watched = b.scope == "global", types.zero(b.dtype), S.stored[root.name]
  return function()
    local at = p()
    local data = root.data
    if not at then
      if global then return zero end
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

function stat.loop(S, s)
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

-- The names of storages that statements write element by element.
local function stores(S, list, into)
  for _, s in ipairs(list) do
    if s.k == "store" then into[storage(S, s.buf).name] = true end
    if s.body then stores(S, s.body, into) end
    for _, a in ipairs(s.arms or {}) do stores(S, a.body, into) end
  end
  return into
end

function stat.par(S, s)
  local before = S.stored
  S.stored = stores(S, s.body, {})
  local body, V = block(S, s.body), S.values
  S.stored = before
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
    local before = S.stored
    S.stored = stores(S, p, {})
    phases[i] = block(S, p)
    S.stored = before
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

-- A region's box: its origin when it runs and its extents; dimensions of one index count as extent 1.
local function region(S, r)
  local from, b = {}, S.bufs[r.buf]
  for d = 1, #b.shape do
    from[d] = r.from and expr(S, r.from[d])
    if from[d] and b.scope == "global" then from[d] = watched_index(S, from[d]) end
  end
  return b, storage(S, r.buf), r.extents or b.shape, from
end

local function accessor(S, r)
  local b, root, extents, from = region(S, r)
  local global, zero, shape = b.scope == "global", types.zero(b.dtype), b.shape
  local origin = {}
  local function start()
    for d = 1, #shape do origin[d] = from[d] and from[d]() or 0 end
  end
  local function flat(at)
    local p, inside = 0, true
    for d = 1, #shape do
      local i = origin[d] + at[d]
      if i < 0 or i >= shape[d] then inside = false end
      p = p * shape[d] + i
    end
    if not inside and not global then invalid("region outside of " .. r.buf) end
    return inside and p
  end
  local function get(at)
    local p = flat(at)
    if not p then return zero end
    local v = root.data[p]
    if v == nil then invalid("read of " .. r.buf .. " before it is written") end
    return v
  end
  local function put(at, v)
    local p = flat(at)
    if p then root.data[p] = v end
  end
  return {start = start, get = get, put = put, extents = extents, dtype = b.dtype, buf = b}
end

-- Extents of more than one element pair up from the last.
local function wide(extents)
  local list = {}
  for d, n in ipairs(extents) do if n ~= 1 then list[#list + 1] = d end end
  return list
end

function stat.copy(S, s)
  local src, dst = accessor(S, s.src), accessor(S, s.dst)
  local cast = types.cast(src.dtype, dst.dtype)
  local ws, wd = wide(src.extents), wide(dst.extents)
  return function()
    src.start()
    dst.start()
    local values, to, from = {}, {}, {}
    for d = 1, #src.extents do from[d] = 0 end
    each(dst.extents, function(at)
      for i, d in ipairs(wd) do from[ws[i]] = at[d] end
      values[#values + 1] = cast(src.get(from))
      to[#to + 1] = {table.unpack(at)}
    end)
    for i, v in ipairs(values) do dst.put(to[i], v) end
  end
end

function stat.fill(S, s)
  local dst, v = accessor(S, s.dst), expr(S, s.e)
  local cast = types.cast(s.e.t, dst.dtype)
  return function()
    dst.start()
    local value = cast(v())
    each(dst.extents, function(at) dst.put(at, value) end)
  end
end

function stat.reduce(S, s)
  local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
  local f, f_abs = combiner(s.kind, dst.dtype), s.kind:match "^abs"
  local axis, keep = s.dim + 1, #dst.extents == #src.extents
  return function()
    src.start()
    dst.start()
    local result, where = {}, {}
    each(dst.extents, function(at)
      local from = {table.unpack(at)}
      if keep then from[axis] = 0 else table.insert(from, axis, 0) end
      if #src.extents == 1 then from = {0} end
      local v
      if not s.clear then v = dst.get(at) end
      for i = 0, src.extents[axis] - 1 do
        from[axis] = i
        local w = src.get(from)
        if v == nil then
          v = f_abs and f(types.zero(dst.dtype), w) or w
        else
          v = f(v, w)
        end
      end
      result[#result + 1], where[#where + 1] = v, {table.unpack(at)}
    end)
    for i, v in ipairs(result) do dst.put(where[i], v) end
  end
end

function stat.scan(S, s)
  local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
  local f, axis = combiner(s.kind, dst.dtype), s.dim + 1
  return function()
    src.start()
    dst.start()
    local lines = {table.unpack(src.extents)}
    local n = lines[axis]
    lines[axis] = 1
    each(lines, function(at)
      local from, v = {table.unpack(at)}, nil
      for i = 0, n - 1 do
        from[axis] = s.reverse and n - 1 - i or i
        local w = src.get(from)
        v = v == nil and w or f(v, w)
        dst.put(from, v)
      end
    end)
  end
end

function stat.transpose(S, s)
  local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
  return function()
    src.start()
    dst.start()
    each(src.extents, function(at) dst.put({at[2], at[1]}, src.get(at)) end)
  end
end

function stat.gemm(S, s)
  local A, B, C = accessor(S, {buf = s.a}), accessor(S, {buf = s.b}), accessor(S, {buf = s.c})
  local K = A.extents[s.ta and 1 or 2]
  local t = types.of[C.dtype]
  return function()
    A.start()
    B.start()
    C.start()
    -- rows of A and columns of B first, each element read once
    local rows, columns = {}, {}
    for i = 0, C.extents[1] - 1 do
      rows[i] = {}
      for k = 0, K - 1 do rows[i][k] = A.get(s.ta and {k, i} or {i, k}) end
    end
    for j = 0, C.extents[2] - 1 do
      columns[j] = {}
      for k = 0, K - 1 do columns[j][k] = B.get(s.tb and {j, k} or {k, j}) end
    end
    each(C.extents, function(at)
      local row, column = rows[at[1]], columns[at[2]]
      local v = s.clear and types.zero(C.dtype) or C.get(at)
      for k = 0, K - 1 do v = v + row[k] * column[k] end
      if t.kind == "int" then
        v = t.wrap(v)
      elseif t.round(v) ~= v or math.abs(v) > t.whole then
        invalid "a product that rounds"
      end
      C.put(at, v)
    end)
    spend(S, K * C.extents[1] * C.extents[2] // 8)
  end
end

-- programs -----------------------------------------------------------------------------

-- Runs the program on its inputs (flat lists by name); gives the outputs, flat lists by name.
function M.run(program, limit)
  local S = {values = {}, bufs = {}, stored = {}, signs = {}, epoch = 0, steps = 0, limit = limit,
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
