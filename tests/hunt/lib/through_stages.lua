-- through_stages.lua: what the programs of through.lua do with tiles of global memory between a load and a store.
--
-- A stage is {lines, reads, writes, far, common: sets of tensors, run = function(env)}; it reads all before it writes.
local tensors = require "hunt.through_tensors"
local ways = require "hunt.through_ways"
local M = {G = {}}
local G = M.G

local function stage() return {lines = {}, reads = {}, writes = {}, far = {}, common = {}, refs = {}} end

local function reads(s, ref)
  s.refs[#s.refs + 1] = ref
  s[ref.far and "far" or "reads"][ref.x] = true
end

local function writes(s, ref)
  s.to = ref
  s[ref.common and "common" or "writes"][ref.x] = true
end

-- Does a loop that reads elements where they are disturb itself?
local function disturbed(s, way)
  for _, ref in ipairs(s.refs) do
    local turned = ref.way == "scalar" and way == "turned"
    if ref.x == s.to.x and (ref.far or s.to.common or ref.x.vector or turned) then return true end
  end
end

local function each(self, f)
  for i = 0, self.r - 1 do
    for j = 0, self.c - 1 do f(i, j) end
  end
end

local function wrap(v) return v % 13 - 6 end

-- Whole numbers of elements, which another type may stand for.
function G:int(text)
  for _, x in ipairs(self.tensors) do
    local other = x.view and x.view.unsigned and text:find(x.view.name .. "[", 1, true)
    if other then text = ("T.cast(%s, %q)"):format(text, x.dtype) end
  end
  return ("T.cast(%s, \"int32\")"):format(text)
end

-- A value of whole numbers between -6 and 6 of some sources: texts of their elements -> text; their values -> value.
function G:formula(n)
  local rand, k = self.rand, {}
  for q = 1, n do k[q] = rand:of {1, 1, 2, 3, -1, -2} end
  local ki, kj, d = rand:int(-2, 2), rand:int(1, 3), rand:int(0, 9)
  local l = self.loops[#self.loops]
  l = l and rand:chance(0.5) and l.name or nil
  return function(get, i, j)
    local list = {}
    for q = 1, n do list[q] = ("%s * %d"):format(self:int(get[q](i, j)), k[q]) end
    list[n + 1] = ("%s * %d + %s * %d + %d%s"):format(i, ki, j, kj, d, l and " + " .. l or "")
    return ("(%s) %% 13 - 6"):format(table.concat(list, " + "))
  end, function(env, v, i, j)
    local sum = i * ki + j * kj + d + (l and env.vars[l] or 0)
    for q = 1, n do sum = sum + v[q] * k[q] end
    return wrap(sum)
  end
end

-- Whole numbers of type t: a text, of any of the signs.
local function typed(x, text)
  if x.t.lo == 0 then return ("T.cast(%s + 6, %q)"):format(text, x.dtype), 6 end
  return ("T.cast(%s, %q)"):format(text, x.dtype), 0
end

function G:sources(s, n)
  for _ = 1, n do
    local x = self.rand:of(self.tensors)
    local far = self:may_be_far() and self.rand:chance(0.4) and self.rand:int(1, math.max(1, self.blocks - 1)) or nil
    reads(s, self:ref(x, far))
  end
end

-- A tile of tensors that blocks write.
function G:target(x)
  if x then return self:ref(x) end
  for _ = 1, 20 do
    x = self.rand:of(self.tensors)
    if not x.vector then return self:ref(x) end
  end
end

-- A store of values of sources' elements.
function G:elements(x, whole)
  local s, rand = stage(), self.rand
  local to = self:target(x)
  if not to then return end
  self:sources(s, whole and rand:int(0, 2) or rand:int(1, 3))
  writes(s, to)
  local get = {}
  for q, ref in ipairs(s.refs) do get[q] = self:load(s.lines, ref) end
  local text, value = self:formula(#s.refs)
  local way = to.x.vector and "parallel" or self:store_way(to)
  if not whole and not to.x.vector and rand:chance(0.2) then way = "masked" end
  if disturbed(s, way) then return end
  local _, more = typed(to.x, "")
  local mask, held = self:mask(get)
  if to.x.vector then
    s.lines[#s.lines + 1] = ("for i in T.Parallel(%d) do %s = %s end"):format(self.r, self:at(to, "i", "0"),
      (typed(to.x, text(get, "i", "0"))))
  else
    self:store(s.lines, to, function(i, j) return (typed(to.x, text(get, i, j))) end, way, mask)
  end
  s.run = function(env)
    local new = {}
    each(self, function(i, j)
      local v = {}
      if to.x.vector and j > 0 then return end
      for q, ref in ipairs(s.refs) do v[q] = self:get(env, ref, i, j) end
      if way ~= "masked" or held(v, i, j) then new[#new + 1] = {i, j, value(env, v, i, j) + more} end
    end)
    for _, n in ipairs(new) do
      local i, j = ways.place(way, n[1], n[2])
      self:put(env, to, i, j, n[3])
    end
  end
  return s
end

-- Which elements: texts and values.
function G:mask(get)
  local k = self.rand:int(1, 5)
  if k == 1 and get[1] then return function(i, j) return self:int(get[1](i, j)) .. " > 0" end, function(v) return v[1] > 0 end end
  if k == 2 then return function(_, j) return j .. " % 2 == 1" end, function(_, _, j) return j % 2 == 1 end end
  if k == 3 then return function(i) return i .. " > 2" end, function(_, i) return i > 2 end end
  if k == 4 then
    return function(i, j) return ("(%s + %s) %% 3 == 0"):format(i, j) end, function(_, i, j) return (i + j) % 3 == 0 end
  end
  local half = self.c // 2
  return function(_, j) return ("%s < %d"):format(j, half) end, function(_, _, j) return j < half end
end

-- A tile from one place to another: only copies.
function G:copy()
  local s, rand = stage(), self.rand
  local to = self:target()
  self:sources(s, 1)
  local from = s.refs[1]
  if not to or from.x.vector or not self:whole(from) or not self:whole(to) then return end
  writes(s, to)
  if from.x == to.x and (from.far or from.a[1] == to.a[1] and from.b[1] == to.b[1]) then return end
  local k = rand:int(1, 4)
  if k == 1 and from.x ~= to.x then
    s.lines[1] = ("T.copy(%s, %s)"):format(self:whole(from, true), self:whole(to, true)) -- two elements: one element
  else
    local t = self:tile(k == 2 and "fragment" or "shared", rand:of {from.x.dtype, to.x.dtype})
    s.lines = {("T.copy(%s, %s)"):format(self:whole(from), t), ("T.copy(%s, %s)"):format(t, self:whole(to))}
    if k == 4 then
      local via = self:tile("fragment", rand:of {from.x.dtype, to.x.dtype})
      s.lines = {s.lines[1], ("T.copy(%s, %s)"):format(t, via), ("T.copy(%s, %s)"):format(via, self:whole(to))}
    end
  end
  s.run = function(env)
    local new = {}
    each(self, function(i, j)
      local v = self:get(env, from, i, j)
      if v < from.x.t.lo or v > from.x.t.hi then tensors.invalid "not exact" end
      new[#new + 1] = {i, j, v}
    end)
    for _, n in ipairs(new) do self:put(env, to, n[1], n[2], n[3]) end
  end
  return s
end

-- One value for a whole tile.
function G:fills()
  local s, to, v = stage(), self:target(), self.rand:int(0, 5)
  if not to or not self:whole(to, true) then return end
  writes(s, to)
  s.lines[1] = v == 0 and ("T.clear(%s)"):format(self:whole(to)) or ("T.fill(%s, %d)"):format(self:whole(to), v)
  s.run = function(env) each(self, function(i, j) self:put(env, to, i, j, v) end) end
  return s
end

-- Other numbers for the block's loops and branches.
function G:recount()
  local s, k, d = stage(), self.rand:int(1, 3), self.rand:int(0, 3)
  local function set(env, p, v) env.mem.Q[env.g * 8 + p + 1] = v % 4 end
  local function get(env, p) return env.mem.Q[env.g * 8 + p + 1] end
  if self.rand:chance(0.5) then
    s.lines[1] = ("for p in T.Parallel(8) do Q[%s, p] = (Q[%s, p] * %d + p + %d) %% 4 end"):format(self.block, self.block, k, d)
    s.run = function(env)
      for p = 0, 7 do set(env, p, get(env, p) * k + p + d) end
    end
  else
    local p, q = self.rand:int(0, 7), self.rand:int(0, 7)
    s.lines[1] = ("Q[%s, %d] = (Q[%s, %d] + %d) %% 4"):format(self.block, p, self.block, q, d)
    if p == q then s.lines[1] = ("Q[%s, %d] = %d"):format(self.block, p, d) end
    s.run = function(env) set(env, p, p == q and d or get(env, q) + d) end
  end
  return s
end

-- Each row or column from the one before it, through memory.
function G:recur()
  local s, rand, r, c = stage(), self.rand, self.r, self.c
  local to = self:target()
  if not to or r < 2 or c < 2 or to.x.t.lo == 0 then return end
  writes(s, to)
  s.reads[to.x] = true
  local k, q, down, turn = rand:of {1, 2, -1}, rand:int(0, 5), rand:chance(0.5), rand:chance(0.5)
  local l, lanes = self:name "n", down and c or r
  local function at(row, lane)
    if down then return self:at(to, row, lane) end
    return self:at(to, lane, row)
  end
  local from = turn and ("(%d - p)"):format(lanes - 1) or "p"
  local line = ("%s = %s"):format(at(l, "p"),
    (typed(to.x, ("(%s * %d + p + %s * %d) %% 13 - 6"):format(self:int(at(("(%s - 1)"):format(l), from)), k, l, q))))
  local rows = ("for %s in T.serial(1, %d) do"):format(l, down and r or c)
  local heads = {rows, ("for p in T.Parallel(%d) do"):format(lanes)}
  if not turn and rand:chance(0.5) then heads[1], heads[2] = heads[2], heads[1] end
  s.lines = {heads[1], "  " .. heads[2], "    " .. line, "  end", "end"}
  s.run = function(env)
    local function place(row, lane) return down and row or lane, down and lane or row end
    for n = 1, (down and r or c) - 1 do
      for lane = 0, lanes - 1 do
        local i, j = place(n - 1, turn and lanes - 1 - lane or lane)
        local v = wrap(self:get(env, to, i, j) * k + lane + n * q)
        i, j = place(n, lane)
        self:put(env, to, i, j, v)
      end
    end
  end
  return s
end

-- Sums and extremes by atomics: elements of a tile, or its rows' in a vector.
function G:atomics()
  local s, rand = stage(), self.rand
  local x
  for _ = 1, 20 do
    x = rand:of(self.tensors)
    if x.dtype == "int32" or x.dtype == "float32" then break end
    x = nil
  end
  if not x then return end
  local to = self:ref(x)
  to.via = nil
  if self:may_be_far() and self.mode == "grid" and rand:chance(0.4) then to.common, to.far = true, "common" end
  self:sources(s, rand:int(1, 2))
  writes(s, to)
  local get = {}
  for q, ref in ipairs(s.refs) do
    if ref.x == to.x then return end
    get[q] = self:load(s.lines, ref)
  end
  local text, value = self:formula(#s.refs)
  local op = rand:of {"add", "add", "max", "min"}
  if not x.vector and op == "add" and self:whole(to) and rand:chance(0.4) then
    local f = self:tile(rand:of {"fragment", "shared"}, x.dtype)
    self:over(s.lines, function(i, j) return {("%s[%s, %s] = %s"):format(f, i, j, typed(x, text(get, i, j)))} end)
    s.lines[#s.lines + 1] = ("T.atomic_add(%s, %s)"):format(self:whole(to), f)
  else
    self:over(s.lines, function(i, j)
      return {("T.atomic_%s(%s, %s)"):format(op, self:at(to, i, j), (typed(x, text(get, i, j))))}
    end, x.vector)
  end
  local f = ({add = function(a, b) return a + b end, max = math.max, min = math.min})[op]
  s.run = function(env)
    each(self, function(i, j)
      local v = {}
      for q, ref in ipairs(s.refs) do v[q] = self:get(env, ref, i, j) end
      self:put(env, to, i, j, f(self:get(env, to, i, j), value(env, v, i, j)))
    end)
  end
  return s
end

-- Rows reduced into a vector, or running sums into a tile.
function G:reduce()
  local s, rand, r, c = stage(), self.rand, self.r, self.c
  local to
  for _ = 1, 10 do
    local x = rand:of(self.tensors)
    to = x.vector and x.t.lo < 0 and self:ref(x) or to
  end
  if not to then return end
  self:sources(s, 1)
  local from = s.refs[1]
  if from.x.vector or from.x.t.lo == 0 then return end
  writes(s, to)
  from.via = nil
  local get = self:load(s.lines, from)
  local f, g = self:tile("fragment", to.x.dtype), self:tile("fragment", to.x.dtype, ("{%d}"):format(r))
  self:over(s.lines, function(i, j) return {("%s[%s, %s] = T.cast(%s, %q)"):format(f, i, j, get(i, j), to.x.dtype)} end)
  local op = rand:of {"sum", "max", "min"}
  s.lines[#s.lines + 1] = ("T.reduce_%s(%s, %s, 1)"):format(op, f, g)
  s.lines[#s.lines + 1] = rand:chance(0.5) and ("T.copy(%s, %s)"):format(g, self:at(to, "0", "0")) or
    ("for i in T.Parallel(%d) do %s = %s[i] end"):format(r, self:at(to, "i", "0"), g)
  local h = ({sum = function(a, b) return a + b end, max = math.max, min = math.min})[op]
  s.run = function(env)
    local new = {}
    for i = 0, r - 1 do
      local v = self:get(env, from, i, 0)
      for j = 1, c - 1 do v = h(v, self:get(env, from, i, j)) end
      new[i] = v
    end
    for i = 0, r - 1 do self:put(env, to, i, 0, new[i]) end
  end
  return s
end

function G:scan()
  local s, rand, r, c = stage(), self.rand, self.r, self.c
  local to = self:target()
  self:sources(s, 1)
  local from = s.refs[1]
  if not to or from.x.vector or not self:whole(from) or to.x.t.lo == 0 then return end
  writes(s, to)
  if from.x == to.x and from.far then return end
  local a, b = self:tile("shared", "int32"), self:tile("shared", "int32")
  local dim, back = rand:int(0, 1), rand:chance(0.5)
  if from.x.dtype == "int32" and rand:chance(0.5) then from.slice = false end
  s.lines = {("T.copy(%s, %s)"):format(self:whole(from), a), ("T.cumsum(%s, %s, %d, %s)"):format(a, b, dim, tostring(back))}
  local way = self:store_way(to)
  self:store(s.lines, to, function(i, j) return (typed(to.x, ("%s[%s, %s] %% 13 - 6"):format(b, i, j))) end, way)
  s.run = function(env)
    local new = {}
    for p = 0, (dim == 1 and r or c) - 1 do
      local sum, n = 0, dim == 1 and c or r
      for q = 0, n - 1 do
        local e = back and n - 1 - q or q
        local i, j = dim == 1 and p or e, dim == 1 and e or p
        sum = sum + self:get(env, from, i, j)
        new[#new + 1] = {i, j, wrap(sum)}
      end
    end
    for _, n in ipairs(new) do
      local i, j = ways.place(way, n[1], n[2])
      self:put(env, to, i, j, n[3])
    end
  end
  return s
end

M.stage, M.reads, M.writes, M.typed, M.each, M.wrap, M.disturbed = stage, reads, writes, typed, each, wrap, disturbed
return M
