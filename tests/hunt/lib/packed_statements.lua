-- packed_statements.lua: statements over elements and regions of the programs of packed.lua.
--
-- A statement is {lines = text, run = function(memory)}, or nothing where it does not come out.  What it does is worked
-- out where it is made, so that one that reads what has no value is never kept.
local values = require "hunt.packed_values"
local ways = require "hunt.packed_ways"
local get, put, need, memory, moved, invalid, written = values.get, values.put, values.need, values.memory, values.moved,
  values.invalid, values.written
local M = {G = {}}
local G = M.G

-- The lines of a way with others inside.
function G:lines(w, inner)
  local out = table.move(w.heads, 1, #w.heads, 1, {})
  for _, l in ipairs(inner) do out[#out + 1] = "  " .. l end
  for _ = 1, #w.heads do out[#out + 1] = "end" end
  return out
end

-- A way to store all over d, nothing where there is none.
function G:way(d)
  local calm = self.calm and memory(d) and d.t.packed
  local w = ways.pick(self.rand, self.r, self.c, self.threads, calm, d.own)
  return w and self:reaches(d, w) and w or nil
end

-- d = one value.
function G:elements(d)
  local w = self:way(d)
  if not w then return nil end
  local inner, fs, rand, c = {}, {}, self.rand, self.c
  local s = rand:chance(0.4) and self:source(d, w, function(b) return b.shape ~= "units" end)
  for k, at in ipairs(w.places) do
    local text, f
    if s then
      text, f = self:load(s, at[1], at[2], w, rand:chance(0.6))
    else
      text, f = self:value(d, w, at[1], at[2], rand:int(0, 2))
      if rand:chance(0.5) then text = ("T.cast(%s, %q)"):format(text, d.t.name) end
    end
    inner[k], fs[k] = ("%s = %s"):format(self:at(d, at[1], at[2], w), text), f
  end
  return {lines = self:lines(w, inner), run = function(m)
    local new = {}
    if s and not written(m, s) then invalid "nothing writes it" end
    w.each(function(i, j, k)
      local v = fs[k](m, i, j)
      v = s and moved(s, d, v) or not s and d.t.wrap(v) or nil
      new[#new + 1] = {i * c + j + 1, v}
    end)
    for _, p in ipairs(new) do put(m, d, p[1], p[2]) end
  end}
end

-- The same place changed: d op= value.
function G:changed(d)
  local w = self:way(d)
  if not w or w.places[2] then return nil end
  local at, c = w.places[1], self.c
  local text, f = self:value(d, w, at[1], at[2], 1)
  return {lines = self:lines(w, {("%s += T.cast(%s, %q)"):format(self:at(d, at[1], at[2], w), text, d.t.name)}),
    run = function(m)
      w.each(function(i, j)
        local k = i * c + j + 1
        put(m, d, k, d.t.wrap(need(get(m, d, k)) + d.t.wrap(f(m, i, j))))
      end)
    end}
end

-- d[i, P[j]] = a value: which half a thread stores is in the data.
function G:scatter(d)
  local p, c = self.permutation, self.c
  local text, f = self:value(d, {}, "i", "j", 1)
  if d.scope == "local" or self.calm and d.t.packed and memory(d) then return nil end
  return {lines = {("for i, j in T.Parallel(%d, %d) do"):format(self.r, c),
    ("  %s = T.cast(%s, %q)"):format(self:at(d, "i", p.name .. "[j]"), text, d.t.name), "end"}, run = function(m)
    local new = {}
    ways.loops(self.r, c, function(i, j) new[i * c + p.list[j + 1] + 1] = d.t.wrap(f(m, i, j)) end)
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

-- A region, not always the same of both sides.
function G:copy(d)
  if d.scope == "local" then return self:own_copy(d) end
  local rand, r, c = self.rand, self.r, self.c
  local s = self:source(d, {}, function(b) return b.shape == d.shape and b.per == d.per and b.scope ~= "local" end)
  if not s then return nil end
  local rows, columns = d.shape == "rc" and r or 1, d.shape == "rc" and c or d.shape == "n" and r * c or r * c // d.per
  local part = d.shape ~= "units" and not rand:chance(0.5)
  local step = self.calm and d.t.packed and memory(d) and 2 or 1
  local n = part and rand:int(1, columns // step) * step or columns
  if self.calm and d.t.packed and memory(d) and n % 2 == 1 then return nil end
  local function corner()
    return part and rand:int(0, (columns - n) // step) * step or 0
  end
  local from, to = corner(), corner()
  local function region(b, lo)
    if not part then return self:origin(b) end
    return self:region(b, lo, lo + n)
  end
  if not region(s, from) or not region(d, to) then return nil end
  return {lines = {("T.copy(%s, %s)"):format(region(s, from), region(d, to))}, run = function(m)
    local new = {}
    if not written(m, s) then invalid "nothing writes it" end
    for i = 0, rows - 1 do
      for j = 0, n - 1 do
        new[#new + 1] = {i * columns + to + j + 1, moved(s, d, get(m, s, i * columns + from + j + 1))}
      end
    end
    for _, p in ipairs(new) do put(m, d, p[1], p[2]) end
  end}
end

-- Columns lo .. hi - 1 of all rows, or elements; nothing where a tensor has no such region.
function G:region(b, lo, hi)
  if b.place then return b.place.region and b.place.region(b.name, lo, hi) end
  return b.shape == "n" and ("%s[%d:%d]"):format(b.name, lo, hi) or ("%s[0:%d, %d:%d]"):format(b.name, self.r, lo, hi)
end

-- All of b, or where its tile begins.
function G:origin(b)
  return b.place and b.place.origin(b.name) or b.name
end

-- What is each thread's own, from a row of elements and back.
function G:own_copy(d)
  local n, per = self.r * self.c, d.own == "block" and self.r * self.c // self.threads
  local s = per and n % self.threads == 0 and not d.per and
    self:source(d, {thread = true}, function(b) return b.shape == "n" and memory(b) end)
  if not s then return nil end
  local from = s.place and s.place.own and s.place.own(s.name, per) or not s.place and ("%s[tx * %d]"):format(s.name, per)
  if not from then return nil end
  return {lines = {("T.copy(%s, %s)"):format(from, d.name)}, run = function(m)
    for k = 1, n do put(m, d, k, moved(s, d, get(m, s, k))) end
  end}
end

-- Elements into units by hand.
function G:pack(d)
  if d.scope == "local" then return nil end
  local c, per, r = self.c, d.per, self.r
  local s = self:source(d, {}, function(b) return b.shape ~= "units" and b.scope ~= "local" end)
  if not s then return nil end
  local flat = c % per ~= 0
  local parts = {}
  for q = 0, per - 1 do
    local at = flat and self:at(s, ("(x * %d + %d) // %d"):format(per, q, c), ("(x * %d + %d) %% %d"):format(per, q, c)) or
      self:at(s, "i", ("%d * j + %d"):format(per, q))
    parts[#parts + 1] = ("((T.cast(%s, \"int32\") & 15) << %d)"):format(at, 4 * q)
  end
  local head = flat and ("for x in T.Parallel(%d) do"):format(r * c // per) or
    ("for i, j in T.Parallel(%d, %d) do"):format(r, c // per)
  local to = flat and ("%s[x]"):format(d.name) or ("%s[i, j]"):format(d.name)
  return {lines = {head, ("  %s = %s"):format(to, table.concat(parts, " | ")), "end"}, run = function(m)
    local new = {}
    for x = 0, r * c // per - 1 do
      local v = 0
      for q = 0, per - 1 do v = v | (need(get(m, s, x * per + q + 1)) & 15) << 4 * q end
      new[x + 1] = d.t.wrap(v)
    end
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

local widths = {[2] = {"int8", "uint8"}, [4] = {"int16", "uint16"}, [8] = {"int32", "uint32"}}

-- Another name for a tile: of another shape, of units, of elements in units.
function G:view()
  local list, rand, n = {}, self.rand, self.r * self.c
  for _, b in ipairs(self.bufs) do
    if b.scope ~= "global" and b.root == b.name and not b.layout then list[#list + 1] = b end
  end
  local s = #list > 0 and rand:of(list)
  for _ = 1, 3 do
    if s and not s.halves then s = rand:of(list) end
  end
  if not s then return nil end
  local v = {scope = s.scope, own = s.own, root = s.root, halves = s.halves, t = s.t, shape = s.shape, per = s.per}
  if s.halves and s.shape == "units" then
    v.t, v.shape, v.per = values.types[rand:of {"int4", "uint4"}], rand:of {"rc", "n"}, nil
  elseif s.halves and s.t.packed and rand:chance(0.7) then
    v.shape, v.per = "units", rand:of {2, 4, 8}
    v.t = values.types[rand:of(widths[v.per])]
    local whole = s.scope ~= "local" and n or s.own == "block" and n % self.threads == 0 and n // self.threads
    if not whole or whole % v.per ~= 0 then return nil end
  elseif s.shape == "units" or s.scope == "local" then
    return nil
  else
    v.shape = s.shape == "n" and "rc" or "n"
  end
  self.count = self.count + 1
  v.name = ("V%d%s"):format(self.count, s.name)
  local other = v.t ~= s.t
  return {view = v, lines = {other and ("local %s = T.view(%s, %s, %q)"):format(v.name, s.name, self:dims(v), v.t.name) or
    ("local %s = T.reshape(%s, %s)"):format(v.name, s.name, self:dims(v))}, run = function() end}
end

-- A number everywhere.
function G:fill(d)
  local v = self.rand:int(-9, 9)
  local n = d.shape == "units" and self.r * self.c // d.per or self.r * self.c
  return {lines = {v == 0 and ("T.clear(%s)"):format(d.name) or ("T.fill(%s, %d)"):format(d.name, v)}, run = function(m)
    for k = 1, n do put(m, d, k, d.t.wrap(v)) end
  end}
end

return M
