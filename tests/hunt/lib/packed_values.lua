-- packed_values.lua: buffers of the programs of packed.lua, what they hold, and expressions over it.
--
-- A buffer is a tile of r x c elements, as {r, c} (shape "rc") or {r * c} ("n"), or of units of `per` of them, as bytes
-- or words ("units").  memory[root] is a flat table; nil: without a value.  Where b.bits is set a root is kept in
-- half-bytes, which views of other widths share.  Values without one may be moved on between registers and into
-- shared memory, nothing else.
local M = {G = {}}
local G = M.G

local function wrapper(bits, unsigned)
  local mask, half = (1 << bits) - 1, 1 << (bits - 1)
  return function(v)
    v = v & mask
    return not unsigned and v >= half and v - mask - 1 or v
  end
end

M.types = {}
for _, bits in ipairs {4, 8, 16, 32} do
  for _, u in ipairs {"", "u"} do
    local name = ("%sint%d"):format(u, bits)
    M.types[name] = {name = name, bits = bits, wrap = wrapper(bits, u == "u"), packed = bits == 4}
  end
end
M.types.float16 = {name = "float16", bits = 16, wrap = function(v) return v end}

function M.invalid(why) error({invalid = why}, 0) end
local invalid = M.invalid

function M.need(v) return v or invalid "a value that is not there" end
local need = M.need

function M.memory(b) return b.scope == "shared" or b.scope == "global" end
local memory = M.memory

-- What buffers hold -----------------------------------------------------------------------------

-- Element k of b, counted from 1, or nothing.
function M.get(m, b, k)
  local t = m[b.root]
  if not b.halves then return t[k] end
  local n, v, has = b.t.bits // 4, 0, 0
  for q = 0, n - 1 do
    local h = t[(k - 1) * n + q + 1]
    if h then v, has = v | h << 4 * q, has + 1 end
  end
  if has > 0 and has < n then invalid "a part of it has no value" end
  return has > 0 and b.t.wrap(v) or nil
end
local get = M.get

function M.put(m, b, k, v)
  local t = m[b.root]
  if not b.halves then
    t[k] = v
    return
  end
  local n = b.t.bits // 4
  for q = 0, n - 1 do t[(k - 1) * n + q + 1] = v and v >> 4 * q & 15 end
end

function M.written(m, b) return next(m[b.root]) ~= nil end

-- What is moved from s to d: perhaps nothing.
function M.moved(s, d, v)
  if v == nil and (memory(s) or d.scope == "global") then invalid "what has no value is used" end
  return v and d.t.wrap(v)
end

-- Buffers -----------------------------------------------------------------------------------------

-- shape: "rc", "n", or "units", `per` elements of 4 bits in each.
function G:buffer(scope, dtype, shape, per)
  self.count = self.count + 1
  local b = {name = ("%s%d"):format(scope:sub(1, 1):upper(), self.count), scope = scope, t = M.types[dtype], shape = shape,
    per = per}
  b.root = b.name
  return b
end

