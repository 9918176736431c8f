-- atomics_run.lua: what a program of lib/atomics.lua must do, and what it does on a target.
--
-- E runs it statement by statement, block by block, and watches what has no order: iterations of a T.Parallel and
-- threads of a statement (a "group"), and blocks.  Two accesses of one element by two of them must be reads, or
-- updates of one kind; else the program says nothing certain, and a target has to refuse it.
local A = require "hunt.atomics"
local M = {}

local E = {}
E.__index = E

local function invalid(why) error({invalid = why}, 0) end

local function array(n, f)
  local a = {}
  for i = 0, n - 1 do a[i] = f(i) end
  return a
end

-- Values of a type: small ones, which sums keep exact.
local function first(t, i)
  return i * 7 % (t.most <= 256 and 5 or 11) - (t.least < 0 and 2 or 0)
end

function M.inputs(p)
  local mem = {}
  for _, b in pairs(p.inputs) do
    mem[b] = array(64, function(i) return b.t.name == "int32" and (i * 5 + 1) % 13 or first(b.t, i) end)
  end
  mem[p.P] = array(64, function(i) return (i * 29 + 7) % 64 end)
  for _, b in ipairs(p.buffers) do
    mem[b] = array(b.all and 64 or 64 * p.blocks, function(i) return first(b.t, i) end)
  end
  return mem
end

-- What two that have no order may do to one element: "fine", or "soft" where what comes out is not said but may be meant
-- (flags, counters), or "hard" where it must be refused.
local plain = {read = true, write = true}
local passing = {load = true, store = true, prev = true}
local function clash(a, b)
  if (a == "read" or a == "load") and (b == "read" or b == "load") then return "fine" end
  if a == b and not plain[a] and not passing[a] then return "fine" end
  if a == "write" and b == "write" then return "soft" end
  if passing[a] or passing[b] then return "soft" end
  return "hard"
end

-- Notes what self.who of a group does to an element, and what the block does to one of all blocks.
local function note(self, b, at, kind)
  if at < 0 or at > 63 then error("index " .. at .. " of " .. b.name) end
  if b.scope == "input" then return end
  if self.group then
    local marks = self.group[b] or {}
    self.group[b] = marks
    local m = marks[at] or {}
    marks[at] = m
    for k, who in pairs(m) do
      local c = (who ~= self.who) and clash(k, kind) or "fine"
      if c == "hard" then self.unordered = self.unordered or ("%s[%d]: %s and %s"):format(b.name, at, k, kind) end
      if c == "soft" then self.soft = true end
      if c ~= "fine" then self.culprit = self.culprit or self.leaf end
    end
    m[kind] = (m[kind] == nil or m[kind] == self.who) and self.who or -1
  end
  if b.all then
    local m = self.blocks[at] or {}
    self.blocks[at] = m
    for k, block in pairs(m) do
      if k ~= kind and (block ~= self.block or m[kind] ~= nil and m[kind] ~= self.block) then
        self.unordered = ("%s[%d] of blocks: %s and %s"):format(b.name, at, k, kind)
      end
    end
    m[kind] = (m[kind] == nil or m[kind] == self.block) and self.block or -1
  end
end

local function place(self, b, at)
  return (b.part or b.scope == "shared") and self.block * 64 + at or at
end

function E:get(b, at)
  note(self, b, at, "read")
  return self.mem[b][place(self, b, at)]
end

function E:load(b, at)
  note(self, b, at, "load")
  return self.mem[b][place(self, b, at)]
end

local function put(self, b, at, v)
  if self.all then v = math.max(math.min(v, b.t.most), b.t.least) end
  if v > b.t.most or v < b.t.least then invalid "too large" end
  self.mem[b][place(self, b, at)] = v
end

function E:set(b, at, v)
  note(self, b, at, "write")
  put(self, b, at, v)
end

function E:store(b, at, v)
  note(self, b, at, "store")
  put(self, b, at, v)
end

function E:update(b, at, op, v, prev)
  note(self, b, at, prev and "prev" or op)
  if self.all then v = math.max(math.min(v, b.t.most), b.t.least) end
  if v > b.t.most or v < b.t.least then invalid "too large" end
  local old = self.mem[b][place(self, b, at)]
  put(self, b, at, A.ops[op](old, v))
  return old
end

-- Iterations or threads 0 .. n - 1 do f, in no order.
function E:together(n, f)
  self.steps = self.steps + n
  if self.steps > 100000 then invalid "too long" end
  self.group = {}
  for i = 0, n - 1 do
    self.who = i
    f(i)
  end
  self.group = nil
end

-- What a program leaves in its buffers; nothing and why where it is no program.  The second result: what has no order
-- and must be refused; the third: what has none and need not be; the fourth: the statement that does it.
-- all: both parts of each branch are run, loops at least once, and values do not matter.
function M.wanted(p, all)
  local e = setmetatable({mem = M.inputs(p), blocks = {}, steps = 0, all = all}, E)
  local ok, why = pcall(function()
    for block = 0, p.blocks - 1 do
      e.block = block
      A.run(p.statements, e)
    end
  end)
  if ok then return e.mem, e.unordered, e.soft, e.culprit end
  if type(why) == "table" and why.invalid then return nil, why.invalid end
  error(why, 0)
end

local function without(list, s)
  for i, x in ipairs(list) do
    if x == s then
      table.remove(list, i)
      return true
    end
    for _, part in ipairs(x.parts or {}) do
      if without(part, s) then return true end
    end
  end
end

-- Most programs are to have an order: takes statements that have none out of p, those that are never reached, too.
function M.prune(p)
  local bad = p.r:chance(0.04)
  for _ = 1, 60 do
    local _, hard, soft, s = M.wanted(p, not bad)
    if not s or hard and not soft and bad or not without(p.statements, s) then return end
  end
end

-- Its verdict on a target: "right", a code of an error, or "wrong", and words; warnings as a text.
function M.run(p, target, want)
  local chunk = assert(load(p:text(), "=program"))
  local stderr, said = io.stderr, {}
  io.stderr = {write = function(_, ...) said[#said + 1] = table.concat {...} end}
  local ok, text = pcall(function()
    tl.set_target(target)
    local mem, args = M.inputs(p), {}
    for i, b in ipairs(p.params) do
      local from = mem[b.of or b]
      local list = {}
      for k = 0, #from do list[k + 1] = from[k] end
      args[i] = tl.from_table(list, b.t.name)
    end
    chunk()(table.unpack(args))
    for i, b in ipairs(p.params) do
      local w = want[b.of or b]
      local got = args[i]:totable()
      for k = 0, #w do
        if got[k + 1] ~= w[k] then
          return ("%s[%d] is %s, wanted %s"):format(b.name, k, got[k + 1], w[k])
        end
      end
    end
  end)
  io.stderr = stderr
  said = table.concat(said)
  if not ok then return tostring(text):match "%[(E%d+)%]" or "?", tostring(text), said end
  if text then return "wrong", text, said end
  return "right", nil, said
end

return M
