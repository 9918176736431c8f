-- through.lua: random kernels whose stages pass data through global memory, beside their interpreter.
--
-- Stages (through_stages.lua, through_loops.lua) load tiles of tensors (through_tensors.lua), compute and store tiles
-- (through_ways.lua); a later one reads or overwrites what an earlier one left.  Blocks touch their own parts, or those of
-- others behind a T.sync_grid() or a flag: place() puts these between stages.
local random = require "hunt.random"
local loops = require "hunt.through_loops"
local M = {}

local G = {}
G.__index = G
for _, name in ipairs {"tensors", "ways", "stages", "loops"} do
  for k, f in pairs(require("hunt.through_" .. name).G) do G[k] = f end
end

function G:may_be_far()
  return self.mode == "grid" or self.mode == "launch" or self.mode == "flag" and self.flagged
end

-- Order between blocks -----------------------------------------------------------------------------------

local kinds = {"reads", "writes", "far", "common"}
local clashes = {reads = {"common"}, writes = {"far", "common"}, far = {"writes", "common"}, common = {"reads", "writes", "far"}}

local function fresh() return {reads = {}, writes = {}, far = {}, common = {}} end

local function collect(s, sets)
  for _, t in ipairs(s.list or {}) do collect(t, sets) end
  for _, k in ipairs(kinds) do
    for x in pairs(s[k] or {}) do sets[k][x] = true end
  end
  return sets
end

local function clash(sets, state)
  for k, list in pairs(clashes) do
    for x in pairs(sets[k]) do
      for _, other in ipairs(list) do
        if state[other][x] then return true end
      end
    end
  end
end

local function merge(state, sets)
  for _, k in ipairs(kinds) do
    for x in pairs(sets[k]) do state[k][x] = true end
  end
end

-- Says before which stages all blocks meet (s.meet); false where that cannot be.
local function place(p, list, state)
  local state_now = state
  for _, s in ipairs(list) do
    s.meet = false
    local sets = collect(s, fresh())
    if s.flag then
      state_now = fresh()
      p.published = true
    elseif next(sets.far) or next(sets.common) or clash(sets, state_now) then
      if p.mode == "own" or p.mode == "flag" and not p.published then return false end
      if s.list and (p.mode == "grid" or p.mode == "launch") then
        if not s.loop or p.mode == "launch" then
          if clash(sets, sets) then return false end
          s.meet = true
          state_now = sets
        else
          if s.own then return false end
          s.meet = true
          local inner = place(p, s.list, fresh())
          if not inner then return false end
          s.list[1].meet = true
          merge(inner, sets)
          state_now = inner
        end
      else
        if clash(sets, sets) then return false end
        if clash(sets, state_now) then
          if p.mode == "flag" then return false end
          s.meet, state_now = true, fresh()
        end
        merge(state_now, sets)
      end
    else
      if s.list then
        for _, t in ipairs(s.list) do t.meet = false end
      end
      merge(state_now, sets)
    end
  end
  return state_now
end

-- Running ---------------------------------------------------------------------------------------------