function G:dims(b)
  local n = self.r * self.c
  if b.scope == "local" then
    return ("{%d}"):format(b.per and (n // self.threads) // b.per or (n + self.threads - 1) // self.threads)
  end
  if b.place then return b.place.dims end
  if b.shape == "rc" then return ("{%d, %d}"):format(self.r, self.c) end
  if b.shape == "n" then return ("{%d}"):format(n) end
  if self.c % b.per == 0 then return ("{%d, %d}"):format(self.r, self.c // b.per) end
  return ("{%d}"):format(n // b.per)
end

-- b's element of row and col, as text; of units the one that it is in.  w: the way, where b is a thread's own.
function G:at(b, row, col, w)
  if b.scope == "local" then return ("%s[%s]"):format(b.name, b.per and ("(%s) // %d"):format(w.v, b.per) or w.v) end
  if b.place then return b.place.at(b.name, row, col) end
  if b.shape == "rc" then return ("%s[%s, %s]"):format(b.name, row, col) end
  local flat = row == "0" and col or ("(%s) * %d + %s"):format(row, self.c, col)
  if b.shape == "n" then return ("%s[%s]"):format(b.name, flat) end
  if self.c % b.per == 0 then return ("%s[%s, (%s) // %d]"):format(b.name, row, col, b.per) end
  return ("%s[(%s) // %d]"):format(b.name, flat, b.per)
end

-- The place in a unit, as text.
function G:part(b, row, col, w)
  if b.scope == "local" then return ("(%s) %% %d"):format(w.v, b.per) end
  if self.c % b.per == 0 then return ("(%s) %% %d"):format(col, b.per) end
  return ("((%s) * %d + %s) %% %d"):format(row, self.c, col, b.per)
end

-- Can code of this way reach b?
function G:reaches(b, w)
  if b.scope == "local" then return w.own == b.own and w.per ~= nil end
  return memory(b) or not w.thread
end

-- A buffer to read for d in a way, not of d's own root.
function G:source(d, w, fits)
  local list = {}
  for _, b in ipairs(self.bufs) do
    if self:reaches(b, w) and b.root ~= d.root and b.t.name:find "int" and (not fits or fits(b)) then
      local some = false
      for _, m in ipairs(self.memory) do some = some or M.written(m, b) end
      if some then list[#list + 1] = b end
    end
  end
  return #list > 0 and self.rand:of(list) or nil
end

-- Expressions -------------------------------------------------------------------------------------

-- A value of buffer s at another place than (row, col), or the same: text, f(memory, row, col).
function G:load(s, row, col, w, same)
  local r, c, rand = self.r, self.c, self.rand
  local how = (same or s.scope == "local") and 1 or rand:int(1, 7)
  if s.shape == "units" then
    return ("((T.cast(%s, \"int32\") >> (%s * 4)) & 15)"):format(self:at(s, row, col, w), self:part(s, row, col, w)),
      function(m, i, j)
        local e = i * c + j
        return need(get(m, s, e // s.per + 1)) >> e % s.per * 4 & 15
      end
  elseif how == 2 then
    return self:at(s, row, ("%d - (%s)"):format(c - 1, col)), function(m, i, j) return get(m, s, i * c + c - j) end
  elseif how == 3 then
    return self:at(s, ("(%s + 1) %% %d"):format(row, r), col), function(m, i, j) return get(m, s, (i + 1) % r * c + j + 1) end
  elseif how == 4 and r == c then
    return self:at(s, col, row), function(m, i, j) return get(m, s, j * c + i + 1) end
  elseif how == 5 then -- chosen by data
    local p = self.permutation
    return self:at(s, row, ("%s[%s]"):format(p.name, col)), function(m, i, j) return get(m, s, i * c + p.list[j + 1] + 1) end
  end
  return self:at(s, row, col, w), function(m, i, j) return get(m, s, i * c + j + 1) end
end

-- Functions of one value of 4 bits, text and what is made of it.
local unary = {
  {'T.cast(%s, "int32")', function(v) return v end},
  {'T.cast(%s, "int32")', function(v) return v end},
  {'T.cast(T.cast(%s, "float32"), "int32")', function(v) return v end},
  {'T.cast(T.cast(%s, "float16") * 0.5, "int32")', function(v) return v >= 0 and v // 2 or -(-v // 2) end},
  {'T.cast(T.cast(%s, "bfloat16"), "int8")', function(v) return v end},
  {'T.cast(T.cast(%s, "bool"), "int32")', function(v) return v ~= 0 and 1 or 0 end},
  {'T.cast(T.cast(%s, "int64") * 3, "int32")', function(v) return v * 3 end},
  {'T.cast(T.reinterpret(%s, "uint4"), "int32")', function(v) return v & 15 end},
  {'T.cast(T.cast(%s, "int4"), "int32")', function(v) return M.types.int4.wrap(v) end},
  {"(-%s)", function(v) return -v end},
  {"(~%s)", function(v) return ~v end},
  {"(%s << 2)", function(v) return v << 2 end},
  {"(%s >> 1)", function(v) return v // 2 end},
  {"(%s * 3 - 20)", function(v) return v * 3 - 20 end},
  {"T.abs(%s)", function(v) return math.abs(v) end},
  {"T.min(%s, 3)", function(v) return math.min(v, 3) end},
  {"(%s // 3 + %s %% 3)", function(v) return v // 3 + v % 3 end},
}

local binary = {
  {"(%s + %s)", function(a, b) return a + b end}, {"(%s - %s)", function(a, b) return a - b end},
  {"(%s & %s)", function(a, b) return a & b end}, {"(%s ~ %s)", function(a, b) return a ~ b end},
  {"(%s | %s)", function(a, b) return a | b end}, {"T.max(%s, %s)", math.max},
  {"T.if_then_else(%s > 1, %s, 5)", function(a, b) return a > 1 and b or 5 end},
}

-- text, f: of type int32 or one that is promoted to it.
function G:leaf(d, w, row, col)
  local rand = self.rand
  local s = self:source(d, w)
  if not s or rand:chance(0.1) then
    local v = rand:int(-9, 9)
    return v < 0 and ("(%d)"):format(v) or tostring(v), function() return v end
  end
  local text, f = self:load(s, row, col, w)
  if s.t.packed then
    local op = rand:of(unary)
    return op[1]:gsub("%%s", (text:gsub("%%", "%%%%%%%%"))):gsub("%%%%", "%%"), function(m, i, j) return op[2](need(f(m, i, j))) end
  end
  return ("T.cast(%s, \"int32\")"):format(text), function(m, i, j) return need(f(m, i, j)) end
end

function G:value(d, w, row, col, depth)
  if depth == 0 then return self:leaf(d, w, row, col) end
  local a, fa = self:value(d, w, row, col, depth - 1)
  local b, fb = self:value(d, w, row, col, depth - 1)
  if a:find "^%(?%-?%d+%)?$" or b:find "^%(?%-?%d+%)?$" then return a, fa end
  local op = self.rand:of(binary)
  return op[1]:format(a, b), function(...) return op[2](fa(...), fb(...)) end
end

return M
