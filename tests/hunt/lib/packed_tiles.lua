-- packed_tiles.lua: operations on whole tiles in the programs of packed.lua.  A statement is as in packed_statements.lua.
local values = require "hunt.packed_values"
local ways = require "hunt.packed_ways"
local get, put, need = values.get, values.put, values.need
local M = {G = {}}
local G = M.G

local function whole(b) return b.shape ~= "units" and b.scope ~= "local" end

-- A name that no buffer has.
function G:name(prefix)
  self.count = self.count + 1
  return prefix .. self.count
end

-- A result of the whole program, {blocks, ..} elements of a block at [bx, ..].
function G:result(dtype, ...)
  local o = {name = self:name "R", scope = "global", t = values.types[dtype], shape = "rc", out = true}
  local dims, n = {...}, 1
  for _, d in ipairs(dims) do n = n * d end
  o.root, o.size = o.name, self.blocks * n
  o.place = {sizes = {self.blocks, ...}, dims = ("{%d, %s}"):format(self.blocks, table.concat(dims, ", "))}
  return o, function(m, k, v) m.out[o.name][m.block * n + k] = v end
end

-- All elements of b in a new fragment of a type, over a way; nothing where the way leaves some out.
function G:gathered(b, name, dtype)
  local w = ways.pick(self.rand, self.r, self.c, self.threads, false)
  if w.thread or not ways.covers(w, self.r, self.c) then return nil end
  local inner = {}
  for k, at in ipairs(w.places) do
    inner[k] = ("%s[%s, %s] = T.cast(%s, %q)"):format(name, at[1], at[2], self:at(b, at[1], at[2]), dtype)
  end
  return self:lines(w, inner)
end

local kinds = {
  sum = function(a, b) return a + b end, max = math.max, min = math.min, bitand = function(a, b) return a & b end,
  bitor = function(a, b) return a | b end, bitxor = function(a, b) return a ~ b end,
}

