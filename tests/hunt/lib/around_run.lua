-- around_run.lua: what a program of around.lua means.  A role is one actor, which does the statements of the block that
-- are its own in their order; its first thread has a clock besides that of the others, and so has what TMA writes for an
-- mbarrier.  Clocks of events say which of two accesses is behind the other.  Several orders of the actors are played.
local around = require "hunt.around"
local random = require "hunt.random"
local M = {}
local MOD = around.mod

local function join(a, b)
  for i, v in ipairs(b) do
    if v > a[i] then a[i] = v end
  end
end

local function zeros(n)
  local t = {}
  for i = 1, n do t[i] = 0 end
  return t
end

local Play = {}
Play.__index = Play

local function stuck(why) error({stuck = why}, 0) end

function Play:value(me, text)
  if type(text) == "number" then return text end
  local at = me.at
  local key = ("%s|%d|%d|%d|%d"):format(text, at.j, at.k, at.m, me.ph)
  local v = self.known[key]
  if v == nil then
    local f = self.known[text] or assert(load("local j, k, m, ph, n = ... return " .. text))
    self.known[text] = f
    v = f(at.j, at.k, at.m, me.ph, self.p.trips)
    self.known[key] = v
  end
  return v
end

-- What `who` does at an element, by a clock of its own, is behind what other roles did there, or there is a race.
function Play:access(who, role, clock, key, write)
  local c = self.cells[key] or {reads = {}}
  self.cells[key] = c
  local w = c.write
  if w and w.role ~= role and clock[w.who] < w.time then self.race = self.race or key end
  if not write then
    c.reads[who] = {role = role, time = clock[who]}
    return
  end
  for reader, e in pairs(c.reads) do
    if e.role ~= role and clock[reader] < e.time then self.race = self.race or key end
  end
  c.write, c.reads = {who = who, role = role, time = clock[who]}, {}
end

function Play:element(me, i, key, write)
  local first = not self.p.tiled[me.role] and i % self.p.sizes[me.role] == 0
  local who = first and me.role * 2 or me.role * 2 - 1
  self:access(who, me.role, first and me.first or me.rest, key, write)
end

function Play:arrive(b, clocks, n)
  for _, c in ipairs(clocks) do join(b.come, c) end
  b.here = b.here + n
  if b.here > b.count then stuck "more arrivals than it counts" end
  if b.here == b.count then
    join(b.come, b.gone[b.phase - 1] or b.come)
    b.gone[b.phase] = b.come
    b.phase, b.here, b.come = b.phase + 1, 0, zeros(self.clocks)
  end
end

-- The role's clocks go on.
local function step(me)
  local c = me.role * 2
  me.rest[c - 1], me.first[c] = me.rest[c - 1] + 1, me.first[c] + 1
end

