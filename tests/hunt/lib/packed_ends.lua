-- packed_ends.lua: the tensors of the programs of packed.lua: where the blocks' tiles lie in them, what is read from them
-- and what is left in them.
--
-- A place says where element (i, j) of a block is: {dims = text, sizes = numbers, at = function(name, row, col): text,
-- of = function(block, i, j): offset from 0, nil outside}; origin and region are texts for T.copy, own that of what
-- begins with a thread's own elements.
local values = require "hunt.packed_values"
local ways = require "hunt.packed_ways"
local get, need = values.get, values.need
local M = {G = {}}
local G = M.G

-- Places ------------------------------------------------------------------------------------------

local function plus(...)
  return (table.concat({...}, " + "):gsub("^0 %+ ", ""):gsub(" %+ 0$", ""))
end

-- Two dimensions, the first r0 of which are a block's tile times a number.  o.cut elements are missing at the end of
-- dimension `at`, whose size has the name o.symbol.
local function matrix(self, o, rows, columns, at)
  local sizes = {rows, columns}
  sizes[at] = sizes[at] - (o.cut or 0)
  local dims = {tostring(sizes[1]), tostring(sizes[2])}
  dims[at] = o.symbol or dims[at]
  local block = self.block
  local r0 = at == 1 and self.blocks > 1 and ("%s * %d"):format(block, rows // self.blocks) or "0"
  local c0 = at == 2 and self.blocks > 1 and ("%s * %d"):format(block, columns // self.blocks) or "0"
  return {sizes = sizes, dims = ("{%s}"):format(table.concat(dims, ", ")),
    at = function(name, row, col) return ("%s[%s, %s]"):format(name, plus(r0, row), plus(c0, col)) end,
    of = function(g, i, j)
      if at == 1 then i = i + g * (rows // self.blocks) else j = j + g * (columns // self.blocks) end
      return i < sizes[1] and j < sizes[2] and i * sizes[2] + j or nil
    end,
    origin = function(name) return ("%s[%s, %s]"):format(name, r0, c0) end,
    region = function(name, lo, hi)
      return ("%s[%s:%s, %s:%s]"):format(name, r0, plus(r0, tostring(self.r)), plus(c0, tostring(lo)), plus(c0, tostring(hi)))
    end}
end

-- One dimension; flat(e): the element's number in the block's tile -> text, number.
local function row(self, o, size, text, number)
  size = size - (o.cut or 0)
  local c = self.c
  return {sizes = {size}, dims = ("{%s}"):format(o.symbol or size),
    at = function(name, i, j)
      return ("%s[%s]"):format(name, text(i == "0" and j or ("(%s) * %d + %s"):format(i, c, j)))
    end,
    of = function(g, i, j)
      local at = number(g, i * c + j)
      return at < size and at or nil
    end}
end

local places = {}

function places.stack(self, o) return matrix(self, o, self.blocks * self.r, self.c, 1) end

function places.side(self, o) return matrix(self, o, self.r, self.blocks * self.c, 2) end

function places.lead(self)
  local block, r, c = self.block, self.r, self.c
  return {sizes = {self.blocks, r, c}, dims = ("{%d, %d, %d}"):format(self.blocks, r, c),
    at = function(name, i, j) return ("%s[%s, %s, %s]"):format(name, block, i, j) end,
    of = function(g, i, j) return (g * r + i) * c + j end,
    origin = function(name) return ("%s[%s, 0, 0]"):format(name, block) end,
    region = function(name, lo, hi) return ("%s[%s, 0:%d, %d:%d]"):format(name, block, r, lo, hi) end}
end

function places.flat(self, o)
  local n, begin = self.r * self.c, self.blocks > 1 and ("%s * %d"):format(self.block, self.r * self.c) or "0"
  local p = row(self, o, self.blocks * n, function(e) return plus(begin, e) end, function(g, e) return g * n + e end)
  function p.origin(name) return ("%s[%s]"):format(name, begin) end
  function p.region(name, lo, hi) return ("%s[%s:%s]"):format(name, plus(begin, tostring(lo)), plus(begin, tostring(hi))) end
  function p.own(name, per) return ("%s[%s]"):format(name, plus(begin, ("tx * %d"):format(per))) end
  return p
end

-- Of results only: turned over, moved by some elements, from the end, the blocks' elements in turns, where data say.

function places.turned(self)
  local c, r = self.c, self.r
  local p = matrix(self, {}, self.blocks * c, r, 1)
  local at, of = p.at, p.of
  p.at = function(name, i, j) return at(name, j, i) end
  p.of = function(g, i, j) return of(g, j, i) end
  p.origin, p.region = nil, nil
  return p
end

function places.moved(self)
  local n, by = self.r * self.c, self.rand:int(1, 3)
  local begin = self.blocks > 1 and ("%s * %d"):format(self.block, n) or "0"
  return row(self, {}, self.blocks * n + by, function(e) return plus(begin, ("%s + %d"):format(e, by)) end,
    function(g, e) return g * n + e + by end)
end

function places.beside(self)
  local by = self.rand:int(1, 3)
  local r, all, c = self.r, self.blocks * self.c + by, self.c
  return {sizes = {r, all}, dims = ("{%d, %d}"):format(r, all),
    at = function(name, i, j) return ("%s[%s, %s]"):format(name, i, plus(("%s * %d"):format(self.block, c), j, tostring(by))) end,
    of = function(g, i, j) return i * all + g * c + j + by end,
    region = function(name, lo, hi)
      local begin = ("%s * %d"):format(self.block, c)
      return ("%s[0:%d, %s:%s]"):format(name, r, plus(begin, tostring(lo + by)), plus(begin, tostring(hi + by)))
    end}
end

function places.back(self)
  local n = self.r * self.c
  local last = self.blocks * n - 1
  return row(self, {}, self.blocks * n, function(e) return ("%d - (%s * %d + %s)"):format(last, self.block, n, e) end,
    function(g, e) return last - (g * n + e) end)
end

function places.woven(self)
  local n, blocks = self.r * self.c, self.blocks
  return row(self, {}, blocks * n, function(e) return ("(%s) * %d + %s"):format(e, blocks, self.block) end,
    function(g, e) return e * blocks + g end)
end

function places.scattered(self)
  local n, p = self.r * self.c, self.order
  return row(self, {}, self.blocks * n, function(e) return ("%s[%s * %d + %s]"):format(p.name, self.block, n, e) end,
    function(g, e) return p.list[g * n + e + 1] end)
end

-- Does each byte of a tensor so laid out belong to one block, and its halves to elements (i, 2 * j), (i, 2 * j + 1)?
local function calm_place(self, kind, p)
  local sizes = p.sizes
  return self.c % 2 == 0 and sizes[#sizes] % 2 == 0 and (kind == "stack" or kind == "side" or kind == "lead" or kind == "flat") or
    kind == "turned" and self.r % 2 == 0 or self.blocks == 1 and kind == "woven" and self.c % 2 == 0
end

local of_inputs = {rc = {"stack", "side", "lead", "stack", "side"}, n = {"flat"}}
local of_results = {"stack", "side", "lead", "flat", "turned", "moved", "beside", "back", "woven", "scattered"}

-- A size that is only known when the kernel runs, and what is missing to a multiple.
function G:ragged(kind)
  local o = {}
  local most = kind == "stack" and self.r or kind == "side" and self.c or kind == "flat" and self.r * self.c or 1
  if kind == "lead" then return o end
  if self.rand:chance(0.3) then o.cut = self.rand:int(0, most - 1) end
  if self.rand:chance(0.4) then o.symbol = self:name "N" end
  return o
end

-- A tensor's contents, which may be given as units of elements of 4 bits, seen by T.view; then sizes have to be known.
local function contents(self, b, o)
  local size = 1
  for _, n in ipairs(b.place.sizes) do size = size * n end
  b.size, b.list = size, {}
  for k = 1, size do b.list[k] = b.t.wrap(self.rand:int(-128, 127)) end
  if not b.t.packed or o.symbol or not self.rand:chance(0.25) then return end
  local per = self.rand:of {2, 4, 8}
  if size % per ~= 0 then return end
  b.units = {per = per, t = values.types[({[2] = "uint8", [4] = "int16", [8] = "int32"})[per]], size = size // per,
    name = b.name .. "u"}
end

-- Inputs --------------------------------------------------------------------------------------------

function G:input(dtype, shape)
  local rand = self.rand
  local b = self:buffer("global", dtype, shape)
  local kind = rand:of(of_inputs[shape])
  local o = self:ragged(kind)
  b.place, b.symbol = places[kind](self, o), o.symbol
  b.turns = kind == "side" and self.c or kind == "stack" and self.r or nil
  contents(self, b, o)
  for g = 0, self.blocks - 1 do
    local t = {}
    ways.loops(self.r, self.c, function(i, j)
      local at = b.place.of(g, i, j)
      t[i * self.c + j + 1] = at and b.list[at + 1] or 0 -- outside it is 0
    end)
    self.memory[g + 1][b.root], self.start[g + 1][b.root] = t, t
  end
  self.bufs[#self.bufs + 1] = b
  self.params[#self.params + 1] = b
end

-- A tensor of whole numbers that all blocks read, of a name.
function G:table(name, dtype, sizes, list)
  local b = {name = name, root = name, scope = "global", t = values.types[dtype], list = list,
    place = {sizes = sizes, dims = ("{%s}"):format(table.concat(sizes, ", "))}}
  self.params[#self.params + 1] = b
  for _, m in ipairs(self.memory) do m[name] = list end
  return b
end

-- Results -------------------------------------------------------------------------------------------

-- Which elements have values: a condition on i and j, and a function.
local parts = {
  {nil, function() return true end},
  {"%s %% 2 == 0", function(_, j) return j % 2 == 0 end},
  {"%s %% 2 == 1", function(_, j) return j % 2 == 1 end},
  {"%s > 0", function(_, j) return j > 0 end},
  {"%s < 2", function(_, j) return j < 2 end},
  {"(%s + %s) %% 2 == 0", function(i, j) return (i + j) % 2 == 0 end},
  {"(%s + %s) %% 3 == 1", function(i, j) return (i + j) % 3 == 1 end},
  {"(%s + %s) %% 4 == 0", function(i, j) return (i + j) % 4 == 0 end},
}

function G:defined(d)
  for _, q in ipairs(parts) do
    local all = true
    for _, m in ipairs(self.memory) do
      ways.loops(self.r, self.c, function(i, j)
        local ok, v = pcall(get, m, d, i * self.c + j + 1)
        all = all and (not q[2](i, j) or ok and v ~= nil)
      end)
    end
    if all then return q end
  end
end

local function condition(part, at)
  local row, col = ("(%s)"):format(at[1]), ("(%s)"):format(at[2])
  if part[1]:find "%%s.*%%s" then return part[1]:format(row, col) end
  return part[1]:format(col)
end

-- Tile d's elements in a tensor that is new or has contents already, over any way or by a copy.
function G:output(d)
  local r, c, rand = self.r, self.c, self.rand
  local part = self:defined(d)
  if not part or d.shape == "units" then return nil end
  local kind = rand:of(of_results)
  if d.shape == "n" and rand:chance(0.4) then kind = "flat" end
  local o = self:buffer("global", rand:chance(0.7) and d.t.packed and d.t.name or rand:of {"int4", "uint4", "int32"}, "rc")
  local options = self:ragged(kind)
  o.name = "O" .. o.name
  o.root, o.out, o.place, o.symbol = o.name, true, places[kind](self, options), options.symbol
  local fits = o.t.packed and self.calm
  if fits and not calm_place(self, kind, o.place) then return nil end
  contents(self, o, options)
  local w = ways.pick(rand, r, c, self.threads, fits, d.own)
  if not w or not self:reaches(d, w) then return nil end
  local copied = not part[1] and rand:chance(0.3) and d.scope ~= "local" and self:copied(d, o, kind)
  local kept = part[1] and rand:chance(0.5) -- what has no value leaves the tensor as it is
  local holes = kind == "moved" or kind == "beside" or kept or not copied and not ways.covers(w, r, c)
  o.given = (holes or o.symbol or rand:chance(0.4)) and true
  local added = o.given and not copied and not w.places[2] and rand:chance(0.25) -- to what is there
  local lines = copied and {copied}
  if not lines then
    local inner = {}
    for k, at in ipairs(w.places) do
      local to, value = self:at(o, at[1], at[2]), self:at(d, at[1], at[2], w)
      inner[k] = added and ("%s += T.cast(%s, \"int32\")"):format(to, value) or ("%s = %s"):format(to, value)
      if kept then inner[k] = ("if %s then %s end"):format(condition(part, at), inner[k])
      elseif part[1] then inner[k] = ("if %s then %s else %s = 0 end"):format(condition(part, at), inner[k], to) end
    end
    lines = self:lines(w, inner)
  end
  return {result = o, lines = lines, run = function(m)
    local function one(i, j)
      local at = o.place.of(m.block, i, j)
      if not part[2](i, j) then
        if not kept and at then m.out[o.name][at + 1] = 0 end
        return
      end
      local v = need(get(m, d, i * c + j + 1))
      local out = m.out[o.name]
      if at then out[at + 1] = o.t.wrap(added and (out[at + 1] or 0) + v or v) end
    end
    if copied then ways.loops(r, c, one) else w.each(one) end
  end}
end

-- T.copy of all of d into tensor o, where it has such a region.
function G:copied(d, o, kind)
  local p = o.place
  if d.shape == "rc" and kind == "beside" then return ("T.copy(%s, %s)"):format(d.name, p.region(o.name, 0, self.c)) end
  if not p.origin or (d.shape == "n") ~= (kind == "flat") then return nil end
  return ("T.copy(%s, %s)"):format(d.name, p.origin(o.name))
end

return M
