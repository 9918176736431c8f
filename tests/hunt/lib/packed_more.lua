-- packed_more.lua: statements of the programs of packed.lua in which halves of bytes come from different sides: two
-- buffers in one loop, elements that data choose, the other half as an operand, whole tensors of a size that is not known.
local values = require "hunt.packed_values"
local ways = require "hunt.packed_ways"
local get, put, need, memory = values.get, values.put, values.need, values.memory
local M = {G = {}}
local G = M.G

-- Another tile of elements that can be stored in a way, with d's or not.
function G:other_tile(d, w)
  local list = {}
  for _, b in ipairs(self.bufs) do
    if b.scope ~= "global" and b.shape ~= "units" and b.root ~= d.root and self:reaches(b, w) then list[#list + 1] = b end
  end
  return #list > 0 and self.rand:of(list)
end

-- Stores into two tiles in one loop, the second perhaps in another order; neither is read there.
function G:several(d)
  local w, rand, r, c = self:way(d), self.rand, self.r, self.c
  local e = w and not w.places[2] and self:other_tile(d, w)
  if not e then return nil end
  local at = w.places[1]
  local how = e.scope == "local" and 1 or rand:int(1, 4)
  if self.calm and e.t.packed and memory(e) and (how > 1 or w.split) then return nil end
  local row, col, place = at[1], at[2], function(i, j) return i, j end
  if how == 2 then col, place = ("%d - (%s)"):format(c - 1, col), function(i, j) return i, c - 1 - j end
  elseif how == 3 then row, place = ("(%s + 1) %% %d"):format(row, r), function(i, j) return (i + 1) % r, j end
  elseif how == 4 and r == c then row, col, place = col, row, function(i, j) return j, i end end
  local bufs = self.bufs
  self.bufs = {}
  for _, b in ipairs(bufs) do
    if b.root ~= e.root then self.bufs[#self.bufs + 1] = b end
  end
  local a, fa = self:value(d, w, at[1], at[2], 1)
  local b, fb = self:value(d, w, at[1], at[2], rand:int(0, 1))
  self.bufs = bufs
  return {lines = self:lines(w, {("%s = T.cast(%s, %q)"):format(self:at(d, at[1], at[2], w), a, d.t.name),
    ("%s = T.cast(%s, %q)"):format(self:at(e, row, col, w), b, e.t.name)}), run = function(m)
    w.each(function(i, j)
      put(m, d, i * c + j + 1, d.t.wrap(fa(m, i, j)))
      local x, y = place(i, j)
      put(m, e, x * c + y + 1, e.t.wrap(fb(m, i, j)))
    end)
  end}
end

-- d = a value, where data say so.
function G:masked(d)
  local w, c = self:way(d), self.c
  if not w or w.places[2] then return nil end
  local at = w.places[1]
  local test, f = self:value(d, w, at[1], at[2], 0)
  local text, g = self:value(d, w, at[1], at[2], 1)
  if not test:find "%a" then return nil end
  local store = ("%s = T.cast(%s, %q)"):format(self:at(d, at[1], at[2], w), text, d.t.name)
  return {lines = self:lines(w, {("if %s > 0 then %s end"):format(test, store)}), run = function(m)
    local new = {}
    w.each(function(i, j)
      local v = g(m, i, j)
      if f(m, i, j) > 0 then new[i * c + j + 1] = d.t.wrap(v) end
    end)
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

-- One half of each byte is made of another byte's other half, which nobody stores.
function G:halves(d)
  local c, r, rand = self.c, self.r, self.rand
  if d.scope == "local" or d.shape == "units" or c % 2 == 1 or self.calm and d.t.packed and memory(d) then return nil end
  local half, by = rand:int(0, 1), 2 * rand:int(0, c // 2 - 1)
  local to = ("2 * j + %d"):format(half)
  local from = ("(2 * j + %d) %% %d"):format(1 - half + by, c)
  local text = ("T.cast(%s, \"int32\") * 3 + 1"):format(self:at(d, "i", from))
  return {lines = {("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2),
    ("  %s = T.cast(%s, %q)"):format(self:at(d, "i", to), text, d.t.name), "end"}, run = function(m)
    local new = {}
    ways.loops(r, c // 2, function(i, j)
      new[i * c + 2 * j + half + 1] = d.t.wrap(need(get(m, d, i * c + (2 * j + 1 - half + by) % c + 1)) * 3 + 1)
    end)
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

-- d[i, j] = s[i, a number of 4 bits].
function G:gathered_by(d)
  local w, c = self:way(d), self.c
  local q = w and not w.places[2] and self:source(d, w, function(b) return b.t.packed end)
  local s = q and self:source(d, w, function(b) return b.shape ~= "units" and b.scope ~= "local" end)
  if not s then return nil end
  local at = w.places[1]
  local index, f = self:load(q, at[1], at[2], w)
  return {lines = self:lines(w, {("%s = T.cast(%s, \"int32\")"):format(self:at(d, at[1], at[2], w),
    self:at(s, at[1], ("(%s + 8) %% %d"):format(index, c)))}), run = function(m)
    local new = {}
    w.each(function(i, j) new[i * c + j + 1] = d.t.wrap(need(get(m, s, i * c + (need(f(m, i, j)) + 8) % c + 1))) end)
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

-- A sum of the elements that each thread comes to, in a variable of 4 bits.
function G:running(d)
  local own = d.own or self.rand:of {"block", "strided"}
  local w = ways.pick(self.rand, self.r, self.c, self.threads, self.calm and d.t.packed and memory(d), own)
  if not w or not self:reaches(d, w) then return nil end
  local s = self:source(d, w, function(b) return b.shape ~= "units" end)
  local at, v, t = w.places[1], self:name "v", values.types[self.rand:of {"int4", "uint4"}]
  if not s or w.heads[1]:find "vectorized" then return nil end
  local lines = self:lines(w, {("%s += T.cast(%s, \"int32\")"):format(v, self:at(s, at[1], at[2], w)),
    ("%s = T.cast(%s, \"int32\")"):format(self:at(d, at[1], at[2], w), v)})
  table.insert(lines, 1, ("local %s = T.alloc_var(%q)"):format(v, t.name))
  table.insert(lines, 2, ("%s = 1"):format(v))
  local threads, per = self.threads, w.per
  return {lines = lines, run = function(m)
    local new, n = {}, self.r * self.c
    for x = 0, threads - 1 do
      local sum = 1
      for q = 0, per - 1 do
        local e = own == "block" and x * per + q or q * threads + x
        if e < n then
          sum = t.wrap(sum + need(get(m, s, e + 1)))
          new[e + 1] = d.t.wrap(sum)
        end
      end
    end
    for k, x in pairs(new) do put(m, d, k, x) end
  end}
end

-- All of a tensor whose size is known when the kernel runs goes into another one, moved by some elements or where data
-- say, by tiles of the blocks or by single threads.
function G:sweep()
  local rand, blocks = self.rand, self.blocks
  local n, rows = rand:int(1, 300), rand:of {1, 1, 3}
  local t, from, to, size = values.types[rand:of {"int4", "uint4"}], self:name "X", self:name "Y", self:name "N"
  local by = rand:int(0, 2)
  local list = {}
  for k = 1, rows * n do list[k] = t.wrap(rand:int(0, 15)) end
  local a = self:table(from, t.name, {rows, n}, list)
  a.symbol, a.place.dims = size, ("{%d, %s}"):format(rows, size)
  local o = {name = to, root = to, scope = "global", t = values.types[rand:of {"int4", "uint4"}], out = true, given = true,
    size = rows * (n + by), list = {}, symbol = self:name "N",
    place = {sizes = {rows, n + by}}}
  o.place.dims = ("{%d, %s}"):format(rows, o.symbol)
  for k = 1, o.size do o.list[k] = o.t.wrap(rand:int(0, 15)) end
  local chosen = rand:chance(0.3) and rows == 1 and self:table(self:name "I", "int32", {n}, (function()
    local l = {}
    for k = 1, n do l[k] = k - 1 end
    return rand:shuffle(l)
  end)())
  if self.calm then return nil end
  local alone = rand:chance(0.5)
  local width = alone and self.threads or rand:of {32, 48, 64}
  local e = ("(q * %d + %s) * %d + %s"):format(blocks, self.block, width, alone and "tx" or "x")
  local index = chosen and ("%s[%s]"):format(chosen.name, e) or e
  local lines = {("for q in T.serial(T.ceildiv(%s, %d)) do"):format(size, width * blocks)}
  if rows > 1 and not alone then lines[2] = ("for i, x in T.Parallel(%d, %d) do"):format(rows, width)
  else
    lines[#lines + 1] = ("for i in T.serial(%d) do"):format(rows)
    if not alone then lines[#lines + 1] = ("for x in T.Parallel(%d) do"):format(width) end
  end
  local opened = #lines
  lines[#lines + 1] = ("if %s < %s then %s[i, %s + %d] = %s[i, %s] end"):format(e, size, to, index, by, from, e)
  for _ = 1, opened do lines[#lines + 1] = "end" end
  return {result = o, lines = lines, run = function(m)
    if m.block > 0 then return end
    local out = m.out[to]
    for i = 0, rows - 1 do
      for k = 0, n - 1 do
        local at = chosen and chosen.list[k + 1] or k
        out[i * (n + by) + at + by + 1] = o.t.wrap(list[i * n + k + 1])
      end
    end
  end}
end

-- A product of elements of 4 bits whose operands are loaded ahead.
function G:product_ahead()
  local r, c, k = self.r, self.c, self.steps
  if r % 16 > 0 or c % 32 > 0 or self.tall.t.name ~= "int4" then return nil end
  local a, f = self:name "a", self:name "c"
  local o, set = self:result(self.rand:of {"int4", "int32"}, r, r)
  local list = self.tall.list
  return {result = o, lines = {("local %s = T.alloc_shared({%d, %d}, \"int4\")"):format(a, r, c),
    ("local %s = T.alloc_fragment({%d, %d}, \"int32\")"):format(f, r, r), ("T.clear(%s)"):format(f),
    ("for ko in T.Pipelined(%d, {num_stages = %d}) do"):format(k, self.rand:int(1, 3)),
    ("  T.copy(Tall[ko * %d, 0], %s)"):format(r, a), ("  T.gemm(%s, %s, %s, {transpose_B = true})"):format(a, a, f), "end",
    ("for i, j in T.Parallel(%d, %d) do %s[%s, i, j] = %s[i, j] end"):format(r, r, o.name, self.block, f)}, run = function(m)
    ways.loops(r, r, function(i, j)
      local sum = 0
      for ko = 0, k - 1 do
        for x = 1, c do sum = sum + list[(ko * r + i) * c + x] * list[(ko * r + j) * c + x] end
      end
      set(m, i * r + j + 1, o.t.wrap(sum))
    end)
  end}
end

-- A layout for a tile in shared memory, as text; halves of its bytes are other elements then.
function G:layout()
  local r, c, rand = self.r, self.c, self.rand
  local at = rand:of {("i * %d + j"):format(c + rand:int(0, 2)), ("j * %d + i"):format(r + rand:int(0, 1)),
    c % 2 == 0 and ("i * %d + j %% 2 * %d + j // 2"):format(c, c // 2), c % 8 == 0 and c & c - 1 == 0 and ("i * %d + (j ~ i %% 8)"):format(c)}
  return at and ("T.Layout({%d, %d}, function(i, j) return %s end)"):format(r, c, at)
end

return M
