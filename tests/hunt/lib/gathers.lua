-- gathers.lua: programs whose pipelined loop brings elements from global to shared memory, by T.copy or from wherever
-- an expression says, and what they compute.
--
--     gathers.make(seed) -> p      tensors, tiles, and statements: tables with a field `s`
--
-- Expressions are tables too: {"i"} a variable, a number, {"+", a, b}, {"read", T, indices}, {"pick", c, a, b}.
-- All values are integers that every type here holds exactly; reads beyond a tensor give what p.safe says, or 0.
local random = require "hunt.random"
local M = {}

-- dtypes of tiles, whether they hold negative numbers, and the types whose values they take as they are.
local types = {
  float16 = {"float16", "float32", "int8"}, bfloat16 = {"bfloat16", "float32"}, float32 = {"float32", "float16", "int8", "int32"},
  int8 = {"int8", "int32"}, uint8 = {"uint8"}, int32 = {"int32", "int8"}, float8_e4m3fn = {"float8_e4m3fn"}, bool = {"bool"},
}
local names = {"float16", "float16", "float16", "bfloat16", "float32", "float32", "int8", "uint8", "int32", "float8_e4m3fn", "bool"}
local function low(dtype) return (dtype == "uint8" or dtype == "bool") and 0 or -3 end
local function high(dtype) return dtype == "bool" and 1 or 3 end

local Letters = {"i", "j", "k"}

-- Making -----------------------------------------------------------------------------------------------

