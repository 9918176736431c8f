-- atomics.lua: programs whose statements change and read the same few buffers by atomics and plainly, for
-- tests/hunt/atomics.lua.
--
-- A program is a list of statements of a block, {lines = function(out, indent), run = function(E), parts = list of
-- lists of statements inside}.  They run one after the other, each to its end, and this is what the contract says; only
-- iterations of one T.Parallel, threads of one statement and blocks have no order among them (lib/atomics_run.lua
-- tells whether that matters).
--
-- An expression is {text, f}: f(E) with E's variables (i, k, tx, ..) gives its value.
local random = require "hunt.random"
local M = {G = {}}
local G = M.G
G.__index = G

M.N = 64 -- elements of a buffer

local types = {
  {name = "int32", least = -2^31, most = 2^31 - 1}, {name = "uint32", least = 0, most = 2^32 - 1},
  {name = "int64", least = -2^53, most = 2^53}, {name = "uint64", least = 0, most = 2^53},
  {name = "float32", float = true, most = 2^24}, {name = "float64", float = true, most = 2^53},
  {name = "float16", float = true, most = 2^11}, {name = "bfloat16", float = true, most = 2^8},
}
for _, t in ipairs(types) do t.least = t.least or -t.most end

local function pick_type(r)
  if r:chance(0.5) then return types[1] end
  return r:of(types)
end

-- Expressions ------------------------------------------------------------------------------------------

local function const(v) return {tostring(v), function() return v end} end

