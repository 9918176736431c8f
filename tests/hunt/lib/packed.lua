-- packed.lua: random kernels over elements of 4 bits, two to a byte, beside their interpreter.
--
-- Each block has tiles of r x c elements: fragments, shared memory, arrays of threads, places in tensors.  Statements
-- (packed_statements.lua, packed_tiles.lua) change them, and at the end they are left in tensors (packed_ends.lua).
-- The interpreter runs the blocks one after the other; memories[g + 1] is what block g has (packed_values.lua).
local random = require "hunt.random"
local values = require "hunt.packed_values"
local M = {}

local G = {}
G.__index = G
for _, name in ipairs {"values", "statements", "more", "tiles", "ends"} do
  for k, f in pairs(require("hunt.packed_" .. name).G) do G[k] = f end
end

-- What the programs leave in tensors, by name.
local function outs()
  return setmetatable({}, {__index = function(t, name)
    t[name] = {}
    return t[name]
  end})
end

-- Keeps a statement that is right in all blocks.
function G:add(s)
  if not s then return end
  local after = {}
  for g, before in ipairs(self.memory) do
    local m = {}
    for k, v in pairs(before) do m[k] = type(v) == "table" and k ~= "out" and table.move(v, 1, self.most, 1, {}) or v end
    local ok, why = true, nil
    if not s.only or (g - 1) % 2 == s.only then ok, why = pcall(s.run, m) end
    if not ok then
      if type(why) ~= "table" then error(why, 0) end
      return
    end
    after[g] = m
  end
  self.memory = after
  if s.view then self.bufs[#self.bufs + 1] = s.view end
  self.list[#self.list + 1] = s
end

-- A statement for every second block.
function G:sometimes(s)
  if s and not s.view and not s.result and self.blocks > 1 and self.rand:chance(0.06) then
    s.only = self.rand:int(0, 1)
    table.insert(s.lines, 1, ("if %s %% 2 == %d then"):format(self.block, s.only))
    s.lines[#s.lines + 1] = "end"
  end
  return s
end

local scopes = {"fragment", "fragment", "fragment", "shared", "shared", "shared", "local"}

local function pick_shape(rand)
  local k = rand:int(1, 6)
  if k == 1 then return 16, rand:of {16, 32} end
  if k == 2 then return rand:of {1, 2, 3, 5, 8}, rand:of {6, 7, 9, 10, 14} end
  if k == 3 then return rand:of {1, 1, 3, 4}, rand:of {31, 33, 63, 96, 128} end
  return rand:of {2, 4, 8, 16}, rand:of {8, 16, 32, 64}
end

function G:tile()
  local rand = self.rand
  local dtype = rand:of {"int4", "int4", "int4", "uint4", "uint4", "int8", "int32"}
  local scope = rand:of(scopes)
  local b
  if rand:chance(0.12) and self.r * self.c % 8 == 0 and scope ~= "local" then
    local per = rand:of {2, 2, 4, 8}
    b = self:buffer(scope, ({[2] = "uint8", [4] = "int16", [8] = "uint32"})[per], "units", per)
    b.halves = true
  else
    b = self:buffer(scope, dtype, rand:chance(0.7) and "rc" or "n")
    b.halves = b.t.packed and rand:chance(0.5)
    b.own = scope == "local" and rand:of {"block", "block", "strided"} or nil
  end
  if b.scope == "shared" and b.shape == "rc" and not b.halves and not self.calm and rand:chance(0.15) then
    b.layout = self:layout()
  end
  if self.calm and self.c % 2 == 1 and b.t.packed and scope == "shared" then b.scope = "fragment" end
  self.tiles[#self.tiles + 1], self.bufs[#self.bufs + 1] = b, b
  for _, m in ipairs(self.memory) do m[b.root] = {} end
end

function G:buffer_of(dtype)
  for _, b in ipairs(self.tiles) do
    if b.t.name == dtype and b.scope == "fragment" and b.shape == "rc" then return b end
  end
end

function G:statement()
  local d
  repeat d = self.rand:of(self.bufs) until d.scope ~= "global"
  if d.shape == "units" then return self.rand:chance(0.7) and self:pack(d) or self:copy(d) end
  local k = self.rand:int(1, 40)
  if k <= 10 then return self:elements(d) end
  if k <= 12 then return self:changed(d) end
  if k <= 15 then return self:copy(d) end
  if k <= 18 then return self:view() end
  if k == 19 then return self:reduce() end
  if k == 20 then return self:pipeline(self:buffer_of "int32" or d) end
  if k == 21 then return self:product() end
  if k == 22 then return self:product_packed() end
  if k == 23 then return self:scan() end
  if k == 24 then return self:transposed() end
  if k == 25 then return self:converted(d) end
  if k == 26 then return self:scatter(d) end
  if k == 27 then return self:fill(d) end
  if k <= 30 then return self:several(d) end
  if k <= 32 then return self:masked(d) end
  if k <= 34 then return self:halves(d) end
  if k <= 36 then return self:gathered_by(d) end
  if k == 37 then return self:running(d) end
  if k <= 39 then return self:sweep() end
  return self:product_ahead()
end

-- calm: each byte is one thread's, as vectors want it.
function M.program(seed, calm)
  local rand = random.new(seed * 7919 + 11)
  local r, c = pick_shape(rand)
  local self = setmetatable({rand = rand, r = r, c = c, threads = rand:of {32, 64, 128}, bufs = {}, count = 0, list = {},
    memory = {}, start = {}, steps = rand:int(1, 4), tiles = {}, params = {}, calm = calm, seed = seed}, G)
  self.grid = rand:of {{1}, {1}, {2}, {3}, {2, 2}}
  self.blocks = self.grid[1] * (self.grid[2] or 1)
  self.block = self.blocks == 1 and "0" or self.grid[2] and ("(by * %d + bx)"):format(self.grid[1]) or "bx"
  for g = 1, self.blocks do self.memory[g], self.start[g] = {block = g - 1, out = outs()}, {} end
  self.most = math.max(r * c * math.max(self.steps, 2), c * 16)
  local function list(n, t, lo, hi)
    local l = {}
    for k = 1, n do l[k] = values.types[t].wrap(rand:int(lo, hi)) end
    return l
  end
  local function permutation(n)
    local l = {}
    for k = 1, n do l[k] = k - 1 end
    return rand:shuffle(l)
  end
  local tall = c % 2 == 0 and "int4" or "int8"
  self.tall = self:table("Tall", tall, {r * self.steps, c}, list(r * c * self.steps, tall, -128, 127))
  self:table("W", "float16", {c, 16}, list(c * 16, "float16", -2, 2))
  self.permutation = self:table("P", "int32", {c}, permutation(c))
  self.order = self:table("Q", "int32", {self.blocks * r * c}, permutation(self.blocks * r * c))
  self:input("int8", rand:of {"rc", "n"})
  self:input(rand:of {"int4", "uint4"}, rand:of {"rc", "n"})
  self:input(rand:of {"int4", "uint4"}, rand:of {"rc", "n"})
  for _ = 1, rand:int(2, 6) do self:tile() end
  for _, b in ipairs(self.tiles) do
    if rand:chance(0.5) then self:add(b.shape == "units" and self:pack(b) or b.shape ~= "units" and self:elements(b)) end
  end
  for _ = 1, rand:int(3, 14) do self:add(self:sometimes(self:statement())) end
  for _, b in ipairs(self.tiles) do self:add(self:output(b)) end
  return self
end

-- Running -------------------------------------------------------------------------------------------

-- What a program leaves in its results; nothing: it is not right, and why.
function M.interpret(p)
  local memory, out = {}, outs()
  for _, s in ipairs(p.list) do
    local o = s.result
    if o and o.given then out[o.name] = table.move(o.list, 1, o.size, 1, {}) end
  end
  for g = 0, p.blocks - 1 do
    local m = {block = g, out = out}
    for _, b in ipairs(p.params) do m[b.root] = b.list end
    for _, b in ipairs(p.tiles) do m[b.root] = {} end
    for k, v in pairs(p.start[g + 1]) do m[k] = v end
    memory[g + 1] = m
  end
  for _, s in ipairs(p.list) do
    for g, m in ipairs(memory) do
      if not s.only or (g - 1) % 2 == s.only then
        local ok, why = pcall(s.run, m)
        if not ok then
          if type(why) == "table" then return nil, why.invalid end
          error(why, 0)
        end
      end
    end
  end
  return out
end

return M
