-- around_text.lua: a program of around.lua as a kernel.
local around = require "hunt.around"
local M = {}

local function tile(p, name)
  for _, t in ipairs(p.tiles) do
    if t[1] == name then return t end
  end
end

-- Texts of a statement in the kernel: each role has a variable ph.
local Text = {}
Text.__index = Text

function Text:put(...) self[#self + 1] = (...):format(select(2, ...)) end

function Text:index(text) return (text:gsub("%f[%w]ph%f[%W]", "ph" .. (self.role or 1))) end

function Text:element(s, i)
  local t, size = tile(self.p, s[2]), self.p.size
  local e = s[4] == 1 and s[5] == 0 and i or ("(%s * %d + %d) %% %d"):format(i, s[4], s[5], size)
  if s[1] == "look" then
    return ("%s_view[%s, (%s) // 8, (%s) %% 8]"):format(s[2], self:index(s[3]), e, e)
  end
  return t.flat and ("%s[%s]"):format(s[2], e) or ("%s[%s, %s]"):format(s[2], self:index(s[3]), e)
end

function Text:whole(s)
  local t = tile(self.p, s[2])
  return t.flat and s[2] or ("%s[%s, 0:%d]"):format(s[2], self:index(s[3]), self.p.size)
end

-- The elements that the role's threads do: whole tiles, or each thread its own.
function Text:each(n, line)
  local size, c = self.p.size, self.role
  if self.p.tiled[c] then
    self:put("for i in T.Parallel(%d) do", n)
    self:put("%s", line("i", ("F%d[i]"):format(c)))
    self:put "end"
    return
  end
  local width = self.p.sizes[c]
  local acc = ("acc%d"):format(c)
  if width >= n then
    if n < width then self:put("if %s < %d then", self.t, n) end
    self:put("%s", line(self.t, acc))
    if n < width then self:put "end" end
    return
  end
  self:put("for q in T.serial(%d) do", math.max(1, n // width))
  self:put("%s", line(("(%s + q * %d)"):format(self.t, width), acc))
  self:put "end"
  assert(size % width == 0)
end

local print_one = {}

function print_one.loop(o, s)
  local l = s[2]
  if l.how == "pipelined" then
    o:put("for %s in T.Pipelined(%s, %s, {num_stages = %d}) do", l.var, l.lo, l.hi, l.stages)
  elseif l.lo == 0 then
    o:put("for %s in T.serial(%s) do", l.var, l.hi)
  else
    o:put("for %s in T.serial(%s, %s) do", l.var, l.lo, l.hi)
  end
  local depth = o.depth
  o.depth = depth + (l.var == "m" and 0 or 1)
  o.has[l.var] = true
  o:list(s[3])
  o.depth, o.has[l.var] = depth, nil
  o:put "end"
end

function print_one.branch(o, s)
  o:put("if %s then", o:index(s[2]))
  o:list(s[3])
  o:put "end"
end

-- What `act` prints, for the threads of role c.
function Text:only(c, act)
  local o, p = self, self.p
  o.role = c
  if p.ranges then
    local lo = 0
    for i = 1, c - 1 do lo = lo + p.sizes[i] end
    o.t = lo == 0 and "tx" or ("(tx - %d)"):format(lo)
    local hi = lo + p.sizes[c]
    local last = c == #p.sizes
    o:put("if %s then", lo == 0 and ("tx < %d"):format(hi) or last and ("tx >= %d"):format(lo) or ("tx >= %d and tx < %d"):format(lo, hi))
  else
    o.t = "t"
    o:put("for t in T.ws(%d) do", c - 1)
  end
  act()
  o:put "end"
  o.role = nil
end

function print_one.role(o, s) o:only(s[2], function() o:list(s[3]) end) end

function print_one.mix(o, s)
  o:put("for i in T.Parallel(%d) do", o.p.size)
  local e = o:element({"mix", s[2], s[3], 1, 0}, "i")
  o:put("%s = (%s + i + %d) %% %d", e, e, s[4], around.mod)
  o:put "end"
end

local function write(o, s, n)
  local turn = o.has.k and (o.has.j and "(j * 5 + k)" or "k") or "9"
  o:each(n, function(i, acc)
    return ("%s = (%s + %s * 7 + %s * 13 + %d) %% %d"):format(o:element(s, i), acc, i, turn, o.role, around.mod)
  end)
end
function print_one.write(o, s) write(o, s, o.p.size) end
function print_one.half(o, s) write(o, s, o.p.size // 2) end

function print_one.read(o, s)
  o:each(o.p.size, function(i, acc) return ("%s = (%s * 3 + %s) %% %d"):format(acc, acc, o:element(s, i), around.mod) end)
end
print_one.look = print_one.read

function print_one.load(o, s) o:put("T.copy(A[%s, 0:%d], %s)", o:index(s[4]), o.p.size, o:whole(s)) end
function print_one.bulk(o, s)
  o:put("T.tma_copy(A[%s, 0:%d], %s, {barrier = %s})", o:index(s[4]), o.p.size, o:whole(s), o:bar(s[5], s[6]))
end
function print_one.store(o, s) o:put("T.copy(%s, R[%s, 0:%d])", o:whole(s), o:index(s[4]), o.p.size) end
function print_one.send(o, s)
  o:put("T.tma_copy(%s, R[%s, 0:%d])", o:whole(s), o:index(s[4]), o.p.size)
  o:put "T.tma_store_arrive()"
  o:put "T.tma_store_wait(0, false)"
end

function print_one.matrix(o, s)
  local at = tile(o.p, "P").flat and "" or o:index(s[3]) .. ", "
  local from = ("W[(%s) %% 8, 0:64, 0:64]"):format(s[4])
  if s[5] == "copy" then
    o:put("T.copy(%s, P[%s0:64, 0:64])", from, at)
  elseif s[5] == "bulk" then
    o:put("T.tma_copy(%s, P[%s0:64, 0:64], {barrier = %s})", from, at, o:bar(s[6], s[3]))
  else
    o:put "for i, e in T.Parallel(64, 64) do"
    o:put("P[%si, e] = T.cast((i * 3 + e * 5 + ((%s) %% 8) * 7) %% 5 - 2, T.float16)", at, s[4])
    o:put "end"
  end
end
function print_one.product(o, s)
  local at = tile(o.p, "P").flat and "" or o:index(s[3]) .. ", "
  o:put("T.gemm(P[%s0:64, 0:64], Q, C%d)", at, o.role)
end

function Text:bar(name, at)
  for _, b in ipairs(self.p.bars) do
    if b[1] == name and b[2] == 1 then return name end
  end
  return ("%s[%s]"):format(name, self:index(at))
end

function print_one.arrive(o, s) o:put("T.barrier_arrive(%s)", o:bar(s[2], s[3])) end
function print_one.wait(o, s) o:put("T.barrier_wait(%s, %s)", o:bar(s[2], s[3]), o:index(s[4])) end
function print_one.one(o, s)
  o:put("if %s == 0 then", o.t)
  o:list(s[3])
  o:put "end"
end
function print_one.flip(o) o:put("ph%d = ph%d ~ 1", o.role, o.role) end
function print_one.sync(o, s) o:put("T.sync_threads(%d, %d)", s[2], s[3]) end
function print_one.tell(o, s) o:put("T.named_barrier_arrive(%d, %d)", s[2], s[3]) end

function Text:list(list)
  for _, s in ipairs(list) do print_one[s[1]](self, s) end
end

local function tensors(o, p)
  local results = {"O", "R"}
  o:put("A: T.Tensor({%d, %d}, T.int32)", around.rows, p.size)
  if p.matrix then
    o:put "W: T.Tensor({8, 64, 64}, T.float16)"
    o:put "V: T.Tensor({64, 32}, T.float16)"
  end
  if p.dynamic then o:put "n: T.int32" else o:put("local n = %d", p.trips) end
  o:put("local O = T.empty({%d, %d}, T.int32)", #p.sizes, p.size)
  o:put("local R = T.empty({%d, %d}, T.int32)", around.rows, p.size)
  if p.matrix then
    o:put("local M = T.empty({%d, 64, 32}, T.float32)", #p.sizes)
    return results[1] .. ", R, M"
  end
  for _, t in ipairs(p.tiles) do
    local name = t.far and t[1] or p.keep and "O" .. t[1]
    if name then
      o:put("local %s = T.empty({%d, %d}, T.int32)", name, t[2], p.size)
      results[#results + 1] = name
    end
  end
  return table.concat(results, ", ")
end

local function allocations(o, p)
  for _, t in ipairs(p.tiles) do
    local shape = ("{%d, %d}"):format(t[2], p.size)
    if t.matrix then
      o:put("local P = T.alloc_shared({%s64, 64}, T.float16)", t.flat and "" or t[2] .. ", ")
      o:put "local Q = T.alloc_shared({64, 32}, T.float16)"
      o:put "T.copy(V, Q)"
      o:put "T.clear(P)"
    elseif t.far then
      t.flat = false
      o:put("for i, e in T.Parallel(%d, %d) do %s[i, e] = 0 end", t[2], p.size, t[1])
    else
      o:put("local %s = T.alloc_shared(%s, T.int32)", t[1], t.flat and ("{%d}"):format(p.size) or shape)
      o:put("local %s_view = T.view(%s, {%d, %d, 8})", t[1], t[1], t[2], p.size // 8)
      o:put("T.clear(%s)", t[1])
    end
  end
  for _, b in ipairs(p.bars) do
    local counts = (tostring(b[3]) .. ", "):rep(b[2]):sub(1, -3)
    o:put("local %s = T.alloc_barrier(%s)", b[1], b[2] == 1 and counts or "{" .. counts .. "}")
  end
  o:put("for i, e in T.Parallel(%d, %d) do R[i, e] = 0 end", around.rows, p.size)
  for c in ipairs(p.sizes) do
    o:put("local ph%d = T.alloc_var(T.int32, {init = 0})", c)
    if p.matrix then
      o:put("local C%d = T.alloc_fragment({64, 32}, T.float32)", c)
      o:only(c, function() o:put("T.clear(C%d)", c) end)
    end
    if p.tiled[c] then
      o:put("local F%d = T.alloc_fragment({%d}, T.int32)", c, p.size)
      o:only(c, function() o:put("T.clear(F%d)", c) end)
    else
      o:put("local acc%d = T.alloc_var(T.int32, {init = 0})", c)
    end
  end
end

local function ends(o, p)
  for c in ipairs(p.sizes) do
    o:only(c, function()
      o:each(p.size, function(i, acc) return ("O[%d, %s] = %s"):format(c - 1, i, acc) end)
      if p.matrix then o:put("T.copy(C%d, M[%d, 0:64, 0:32])", c, c - 1) end
    end)
  end
  for _, t in ipairs(p.tiles) do
    if p.keep and not t.far and not t.matrix then
      o:put("T.copy(%s, %s)", t[1], t.flat and ("O%s[0, 0:%d]"):format(t[1], p.size) or "O" .. t[1])
    end
  end
end

function M.text(p)
  local o, threads = setmetatable({p = p, depth = 0, has = {}}, Text), 0
  for _, n in ipairs(p.sizes) do threads = threads + n end
  o:put("return tl.jit(function(A%s%s)", p.matrix and ", W, V" or "", p.dynamic and ", n" or "")
  local results = tensors(o, p)
  o:put("for _ in T.Kernel(1, {threads = %d}) do", threads)
  o:put "local tx = T.get_thread_binding()"
  allocations(o, p)
  o:list(p.body)
  ends(o, p)
  o:put "end"
  o:put("return %s", results)
  o:put "end)"
  return table.concat(o, "\n")
end

return M