local function memory(p)
  local mem = {}
  for _, x in ipairs(p.tensors) do mem[x.name] = x.list and table.move(x.list, 1, x.size, 1, {}) or {} end
  mem.Q = table.move(p.counts, 1, #p.counts, 1, {})
  return mem
end

local function environments(p, mem)
  local envs = {}
  for g = 0, p.blocks - 1 do envs[g + 1] = {g = g, vars = {}, mem = mem} end
  return envs
end

-- Does f, unless it finds the program wrong: then false and why.
local function right(f, ...)
  local ok, why = pcall(f, ...)
  if ok then return true end
  if type(why) ~= "table" then error(why, 0) end
  return false, why.invalid
end

-- Have all results values?
local function complete(p, mem)
  for _, x in ipairs(p.tensors) do
    for k = 1, x.how ~= "own" and x.size or 0 do
      if not mem[x.name][k] then return false end
    end
  end
  return true
end

-- What a program leaves in its tensors; nothing: it is not right, and why.
function M.interpret(p)
  local mem = memory(p)
  p.published = false
  if not place(p, p.list, fresh()) then return nil, "blocks in each other's way" end
  local ok, why = right(loops.all, p.list, environments(p, mem))
  if not ok then return nil, why end
  if not complete(p, mem) then return nil, "left unwritten" end
  return mem
end

-- Making ----------------------------------------------------------------------------------------------

-- What is in memory so far.
local function copied(p)
  local mem = {Q = table.move(p.mem.Q, 1, #p.mem.Q, 1, {})}
  for _, x in ipairs(p.all) do mem[x.name] = table.move(p.mem[x.name], 1, x.size, 1, {}) end
  return mem
end

-- Keeps a stage that is right.
function G:add(s)
  if not s then return false end
  local mem = copied(self)
  self.list[#self.list + 1] = s
  self.published = false
  if place(self, self.list, fresh()) and right(loops.all, {s}, environments(self, mem)) then
    self.mem = mem
    return true
  end
  self.list[#self.list] = nil
  return false
end

function G:stage(simple)
  local rand = self.rand
  self.busy = {}
  if not simple and self.threads == 256 and rand:chance(0.2) then return self:roles() end
  local k = rand:int(1, simple and 20 or 28)
  if k <= 5 then return self:elements() end
  if k <= 7 then return self:copy() end
  if k == 8 then return self:atomics() end
  if k == 9 then return self:reduce() end
  if k == 10 then return self:scan() end
  if k <= 12 then return self:map() end
  if k <= 16 then return self:product() or self:map() end
  if k <= 18 then return self:sum() end
  if k == 19 then return self:recur() end
  if k == 20 then return rand:chance(0.5) and self:fills() or self:recount() end
  if k <= 26 then return self:again() end
  return self:when()
end

-- Gives a tensor that is not given values: each of the block's tiles.
function G:fill(x)
  for _ = 1, 8 do
    self.busy = {}
    if x.nr * x.nc == 1 then
      if self:add(self:elements(x, true)) then return true end
    elseif (x.nr == 1 or x.nc == 1) and self:add(self:again(x)) then
      for k = 1, x.size do
        if not self.mem[x.name][k] then return false end
      end
      return true
    end
  end
end

local dtypes = {"float16", "float16", "float16", "float32", "float32", "int32", "int32", "int8", "bfloat16", "uint8", "int16"}

local function shape(rand)
  local k = rand:int(1, 10)
  if k <= 3 then return 64, 64 end
  if k <= 5 then return 32, 32 end
  if k == 6 then return 16, 16 end
  if k == 7 then return rand:of {3, 5, 8, 33}, rand:of {5, 7, 12, 20, 31} end
  return rand:of {4, 8, 16, 32, 64}, rand:of {8, 16, 32, 64, 128}
end

local function try(seed, n, ways)
  local rand = random.new(seed * 7919 + n * 104729 + 5)
  local r, c = shape(rand)
  local self = setmetatable({rand = rand, r = r, c = c, threads = rand:of {64, 128, 128, 128, 256, 256}, count = 0, list = {},
    tensors = {}, tiles = {}, allocs = {}, busy = {}, loops = {}, counts = {}, seed = seed}, G)
  self.grid = rand:of(r * c > 2048 and {{1}, {1}, {2}} or {{1}, {1}, {2}, {3}, {2, 2}})
  self.blocks = self.grid[1] * (self.grid[2] or 1)
  self.block = self.blocks == 1 and "0" or self.grid[2] and ("(by * %d + bx)"):format(self.grid[1]) or "bx"
  self.mode = self.blocks == 1 and "own" or rand:of {"own", "own", "grid", "grid", "launch", "flag"}
  self.bulk_program, self.thread_program = ways == "bulk", ways == "async"
  for k = 1, 8 * self.blocks do self.counts[k] = rand:int(0, 3) end
  for _ = 1, rand:int(1, 2) do self:tensor(rand:of(dtypes), "given") end
  local made = {}
  for _ = 1, rand:int(1, 2) do made[#made + 1] = self:tensor(rand:of(dtypes), "new") end
  if rand:chance(0.25) then made[#made + 1] = self:tensor(rand:of(dtypes), "own") end
  if rand:chance(0.5) then self:vector(rand:of {"int32", "float32"}, "given") end
  self.mem, self.all = memory(self), self.tensors
  -- those that have no values yet are not read
  self.tensors = {}
  for _, x in ipairs(self.all) do
    if x.how == "given" then self.tensors[#self.tensors + 1] = x end
  end
  for _, x in ipairs(made) do
    if rand:chance(0.3) then self:add(self:stage()) end
    if not self:fill(x) then return nil end
    self.tensors[#self.tensors + 1] = x
  end
  if self.mode == "flag" then
    self:add {flag = true, all = function() end}
    self.flagged = true
  end
  for _ = 1, r * c <= 1024 and rand:chance(0.4) and rand:int(6, 16) or rand:int(2, 6) do self:add(self:stage()) end
  self.want = complete(self, self.mem) and self.mem
  return self.want and self
end

-- ways: "bulk" and "async": with the copies that name threads.
function M.program(seed, kind)
  for n = 0, 200 do
    local p = try(seed, n, kind)
    if p then return p end
  end
  error "no program"
end

return M