local function tensor(p, r, name, shape, dtype, lo, hi)
  local t = {name = name, shape = shape, dtype = dtype, data = {}, dynamic = r:chance(0.3)}
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  for e = 0, n - 1 do t.data[e] = r:int(lo, hi) end
  p.tensors[#p.tensors + 1] = t
  p.by[name] = t
  return t
end

local Index = {}

-- An index that is mostly within 0 .. d - 1.  c.vars: {name, extent}; v: the variable that it should go along.
local function index(c, d, v, depth)
  local r = c.r
  local k = r:int(1, depth > 0 and #Index or 6)
  return Index[k](c, d, v, depth)
end

local function other(c) return c.vars[c.r:int(1, #c.vars)] end

local function step(c)
  return c.r:chance(0.7) and {"ko"} or c.r:of {{"m"}, {"bx"}, {"ko"}, {c.p.outer and "o" or "bx"}}
end

-- What tells where: a table in global memory, the one that the kernel writes, a tile, a variable.
local function told(c, depth)
  local r = c.r
  local at = index(c, 24, other(c), depth - 1)
  local k = r:int(1, 9)
  if k == 1 and c.p.by.X then
    return {"read", "X", {{"bx"}, at}}
  elseif k == 2 and c.p.by.J then
    return {"read", "J", {c.r:chance(0.5) and {"ko"} or {"bx"}, at}}
  elseif k <= 4 and c.p.told then
    return {"tile", "told", {{"%", at, c.p.told.shape[1]}}}
  elseif k == 5 and c.p.var then
    return {"p"}
  elseif k == 6 then
    return {"read", "I", {{"ko"}}}
  end
  return {"read", "I", {at}}
end

Index[1] = function(_, _, v) return {v[1]} end
Index[2] = function(c, _, v) return {"+", {"*", step(c), v[2]}, {v[1]}} end
Index[3] = function(c, _, v) return {"+", {v[1]}, c.r:of {-3, -1, 1, 2, 4, 8, 8, 16, 5}} end
Index[4] = function(_, _, v) return {v[1]} end
Index[5] = function(c, _, v) return {"+", {"*", step(c), c.r:of {4, 8, 16, 3}}, {v[1]}} end
Index[6] = function(c) return c.r:int(0, 12) end
Index[7] = function(c, _, _, depth) return told(c, depth) end
Index[8] = function(c, _, _, depth) return told(c, depth) end
Index[9] = function(c, _, v, depth) return {"+", told(c, depth), {v[1]}} end
Index[10] = function(c, d, v, depth) return {"//", index(c, d, v, depth - 1), c.r:of {2, 4, 8, 16, 3, 5, 24}} end
Index[11] = function(c, d, v, depth) return {"%", index(c, d, v, depth - 1), c.r:of {2, 4, 8, 16, 32, d, 3, 24, 7}} end
Index[12] = function(c, _, v) -- the elements of the tile in one row
  local e
  for _, u in ipairs(c.vars) do
    e = e and {"+", {"*", e, u[2]}, {u[1]}} or {u[1]}
  end
  if c.r:chance(0.4) then e = {"+", {"*", {"ko"}, c.r:of {8, 64, 100}}, e} end
  return {c.r:of {"//", "%"}, e, c.r:of {8, 16, 32, 64, 24, v[2], 7}}
end
Index[13] = function(c, d, v) return {"-", c.r:of {d - 1, v[2] - 1}, {v[1]}} end
Index[14] = function(c, _, v) return {"+", {"*", {v[1]}, c.r:int(2, 3)}, c.r:int(0, 2)} end
Index[15] = function(c, d, v, depth)
  return {c.r:of {"+", "-", "+"}, index(c, d, v, depth - 1), index(c, d, other(c), depth - 1)}
end
Index[16] = function(c, d) return {other(c)[1]} end
Index[17] = function(c, d, v, depth)
  return {c.r:of {"min", "max"}, index(c, d, v, depth - 1), c.r:chance(0.5) and c.r:int(0, d) or {"m"}}
end
Index[18] = function(c, d, v, depth)
  return {"+", {"*", {"//", {v[1]}, c.r:of {2, 4, 8, 12}}, c.r:of {4, 8, 16}}, {"%", {v[1]}, c.r:of {2, 4, 8, 12}}}
end

-- An index that goes along v in pieces, as vectors do.
local function straight(c, d, v)
  local r = c.r
  local k = r:int(1, 10)
  if k <= 2 then
    return {v[1]}
  elseif k == 3 then
    return {"+", {v[1]}, r:of {4, 8, 8, 16, -8, d - v[2], d - v[2] // 2}}
  elseif k == 4 then
    return {"+", {"*", step(c), r:of {v[2], 8, 16}}, {v[1]}}
  elseif k == 5 then
    return {"+", {"*", told(c, 1), r:of {4, 8, 16, 1, d}}, {v[1]}}
  elseif k == 6 then
    return {"+", {"*", {c.vars[1][1]}, r:of {8, 16, 1}}, {v[1]}}
  elseif k == 7 then
    return {"%", {"+", {"*", step(c), r:of {v[2], 8, 4}}, {v[1]}}, r:of {16, 32, 24, d, 8}}
  elseif k == 8 then
    local n = r:of {8, 16, 12, 4}
    return {"+", {"*", {"//", {v[1]}, n}, r:of {n, 8, 16}}, {"%", {v[1]}, n}}
  elseif k == 9 then
    return Index[12](c, d, v)
  end
  return {r:of {"min", "max"}, {"+", {v[1]}, 8}, r:of {8, 16, 0}}
end

local function condition(c, depth)
  local r = c.r
  local k = r:int(1, depth > 0 and 9 or 5)
  if k == 9 then
    return {"not", condition(c, depth - 1)}
  elseif k >= 7 then
    return {r:of {"and", "or"}, condition(c, depth - 1), condition(c, depth - 1)}
  elseif k == 6 then
    return {"==", {"%", index(c, 30, other(c), 2), r:int(2, 4)}, r:int(0, 1)}
  end
  if k == 1 then -- whole pieces of rows
    local v = c.vars[#c.vars]
    local at = r:chance(0.5) and {v[1]} or {"+", {"*", step(c), v[2]}, {v[1]}}
    return {r:of {"<", ">="}, at, r:chance(0.5) and r:of {8, 16, 40} or {"*", {"m"}, 8}}
  end
  local right = r:chance(0.3) and {"*", {"m"}, r:int(3, 9)} or r:int(0, 40)
  return {r:of {"<", "<", ">=", ">", "<=", "~="}, index(c, 30, other(c), r:int(0, 2)), right}
end

-- The tensor that a tile comes from; sometimes one that is there already.
local function source(p, r, tile)
  local n = #p.tensors
  if r:chance(0.15) then
    for _, t in ipairs(p.tensors) do
      if t.dtype == tile.dtype and t.name:find "^A" then return t end
    end
  end
  local dtype = r:chance(0.85) and tile.dtype or r:of(types[tile.dtype])
  local rank = r:of {#tile.shape, #tile.shape, 1, 2, 3}
  local shape = {}
  for i = 1, rank do
    shape[i] = i == rank and r:of {16, 32, 40, 48, 64, 64, 96, 128, 37, 100} or
      rank == 3 and i == 1 and r:int(1, 5) or r:of {7, 16, 24, 40, 37}
  end
  if rank == 1 then shape[1] = r:of {64, 128, 200, 256, 333} end
  local t = tensor(p, r, "A" .. n, shape, dtype, low(dtype), tile.name == "told" and dtype == "int32" and 30 or high(dtype))
  if r:chance(0.12) then t.safe = r:int(math.max(low(dtype), 0), high(dtype)) end
  return t
end

local function read(c, t)
  local at = {}
  for i, d in ipairs(t.shape) do
    local v = c.vars[math.max(1, math.min(#c.vars, #c.vars - #t.shape + i))]
    local depth = i == #t.shape and c.r:of {0, 0, 0, 1, 2} or c.r:of {0, 1, 2, 2}
    at[i] = i == #t.shape and c.r:chance(0.7) and straight(c, d, v) or index(c, d, v, depth)
  end
  return {"read", t.name, at}
end

local function value(c, t, tile, depth)
  local r = c.r
  if depth > 0 and r:chance(0.45) then
    local a, b = value(c, t, tile, depth - 1)
    if r:chance(0.7) then
      b = r:chance(0.7) and 0 or r:int(math.max(0, low(tile.dtype)), high(tile.dtype))
      b = tile.dtype == "bool" and {"bool", b % 2} or {"of", tile.dtype, b}
    else
      b = value(c, t, tile, depth - 1)
    end
    if r:chance(0.4) then a, b = b, a end
    return {"pick", condition(c, 2), a, b}
  end
  local e = {"cast", tile.dtype, read(c, t)}
  if t.dtype == tile.dtype then e = e[3] end
  if c.sums and tile.dtype ~= "bool" and r:chance(0.06) then
    c.sums = false
    e = {"+", e, {"cast", tile.dtype, read(c, t)}}
  end
  return e
end

local function vars_of(ext)
  local vars = {}
  for i, e in ipairs(ext) do vars[i] = {Letters[i], e} end
  return vars
end

-- Loads of a tile: all of it, or the parts of it.
local function gather(p, r, tile, ext, at, partial)
  local c = {p = p, r = r, vars = vars_of(ext), sums = true}
  local s = {s = "gather", tile = tile.name, ext = ext, at = at}
  s.value = value(c, source(p, r, tile), tile, r:of {0, 1, 1, 2})
  if r:chance(partial and 0.2 or 0.1) then
    s.mask = condition(c, 1)
    tile.must = true
  end
  return s
end

local function copy(p, r, tile)
  local t = source(p, r, tile)
  if #t.shape < #tile.shape or t.dtype ~= tile.dtype and r:chance(0.5) then return end
  local c = {p = p, r = r, vars = {{"ko", 8}}}
  local base = {}
  for i, d in ipairs(t.shape) do
    local e = tile.shape[i - #t.shape + #tile.shape]
    local k = r:int(1, 6)
    base[i] = k == 1 and 0 or k <= 3 and {"*", step(c), e or 1} or k == 4 and {"*", {"ko"}, r:of {1, 4, 8, 3}} or
      k == 5 and r:of {-2, 1, 3, 8} or told(c, 1)
  end
  return {s = "copy", tile = tile.name, from = t.name, base = base}
end

local function identity(shape)
  local at = {}
  for i in ipairs(shape) do at[i] = {Letters[i]} end
  return at
end

local function loads(p, r, tile, list)
  local n = #tile.shape
  local last, first = tile.shape[n], tile.shape[1]
  local k = r:int(1, 10)
  local s
  if k <= 2 then
    s = copy(p, r, tile)
  elseif k == 3 and last % 2 == 0 then -- even and odd elements, or halves, of rows
    local halves = r:chance(0.5)
    for h = 0, 1 do
      local ext, at = table.move(tile.shape, 1, n, 1, {}), identity(tile.shape)
      ext[n] = last // 2
      at[n] = halves and {"+", {Letters[n]}, h * (last // 2)} or {"+", {"*", {Letters[n]}, 2}, h}
      list[#list + 1] = gather(p, r, tile, ext, at, true)
    end
    return
  elseif k == 4 and n > 1 and first > 2 then -- the upper rows and the lower ones
    local cut = r:int(1, first - 1)
    for h = 0, 1 do
      if h == 0 or r:chance(0.8) then
        local ext, at = table.move(tile.shape, 1, n, 1, {}), identity(tile.shape)
        ext[1] = h == 0 and cut or first - cut
        at[1] = h == 0 and {"i"} or {"+", {"i"}, cut}
        list[#list + 1] = gather(p, r, tile, ext, at, true)
      else
        tile.must = true
      end
    end
    return
  elseif k == 5 then -- backwards
    local at, d = identity(tile.shape), r:int(1, n)
    at[d] = {"-", tile.shape[d] - 1, {Letters[d]}}
    s = gather(p, r, tile, tile.shape, at)
  elseif k == 6 and n == 2 then -- turned
    s = gather(p, r, tile, {tile.shape[2], tile.shape[1]}, {{"j"}, {"i"}})
  elseif k == 7 then -- two loads, one over the other
    list[#list + 1] = copy(p, r, tile) or gather(p, r, tile, tile.shape, identity(tile.shape))
  end
  s = s or gather(p, r, tile, tile.shape, identity(tile.shape))
  if r:chance(0.08) then
    tile.must = true
    s = {s = "if", c = r:of {{"==", {"%", {"ko"}, 2}, 0}, {">", {"read", "I", {{"ko"}}}, 4}, {"<", {"ko"}, {"m"}}}, list = {s}}
  end
  list[#list + 1] = s
end

local function add_tile(p, r, shape, dtype)
  local tile = {name = "s" .. #p.tiles, shape = shape, dtype = dtype}
  tile.swizzle = #shape == 2 and r:chance(0.15) and shape[2] * ((dtype == "float32" or dtype == "int32") and 4 or
    (dtype == "float16" or dtype == "bfloat16") and 2 or 1) % 32 == 0
  p.tiles[#p.tiles + 1] = tile
  p.by[tile.name] = tile
  return tile
end

local function fragment(p, name, shape, dtype)
  p.fragments[#p.fragments + 1] = {name = name, shape = shape, dtype = dtype}
  return name
end

local function uses(p, r, tile, list)
  local n = #tile.shape
  if low(tile.dtype) < 0 and r:chance(0.08) then list[#list + 1] = {s = "turn", tile = tile.name} end
  if r:chance(0.75) then
    local at = identity(tile.shape)
    if r:chance(0.3) then
      local d = r:int(1, n)
      at[d] = r:chance(0.5) and {"%", {"+", at[d], r:int(1, 5)}, tile.shape[d]} or {"-", tile.shape[d] - 1, at[d]}
    end
    list[#list + 1] = {s = "sum", frag = fragment(p, "f" .. #p.fragments, tile.shape, "float32"), tile = tile.name, at = at}
  end
  if r:chance(0.4) then
    local steps = (p.outer or 1) * p.most
    local shape = {p.blocks, steps}
    table.move(tile.shape, 1, n, 3, shape)
    local e = tensor(p, r, "E" .. #p.tensors, shape, "float32", 0, 0)
    e.dynamic = false
    list[#list + 1] = {s = r:chance(0.5) and "out" or "out_copy", tile = tile.name, to = e.name}
  end
  if n == 2 and tile.dtype ~= "bool" and r:chance(0.2) then
    local d = r:int(0, 1)
    list[#list + 1] = {s = "rows", tile = tile.name, dim = d, via = fragment(p, "f" .. #p.fragments, tile.shape, "float32"),
      frag = fragment(p, "f" .. #p.fragments, {tile.shape[2 - d]}, "float32")}
  end
end

local function tiles_of_gemm(p, r)
  local dtype = r:of {"float16", "float16", "bfloat16", "int8", "float8_e4m3fn"}
  local m, n, k = r:of {16, 32, 64}, r:of {16, 32, 64}, r:of {32, 32, 64}
  if r:chance(0.03) then m, n, k = 128, 256, 32 end
  local ta, tb = r:chance(0.2), r:chance(0.3)
  if dtype == "int8" or dtype == "float8_e4m3fn" then ta, tb = false, true end
  add_tile(p, r, ta and {k, m} or {m, k}, dtype)
  add_tile(p, r, tb and {n, k} or {k, n}, dtype)
  p.gemm = {s = "gemm", a = p.tiles[1].name, b = p.tiles[2].name, ta = ta, tb = tb, m = m, n = n, k = k,
    frag = fragment(p, "acc", {m, n}, dtype == "int8" and "int32" or "float32")}
end

local function loop(p, r)
  p.stages, p.most = r:of {0, 1, 2, 2, 3, 3, 4}, 6
  p.first = r:chance(0.15) and r:int(1, 2) or nil
  p.m = r:of {0, 1, 1, 2, 3, 4, 5, 6}
  local rounds = {"min", {"max", {"read", "I", {{"bx"}}}, 0}, 6}
  p.trips = r:of {{"m"}, {"m"}, r:int(1, 6), r:int(2, 6), rounds, {"//", {"+", {"m"}, 3}, 2}}
  if r:chance(0.2) then p.outer = r:int(1, 3) end
  if r:chance(0.15) then p.around = r:of {{">", {"m"}, 2}, {">", {"bx"}, 0}, {">", {"read", "I", {{"bx"}}}, 5}} end
end

function M.make(seed)
  local r = random.new(seed)
  local p = {seed = seed, tensors = {}, tiles = {}, fragments = {}, by = {}, load = {}, use = {}, blocks = r:int(1, 3),
    threads = r:of {64, 128, 128, 128, 256}}
  loop(p, r)
  local function maybe_safe(t) if r:chance(0.1) then t.safe = r:int(0, 9) end end
  maybe_safe(tensor(p, r, "I", {r:of {17, 32, 64, 40}}, "int32", r:of {-4, 0, 0}, r:of {12, 30, 50}))
  if r:chance(0.3) then maybe_safe(tensor(p, r, "J", {r:int(2, 6), r:of {9, 32}}, "int32", -2, 30)) end
  if r:chance(0.25) then tensor(p, r, "X", {p.blocks, r:of {40, 64, 91}}, "int32", 0, 20).dynamic = false end
  p.var = r:chance(0.15)
  if p.var then p.load[1] = {s = "set", value = {"read", "I", {{"+", {"ko"}, r:int(0, 4)}}}} end
  if r:chance(0.25) then
    local told_by = {name = "told", shape = {r:of {16, 32, 64}}, dtype = "int32"}
    p.by.told, p.tiles[1] = told_by, told_by
    loads(p, r, told_by, p.load)
    p.told = told_by
    table.remove(p.tiles)
  end
  if r:chance(0.35) then
    tiles_of_gemm(p, r)
  else
    for _ = 1, r:of {1, 1, 2, 3} do
      local shape = r:of {{r:of {16, 32, 64, 13}, r:of {16, 32, 64, 24, 40}}, {r:of {8, 16, 33}, r:of {32, 64}},
        {r:of {64, 128, 100}}, {r:int(2, 3), r:of {4, 8}, r:of {16, 32}}}
      add_tile(p, r, shape, r:of(names))
    end
  end
  for _, tile in ipairs(p.tiles) do loads(p, r, tile, p.load) end
  for _, tile in ipairs(p.tiles) do uses(p, r, tile, p.use) end
  if p.gemm then p.use[#p.use + 1] = p.gemm end
  if p.by.X and r:chance(0.8) then
    p.use[#p.use + 1] = {s = "poke", n = r:of {8, 16, 32}, at = {"+", {"*", {"ko"}, r:int(0, 8)}, r:int(-2, 40)}, add = r:int(0, 9)}
  end
  if p.told then p.tiles[#p.tiles + 1] = p.told end
  for _, tile in ipairs(p.tiles) do
    tile.fill = (tile.must or r:chance(0.3)) and math.max(0, low(tile.dtype)) + r:int(0, 1)
    if r:chance(0.25) then
      tile.fill = tile.fill or 0
      local shape = {p.blocks, table.unpack(tile.shape)}
      local d = tensor(p, r, "D" .. #p.tensors, shape, "float32", 0, 0)
      d.dynamic = false
      p.behind = p.behind or {}
      p.behind[#p.behind + 1] = {s = "keep", tile = tile.name, to = d.name}
    end
  end
  for _, f in ipairs(p.fragments) do
    f.out = "R" .. f.name
    local shape = {p.blocks, table.unpack(f.shape)}
    tensor(p, r, f.out, shape, f.dtype, 0, 0).dynamic = false
  end
  return p
end

return M