-- All come; what the last of them does is behind everything.
function Play:meet(me, act)
  local at = self.met
  self.here = self.here + 1
  if self.here < #self.actors then
    while self.met == at do coroutine.yield "waits" end
    return
  end
  local all = zeros(self.clocks)
  for _, a in ipairs(self.actors) do
    join(all, a.rest)
    join(all, a.first)
  end
  for _, a in ipairs(self.actors) do
    join(a.rest, all)
    join(a.first, all)
    step(a)
  end
  if act then act() end
  local behind = {}
  join(all, me.rest)
  join(all, me.first)
  for _, a in ipairs(self.actors) do
    join(a.rest, all)
    join(a.first, all)
    behind[#behind + 1] = a
  end
  self.here, self.met = 0, self.met + 1
end

local act = {}

-- Modes of the compiler's barriers: `text`: in front of each role, `steps`: behind each step of a loop, `outer`: between
-- the statements that stand in no loop, `some`: in front of some roles.
function act.loop(self, me, s)
  local l = s[2]
  for i = self:value(me, l.lo), self:value(me, l.hi) - 1 do
    me.at[l.var] = i
    me.has[l.var] = true
    self:list(me, s[3])
    if self.mode.steps and not me.inside then self:meet(me) end
  end
  me.at[l.var], me.has[l.var] = 0, nil
end

function act.branch(self, me, s)
  if self:value(me, s[2]) then self:list(me, s[3]) end
end

-- Is there a barrier in front of role s?
function Play:barrier(s)
  if self.mode.some and self.mask[s] == nil then self.mask[s] = self.chance:chance(0.5) end
  return self.mode.text or self.mask[s]
end

function act.role(self, me, s)
  if self:barrier(s) then self:meet(me) end
  if s[2] == me.role then
    me.inside = true
    self:list(me, s[3])
    me.inside = nil
  end
end

function act.mix(self, me, s)
  self:meet(me, function()
    for i = 0, self.p.size - 1 do
      local key = s[2] .. self:value(me, s[3]) .. ":" .. i
      self:element(me, i, key, true)
      self.mem[key] = ((self.mem[key] or 0) + i + s[4]) % MOD
    end
  end)
end

local function write(self, me, s, n)
  local p, slot = self.p, self:value(me, s[3])
  local turn = me.has.k and (me.has.j and me.at.j * 5 + me.at.k or me.at.k) or 9
  for i = 0, n - 1 do
    local key = s[2] .. slot .. ":" .. (i * s[4] + s[5]) % p.size
    self:element(me, i, key, true)
    local acc = me.acc[p.tiled[me.role] and i or i % p.sizes[me.role]]
    self.mem[key] = (acc + i * 7 + turn * 13 + me.role) % MOD
  end
end
function act.write(self, me, s) write(self, me, s, self.p.size) end
function act.half(self, me, s) write(self, me, s, self.p.size // 2) end

function act.read(self, me, s)
  local p, slot = self.p, self:value(me, s[3])
  for i = 0, p.size - 1 do
    local key = s[2] .. slot .. ":" .. (i * s[4] + s[5]) % p.size
    self:element(me, i, key, false)
    local a = p.tiled[me.role] and i or i % p.sizes[me.role]
    me.acc[a] = (me.acc[a] * 3 + (self.mem[key] or 0)) % MOD
  end
end
act.look = act.read

function M.input(g, i) return (g * 37 + i * 11) % MOD end

function act.load(self, me, s)
  local slot, g = self:value(me, s[3]), self:value(me, s[4])
  for i = 0, self.p.size - 1 do
    local key = s[2] .. slot .. ":" .. i
    self:access(me.role * 2 - 1, me.role, me.rest, key, true)
    self.mem[key] = M.input(g, i)
  end
end

function act.bulk(self, me, s)
  local slot, g, name = self:value(me, s[3]), self:value(me, s[4]), s[5] .. self:value(me, s[6])
  local b, clock = self.bars[name], zeros(self.clocks)
  join(clock, me.rest)
  join(clock, me.first)
  clock[b.who] = b.time + 1
  b.time = b.time + 1
  for i = 0, self.p.size - 1 do
    local key = s[2] .. slot .. ":" .. i
    self:access(b.who, name .. me.role, clock, key, true)
    self.mem[key] = M.input(g, i)
  end
  join(b.come, clock)
end

function act.store(self, me, s)
  local slot, g = self:value(me, s[3]), self:value(me, s[4])
  for i = 0, self.p.size - 1 do
    local key, to = s[2] .. slot .. ":" .. i, "R" .. g .. ":" .. i
    self:access(me.role * 2 - 1, me.role, me.rest, key, false)
    self:access(me.role * 2 - 1, me.role, me.rest, to, true)
    self.mem[to] = self.mem[key] or 0
  end
end
act.send = act.store

-- Matrices: a place has the number of the one that it holds.
local function matrix(w, i, e) return (i * 3 + e * 5 + w * 7) % 5 - 2 end
local function factor(e, i) return (e * 2 + i) % 3 - 1 end

function act.matrix(self, me, s)
  local key, w = s[2] .. self:value(me, s[3]), self:value(me, s[4]) % 8
  if s[5] == "bulk" then
    local b, clock = self.bars[s[6] .. self:value(me, s[3])], zeros(self.clocks)
    join(clock, me.rest)
    join(clock, me.first)
    b.time = b.time + 1
    clock[b.who] = b.time
    self:access(b.who, s[6] .. me.role, clock, key, true)
    join(b.come, clock)
  else
    self:access(me.role * 2 - 1, me.role, me.rest, key, true)
  end
  self.mem[key] = w
end

function act.product(self, me, s)
  local key = s[2] .. self:value(me, s[3])
  self:access(me.role * 2 - 1, me.role, me.rest, key, false)
  local w = self.mem[key]
  if w then me.times[w] = (me.times[w] or 0) + 1 end
end

local products = {}
local function product(w)
  if not products[w] then
    local m = {}
    for i = 0, 63 do
      for j = 0, 31 do
        local sum = 0
        for e = 0, 63 do sum = sum + matrix(w, i, e) * factor(e, j) end
        m[i * 32 + j] = sum
      end
    end
    products[w] = m
  end
  return products[w]
end

function act.arrive(self, me, s)
  local b = self.bars[s[2] .. self:value(me, s[3])]
  if me.alone then
    self:arrive(b, {me.first}, 1)
  else
    self:arrive(b, {me.rest, me.first}, self.p.sizes[me.role])
  end
  step(me)
end

function act.wait(self, me, s)
  local b, parity = self.bars[s[2] .. self:value(me, s[3])], self:value(me, s[4])
  if parity ~= 0 and parity ~= 1 then self.race = self.race or "parity" end
  while b.phase % 2 == parity % 2 do coroutine.yield "waits" end
  local gone = b.gone[b.phase - 1] or {}
  join(me.first, gone)
  if not me.alone then join(me.rest, gone) end
end

function act.one(self, me, s)
  me.alone = true
  self:list(me, s[3])
  me.alone = nil
end

function act.flip(_, me) me.ph = me.ph ~ 1 end

function act.tell(self, me, s)
  local b = self.named[s[2]] or {here = 0, phase = 0, count = s[3], come = zeros(self.clocks), gone = {}}
  self.named[s[2]] = b
  self:arrive(b, {me.rest, me.first}, self.p.sizes[me.role])
  step(me)
  return b
end

function act.sync(self, me, s)
  local phase = (self.named[s[2]] or {phase = 0}).phase
  local b = act.tell(self, me, s)
  while b.phase == phase do coroutine.yield "waits" end
  join(me.rest, b.gone[phase])
  join(me.first, b.gone[phase])
end

function Play:list(me, list)
  for _, s in ipairs(list) do
    if self.mode.outer and list == self.p.body then self:meet(me) end
    act[s[1]](self, me, s)
    coroutine.yield()
  end
end

local function make(p, known, mode)
  local y = setmetatable({p = p, actors = {}, mem = {}, cells = {}, bars = {}, named = {}, known = known, mode = mode, mask = {}, here = 0, met = 0}, Play)
  local n = #p.sizes * 2
  for _, b in ipairs(p.bars) do
    for i = 0, b[2] - 1 do
      n = n + 1
      y.bars[b[1] .. i] = {here = 0, phase = 0, count = b[3], gone = {}, who = n, time = 0}
    end
  end
  y.clocks = n
  for _, b in pairs(y.bars) do b.come = zeros(n) end
  for c = 1, #p.sizes do
    local a = {role = c, acc = {}, times = {}, ph = 0, at = {j = 0, k = 0, m = 0}, has = {}, rest = zeros(n), first = zeros(n)}
    for i = 0, p.size - 1 do a.acc[i] = 0 end
    y.actors[c] = a
    step(a)
  end
  return y
end

-- Each actor in turn, as far as chance or a barrier lets it.
local function play(p, r, known, mode)
  local y, live = make(p, known, mode), {}
  y.chance = r
  for i, me in ipairs(y.actors) do
    live[i] = coroutine.create(function() y:list(me, p.body) end)
  end
  local idle = 0
  while #live > 0 do
    local i = r:int(1, #live)
    local at = idle > 20 * #live and (idle % #live) + 1 or i
    local ok, said
    for _ = 1, r:of {1, 1, 2, 6, 20} do
      ok, said = coroutine.resume(live[at])
      if not ok then error(said, 0) end
      idle = said == "waits" and idle + 1 or 0
      if said == "waits" or coroutine.status(live[at]) == "dead" then break end
    end
    if coroutine.status(live[at]) == "dead" then table.remove(live, at) end
    if idle > 30 * (#live + 1) then stuck "all wait" end
  end
  for _, b in pairs(y.named) do
    if b.here > 0 then stuck "some have not come" end
  end
  return y
end

local function results(p, y)
  local out = {}
  local function rows(name, n)
    for g = 0, n - 1 do
      for i = 0, p.size - 1 do out[#out + 1] = y.mem[name .. g .. ":" .. i] or 0 end
    end
  end
  for c in ipairs(p.sizes) do
    for i = 0, p.size - 1 do out[#out + 1] = y.actors[c].acc[p.tiled[c] and i or i % p.sizes[c]] end
  end
  rows("R", around.rows)
  for c = 1, p.matrix and #p.sizes or 0 do
    for i = 0, 64 * 32 - 1 do
      local sum = 0
      for w, n in pairs(y.actors[c].times) do sum = sum + n * product(w)[i] end
      out[#out + 1] = sum
    end
  end
  for _, t in ipairs(p.tiles) do
    if not p.matrix and (t.far or p.keep) then rows(t[1], t[2]) end
  end
  return table.concat(out, " ")
end

-- "right" and the results as a text; "race"; "stuck": in some of `orders`.  All results to `seen`.
local function judge(p, known, mode, orders, seen)
  local word, all = "right", nil
  for seed = 1, orders do
    local ok, y = pcall(play, p, random.new(seed), known, mode)
    if not ok and type(y) ~= "table" then error(y, 0) end
    local text = ok and results(p, y)
    if ok then seen[text] = true end
    if word == "right" and (not ok or y.race or all and all ~= text) then word = ok and "race" or "stuck" end
    all = text
  end
  return word
end

-- What is wanted of p, and the values that it may have, as a set: where its roles race or wait for ever, those of
-- some of their orders, with barriers where the compiler may put them.
function M.wanted(p, orders)
  local known, may = {}, {}
  local verdict = judge(p, known, {}, orders, may)
  if verdict == "right" then return verdict, may end
  for _, mode in ipairs {{outer = true}, {steps = true}, {text = true}, {outer = true, steps = true}, {outer = true, some = true},
    {outer = true, some = true, steps = true}} do
    judge(p, known, mode, orders, may)
  end
  return verdict, may
end

-- The arguments.
local function rows(p)
  local t = {}
  for g = 0, around.rows - 1 do
    t[g + 1] = {}
    for i = 0, p.size - 1 do t[g + 1][i + 1] = M.input(g, i) end
  end
  local args = {tl.from_table(t, "int32")}
  if p.matrix then
    local w, v = {}, {}
    for g = 1, 8 do
      w[g] = {}
      for i = 1, 64 do
        w[g][i] = {}
        for e = 1, 64 do w[g][i][e] = matrix(g - 1, i - 1, e - 1) end
      end
    end
    for e = 1, 64 do
      v[e] = {}
      for i = 1, 32 do v[e][i] = factor(e - 1, i - 1) end
    end
    args[2], args[3] = tl.from_table(w, "float16"), tl.from_table(v, "float16")
  end
  if p.dynamic then args[#args + 1] = p.trips end
  return table.unpack(args)
end

-- All numbers of a table of tables, as integers.
local function flat(t, out)
  for _, v in ipairs(t) do
    if type(v) == "table" then flat(v, out) else out[#out + 1] = math.tointeger(v) or v end
  end
end

-- What the compiler and the simulator of `target` say of the kernel `text`: codes of warnings and errors; the results as
-- a text; what they said.
function M.run(p, text, target)
  local stderr, said, codes = io.stderr, {}, {}
  io.stderr = {write = function(_, ...) said[#said + 1] = table.concat {...} end}
  local ok, values = pcall(function()
    tl.set_target(target)
    local got, out = table.pack(assert(load(text, "=program"))()(rows(p))), {}
    for i = 1, got.n do flat(got[i]:totable(), out) end
    return table.concat(out, " ")
  end)
  io.stderr = stderr
  for code in table.concat(said):gmatch "warning%[(E%d+)%]" do
    if code ~= "E522" then codes[#codes + 1] = code end
  end
  if not ok then codes[#codes + 1] = tostring(values):match "E%d+" or tostring(values) end
  return codes, ok and values or nil, table.concat(said) .. (ok and "" or tostring(values))
end

return M
