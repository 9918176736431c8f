-- atomics_values.lua: types, expressions and accesses of elements in the programs of lib/atomics.lua.
--
-- An expression is {text, f}: f(E) with E's variables (i, k, tx, ..) gives its value.
local M = {G = {}}
local G = M.G
G.__index = G

M.types = {
  {name = "int32", least = -2^31, most = 2^31 - 1}, {name = "uint32", least = 0, most = 2^32 - 1},
  {name = "int64", least = -2^53, most = 2^53}, {name = "uint64", least = 0, most = 2^53},
  {name = "float32", float = true, most = 2^24}, {name = "float64", float = true, most = 2^53},
  {name = "float16", float = true, most = 2^11}, {name = "bfloat16", float = true, most = 2^8},
}
for _, t in ipairs(M.types) do t.least = t.least or -t.most end

-- Expressions ------------------------------------------------------------------------------------------

function M.const(v) return {tostring(v), function() return v end} end

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
    return M.const(r:int(0, 63)), false
  end
  if n == 64 and k <= 3 then return of("v", function(x) return x end), true end
  if n == 64 and k <= 7 then return of("63 - v", function(x) return 63 - x end), true end
  if n == 64 and k <= 9 then return of("(v * 5 + 3) % 64", function(x) return (x * 5 + 3) % 64 end), true end
  if n == 64 and k <= 11 then return of("v ~ 33", function(x) return x ~ 33 end), true end
  local P = self.P
  if n == 64 and k <= 12 then
    return {("%s[%s]"):format(P.text, v), function(E) return E:get(P, E[v]) end}, true
  end
  local by = 64 // n
  local d = r:int(0, by - 1)
  if k <= 6 then return of(("v + %d"):format(n * d), function(x) return x + n * d end), true end
  if k <= 10 then return of(("%d - v"):format(n * d + n - 1), function(x) return n * d + n - 1 - x end), true end
  return of(("v * %d + %d"):format(by, d), function(x) return x * by + d end), true
end

-- A value for an element of type t: of the variables at hand, of inputs, of other buffers.
function G:value(t, vars, plain)
  local r = self.r
  local small = t.most <= 256 and 2 or t.most <= 2048 and 6 or 30
  local k = r:int(1, 12)
  local v = #vars > 0 and r:of(vars)
  if k <= 3 or not v then return M.const(r:int(t.least < 0 and k == 1 and -3 or 0, small)) end
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
  return M.const(r:int(0, small))
end

-- A buffer of type t, or any; `read`: to read.
function G:buffer(t, read)
  local list = {}
  for _, b in ipairs(self.buffers) do
    if (not t or b.t == t) and not (b.all and (read or not self.kind_of_all)) then list[#list + 1] = b end
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
    local op = b.all and not r:chance(0.03) and b.kind or self:kind(t)
    local order = r:chance(0.1) and (", {memory_order = %q}"):format(r:of {"acq_rel", "seq_cst", "relaxed", "release", "acquire"}) or ""
    if op == "or" then value = M.const(r:int(0, 5)) end
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

return M
