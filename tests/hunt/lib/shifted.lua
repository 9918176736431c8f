-- shifted.lua: programs of three small tiles, of which each iteration of T.Parallel reads and writes one element of its
-- own: at i, counted from behind, shifted, turned round.  Under conditions on the data, on the index, on the tiles; in
-- loops inside and around; so that a tile's threads, their copies and barriers are all that matters.
local Random = require "hunt.random"
local M = {}

local G = {}
G.__index = G
local tiles = {"A", "B", "C"}

-- Indices ------------------------------------------------------------------------------

-- Where iteration i of `count` has its element of a tile.
function G:map(count)
  local rand, n = self.rand, self.n
  local k = rand:int(1, 5)
  if k == 2 then
    return {text = ("%d - i"):format(n - 1), f = function(i) return n - 1 - i end}
  elseif k == 3 and count < n then
    local by = rand:int(1, n - count)
    return {text = ("i + %d"):format(by), f = function(i) return i + by end}
  elseif k == 4 and count == n and n & n - 1 == 0 then
    local m = rand:int(1, n - 1)
    return {text = ("i ~ %d"):format(m), f = function(i) return i ~ m end}
  elseif k == 5 then
    local by = rand:int(1, n - 1)
    return {text = ("(i + %d) %% %d"):format(by, n), f = function(i) return (i + by) % n end}
  end
  return {text = "i", f = function(i) return i end}
end

-- Statements of an iteration: lines, and what one does: run(m, i) -> "break" or nothing -----

function G:condition(maps)
  local rand, n = self.rand, self.n
  local k, c = rand:int(1, 5), rand:int(0, 9)
  if k <= 2 then
    return ("X[i] < %d"):format(c), function(m, i) return m.X[i + 1] < c end
  elseif k == 3 then
    c = c % n
    return ("i == %d"):format(c), function(_, i) return i == c end
  elseif k == 4 then
    return ("i %% 2 == %d"):format(c % 2), function(_, i) return i % 2 == c % 2 end
  end
  local t = rand:of(tiles)
  return ("%s[%s] > %d"):format(t, maps[t].text, c), function(m, i) return m[t][maps[t].f(i) + 1] > c end
end

function G:set(maps)
  local rand = self.rand
  local to, from = rand:of(tiles), rand:of(tiles)
  local k, c = rand:int(1, 4), rand:int(0, 9)
  local read = ("%s[%s]"):format(from, maps[from].text)
  local more = ({"+ " .. c, "+ X[i]", "+ i", ("& %d"):format(c)})[k]
  return {("%s[%s] = %s %s"):format(to, maps[to].text, read, more)}, function(m, i)
    local v = m[from][maps[from].f(i) + 1]
    v = k == 1 and v + c or k == 2 and v + m.X[i + 1] or k == 3 and v + i or v & c
    m[to][maps[to].f(i) + 1] = v
  end
end