-- An index below 64 of the variable `v`, which is below n; the second result: no two of its values meet.
function G:index(v, n)
  local r = self.r
  local k = r:int(1, 16)
  local function of(text, f) return {text:gsub("%f[%w]v%f[%W]", v), function(E) return f(E[v]) end} end
  if n > 64 or k >= 14 then
    local d = n > 64 and n // 64 or 2
    if k <= 6 then return of(("v // %d"):format(d), function(x) return x // d end), false end
    if k <= 10 then return of(("63 - v // %d"):format(d), function(x) return 63 - x // d end), false end
    if k <= 12 then return of("v % 64", function(x) return x % 64 end), false end
    if k <= 14 then return of("v * 3 % 8", function(x) return x * 3 % 8 end), false end
    return const(r:int(0, 63)), false
  end
  if n == 64 and k <= 3 then return of("v", function(x) return x end), true end
  if n == 64 and k <= 7 then return of("63 - v", function(x) return 63 - x end), true end
  if n == 64 and k <= 9 then return of("(v * 5 + 3) % 64", function(x) return (x * 5 + 3) % 64 end), true end
  if n == 64 and k <= 11 then return of("v ~ 33", function(x) return x ~ 33 end), true end
  local P = k <= 12 and self.loaders and self:permutation()
  if P and n == 64 then
    return {("%s[%s]"):format(P.text, v), function(E) return E:get(P, E[v]) end}, true
  end
  local by = 64 // n
  local d = r:int(0, by - 1)
  if k <= 6 then return of(("v + %d"):format(n * d), function(x) return x + n * d end), true end
  if k <= 10 then return of(("%d - v"):format(n * d + n - 1), function(x) return n * d + n - 1 - x end), true end
  return of(("v * %d + %d"):format(by, d), function(x) return x * by + d end), true
end

-- The tensor of a permutation, which nobody changes, or a copy of it.
function G:permutation() return self.P end

-- A value for an element of type t: of the variables at hand, of inputs, of other buffers.
function G:value(t, vars, plain)
  local r = self.r
  local small = t.most <= 256 and 2 or t.most <= 2048 and 6 or 30
  local k = r:int(1, 12)
  local v = #vars > 0 and r:of(vars)
  if k <= 3 or not v then return const(r:int(t.least < 0 and k == 1 and -3 or 0, small)) end
  if k <= 7 then
    local m = r:int(2, small)
    local c = t.least < 0 and r:chance(0.5) and m // 2 or 0
    return {("%s %% %d - %d"):format(v.name, m, c), function(E) return E[v.name] % m - c end}
  end
  if k <= 9 and v.n then
    local at = self:index(v.name, v.n)
    return {("A_%s[%s]"):format(t.name, at[1]), function(E) return E:get(self.inputs[t.name], at[2](E)) end}
  end
  local b = not plain and v.n and self:buffer(t, true)
  if b then
    local at = self:index(v.name, v.n)
    if r:chance(0.3) then return {("T.atomic_load(%s)"):format(self:at(b, at)), function(E) return E:load(b, at[2](E)) end} end
    return {self:at(b, at), function(E) return E:get(b, at[2](E)) end}
  end
  return const(r:int(0, small))
end

-- A buffer of type t, or any; `read`: to read.
function G:buffer(t, read)
  local list = {}
  for _, b in ipairs(self.buffers) do
    if (not t or b.t == t) and not (b.all and (read or not self.kind_of_all)) and not self.closed[b] then list[#list + 1] = b end
  end
  return #list > 0 and self.r:of(list) or nil
end

-- The text of an element; shared buffers have a second name, of two dimensions, tensors of the block's part.
function G:at(b, at)
  if b.part then return ("%s[bx * 64 + (%s)]"):format(b.text, at[1]) end
  if b.second and self.r:chance(0.2) then return ("%s[(%s) // 8, (%s) %% 8]"):format(b.second, at[1], at[1]) end
  return ("%s[%s]"):format(b.text, at[1])
end

-- One update, load or store of an element ----------------------------------------------------------------

local ops = {
  add = function(a, b) return a + b end, max = math.max, min = math.min,
  ["or"] = function(a, b) return math.tointeger(a) | math.tointeger(b) end,
}
M.ops = ops

function G:kind(t)
  if self.r:chance(0.05) and not t.float and t.least < 0 then return "or" end
  return self.r:of {"add", "add", "max", "min", "max"}
end

-- lines of it: what an iteration or thread does to a buffer at an index of its variable.
function G:access(v, n, vars)
  local r = self.r
  local b = self:buffer()
  if not b then return nil end
  local t = b.t
  local k = r:int(1, 20)
  if b.all then k = 1 end
  local at, own = self:index(v, n)
  local value = self:value(t, vars)
  if k <= 11 then
    local op = b.all and b.kind or self:kind(t)
    local order = r:chance(0.1) and (", {memory_order = %q}"):format(r:of {"acq_rel", "seq_cst", "relaxed", "release", "acquire"}) or ""
    if op == "or" then value = const(r:int(0, 5)) end
    return {("T.atomic_%s(%s, %s%s)"):format(op, self:at(b, at), value[1], order),
      function(E) E:update(b, at[2](E), op, value[2](E)) end}
  elseif k <= 13 then
    if not own then return nil end
    local op = self:kind(t)
    if op == "or" then op = "add" end
    local to = self:buffer(t)
    local place = self:index(v, n)
    if not to or to.all then return nil end
    return {("%s = T.atomic_%s(%s, %s, {return_prev = true})"):format(self:at(to, place), op, self:at(b, at), value[1]),
      function(E)
        local p = place[2](E)
        local old = E:update(b, at[2](E), op, value[2](E), true)
        E:set(to, p, old)
      end}
  elseif k <= 15 then
    if not own then return nil end
    return {("T.atomic_store(%s, %s)"):format(self:at(b, at), value[1]), function(E) E:store(b, at[2](E), value[2](E)) end}
  elseif k <= 17 then
    local to = self:buffer(t)
    local place = self:index(v, n)
    if not to or to.all then return nil end
    return {("%s = T.atomic_load(%s)"):format(self:at(to, place), self:at(b, at)),
      function(E) E:set(to, place[2](E), E:load(b, at[2](E))) end}
  end
  if not own then return nil end
  return {("%s = %s"):format(self:at(b, at), value[1]), function(E) E:set(b, at[2](E), value[2](E)) end}
end

-- A condition on the variables; text, f.
function G:condition(v, n)
  local r = self.r
  local k = r:int(1, 5)
  if k == 1 then
    local c = r:int(1, n)
    return {("%s < %d"):format(v, c), function(E) return E[v] < c end}
  elseif k == 2 then
    local m = r:int(2, 3)
    return {("%s %% %d == %d"):format(v, m, m - 1), function(E) return E[v] % m == m - 1 end}
  elseif k == 3 then
    local c = r:int(0, n - 1)
    return {("%s >= %d"):format(v, c), function(E) return E[v] >= c end}
  elseif k == 4 then
    local at = self:index(v, n)
    local c = r:int(0, 5)
    return {("A_int32[%s] > %d"):format(at[1], c), function(E) return E:get(self.inputs.int32, at[2](E)) > c end}
  end
  local c = r:int(0, n - 1)
  return {("%s == %d"):format(v, c), function(E) return E[v] == c end}
end

-- Statements ----------------------------------------------------------------------------------------------

local make = {}

local function vars_of(self, own)
  local list = {own}
  for _, v in ipairs(self.loops) do list[#list + 1] = v end
  return list
end

-- Some accesses of an iteration, under conditions or not: lines, run.
function G:body(v, n)
  local r = self.r
  local vars = vars_of(self, {name = v, n = n})
  local list = {}
  for _ = 1, r:of {1, 1, 1, 1, 2, 3} do
    local a = self:access(v, n, vars)
    if a then
      local c = r:chance(0.25) and self:condition(v, n)
      local d = c and r:chance(0.2) and self:access(v, n, vars)
      list[#list + 1] = {c = c, a = a, other = d}
    end
  end
  if #list == 0 then return nil end
  local body = {}
  function body.lines(out, indent)
    for _, x in ipairs(list) do
      if x.c then
        out[#out + 1] = ("%sif %s then %s%s end"):format(indent, x.c[1], x.a[1], x.other and " else " .. x.other[1] or "")
      else
        out[#out + 1] = indent .. x.a[1]
      end
    end
  end
  function body.run(E)
    for _, x in ipairs(list) do
      if not x.c or x.c[2](E) then
        x.a[2](E)
      elseif x.other then
        x.other[2](E)
      end
    end
  end
  return body
end

function make.parallel(self)
  local r = self.r
  local n = r:of {64, 64, 64, 128, 32, 16}
  local rounds = r:chance(0.1) and r:int(0, 2)
  local body = self:body("i", n)
  if not body then return end
  local two = n == 64 and r:chance(0.15)
  return {
    lines = function(out, indent)
      out[#out + 1] = two and indent .. "for y, x in T.Parallel(8, 8) do" or ("%sfor i in T.Parallel(%d) do"):format(indent, n)
      if two then out[#out + 1] = indent .. "  local i = y * 8 + x" end
      if rounds then out[#out + 1] = ("%s  for _ in T.serial(%d) do"):format(indent, rounds) end
      body.lines(out, indent .. (rounds and "    " or "  "))
      if rounds then out[#out + 1] = indent .. "  end" end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      E:together(n, function(i)
        E.i = i
        for _ = 1, rounds or 1 do body.run(E) end
      end)
    end,
  }
end

-- An access of each thread, as its condition or its index says.
function make.threads(self)
  if not self.threaded then return make.parallel(self) end
  local r = self.r
  local vars = vars_of(self, {name = "tx", n = self.threads})
  local n = self.threads
  local c = r:chance(0.7) and self:condition("tx", n)
  if n > 64 and (not c or r:chance(0.7)) then
    local first = r:int(0, n // 64 - 1) * 64
    c = {("tx >= %d and tx < %d"):format(first, first + 64), function(E) return E.tx >= first and E.tx < first + 64 end}
    if first == 0 and r:chance(0.5) then c[1] = "tx < 64" end
  end
  local at = self:access("tx", n, vars)
  if not at then return end
  if not c and not at[1]:find "%f[%w]tx%f[%W]" then return end
  return {
    lines = function(out, indent)
      out[#out + 1] = c and ("%sif %s then %s end"):format(indent, c[1], at[1]) or indent .. at[1]
    end,
    run = function(E)
      E:together(self.threads, function(t)
        E.tx = t
        if not c or c[2](E) then at[2](E) end
      end)
    end,
  }
end

-- What a group of 128 threads does, statement by statement; a barrier of all behind it.
function make.role(self)
  if not self.threaded or self.threads ~= 256 then return make.parallel(self) end
  local r = self.r
  local group, list = r:int(0, 1), {}
  local vars = vars_of(self, {name = "t", n = 128})
  for _ = 1, r:int(1, 3) do
    local c = r:chance(0.6) and {"t < 64", function(E) return E.t < 64 end}
    local a = self:access("t", c and 64 or 128, vars)
    if a and a[1]:find "%f[%w]t%f[%W]" then list[#list + 1] = {c = c, a = a} end
  end
  if #list == 0 then return end
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sfor t in T.ws(%d) do"):format(indent, group)
      for _, x in ipairs(list) do
        out[#out + 1] = x.c and ("%s  if %s then %s end"):format(indent, x.c[1], x.a[1]) or ("%s  %s"):format(indent, x.a[1])
      end
      out[#out + 1] = indent .. "end"
      out[#out + 1] = indent .. "T.sync_threads()"
    end,
    run = function(E)
      for _, x in ipairs(list) do
        E:together(128, function(t)
          E.t = t
          if not x.c or x.c[2](E) then x.a[2](E) end
        end)
      end
    end,
  }
end

-- Once for the block.
function make.once(self)
  local r = self.r
  local b = self:buffer()
  if not b then return end
  local op = b.all and b.kind or self:kind(b.t)
  local value = op == "or" and const(r:int(0, 5)) or self:value(b.t, self.loops, true)
  local at = const(r:int(0, 63))
  local to = not b.all and op ~= "or" and r:chance(0.3) and self:buffer(b.t)
  if to and to.all then to = nil end
  local place = const(r:int(0, 63))
  local text = ("T.atomic_%s(%s, %s%s)"):format(op, self:at(b, at), value[1], to and ", {return_prev = true}" or "")
  if to then text = self:at(to, place) .. " = " .. text end
  return {
    lines = function(out, indent) out[#out + 1] = indent .. text end,
    run = function(E)
      E:together(1, function()
        local old = E:update(b, at[2](E), op, value[2](E), to)
        if to then E:set(to, place[2](E), old) end
      end)
    end,
  }
end

-- Two or four adjacent elements.
function make.wide(self)
  local r = self.r
  local list = {}
  for _, b in ipairs(self.buffers) do
    if b.t.float and b.t.name ~= "float64" and not b.all and not self.closed[b] then list[#list + 1] = b end
  end
  if #list == 0 then return end
  local b = r:of(list)
  local t = b.t
  local w = t.name == "float32" and r:of {2, 4} or 2
  local from = self:buffer(t, true)
  if not from or r:chance(0.4) then from = self.inputs[t.name] end
  local n = 64 // w
  local back, same = r:chance(0.5), r:chance(0.2)
  local c = r:chance(0.3) and self:condition("i", n)
  local function index(i) return same and 0 or back and n - 1 - i or i end
  local at = {same and "0" or back and ("%d - i * %d"):format(64 - w, w) or ("i * %d"):format(w), nil}
  local src = r:chance(0.5) and {("i * %d"):format(w), function(i) return i * w end} or
    {("%d - i * %d"):format(64 - w, w), function(i) return 64 - w - i * w end}
  local to, src_text = self:at(b, at), self:at(from, src)
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sfor i in T.Parallel(%d) do"):format(indent, n)
      local text = ("T.atomic_addx%d(%s, %s)"):format(w, to, src_text)
      out[#out + 1] = c and ("%s  if %s then %s end"):format(indent, c[1], text) or ("%s  %s"):format(indent, text)
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      E:together(n, function(i)
        E.i = i
        if c and not c[2](E) then return end
        for e = 0, w - 1 do E:update(b, index(i) * w + e, "add", E:get(from, src[2](i) + e)) end
      end)
    end,
  }
end

-- A whole tile or half of one, by an atomic or a copy.
function make.tile(self)
  local r = self.r
  local b = self:buffer()
  if not b then return end
  local from = self:buffer(b.t, true)
  if not from or from == b or r:chance(0.2) then from = self.inputs[b.t.name] end
  local half = r:chance(0.3)
  local lo, n, src = 0, 64, 0
  if half then lo, n, src = r:int(0, 1) * 32, 32, r:int(0, 1) * 32 end
  local function part(x, at)
    if x.part then return half and ("%s[bx * 64 + %d:bx * 64 + %d]"):format(x.text, at, at + n) or ("%s[bx * 64:bx * 64 + 64]"):format(x.text) end
    return half and ("%s[%d:%d]"):format(x.text, at, at + n) or x.text
  end
  local op = not b.all and r:chance(0.4) and "copy" or b.all and b.kind or r:of {"add", "max", "min"}
  if op == "or" then return end
  local via = r:chance(0.4) and self:name "g"
  if via then self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({%d}, %q)"):format(via, n, b.t.name) end
  return {
    lines = function(out, indent)
      local what = part(from, src)
      if via then
        out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, what, via)
        what = via
      end
      if op == "copy" then
        out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, what, part(b, lo))
      else
        out[#out + 1] = ("%sT.atomic_%s(%s, %s)"):format(indent, op, part(b, lo), what)
      end
    end,
    run = function(E)
      local values = {}
      E:together(n, function(i) values[i] = E:get(from, src + i) end)
      E:together(n, function(i)
        if op == "copy" then
          E:set(b, lo + i, values[i])
        else
          E:update(b, lo + i, op, values[i])
        end
      end)
    end,
  }
end

function make.fill(self)
  local b = self:buffer()
  if not b or b.all or b.part then return end
  local v = self.r:int(0, 3)
  return {
    lines = function(out, indent) out[#out + 1] = ("%sT.fill(%s, %d)"):format(indent, b.text, v) end,
    run = function(E) E:together(64, function(i) E:set(b, i, v) end) end,
  }
end

-- The sum of a buffer, added to an element.
function make.reduce(self)
  local r = self.r
  local b, from = self:buffer(), nil
  from = b and self:buffer(b.t, true)
  if not from or b.t.most < 2^24 then return end
  local f, s = self:name "g", self:name "g"
  self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({64}, %q)"):format(f, b.t.name)
  self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({1}, %q)"):format(s, b.t.name)
  local op = b.all and b.kind or r:of {"add", "max", "min"}
  if op == "or" then return end
  local at = const(r:int(0, 63))
  local to = self:at(b, at)
  local loop = r:chance(0.5)
  local src = from.part and ("%s[bx * 64:bx * 64 + 64]"):format(from.text) or from.text
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, src, f)
      out[#out + 1] = ("%sT.reduce_max(%s, %s)"):format(indent, f, s)
      out[#out + 1] = (loop and "%sfor i in T.Parallel(1) do T.atomic_%s(%s, %s[0]) end" or "%sT.atomic_%s(%s, %s[0])"):format(indent, op, to, s)
    end,
    run = function(E)
      local most
      E:together(64, function(i)
        local v = E:get(from, i)
        most = most and math.max(v, most) or v
      end)
      E:together(1, function() E:update(b, at[2](E), op, most) end)
    end,
  }
end

function make.barrier()
  return {lines = function(out, indent) out[#out + 1] = indent .. "T.sync_threads()" end, run = function() end}
end

-- Statements with statements inside -----------------------------------------------------------------------

function G:list(deep, n)
  local list = {}
  for _ = 1, n do
    local s = self:statement(deep)
    if s then list[#list + 1] = s end
  end
  return list
end

function M.run(list, E)
  for _, s in ipairs(list) do
    E.leaf = s
    s.run(E)
  end
end

local function print_list(list, out, indent)
  for _, s in ipairs(list) do s.lines(out, indent) end
end

-- A condition that the block's threads decide alike.
function G:uniform()
  local r = self.r
  local k = r:int(1, 5)
  local v = #self.loops > 0 and r:of(self.loops)
  if k <= 2 and v then
    local m = r:int(2, 3)
    local c = r:int(0, m - 1)
    return {("%s %% %d == %d"):format(v.name, m, c), function(E) return E[v.name] % m == c end}
  end
  if k <= 3 then
    local at, c = r:int(0, 63), r:int(0, 8)
    return {("A_int32[%d] > %d"):format(at, c), function(E) return E:get(self.inputs.int32, at) > c end}
  end
  local b = self:buffer(nil, true)
  if not b then return {"true", function() return true end} end
  local at, c = const(r:int(0, 63)), r:int(-1, 6)
  if b.t.least >= 0 and c < 0 then c = 0 end
  local text = self:at(b, at)
  if k == 5 and not b.t.float then
    return {("T.atomic_load(%s) > %d"):format(text, c), function(E)
      local x
      E:together(1, function() x = E:load(b, at[2](E)) end)
      return x > c
    end}
  end
  return {("%s > %d"):format(text, c), function(E)
    local x
    E:together(1, function() x = E:get(b, at[2](E)) end)
    return x > c
  end}
end

function make.branch(self, deep)
  local c = self:uniform()
  local s = {self:list(deep + 1, self.r:int(1, 3)), self.r:chance(0.4) and self:list(deep + 1, self.r:int(1, 2)) or {}}
  return {
    parts = s,
    lines = function(out, indent)
      out[#out + 1] = ("%sif %s then"):format(indent, c[1])
      print_list(s[1], out, indent .. "  ")
      if #s[2] > 0 then
        out[#out + 1] = indent .. "else"
        print_list(s[2], out, indent .. "  ")
      end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      local holds = c[2](E)
      M.run(holds and s[1] or s[2], E)
      if E.all then M.run(holds and s[2] or s[1], E) end
    end,
  }
end

-- Lists of stages and orders for the statements of a pipelined loop, behind n copies; a target may refuse them.
function G:stages(list, n, seed)
  self.listed = true
  local r = random.new(seed)
  local out = {}
  print_list(list, out, "")
  for _, line in ipairs(out) do
    if not line:find "^%s" and not line:find "^end" and not line:find "^else" and not line:find "^local" then n = n + 1 end
  end
  local stage, order, last = {}, {}, 0
  for i = 1, n do
    last = r:chance(0.3) and r:int(0, 2) or last
    stage[i], order[i] = last, i - 1
  end
  if r:chance(0.4) and n > 1 then
    local i = r:int(1, n - 1)
    order[i], order[i + 1] = order[i + 1], order[i]
  end
  return (", stage = {%s}, order = {%s}"):format(table.concat(stage, ", "), table.concat(order, ", "))
end

-- A loop: head of its text, its rounds, body; leave: where it is left or goes on.
function make.loop(self, deep)
  local r = self.r
  local k = self:name "k"
  local way = r:weighted({"serial", "dynamic", "while", "pipelined", "unroll"},
    {serial = 5, dynamic = 3, ["while"] = 3, pipelined = #self.loops == 0 and 5 or 0, unroll = 1})
  local rounds, at = r:int(0, 4), r:int(0, 63)
  if way == "while" or way == "pipelined" then rounds = r:int(1, 4) end
  self.loops[#self.loops + 1] = {name = k}
  local s = {self:list(deep + 1, r:int(1, 4))}
  local c = way ~= "pipelined" and way ~= "unroll" and r:chance(0.25) and self:uniform()
  table.remove(self.loops)
  local go_on = c and way ~= "while" and r:chance(0.5)
  local leave_at = r:int(0, #s[1])
  local stages, copies = r:int(2, 3), {}
  if way == "pipelined" then
    local b = self:buffer()
    if b and b.scope == "shared" and self.r:chance(0.7) then copies[1] = b end
  end
  local lists = way == "pipelined" and r:chance(0.4) and #s[1] > 0
  local seed = r:int(0, 1000000000)
  local function count(E)
    return way == "dynamic" and E:get(self.inputs.int32, at) % 4 or rounds
  end
  return {
    parts = s,
    lines = function(out, indent)
      if way == "while" then
        out[#out + 1] = ("%slocal %s = T.alloc_var(\"int32\", 0)"):format(indent, k)
        out[#out + 1] = ("%swhile %s < %d do"):format(indent, k, rounds)
      elseif way == "dynamic" then
        out[#out + 1] = ("%sfor %s in T.serial(A_int32[%d] %% 4) do"):format(indent, k, at)
      elseif way == "pipelined" then
        out[#out + 1] = ("%sfor %s in T.Pipelined(%d, {num_stages = %d%s}) do"):format(indent, k, rounds, stages,
          lists and self:stages(s[1], #copies, seed) or "")
      else
        out[#out + 1] = ("%sfor %s in T.%s(%d) do"):format(indent, k, way, rounds)
      end
      local inner = indent .. "  "
      for _, b in ipairs(copies) do out[#out + 1] = ("%sT.copy(A_%s, %s)"):format(inner, b.t.name, b.text) end
      for i = 0, #s[1] do
        if i > 0 then s[1][i].lines(out, inner) end
        if c and i == math.min(leave_at, #s[1]) then
          out[#out + 1] = ("%sif %s then %s end"):format(inner, c[1], go_on and "goto continue" or "break")
        end
      end
      if go_on then out[#out + 1] = inner .. "::continue::" end
      if way == "while" then out[#out + 1] = ("%s%s += 1"):format(inner, k) end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      for x = 0, math.max(count(E), E.all and 1 or 0) - 1 do
        E[k] = x
        for _, b in ipairs(copies) do
          E:together(64, function(i) E:set(b, i, E:get(self.inputs[b.t.name], i)) end)
        end
        local left
        for i = 0, #s[1] do
          if i > 0 then
            E.leaf = s[1][i]
            s[1][i].run(E)
          end
          if c and i == math.min(leave_at, #s[1]) and c[2](E) and not E.all then
            left = true
            break
          end
        end
        if left and not go_on then break end
      end
    end,
  }
end

local order = {"parallel", "threads", "role", "once", "wide", "tile", "fill", "reduce", "barrier", "branch", "loop"}
local weights = {parallel = 12, threads = 5, role = 2, once = 3, wide = 2, tile = 3, fill = 1, reduce = 1, barrier = 0.3, branch = 3, loop = 4}

function G:statement(deep)
  local w = setmetatable({}, {__index = weights})
  if deep >= 3 or self.count > 14 then w.branch, w.loop = 0, 0 end
  if not self.wide then w.wide = 0 end
  self.count = self.count + 1
  return make[self.r:weighted(order, w)](self, deep)
end

function G:name(prefix)
  self.names = self.names + 1
  return prefix .. self.names
end

-- The program of a seed.
function M.program(r)
  local t, other = pick_type(r), pick_type(r)
  local self = setmetatable({
    r = r, threads = r:of {32, 64, 128, 128, 256}, blocks = r:of {1, 1, 2, 3}, threaded = r:chance(0.3),
    inputs = {}, buffers = {}, loops = {}, fragments = {}, closed = {}, count = 0, names = 0, loaders = true,
  }, G)
  for _, x in ipairs {types[1], t, other} do
    self.inputs[x.name] = {text = "A_" .. x.name, t = x, name = "A_" .. x.name, scope = "input"}
  end
  self.P = {text = "P", t = types[1], name = "P", scope = "input"}
  for i = 1, r:int(1, 3) do
    local x = i == 1 and t or r:chance(0.7) and t or other
    local b = {t = x, name = "b" .. i, text = "b" .. i, scope = r:chance(0.6) and "shared" or "global"}
    if b.scope == "global" then b.part = true end
    if b.scope == "shared" and r:chance(0.3) then b.second = b.name .. "v" end
    self.wide = self.wide or x.float
    self.buffers[i] = b
  end
  if self.blocks > 1 and r:chance(0.5) then
    self.kind_of_all = r:of {"add", "max", "min"}
    local b = {t = t, name = "d", text = "d", scope = "global", all = true, kind = self.kind_of_all}
    self.buffers[#self.buffers + 1] = b
  end
  self.statements = self:list(0, r:int(2, 6))
  return self
end

-- Text ----------------------------------------------------------------------------------------------------

function G:text()
  local out = {}
  local function add(form, ...) out[#out + 1] = form:format(...) end
  local body = {}
  print_list(self.statements, body, "    ")
  local all = table.concat(body, "\n")
  local params, names = {}, {}
  self.params = {}
  for name, b in pairs(self.inputs) do names[#names + 1] = name; params[name] = b end
  table.sort(names)
  local list = {}
  for _, name in ipairs(names) do
    if all:find("A_" .. name .. "%f[%W]") then list[#list + 1] = self.inputs[name] end
  end
  if all:find "%f[%w]P%f[%W]" then list[#list + 1] = self.P end
  for _, b in ipairs(self.buffers) do
    if b.scope == "global" then list[#list + 1] = b end
  end
  for i, b in ipairs(self.buffers) do
    if b.scope == "shared" then list[#list + 1] = {t = b.t, name = "o" .. i, text = "o" .. i, scope = "global", part = true, of = b} end
  end
  self.params = list
  local words = {}
  for i, b in ipairs(list) do words[i] = b.name end
  add("return tl.jit(function(%s)", table.concat(words, ", "))
  for _, b in ipairs(list) do
    add("  %s: T.Tensor({%d}, %q)", b.name, b.part and 64 * self.blocks or 64, b.t.name)
  end
  add("  for bx in T.Kernel(%d, {threads = %d}) do", self.blocks, self.threads)
  if all:find "%f[%w]tx%f[%W]" then add("    local tx = T.get_thread_binding()") end
  for _, b in ipairs(self.buffers) do
    if b.scope == "shared" then
      add("    local %s = T.alloc_shared({64}, %q)", b.name, b.t.name)
      if b.second and all:find("%f[%w]" .. b.second .. "%f[%W]") then
        add("    local %s = T.view(%s, {8, 8}, %q)", b.second, b.name, b.t.name)
      end
    end
  end
  for _, f in ipairs(self.fragments) do
    if all:find("%f[%w]" .. f:match "local (%w+)" .. "%f[%W]") then add("    %s", f) end
  end
  for _, p in ipairs(list) do
    if p.of then add("    T.copy(%s[bx * 64:bx * 64 + 64], %s)", p.name, p.of.name) end
  end
  out[#out + 1] = all
  for _, p in ipairs(list) do
    if p.of then add("    T.copy(%s, %s[bx * 64:bx * 64 + 64])", p.of.name, p.name) end
  end
  add("  end")
  add("end)")
  return table.concat(out, "\n")
end

return M
