-- views.lua: programs of two tiles, each of so many bytes, in registers or shared memory, with names for
-- elements of several widths.  Statements are text and what they do to the bytes, one after the other: what
-- iterations of T.Parallel do is apart in bytes.
local Random = require "hunt.random"
local M = {}

local types = {}
for _, bits in ipairs {8, 16, 32, 64} do
  for _, sign in ipairs {"int", "uint"} do
    types[#types + 1] = {name = sign .. bits, bytes = bits // 8, format = (sign == "int" and "<i" or "<I") .. bits // 8}
  end
end
local function wrap32(v) return (v & 0xffffffff ~ 0x80000000) - 0x80000000 end

-- Memory ----------------------------------------------------------------------------

local function get(m, n, i)
  local s = {}
  for b = 1, n.t.bytes do s[b] = string.char(m[n.tile][i * n.t.bytes + b]) end
  return (string.unpack(n.t.format, table.concat(s)))
end

local function put(m, n, i, v)
  for b = 1, n.t.bytes do m[n.tile][i * n.t.bytes + b] = v >> 8 * (b - 1) & 255 end
end

-- Expressions: {text, f(m, env)}, int32 ------------------------------------------------

local G = {}
G.__index = G

-- The element of name n at unit u of so many bytes, or a part of it: text of the index and its value.
function G:place(n, unit, at)
  local per = unit // n.t.bytes
  local q = self.rand:int(0, per - 1)
  if per == 1 then return at.text, at.f end
  return ("(%s) * %d + %d"):format(at.text, per, q), function(e) return at.f(e) * per + q end
end

function G:read(n, text, f)
  return {text = ("(T.cast(%s[%s], \"int32\") & 1023)"):format(n.name, text),
    f = function(m, e) return wrap32(get(m, n, f(e))) & 1023 end}
end

-- Sums of what the names hold in the bytes of one unit, of X, of the variable.
function G:value(names, unit, at, var)
  local rand, parts = self.rand, {}
  for _ = 1, rand:int(1, 3) do
    local k = rand:int(1, 6)
    if k <= 4 and #names > 0 then
      local n = rand:of(names)
      parts[#parts + 1] = self:read(n, self:place(n, unit, at))
    elseif k == 5 then
      local c = rand:int(0, 63)
      parts[#parts + 1] = {text = ("X[(%s + %d) %% 64]"):format(var, c), f = function(m, e) return m.x[(e.i + c) % 64 + 1] end}
    else
      local c = rand:int(-99, 99)
      parts[#parts + 1] = {text = ("(%s * %d)"):format(var, c), f = function(_, e) return e.i * c end}
    end
  end
  local texts = {}
  for i, x in ipairs(parts) do texts[i] = x.text end
  return {text = table.concat(texts, " + "), f = function(m, e)
    local v = 0
    for _, x in ipairs(parts) do v = wrap32(v + x.f(m, e)) end
    return v
  end}
end

function G:condition(var)
  local rand = self.rand
  local k, c = rand:int(2, 5), rand:int(0, 4)
  if rand:chance(0.5) then
    return ("%s %% %d == %d"):format(var, k, c % k), function(_, e) return e.i % k == c % k end
  end
  return ("X[%s %% 64] > %d"):format(var, c * 12), function(m, e) return m.x[e.i % 64 + 1] > c * 12 end
end

-- Statements: {lines, run(m)} ------------------------------------------------------------

function G:some(tile)
  local list = {}
  for _, n in ipairs(self.names) do
    if not tile or n.tile == tile then list[#list + 1] = n end
  end
  return list
end

-- A store of an iteration to bytes of its own, which it reads as well by any name.
function G:store(names, unit, at, var)
  local n = self.rand:of(names)
  local text, f = self:place(n, unit, at)
  local v = self:value(names, unit, at, var)
  local line = ("%s[%s] = T.cast(%s, %q)"):format(n.name, text, v.text, n.t.name)
  local function run(m, e) put(m, n, f(e), v.f(m, e)) end
  if self.rand:chance(0.3) then
    local c, holds = self:condition(var)
    return ("if %s then %s end"):format(c, line), function(m, e)
      if holds(m, e) then run(m, e) end
    end
  end
  return line, run
end

function G:parallel()
  local rand = self.rand
  local names = self:some(rand:of {"A", "B"})
  local unit = 0
  for _, n in ipairs(names) do unit = math.max(unit, n.t.bytes) end
  local count = self.bytes // unit
  local odd = rand:int(0, 3) * 2 + 1
  local at = rand:of {
    {text = "i", f = function(e) return e.i end},
    {text = ("%d - i"):format(count - 1), f = function(e) return count - 1 - e.i end},
    {text = ("i * %d %% %d"):format(odd, count), f = function(e) return e.i * odd % count end},
  }
  local lines, runs = {("for i in T.Parallel(%d) do"):format(count)}, {}
  for k = 1, rand:int(1, 3) do
    local line
    line, runs[k] = self:store(names, unit, at, "i")
    lines[#lines + 1] = "  " .. line
  end
  lines[#lines + 1] = "end"
  return {lines = lines, run = function(m)
    for i = 0, count - 1 do
      for _, f in ipairs(runs) do f(m, {i = i}) end
    end
  end}
end

-- From one tile to the other, whose bytes nobody writes here.
function G:across()
  local rand = self.rand
  local to = rand:of {"A", "B"}
  local n, from = rand:of(self:some(to)), self:some(to == "A" and "B" or "A")
  local count = self.bytes // n.t.bytes
  local s = rand:of(from)
  local most = self.bytes // s.t.bytes
  local a, c = rand:int(1, 5), rand:int(0, most - 1)
  local text = ("%s[i] = T.cast((T.cast(%s[(i * %d + %d) %% %d], \"int32\") & 1023) + i, %q)"):format(n.name, s.name, a, c,
    most, n.t.name)
  local guard, holds = nil, function() return true end
  if rand:chance(0.4) then guard, holds = self:condition "i" end
  return {lines = {("for i in T.Parallel(%d) do"):format(count), guard and ("  if %s then %s end"):format(guard, text) or "  " .. text,
    "end"}, run = function(m)
    for i = 0, count - 1 do
      if holds(m, {i = i}) then put(m, n, i, (wrap32(get(m, s, (i * a + c) % most)) & 1023) + i) end
    end
  end}
end

-- One element after the other, by all threads alike.
function G:serial()
  local rand = self.rand
  local n, s = rand:of(self.names), rand:of(self.names)
  local rounds = rand:int(1, 4)
  local most, reads = self.bytes // n.t.bytes, self.bytes // s.t.bytes
  local a, b, c = rand:int(1, 3), rand:int(0, most - 1), rand:int(0, reads - 1)
  return {lines = {("for k in T.serial(%d) do"):format(rounds),
    ("  %s[(k * %d + %d) %% %d] = T.cast((T.cast(%s[(k + %d) %% %d], \"int32\") & 1023) * 3 + k, %q)"):format(n.name, a, b, most,
      s.name, c, reads, n.t.name), "end"}, run = function(m)
    for k = 0, rounds - 1 do
      put(m, n, (k * a + b) % most, (wrap32(get(m, s, (k + c) % reads)) & 1023) * 3 + k)
    end
  end}
end

function G:fill()
  local n, v = self.rand:of(self.names), self.rand:int(0, 99)
  return {lines = {("T.fill(%s, %d)"):format(n.name, v)}, run = function(m)
    for i = 0, self.bytes // n.t.bytes - 1 do put(m, n, i, v) end
  end}
end

-- A half, or all, of one tile to the other.
function G:copy()
  local rand, list = self.rand, {}
  for _, a in ipairs(self:some "A") do
    for _, b in ipairs(self:some "B") do
      if a.t == b.t then list[#list + 1] = rand:chance(0.5) and {a, b} or {b, a} end
    end
  end
  if #list == 0 then return self:fill() end
  local from, to = table.unpack(rand:of(list))
  local n = self.bytes // from.t.bytes
  local lo, other, count = 0, 0, n
  if rand:chance(0.5) then
    count = n // 2
    lo, other = rand:of {0, count}, rand:of {0, count}
  end
  return {lines = {("T.copy(%s[%d:%d], %s[%d:%d])"):format(from.name, lo, lo + count, to.name, other, other + count)},
    run = function(m)
      for i = 0, count - 1 do put(m, to, other + i, get(m, from, lo + i)) end
    end}
end

-- Programs --------------------------------------------------------------------------------

-- -> a program of a seed
function M.make(seed)
  local rand = Random.new(seed)
  local p = setmetatable({rand = rand, bytes = rand:of {32, 64, 128, 256}, threads = rand:of {32, 64, 128}, names = {},
    tiles = {}, list = {}}, G)
  for _, tile in ipairs {"A", "B"} do
    local t = rand:of(types)
    local own = {name = tile, tile = tile, t = t}
    p.tiles[#p.tiles + 1] = {name = tile, t = t, scope = rand:of {"fragment", "fragment", "shared"}, views = {}}
    p.names[#p.names + 1] = own
    for k = 1, rand:int(1, 2) do
      local v = {name = tile .. k, tile = tile, t = rand:of(types)}
      table.insert(p.tiles[#p.tiles].views, v)
      p.names[#p.names + 1] = v
    end
  end
  local kinds = {"parallel", "parallel", "parallel", "across", "across", "serial", "fill", "copy"}
  for k = 1, rand:int(2, 7) do p.list[k] = p[rand:of(kinds)](p) end
  return p
end

local function inputs()
  local x = {}
  for i = 0, 63 do x[i + 1] = i * 37 % 64 end
  return x
end

-- -> {A = bytes, B = bytes} behind the program
function M.interpret(p)
  local m = {x = inputs(), A = {}, B = {}}
  for _, t in ipairs(p.tiles) do
    for i = 0, p.bytes // t.t.bytes - 1 do put(m, {tile = t.name, t = t.t}, i, i * 5 + #t.name) end
  end
  for _, s in ipairs(p.list) do s.run(m) end
  return {A = m.A, B = m.B}
end

-- -> a chunk that takes a target and gives the tensors of A and B
function M.text(p)
  local out = {"local target = ...", "local k = tl.jit(function(X)", "  X: T.Tensor({64}, \"int32\")"}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  for _, t in ipairs(p.tiles) do add("  local O%s = T.empty({%d}, %q)", t.name, p.bytes // t.t.bytes, t.t.name) end
  add("  for bx in T.Kernel(1, {threads = %d}) do", p.threads)
  for _, t in ipairs(p.tiles) do
    local n = p.bytes // t.t.bytes
    add("    local %s = T.alloc_%s({%d}, %q)", t.name, t.scope, n, t.t.name)
    for _, v in ipairs(t.views) do add("    local %s = T.view(%s, {%d}, %q)", v.name, t.name, p.bytes // v.t.bytes, v.t.name) end
    add("    for i in T.Parallel(%d) do %s[i] = T.cast(i * 5 + 1, %q) end", n, t.name, t.t.name)
  end
  for _, s in ipairs(p.list) do
    for _, line in ipairs(s.lines) do add("    %s", line) end
  end
  add "    T.copy(A, OA)"
  add "    T.copy(B, OB)"
  add "  end"
  add "  return OA, OB"
  add "end, {target = target})"
  add("local x = {}")
  add("for i = 0, 63 do x[i + 1] = i * 37 %% 64 end")
  add "return {k(tl.from_table(x, \"int32\"))}"
  return table.concat(out, "\n") .. "\n"
end

-- The bytes of what the chunk gave.
function M.results(p, list)
  local r = {}
  for k, t in ipairs(p.tiles) do
    r[t.name] = {}
    for i = 0, p.bytes // t.t.bytes - 1 do
      for b = 0, t.t.bytes - 1 do table.insert(r[t.name], list[k][i] >> 8 * b & 255) end
    end
  end
  return r
end

return M