local function indent(lines, out)
  for _, l in ipairs(lines) do out[#out + 1] = "  " .. l end
end

function G:branch(maps, depth)
  local c, holds = self:condition(maps)
  local a, yes = self:block(maps, depth + 1)
  local lines, no = {("if %s then"):format(c)}, nil
  indent(a, lines)
  if self.rand:chance(0.3) then
    local b
    b, no = self:block(maps, depth + 1)
    lines[#lines + 1] = "else"
    indent(b, lines)
  end
  lines[#lines + 1] = "end"
  return lines, function(m, i)
    if holds(m, i) then return yes(m, i) end
    if no then return no(m, i) end
  end
end

function G:rounds(maps, depth)
  local count = self.rand:int(1, 3)
  local body, run = self:block(maps, depth + 1)
  self.loops = self.loops + 1
  local lines = {("for q%d in T.serial(%d) do"):format(self.loops, count)}
  local c, leaves
  if self.rand:chance(0.4) then
    c, leaves = self:condition(maps)
    lines[#lines + 1] = ("  if %s then break end"):format(c)
  end
  indent(body, lines)
  lines[#lines + 1] = "end"
  return lines, function(m, i)
    for _ = 1, count do
      if leaves and leaves(m, i) then return end
      run(m, i)
    end
  end
end

function G:statement(maps, depth)
  local rand = self.rand
  if depth < 2 and rand:chance(0.45) then return self:branch(maps, depth) end
  if depth < 2 and rand:chance(0.15) then return self:rounds(maps, depth) end
  return self:set(maps)
end

function G:block(maps, depth)
  local lines, runs = {}, {}
  for k = 1, self.rand:int(1, 3) do
    local l
    l, runs[k] = self:statement(maps, depth)
    for _, s in ipairs(l) do lines[#lines + 1] = s end
  end
  return lines, function(m, i)
    for _, f in ipairs(runs) do f(m, i) end
  end
end

-- Statements of the block: {lines, run(m)} -----------------------------------------------

function G:parallel()
  local n = self.n
  local count = self.rand:of {n, n // 2, n // 2, math.max(1, n // 4)}
  local maps = {}
  for _, t in ipairs(tiles) do maps[t] = self:map(count) end
  local lines = {("for i in T.Parallel(%d) do"):format(count)}
  local body, run = self:block(maps, 0)
  indent(body, lines)
  lines[#lines + 1] = "end"
  return {lines = lines, run = function(m)
    for i = 0, count - 1 do run(m, i) end
  end}
end

function G:around()
  local count, list = self.rand:int(2, 3), {}
  self.loops = self.loops + 1
  local lines = {("for k%d in T.serial(%d) do"):format(self.loops, count)}
  for j = 1, self.rand:int(1, 2) do
    list[j] = self:parallel()
    indent(list[j].lines, lines)
  end
  lines[#lines + 1] = "end"
  return {lines = lines, run = function(m)
    for _ = 1, count do
      for _, s in ipairs(list) do s.run(m) end
    end
  end}
end

-- Programs --------------------------------------------------------------------------------

function M.make(seed)
  local rand = Random.new(seed)
  local p = setmetatable({rand = rand, n = rand:of {4, 8, 8, 12, 16, 16, 32, 32, 64}, threads = rand:of {32, 64, 128, 256},
    scope = {}, x = {}, list = {}, loops = 0}, G)
  for _, t in ipairs(tiles) do p.scope[t] = rand:of {"fragment", "fragment", "fragment", "fragment", "shared"} end
  for i = 1, p.n do p.x[i] = rand:int(0, 9) end
  for k = 1, rand:int(1, 3) do p.list[k] = rand:chance(0.3) and p:around() or p:parallel() end
  return p
end

function M.interpret(p)
  local m = {X = p.x}
  for k, t in ipairs(tiles) do
    m[t] = {}
    for i = 0, p.n - 1 do m[t][i + 1] = i * k + 1 end
  end
  for _, s in ipairs(p.list) do s.run(m) end
  return {A = m.A, B = m.B, C = m.C}
end

function M.text(p)
  local out = {"local target = ...", "local k = tl.jit(function(X)", ("  X: T.Tensor({%d}, \"int32\")"):format(p.n)}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  for _, t in ipairs(tiles) do add("  local O%s = T.empty({%d}, \"int32\")", t, p.n) end
  add("  for bx in T.Kernel(1, {threads = %d}) do", p.threads)
  for k, t in ipairs(tiles) do
    add("    local %s = T.alloc_%s({%d}, \"int32\")", t, p.scope[t], p.n)
    add("    for i in T.Parallel(%d) do %s[i] = i * %d + 1 end", p.n, t, k)
  end
  for _, s in ipairs(p.list) do
    for _, line in ipairs(s.lines) do add("    %s", line) end
  end
  for _, t in ipairs(tiles) do add("    T.copy(%s, O%s)", t, t) end
  add "  end"
  add "  return OA, OB, OC"
  add "end, {target = target})"
  add("return {k(tl.from_table({%s}, \"int32\"))}", table.concat(p.x, ", "))
  return table.concat(out, "\n") .. "\n"
end

function M.results(p, list)
  local r = {}
  for k, t in ipairs(tiles) do
    r[t] = {}
    for i = 0, p.n - 1 do r[t][i + 1] = list[k][i] end
  end
  return r
end

return M
