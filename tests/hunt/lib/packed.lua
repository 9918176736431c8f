-- packed.lua: random kernels over elements of 4 bits, two to a byte, beside their interpreter.
--
-- All buffers of a program are tiles of r x c elements, as {r, c} or {r * c}, or their bytes, {r, c // 2}.  A
-- statement is {lines = text, run = function(memory)}: what it does is worked out where it is made, so that one
-- that reads what has no value is never kept.  memory[root] is a flat table; nil: without a value.  Values
-- without one may be moved on between registers and into shared memory, nothing else.
local random = require "hunt.random"
local M = {}

local function wrapper(bits, unsigned)
  local mask, half = (1 << bits) - 1, 1 << (bits - 1)
  return function(v)
    v = v & mask
    return not unsigned and v >= half and v - mask - 1 or v
  end
end

local types = {
  int4 = {wrap = wrapper(4)}, uint4 = {wrap = wrapper(4, true)}, int8 = {wrap = wrapper(8)},
  uint8 = {wrap = wrapper(8, true)}, int32 = {wrap = wrapper(32)},
  float16 = {wrap = function(v) return v end}, float32 = {wrap = function(v) return v end},
}
for name, t in pairs(types) do t.name, t.packed = name, name == "int4" or name == "uint4" end

local function invalid(why) error({invalid = why}, 0) end

local G = {}
G.__index = G

-- buffers -------------------------------------------------------------------------------------

-- shape: "rc", "n" or "bytes".
function G:buffer(scope, dtype, shape)
  self.count = self.count + 1
  local b = {name = ("%s%d"):format(scope:sub(1, 1):upper(), self.count), scope = scope, t = types[dtype], shape = shape}
  b.root = b.name
  self.bufs[#self.bufs + 1] = b
  return b
end

function G:size(b)
  return b.shape == "bytes" and self.r * self.c // 2 or self.r * self.c
end

function G:dims(b)
  if b.shape == "n" then return ("{%d}"):format(self.r * self.c) end
  return ("{%d, %d}"):format(self.r, b.shape == "bytes" and self.c // 2 or self.c)
end

local function memory(b) return b.scope == "shared" or b.scope == "global" end

-- b's element of row and col, as text.
function G:at(b, row, col)
  if b.shape == "n" then
    return row == "0" and ("%s[%s]"):format(b.name, col) or ("%s[(%s) * %d + %s]"):format(b.name, row, self.c, col)
  end
  return ("%s[%s, %s]"):format(b.name, row, col)
end

-- walks ---------------------------------------------------------------------------------------

-- The ways to go over elements: {heads, tails, places = {{row text, col text}, ..}, each(f)}; f(row, col, k) is called
-- for the elements in an order, with the number of their place.  odd: iterations do not come in pairs that are a byte;
-- thread: single threads, which hold no fragments.
local function walk(heads, tails, row, col, each, more)
  local w = {heads = heads, tails = tails, places = {{row, col}}, each = each}
  for k, v in pairs(more or {}) do w[k] = v end
  return w
end

local function loops(r, c, f)
  for i = 0, r - 1 do
    for j = 0, c - 1 do f(i, j, 1) end
  end
end

local ways = {}

function ways.plain(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c)}, 1, "i", "j", function(f) loops(r, c, f) end)
end
function ways.across(r, c)
  return walk({("for j, i in T.Parallel(%d, %d) do"):format(c, r)}, 1, "i", "j", function(f) loops(r, c, f) end)
end
function ways.pairs(r, c)
  return walk({("for i, j, q in T.Parallel(%d, %d, 2) do"):format(r, c // 2)}, 1, "i", "j * 2 + q",
    function(f) loops(r, c, f) end, {even = true})
end
function ways.split(r, c)
  return walk({("for i, q, j in T.Parallel(%d, 2, %d) do"):format(r, c // 2)}, 1, "i", "j * 2 + q",
    function(f) loops(r, c, f) end, {even = true})
end
function ways.halves(r, c)
  return walk({("for i, q, j in T.Parallel(%d, 2, %d) do"):format(r, c // 2)}, 1, "i", ("q * %d + j"):format(c // 2),
    function(f) loops(r, c, f) end, {even = true, odd = c % 4 ~= 0})
end
function ways.flat(r, c)
  return walk({("for x in T.Parallel(%d) do"):format(r * c)}, 1, ("x // %d"):format(c), ("x %% %d"):format(c),
    function(f) loops(r, c, f) end)
end
function ways.flat_pairs(r, c)
  return walk({("for x, q in T.Parallel(%d, 2) do"):format(r * c // 2)}, 1, ("x // %d"):format(c // 2),
    ("x %% %d * 2 + q"):format(c // 2), function(f) loops(r, c, f) end, {even = true})
end
function ways.both(r, c)
  local w = walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)}, 1, "i", "2 * j",
    function(f) loops(r, c, function(i, j) f(i, j, j % 2 + 1) end) end, {even = true})
  w.places[2] = {"i", "2 * j + 1"}
  return w
end
function ways.turns(r, c, rand)
  local kind = rand:of {"serial", "serial", "unroll"}
  return walk({("for q in T.%s(2) do"):format(kind), ("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)}, 2, "i",
    "j * 2 + q", function(f)
      for q = 0, 1 do loops(r, c // 2, function(i, j) f(i, j * 2 + q, 1) end) end
    end, {even = true})
end
function ways.within(r, c, rand)
  local kind = rand:of {"serial", "vectorized", "unroll"}
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2), ("for q in T.%s(2) do"):format(kind)}, 2, "i",
    "j * 2 + q", function(f) loops(r, c, f) end, {even = true})
end
function ways.rows(r, c)
  return walk({("for i in T.serial(%d) do"):format(r), ("for j in T.Parallel(%d) do"):format(c)}, 2, "i", "j",
    function(f) loops(r, c, f) end)
end
function ways.columns(r, c)
  return walk({("for j in T.serial(%d) do"):format(c), ("for i in T.Parallel(%d) do"):format(r)}, 2, "i", "j",
    function(f)
      for j = 0, c - 1 do
        for i = 0, r - 1 do f(i, j, 1) end
      end
    end)
end
function ways.back(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c)}, 1, "i", ("%d - j"):format(c - 1),
    function(f) loops(r, c, f) end)
end
function ways.even(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)}, 1, "i", "2 * j",
    function(f) loops(r, c // 2, function(i, j) f(i, 2 * j, 1) end) end, {even = true})
end
function ways.odd(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)}, 1, "i", "2 * j + 1",
    function(f) loops(r, c // 2, function(i, j) f(i, 2 * j + 1, 1) end) end, {even = true})
end
function ways.left(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)}, 1, "i", "j",
    function(f) loops(r, c // 2, f) end, {even = true, odd = c % 4 ~= 0})
end
function ways.later(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c - 1)}, 1, "i", "j + 1",
    function(f) loops(r, c - 1, function(i, j) f(i, j + 1, 1) end) end, {odd = true})
end
function ways.round(r, c)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c)}, 1, "i", ("(j + 1) %% %d"):format(c),
    function(f) loops(r, c, f) end, {odd = true})
end
function ways.some(r, c, rand)
  local n, k = rand:int(2, 4), rand:int(0, 1)
  return walk({("for i, j in T.Parallel(%d, %d) do"):format(r, c), ("if (i + j) %% %d == %d then"):format(n, k)}, 2, "i",
    "j", function(f)
      loops(r, c, function(i, j)
        if (i + j) % n == k then f(i, j, 1) end
      end)
    end)
end
function ways.fours(r, c)
  return walk({("for x in T.Parallel(%d) do"):format(r * c // 4), "for v in T.vectorized(4) do"}, 2,
    ("(x * 4 + v) // %d"):format(c), ("(x * 4 + v) %% %d"):format(c), function(f) loops(r, c, f) end, {four = true})
end
function ways.threads(r, c, _, threads)
  local per = r * c // threads
  return walk({("for v in T.serial(%d) do"):format(per)}, 1, ("(tx * %d + v) // %d"):format(per, c),
    ("(tx * %d + v) %% %d"):format(per, c), function(f) loops(r, c, f) end, {per = 2, thread = true})
end
function ways.one(r, c)
  return walk({"if tx == 0 then", ("for v in T.serial(%d) do"):format(r * c)}, 2, ("v // %d"):format(c),
    ("v %% %d"):format(c), function(f) loops(r, c, f) end, {thread = true})
end

local names = {}
for name in pairs(ways) do names[#names + 1] = name end
table.sort(names)

function G:way()
  local n = self.r * self.c
  while true do
    local w = ways[self.rand:of(names)](self.r, self.c, self.rand, self.threads)
    if not (w.even and self.c % 2 == 1 or w.four and n % 4 > 0 or w.per and n % (w.per * self.threads) > 0) then return w end
  end
end

-- expressions ---------------------------------------------------------------------------------

local function need(v) return v or invalid "a value that is not there" end

-- A value of buffer s at another place than (row, col), or the same: {text, f(memory, row, col)}.
function G:load(s, row, col, same)
  local r, c, rand = self.r, self.c, self.rand
  local how = same and 1 or rand:int(1, 6)
  if s.shape == "bytes" then
    return ("((T.cast(%s, \"int32\") >> ((%s) %% 2 * 4)) & 15)"):format(self:at(s, row, ("(%s) // 2"):format(col)), col),
      function(m, i, j) return need(m[s.root][i * (c // 2) + j // 2 + 1]) >> j % 2 * 4 & 15 end
  elseif how == 2 then
    return self:at(s, row, ("%d - (%s)"):format(c - 1, col)), function(m, i, j) return m[s.root][i * c + c - j] end
  elseif how == 3 then
    return self:at(s, ("(%s + 1) %% %d"):format(row, r), col), function(m, i, j) return m[s.root][(i + 1) % r * c + j + 1] end
  elseif how == 4 and r == c then
    return self:at(s, col, row), function(m, i, j) return m[s.root][j * c + i + 1] end
  end
  return self:at(s, row, col), function(m, i, j) return m[s.root][i * c + j + 1] end
end

function G:source(d, w)
  local list = {}
  for _, b in ipairs(self.bufs) do
    local fits = memory(b) or not w.thread
    if fits and b.root ~= d.root and not b.out and b.t.name:find "int" and (b.shape ~= "bytes" or self.c % 2 == 0) and
       next(self.memory[b.root] or {}) then
      list[#list + 1] = b
    end
  end
  return self.rand:of(list)
end

-- {text, f}: of type int32.
function G:value(d, w, row, col, depth)
  local rand = self.rand
  if depth == 0 then
    if rand:chance(0.1) then
      local v = rand:int(-9, 9)
      return tostring(v), function() return v end
    end
    local text, f = self:load(self:source(d, w), row, col)
    return ("T.cast(%s, \"int32\")"):format(text), function(m, i, j) return need(f(m, i, j)) end
  end
  local a, fa = self:value(d, w, row, col, depth - 1)
  local b, fb = self:value(d, w, row, col, depth - 1)
  if math.tointeger(a) and math.tointeger(b) then return a, fa end
  local op = rand:int(1, 6)
  if op == 1 then return ("(%s + %s)"):format(a, b), function(...) return fa(...) + fb(...) end end
  if op == 2 then return ("(%s - %s)"):format(a, b), function(...) return fa(...) - fb(...) end end
  if op == 3 then return ("(%s & %s)"):format(a, b), function(...) return fa(...) & fb(...) end end
  if op == 4 then return ("T.max(%s, %s)"):format(a, b), function(...) return math.max(fa(...), fb(...)) end end
  if op == 5 then return ("(%s ~ %s)"):format(a, b), function(...) return fa(...) ~ fb(...) end end
  return ("T.if_then_else(%s > 1, %s, %s)"):format(a, b, a), function(...) return fa(...) > 1 and fb(...) or fa(...) end
end

-- statements ----------------------------------------------------------------------------------

-- What was moved from s to d: perhaps nothing.
local function moved(s, d, v)
  if v == nil and (memory(s) or d.scope == "global") then invalid "what has no value is used" end
  return v and d.t.wrap(v)
end

function G:lines(w, inner)
  local out = {}
  for _, h in ipairs(w.heads) do out[#out + 1] = h end
  for _, l in ipairs(inner) do out[#out + 1] = "  " .. l end
  for _ = 1, w.tails do out[#out + 1] = "end" end
  return out
end

-- d = one value, over a walk.
function G:elements(d)
  local w = self:way()
  if w.thread and not memory(d) then return nil end
  local inner, fs, rand, c = {}, {}, self.rand, self.c
  local s = rand:chance(0.4) and self:source(d, w)
  for k, at in ipairs(w.places) do
    local text, f
    if s and s.shape ~= "bytes" then
      text, f = self:load(s, at[1], at[2], rand:chance(0.6))
    else
      s = nil
      text, f = self:value(d, w, at[1], at[2], rand:int(0, 2))
      if rand:chance(0.5) then text = ("T.cast(%s, %q)"):format(text, d.t.name) end
    end
    inner[k], fs[k] = ("%s = %s"):format(self:at(d, at[1], at[2]), text), f
  end
  return {lines = self:lines(w, inner), odd = w.odd and d.t.packed and memory(d), run = function(m)
    local to, new = m[d.root], {}
    if s and not next(m[s.root]) then invalid "nothing writes it" end
    w.each(function(i, j, k)
      local v = fs[k](m, i, j)
      v = s and moved(s, d, v) or not s and d.t.wrap(v) or nil
      new[#new + 1] = {i * c + j + 1, v}
    end)
    for _, p in ipairs(new) do to[p[1]] = p[2] end
  end}
end

-- The same place changed: d op= value.
function G:changed(d)
  local w = self:way()
  if w.thread and not memory(d) then return nil end
  local at, c = w.places[1], self.c
  if w.places[2] then return nil end
  local text, f = self:value(d, w, at[1], at[2], 1)
  return {lines = self:lines(w, {("%s += T.cast(%s, %q)"):format(self:at(d, at[1], at[2]), text, d.t.name)}),
    odd = w.odd and d.t.packed and memory(d), run = function(m)
      local to = m[d.root]
      w.each(function(i, j)
        local k = i * c + j + 1
        to[k] = d.t.wrap(need(to[k]) + d.t.wrap(f(m, i, j)))
      end)
    end}
end

function G:copy(d)
  local s, c = self:source(d, {}), self.c
  if s.shape ~= d.shape then return nil end
  local whole = d.shape ~= "rc" or self.rand:chance(0.6)
  local lo, hi = 0, whole and c or self.rand:int(1, c)
  if not whole and self.rand:chance(0.5) then lo = self.rand:int(0, hi - 1) end
  local region = whole and "%s" or ("%%s[0:%d, %d:%d]"):format(self.r, lo, hi)
  return {lines = {("T.copy(%s, %s)"):format(region:format(s.name), region:format(d.name))},
    odd = (lo % 2 == 1 or hi % 2 == 1) and d.t.packed and memory(d), run = function(m)
      if not next(m[s.root]) then invalid "nothing writes it" end
      for k = 1, self.r * c do
        local j = (k - 1) % c
        if lo <= j and j < hi then m[d.root][k] = moved(s, d, m[s.root][k]) end
      end
    end}
end

-- Two elements to a byte by hand.
function G:pack(d)
  local s, c = self:source(d, {}), self.c
  if not s or s.shape == "bytes" then return nil end
  local a, b = self:at(s, "i", "2 * j"), self:at(s, "i", "2 * j + 1")
  return {lines = {("for i, j in T.Parallel(%d, %d) do"):format(self.r, c // 2),
    ("  %s[i, j] = (T.cast(%s, \"int32\") & 15) | ((T.cast(%s, \"int32\") & 15) << 4)"):format(d.name, a, b), "end"},
    run = function(m)
      loops(self.r, c // 2, function(i, j)
        local from, k = m[s.root], i * c + 2 * j + 1
        m[d.root][i * (c // 2) + j + 1] = d.t.wrap(need(from[k]) & 15 | (need(from[k + 1]) & 15) << 4)
      end)
    end}
end

function G:reshape()
  local list = {}
  for _, b in ipairs(self.bufs) do
    if b.shape ~= "bytes" and b.scope ~= "global" and b.root == b.name and not b.out then list[#list + 1] = b end
  end
  local s = #list > 0 and self.rand:of(list)
  if not s then return nil end
  local v = self:buffer(s.scope, s.t.name, s.shape == "n" and "rc" or "n")
  v.name, v.root = "V" .. v.name, s.root
  self.bufs[#self.bufs] = nil
  return {view = v, lines = {("local %s = T.reshape(%s, %s)"):format(v.name, s.name, self:dims(v))}, run = function() end}
end

-- Rows of s, summed up in int32.
function G:reduce()
  local s = self:source({}, {})
  if s.shape == "bytes" then return nil end
  local kind, r, c = self.rand:of {"sum", "max", "min"}, self.r, self.c
  local o = self:buffer("global", "int32", "row")
  self.bufs[#self.bufs] = nil
  o.name = o.name .. "_r"
  local n = #self.bufs + self.count
  local f, g = ("g%d"):format(n), ("h%d"):format(n)
  return {result = o, lines = {
    ("local %s = T.alloc_fragment({%d, %d}, \"int32\")"):format(f, r, c), ("local %s = T.alloc_fragment({%d}, \"int32\")"):format(g, r),
    ("for i, j in T.Parallel(%d, %d) do"):format(r, c), ("  %s[i, j] = %s"):format(f, self:at(s, "i", "j")), "end",
    ("T.reduce_%s(%s, %s, 1)"):format(kind, f, g), ("T.copy(%s, %s)"):format(g, o.name)}, run = function(m)
      local to = {}
      m[o.name] = to
      loops(r, c, function(i, j)
        local v = need(m[s.root][i * c + j + 1])
        local was = to[i + 1]
        to[i + 1] = not was and v or kind == "sum" and was + v or kind == "max" and math.max(was, v) or kind == "min" and
                    math.min(was, v)
      end)
    end}
end

-- A sum over tiles of a tensor, loaded ahead.
function G:pipeline(d)
  local src = self.tall
  if d.scope ~= "fragment" or d.t.name ~= "int32" or d.shape ~= "rc" then return nil end
  local r, c, k = self.r, self.c, self.steps
  local sh = ("P%d"):format(self.count)
  self.count = self.count + 1
  local w = self:way()
  if w.thread or w.places[2] then return nil end
  local at = w.places[1]
  local inner = self:lines(w, {("%s += T.cast(%s[%s, %s], \"int32\")"):format(self:at(d, at[1], at[2]), sh, at[1], at[2])})
  local lines = {("local %s = T.alloc_shared({%d, %d}, %q)"):format(sh, r, c, src.t.name), ("T.clear(%s)"):format(d.name),
    ("for ko in T.Pipelined(%d, {num_stages = %d}) do"):format(k, self.rand:int(1, 3)),
    ("  T.copy(%s[ko * %d, 0], %s)"):format(src.name, r, sh)}
  for _, l in ipairs(inner) do lines[#lines + 1] = "  " .. l end
  lines[#lines + 1] = "end"
  return {lines = lines, run = function(m)
    local to = m[d.root]
    for i = 1, r * c do to[i] = 0 end
    for ko = 0, k - 1 do
      w.each(function(i, j) to[i * c + j + 1] = to[i * c + j + 1] + m[src.root][(ko * r + i) * c + j + 1] end)
    end
  end}
end

-- C = (values of 4 bits) * B: r and c fit an instruction.
function G:product()
  if self.r % 16 > 0 or self.c % 16 > 0 then return nil end
  local s = self:source({}, {})
  if not s.t.packed then return nil end
  local r, c, n = self.r, self.c, self.count
  self.count = n + 1
  local scope = self.rand:of {"fragment", "shared"}
  local w = self:way()
  if w.thread then return nil end
  local inner = {}
  for k, at in ipairs(w.places) do
    inner[k] = ("a%d[%s, %s] = T.cast(%s, \"float16\")"):format(n, at[1], at[2], self:at(s, at[1], at[2]))
  end
  local lines = {("local a%d = T.alloc_%s({%d, %d}, \"float16\")"):format(n, scope, r, c),
    ("local b%d = T.alloc_shared({%d, 16}, \"float16\")"):format(n, c),
    ("local c%d = T.alloc_fragment({%d, 16}, \"float32\")"):format(n, r),
    ("T.copy(W, b%d)"):format(n), ("T.clear(c%d)"):format(n)}
  for _, l in ipairs(self:lines(w, inner)) do lines[#lines + 1] = l end
  lines[#lines + 1] = ("T.gemm(a%d, b%d, c%d)"):format(n, n, n)
  local o = {name = ("G%d_p"):format(n), root = ("G%d_p"):format(n), scope = "global", t = types[self.rand:of {"int4", "int32"}],
    shape = "product"}
  lines[#lines + 1] = ("for i, j in T.Parallel(%d, 16) do %s[i, j] = T.cast(T.cast(c%d[i, j], \"int32\"), %q) end"):format(r, o.name,
    n, o.t.name)
  return {result = o, lines = lines, run = function(m)
    local seen = {}
    w.each(function(i, j) seen[i * c + j] = true end)
    m[o.name] = {}
    for i = 0, r - 1 do
      for j = 0, 15 do
        local sum = 0
        for k = 0, c - 1 do
          if not seen[i * c + k] then invalid "not all of a product" end
          sum = sum + need(m[s.root][i * c + k + 1]) * m.W[k * 16 + j + 1]
        end
        m[o.name][i * 16 + j + 1] = o.t.wrap(sum)
      end
    end
  end}
end

-- programs ------------------------------------------------------------------------------------

local function random_values(rand, t, n)
  local v = {}
  for i = 1, n do v[i] = t.wrap(rand:int(-128, 127)) end
  return v
end

-- Memory before the first statement.
local function start(p)
  local m = {}
  for name, v in pairs(p.inputs) do m[name] = v end
  for _, b in ipairs(p.bufs) do
    if b.root == b.name and not m[b.name] then m[b.name] = {} end
  end
  return m
end

-- What a program leaves in its results; nothing: it is not right, and why.
function M.interpret(p)
  local m = start(p)
  for _, s in ipairs(p.list) do
    local ok, why = pcall(s.run, m)
    if not ok then
      if type(why) == "table" then return nil, why.invalid end
      error(why, 0)
    end
  end
  return m
end

-- Which of d's elements have values: a condition on i and j, and a function.
local parts = {
  {nil, function() return true end},
  {"j % 2 == 0", function(_, j) return j % 2 == 0 end},
  {"j % 2 == 1", function(_, j) return j % 2 == 1 end},
  {"j > 0", function(_, j) return j > 0 end},
  {"j < 2", function(_, j) return j < 2 end},
  {"(i + j) % 2 == 0", function(i, j) return (i + j) % 2 == 0 end},
  {"(i + j) % 3 == 1", function(i, j) return (i + j) % 3 == 1 end},
  {"(i + j) % 4 == 0", function(i, j) return (i + j) % 4 == 0 end},
}

function G:output(d)
  local r, c, has = self.r, self.c, self.memory[d.root]
  local part
  for _, q in ipairs(parts) do
    local all = true
    loops(r, c, function(i, j) all = all and not (q[2](i, j) and has[i * c + j + 1] == nil) end)
    if all then
      part = q
      break
    end
  end
  if not part then return nil end
  local packed = d.t.packed and c % 2 == 0 and self.rand:chance(0.6)
  local o = {name = "O_" .. d.name, scope = "global", t = packed and d.t or types.int32, shape = d.shape, out = true}
  o.root = o.name
  local value = self:at(d, "i", "j")
  local lines = {("T.copy(%s, %s)"):format(d.name, o.name)}
  if part[1] or self.rand:chance(0.4) then
    lines = {("for i, j in T.Parallel(%d, %d) do"):format(r, c),
      part[1] and ("  if %s then %s = %s else %s = 0 end"):format(part[1], self:at(o, "i", "j"), value, self:at(o, "i", "j")) or
        ("  %s = %s"):format(self:at(o, "i", "j"), value), "end"}
  end
  return {result = o, lines = lines, run = function(m)
    local to, from = {}, m[d.root]
    m[o.name] = to
    loops(r, c, function(i, j)
      local k = i * c + j + 1
      to[k] = part[2](i, j) and need(from[k]) or 0
    end)
  end}
end

-- Keeps a statement that is right.
function G:add(s)
  if not s then return end
  local m = {}
  for k, v in pairs(self.memory) do m[k] = table.move(v, 1, self.r * self.c * self.steps, 1, {}) end
  local ok, why = pcall(s.run, m)
  if not ok then
    if type(why) ~= "table" then error(why, 0) end
    return
  end
  self.memory = m
  if s.view then self.bufs[#self.bufs + 1] = s.view end
  self.list[#self.list + 1] = s
end

local scopes = {"fragment", "fragment", "fragment", "shared", "shared"}

local function pick_shape(rand)
  local k = rand:int(1, 5)
  if k == 1 then return 16, rand:of {16, 32} end
  if k == 2 then return rand:of {1, 2, 3, 5, 8}, rand:of {6, 7, 9, 10, 14} end
  return rand:of {2, 4, 8, 16}, rand:of {8, 16, 32, 64}
end

function M.program(seed)
  local rand = random.new(seed * 7919 + 11)
  local r, c = pick_shape(rand)
  local self = setmetatable({rand = rand, r = r, c = c, threads = rand:of {32, 64, 128}, bufs = {}, count = 0, list = {},
    inputs = {}, memory = {}, steps = rand:int(1, 4)}, G)
  local function input(dtype, shape, n)
    local b = self:buffer("global", dtype, shape)
    self.inputs[b.name] = random_values(rand, b.t, n or self:size(b))
    self.memory[b.name] = self.inputs[b.name]
    return b
  end
  local even = c % 2 == 0
  input("int8", rand:of {"rc", "n"})
  input(even and rand:of {"int4", "uint4"} or "int8", rand:of {"rc", "n"})
  if even then input("uint8", "bytes") end
  self.ins = table.move(self.bufs, 1, #self.bufs, 1, {})
  self.tall = {name = "Tall", root = "Tall", scope = "global", t = types[even and "int4" or "int8"]}
  self.inputs.Tall = random_values(rand, self.tall.t, r * c * self.steps)
  self.inputs.W = {}
  for i = 1, c * 16 do self.inputs.W[i] = rand:int(-2, 2) end
  self.memory.Tall, self.memory.W = self.inputs.Tall, self.inputs.W
  self.tiles = {}
  for _ = 1, rand:int(2, 5) do
    local scope = rand:of(scopes)
    local dtype = rand:of {"int4", "int4", "uint4", "int8", "int32"}
    if scope == "shared" and not even and types[dtype].packed then scope = "fragment" end
    local b = self:buffer(scope, dtype, rand:chance(0.7) and "rc" or "n")
    self.tiles[#self.tiles + 1], self.memory[b.name] = b, {}
  end
  if even and rand:chance(0.4) then
    local b = self:buffer(rand:of {"fragment", "shared"}, "uint8", "bytes")
    self.tiles[#self.tiles + 1], self.memory[b.name] = b, {}
  end
  for _ = 1, rand:int(3, 12) do
    local d
    repeat d = rand:of(self.bufs) until d.scope ~= "global"
    local k = rand:int(1, 20)
    if d.shape == "bytes" then self:add(self:pack(d))
    elseif k <= 9 then self:add(self:elements(d))
    elseif k <= 11 then self:add(self:changed(d))
    elseif k <= 15 then self:add(self:copy(d))
    elseif k == 16 then self:add(self:reshape())
    elseif k == 17 then self:add(self:reduce())
    elseif k == 18 then self:add(self:pipeline(d))
    else self:add(self:product())
    end
  end
  for _, b in ipairs(self.tiles) do
    if b.shape ~= "bytes" then self:add(self:output(b)) end
  end
  self.seed = seed
  return self
end

-- text ----------------------------------------------------------------------------------------

function M.results(p)
  local list = {}
  for _, s in ipairs(p.list) do list[#list + 1] = s.result end
  return list
end

function M.shape(p, b)
  if b.shape == "row" then return ("{%d}"):format(p.r) end
  if b.shape == "product" then return ("{%d, 16}"):format(p.r) end
  return p:dims(b)
end

function M.text(p)
  local out, params, results = {}, {"Tall", "W"}, {}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  for _, b in ipairs(p.ins) do params[#params + 1] = b.name end
  add("local target = ...\nreturn tl.jit(function(%s)", table.concat(params, ", "))
  add("  Tall: T.Tensor({%d, %d}, %q)", p.r * p.steps, p.c, p.tall.t.name)
  add("  W: T.Tensor({%d, 16}, \"float16\")", p.c)
  for _, b in ipairs(p.ins) do add("  %s: T.Tensor(%s, %q)", b.name, p:dims(b), b.t.name) end
  for k, o in ipairs(M.results(p)) do
    add("  local %s = T.empty(%s, %q)", o.name, M.shape(p, o), o.t.name)
    results[k] = o.name
  end
  add("  for bx in T.Kernel(1, {threads = %d}) do", p.threads)
  local text = {}
  for _, s in ipairs(p.list) do text[#text + 1] = table.concat(s.lines, "\n    ") end
  text = table.concat(text, "\n    ")
  if text:find "%f[%w]tx%f[%W]" then add "    local tx = T.get_thread_binding()" end
  for _, b in ipairs(p.tiles) do
    if (text .. " "):find(b.name .. "%f[%W]") then add("    local %s = T.alloc_%s(%s, %q)", b.name, b.scope, p:dims(b), b.t.name) end
  end
  add("    %s", text)
  add "  end"
  add("  return %s", table.concat(results, ", "))
  add "end, {target = target})"
  return table.concat(out, "\n")
end

local function rows(list, n, width)
  local t = {}
  for i = 1, n do t[i] = table.move(list, (i - 1) * width + 1, i * width, 1, {}) end
  return t
end

function M.tensors(p)
  local t = {tl.from_table(rows(p.inputs.Tall, p.r * p.steps, p.c), p.tall.t.name),
    tl.from_table(rows(p.inputs.W, p.c, 16), "float16")}
  for _, b in ipairs(p.ins) do
    local v = p.inputs[b.name]
    t[#t + 1] = tl.from_table(b.shape == "n" and v or rows(v, p.r, #v // p.r), b.t.name)
  end
  return t
end

return M