-- Rows or columns of s, reduced in its type or in int32, over what was there or not.
function G:reduce()
  local s, rand, r, c = self:source({}, {}, whole), self.rand, self.r, self.c
  if not s then return nil end
  local kind = rand:of {"sum", "max", "min", "bitand", "bitor", "bitxor"}
  local dim = rand:int(0, 1)
  local n = dim == 1 and r or c
  local dtype = rand:of {"int32", s.t.name, "int4", "uint4"}
  local t, g, f = values.types[dtype], self:name "g", self:name "f"
  local o, set = self:result("int32", n)
  local direct = s.t.name == dtype and s.shape == "rc" and s.scope ~= "global" and rand:chance(0.6)
  local begin = rand:chance(0.3) and rand:int(0, 7)
  local lines = {("local %s = T.alloc_fragment({%d}, %q)"):format(g, n, dtype)}
  if not direct then
    local all = self:gathered(s, f, dtype)
    if not all then return nil end
    lines[2] = ("local %s = T.alloc_fragment({%d, %d}, %q)"):format(f, r, c, dtype)
    table.move(all, 1, #all, 3, lines)
  end
  if begin then lines[#lines + 1] = ("T.fill(%s, %d)"):format(g, begin) end
  lines[#lines + 1] = ("T.reduce_%s(%s, %s, %d, %s)"):format(kind, direct and s.name or f, g, dim, tostring(not begin))
  lines[#lines + 1] = ("for i in T.Parallel(%d) do %s[%s, i] = %s[i] end"):format(n, o.name, self.block, g)
  return {result = o, lines = lines, run = function(m)
    local to = {}
    ways.loops(r, c, function(i, j)
      local k, v = dim == 1 and i or j, t.wrap(need(get(m, s, i * c + j + 1)))
      local was = to[k] or begin
      to[k] = was and kinds[kind](was, v) or v
    end)
    for k = 0, n - 1 do set(m, k + 1, t.wrap(to[k])) end
  end}
end

-- Running sums of rows or columns of s.
function G:scan()
  local s, r, c = self:source({}, {}, function(b) return b.shape == "rc" and b.t.packed and b.scope == "shared" end), self.r, self.c
  if not s then return nil end
  local dim, back = self.rand:int(0, 1), self.rand:chance(0.5)
  local g = self:name "g"
  local o, set = self:result("int32", r, c)
  return {result = o, lines = {("local %s = T.alloc_shared({%d, %d}, %q)"):format(g, r, c, s.t.name),
    ("T.cumsum(%s, %s, %d, %s)"):format(s.name, g, dim, tostring(back)),
    ("for i, j in T.Parallel(%d, %d) do %s[%s, i, j] = %s[i, j] end"):format(r, c, o.name, self.block, g)}, run = function(m)
    for a = 0, (dim == 1 and r or c) - 1 do
      local sum, n = 0, dim == 1 and c or r
      for b = 0, n - 1 do
        local at = back and n - 1 - b or b
        local k = dim == 1 and a * c + at or at * c + a
        sum = sum + need(get(m, s, k + 1))
        set(m, k + 1, s.t.wrap(sum))
      end
    end
  end}
end

-- s turned over, into memory.
function G:transposed()
  local s, r, c = self:source({}, {}, function(b) return b.shape == "rc" and b.scope == "shared" end), self.r, self.c
  if not s or self.calm and r % 2 == 1 then return nil end
  local g = self:name "g"
  local o, set = self:result("int32", c, r)
  return {result = o, lines = {("local %s = T.alloc_shared({%d, %d}, %q)"):format(g, c, r, s.t.name),
    ("T.transpose(%s, %s)"):format(s.name, g),
    ("for i, j in T.Parallel(%d, %d) do %s[%s, i, j] = %s[i, j] end"):format(c, r, o.name, self.block, g)}, run = function(m)
    ways.loops(r, c, function(i, j) set(m, j * r + i + 1, need(get(m, s, i * c + j + 1))) end)
  end}
end

-- A copy into another type, then back.
function G:converted(d)
  local s, r, c = self:source(d, {}, function(b) return whole(b) and b.t.packed and b.shape == "rc" end), self.r, self.c
  if not s or d.shape == "units" or d.scope == "local" then return nil end
  local w = self:way(d)
  if not w or w.thread then return nil end
  local f, dtype = self:name "f", self.rand:of {"float16", "float32", "bfloat16", "int8", "int64", "float8_e4m3fn"}
  local from = self:origin(s)
  local lines = {("local %s = T.alloc_fragment({%d, %d}, %q)"):format(f, r, c, dtype), ("T.copy(%s, %s)"):format(from, f)}
  local inner = {}
  for k, at in ipairs(w.places) do
    inner[k] = ("%s = T.cast(%s[%s, %s], %q)"):format(self:at(d, at[1], at[2]), f, at[1], at[2],
      d.t == s.t and self.rand:chance(0.5) and d.t.name or "int32") -- of a float what does not fit is the nearest
  end
  for _, l in ipairs(self:lines(w, inner)) do lines[#lines + 1] = l end
  return {lines = lines, run = function(m)
    local new = {}
    ways.loops(r, c, function(i, j) need(get(m, s, i * c + j + 1)) end)
    w.each(function(i, j) new[i * c + j + 1] = d.t.wrap(get(m, s, i * c + j + 1)) end)
    for k, v in pairs(new) do put(m, d, k, v) end
  end}
end

-- A sum over tiles of a tensor, loaded ahead.
function G:pipeline(d)
  local src = self.tall
  if d.scope ~= "fragment" or d.t.name ~= "int32" or d.shape ~= "rc" then return nil end
  local r, c, k, sh = self.r, self.c, self.steps, self:name "P"
  local w = ways.pick(self.rand, r, c, self.threads, false)
  if w.thread or w.places[2] then return nil end
  local at = w.places[1]
  local inner = self:lines(w, {("%s += T.cast(%s[%s, %s], \"int32\")"):format(self:at(d, at[1], at[2]), sh, at[1], at[2])})
  local lines = {("local %s = T.alloc_shared({%d, %d}, %q)"):format(sh, r, c, src.t.name), ("T.clear(%s)"):format(d.name),
    ("for ko in T.Pipelined(%d, {num_stages = %d}) do"):format(k, self.rand:int(1, 3)),
    ("  T.copy(%s[ko * %d, 0], %s)"):format(src.name, r, sh)}
  for _, l in ipairs(inner) do lines[#lines + 1] = "  " .. l end
  lines[#lines + 1] = "end"
  return {lines = lines, run = function(m)
    for i = 1, r * c do put(m, d, i, 0) end
    for ko = 0, k - 1 do
      w.each(function(i, j)
        local e = i * c + j + 1
        put(m, d, e, get(m, d, e) + m[src.root][(ko * r + i) * c + j + 1])
      end)
    end
  end}
end

-- C = (values of 4 bits) * W: r and c fit an instruction.
function G:product()
  local s, r, c = self:source({}, {}, function(b) return whole(b) and b.t.packed end), self.r, self.c
  if not s or r % 16 > 0 or c % 16 > 0 then return nil end
  local a, b, f = self:name "a", self:name "b", self:name "c"
  local all = self:gathered(s, a, "float16")
  if not all then return nil end
  local lines = {("local %s = T.alloc_%s({%d, %d}, \"float16\")"):format(a, self.rand:of {"fragment", "shared"}, r, c),
    ("local %s = T.alloc_shared({%d, 16}, \"float16\")"):format(b, c),
    ("local %s = T.alloc_fragment({%d, 16}, \"float32\")"):format(f, r), ("T.copy(W, %s)"):format(b), ("T.clear(%s)"):format(f)}
  table.move(all, 1, #all, #lines + 1, lines)
  lines[#lines + 1] = ("T.gemm(%s, %s, %s)"):format(a, b, f)
  local o, set = self:result(self.rand:of {"int4", "int32"}, r, 16)
  lines[#lines + 1] = ("for i, j in T.Parallel(%d, 16) do %s[%s, i, j] = T.cast(T.cast(%s[i, j], \"int32\"), %q) end"):format(r,
    o.name, self.block, f, o.t.name)
  return {result = o, lines = lines, run = function(m)
    ways.loops(r, 16, function(i, j)
      local sum = 0
      for k = 0, c - 1 do sum = sum + need(get(m, s, i * c + k + 1)) * m.W[k * 16 + j + 1] end
      set(m, i * 16 + j + 1, o.t.wrap(sum))
    end)
  end}
end

-- C = s * s^T of elements of 4 bits, as they are.
function G:product_packed()
  local s, r, c = self:source({}, {}, function(b) return b.shape == "rc" and b.t.packed and b.scope == "shared" end), self.r, self.c
  if not s or r % 16 > 0 or c % 32 > 0 then return nil end
  local f = self:name "c"
  local o, set = self:result(self.rand:of {"int4", "int32"}, r, r)
  return {result = o, lines = {("local %s = T.alloc_fragment({%d, %d}, \"int32\")"):format(f, r, r), ("T.clear(%s)"):format(f),
    ("T.gemm(%s, %s, %s, {transpose_B = true})"):format(s.name, s.name, f),
    ("for i, j in T.Parallel(%d, %d) do %s[%s, i, j] = %s[i, j] end"):format(r, r, o.name, self.block, f)}, run = function(m)
    ways.loops(r, r, function(i, j)
      local sum = 0
      for k = 0, c - 1 do sum = sum + need(get(m, s, i * c + k + 1)) * need(get(m, s, j * c + k + 1)) end
      set(m, i * r + j + 1, o.t.wrap(sum))
    end)
  end}
end

return M
