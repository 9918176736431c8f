-- roles_run.lua: what a program of roles.lua means.  A role is one actor, which does its statements in order; clocks of
-- events say which of two accesses of different roles is behind the other.  Several orders of the actors are played.
local roles = require "hunt.roles"
local random = require "hunt.random"
local M = {}
local N, MOD = roles.threads, roles.mod

local function join(a, b)
  for i, v in ipairs(b) do a[i] = math.max(a[i], v) end
end

local function zeros(n)
  local t = {}
  for i = 1, n do t[i] = 0 end
  return t
end

local Play = {}
Play.__index = Play

local function stuck(why) error({stuck = why}, 0) end

function Play:value(text, k)
  local key = text .. "|" .. k
  local v = self.known[key]
  if v == nil then
    v = assert(load("local k = ... return " .. text))(k)
    self.known[key] = v
  end
  return v
end

-- What role `me` does at an element is behind what others did there, or there is a race.
function Play:access(me, key, write)
  local c, clock = self.cells[key] or {reads = {}}, self.clock[me]
  self.cells[key] = c
  local w = c.write
  self.race = self.race or w and w[1] ~= me and clock[w[1]] < w[2] and key
  if not write then
    c.reads[me] = clock[me]
    return
  end
  for who, time in pairs(c.reads) do
    self.race = self.race or who ~= me and clock[who] < time and key
  end
  c.write, c.reads = {me, clock[me]}, {}
end

function Play:arrive(me, b)
  join(b.come, self.clock[me])
  self.clock[me][me] = self.clock[me][me] + 1
  b.here = b.here + N
  if b.here > b.count then stuck "more arrivals than it counts" end
  if b.here == b.count then
    join(b.come, b.gone[b.phase - 1] or b.come)
    b.gone[b.phase] = b.come
    b.phase, b.here, b.come = b.phase + 1, 0, zeros(#self.clock)
  end
end

local act = {}

function act.loop(self, me, s)
  for k = 0, s[2] - 1 do self:list(me, s[3], k) end
end

function act.branch(self, me, s, k)
  if self:value(s[2], k) then self:list(me, s[3], k) end
end

function act.write(self, me, s, k, inner)
  local slot, acc = self:value(s[3], k), self.acc[me]
  for t = 0, N - 1 do
    local key = s[2] .. slot .. ":" .. (t * s[4] + s[5]) % N
    self:access(me, key, true)
    self.mem[key] = (acc[t] + t * 7 + (inner and k or 9) * 13 + me - 1) % MOD
  end
end

function act.read(self, me, s, k)
  local slot, acc = self:value(s[3], k), self.acc[me]
  for t = 0, N - 1 do
    local key = s[2] .. slot .. ":" .. (t * s[4] + s[5]) % N
    self:access(me, key, false)
    acc[t] = (acc[t] * 3 + (self.mem[key] or 0)) % MOD
  end
end

function act.arrive(self, me, s, k) self:arrive(me, self.bars[s[2] .. self:value(s[3], k)]) end

function act.wait(self, me, s, k)
  local b, parity = self.bars[s[2] .. self:value(s[3], k)], self:value(s[4], k)
  while b.phase % 2 == parity do coroutine.yield "waits" end
  join(self.clock[me], b.gone[b.phase - 1] or {})
end

function act.tell(self, me, s)
  local b = self.named[s[2]] or {here = 0, phase = 0, count = s[3], come = zeros(#self.clock), gone = {}}
  self.named[s[2]] = b
  self:arrive(me, b)
  return b
end

function act.sync(self, me, s)
  local phase = (self.named[s[2]] or {phase = 0}).phase
  local b = act.tell(self, me, s)
  while b.phase == phase do coroutine.yield "waits" end
  join(self.clock[me], b.gone[phase])
end

function Play:list(me, list, k)
  for _, s in ipairs(list) do
    act[s[1]](self, me, s, k or 0, k ~= nil)
    coroutine.yield()
  end
end

local function make(p, known)
  local y = setmetatable({clock = {}, acc = {}, mem = {}, cells = {}, bars = {}, named = {}, known = known}, Play)
  for i = 1, #p.roles do
    y.clock[i], y.acc[i] = zeros(#p.roles), {}
    y.clock[i][i] = 1
    for t = 0, N - 1 do y.acc[i][t] = 0 end
  end
  for _, b in ipairs(p.bars) do
    for i = 0, b[2] - 1 do
      y.bars[b[1] .. i] = {here = 0, phase = 0, count = b[3], come = zeros(#p.roles), gone = {}}
    end
  end
  return y
end

-- Each actor in turn, as far as chance or a barrier lets it.
local function play(p, r, known)
  local y, live = make(p, known), {}
  for i, role in ipairs(p.roles) do
    live[i] = coroutine.create(function() y:list(i, role) end)
  end
  local idle = 0
  while #live > 0 do
    local i = r:int(1, #live)
    local at = idle > 20 * #live and (idle % #live) + 1 or i
    local ok, said
    for _ = 1, r:of {1, 1, 2, 6} do
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
  for i = 1, #p.roles do
    for t = 0, N - 1 do out[#out + 1] = y.acc[i][t] end
  end
  for _, tile in ipairs(p.tiles) do
    for slot = 0, tile[2] - 1 do
      for t = 0, N - 1 do out[#out + 1] = y.mem[tile[1] .. slot .. ":" .. t] or 0 end
    end
  end
  return table.concat(out, " ")
end

-- "right" and the results as a text; "race"; "stuck": in some order.
function M.wanted(p)
  local known, all = {}, nil
  for seed = 1, 8 do
    local ok, y = pcall(play, p, random.new(seed), known)
    if not ok then
      if type(y) ~= "table" then error(y, 0) end
      return "stuck"
    end
    if y.race then return "race" end
    local text = results(p, y)
    if all and all ~= text then return "race" end
    all = text
  end
  return "right", all
end

-- What the compiler and the simulator of `target` say of p: codes of warnings and errors; the results as a text.
function M.run(p, target)
  local stderr, said, codes = io.stderr, {}, {}
  io.stderr = {write = function(_, ...) said[#said + 1] = table.concat {...} end}
  local ok, text = pcall(function()
    tl.set_target(target)
    local got, out = table.pack(assert(load(roles.text(p), "=program"))()()), {}
    for i = 1, got.n do
      for _, row in ipairs(got[i]:totable()) do out[#out + 1] = table.concat(row, " ") end
    end
    return table.concat(out, " ")
  end)
  io.stderr = stderr
  for code in table.concat(said):gmatch "warning%[(E%d+)%]" do
    if code ~= "E522" then codes[#codes + 1] = code end
  end
  if not ok then codes[#codes + 1] = tostring(text):match "E%d+" or tostring(text) end
  return codes, ok and text or nil
end

return M
