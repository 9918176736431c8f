-- feed.lua: pipelined loops whose tiles come whole from inputs of their own, in rows of 16 bytes and more,
-- and which nobody writes meanwhile: machines with bulk copies give those loads to a producer of its own, all
-- others copy asynchronously.
local types = require "hunt.types"
local E = require "hunt.expr"
local elements = require "hunt.elements"
local notes = require "hunt.notes"
local M = {}

local function add(out, s) out[#out + 1] = s end

-- Where tile number `ko` is in an input, by its shape: {shape, from, extents, index, form}.
local function source(G, v, n, rows, columns)
  local r = G.r
  local ko = E.var(v, 0, n - 1)
  local turn = r:of {
    function() return ko end,
    function() return E.bin("-", E.lit(n - 1), ko) end,
    function() return E.bin("%", E.add(ko, E.lit(r:int(1, 3))), E.lit(n)) end,
  }
  local k = r:chance(0.7) and ko or turn()
  local block = G.kernel.blocks[1]
  local aside, blocks = E.lit(0), 1
  if r:chance(0.5) then
    blocks = G.kernel.grid[1]
    aside = E.var(block, 0, blocks - 1)
  end
  local way = r:int(1, 3)
  if way == 1 then
    return {shape = {n * rows + r:of {0, 0, 0, 3}, blocks * columns}, from = {E.mul(k, rows), E.mul(aside, columns)},
            extents = {rows, columns}, index = {}, form = r:of {"origin", "slice"}}
  elseif way == 2 then
    return {shape = {blocks * rows, n * columns}, from = {E.mul(aside, rows), E.mul(k, columns)},
            extents = {rows, columns}, index = {}, form = r:of {"origin", "slice"}}
  end
  return {shape = {n, blocks * rows, columns}, from = {k, E.mul(aside, rows), E.lit(0)}, extents = {1, rows, columns},
          index = {true}, form = r:of {"origin", "slice"}}
end

local function whole(list, value_types)
  for _, t in ipairs(value_types) do
    if t ~= "bool" then list[#list + 1] = t end
  end
  return #list > 0 and list or {"float32"}
end

-- A tile, where it comes from, and what gathers it; an operand of a product has a type and a shape.
local function fed(G, out, v, n, dtype, rows, columns)
  local r = G.r
  if not dtype then
    dtype = r:of(whole({}, G.value_types))
    local bits = types.of[dtype].bits or ({float16 = 16, bfloat16 = 16, float32 = 32, float64 = 64})[dtype]
    columns, rows = 128 // bits * r:of {1, 1, 2, 4, 8}, r:of {1, 2, 4, 8, 16}
    while rows * columns > 256 do rows = rows // 2 end
  end
  local t = types.of[dtype]
  local src = source(G, v, n, rows, columns)
  local x = G:input(dtype, src.shape)
  src.buf = x.name
  local b = G:tile("shared", dtype, {rows, columns})
  local acc = G:tile(r:of {"fragment", "fragment", "fragment", "shared"}, dtype, {rows, columns})
  add(out, {k = "fill", dst = {buf = acc.name}, e = E.lit(t.kind == "float" and 1.0 or 1, dtype)})
  acc.init = true
  if r:chance(0.15) then
    add(out, {k = "fill", dst = {buf = b.name}, e = E.lit(t.kind == "float" and 2.0 or 2, dtype)})
    b.init = true
  end
  b.held = true
  return {buf = b, src = src, acc = acc}
end

-- acc[i, j] = acc[i, j] op tile[i', j']
local function gather(G, f)
  local r, b, acc = G.r, f.buf, f.acc
  local vars, at, idx = {}, {}, {}
  for d, n in ipairs(b.shape) do
    vars[d] = G:name "i"
    at[d] = E.var(vars[d], 0, n - 1)
    local how = r:int(1, 8)
    idx[d] = how == 1 and E.bin("-", E.lit(n - 1), at[d]) or how == 2 and n & (n - 1) == 0 and n > 1 and
             E.bin("~", at[d], E.lit(r:int(1, n - 1))) or how == 3 and E.bin("%", E.add(at[d], E.lit(1)), E.lit(n)) or at[d]
  end
  local old = {k = "load", t = acc.dtype, buf = acc.name, idx = at, lo = acc.lo, hi = acc.hi}
  local new = {k = "load", t = b.dtype, buf = b.name, idx = idx, lo = b.lo, hi = b.hi}
  local e = E.fit(G, E.bin(r:of {"+", "+", "max", "-"}, old, new), acc.dtype, acc.lo, acc.hi)
  return notes.options(G, {k = "par", vars = vars, extents = {table.unpack(b.shape)},
                           body = {{k = "store", buf = acc.name, idx = at, e = e}}})
end

-- The loop, in `out`.  product: {dtype =, M =, N =, K =}, its operands are fed; `block` makes further statements
-- of its body, `multiply` the product.
function M.loop(G, out, product, block, multiply)
  local r = G.r
  local v, n = G:name "ko", r:of {1, 2, 3, 3, 4, 5, 8}
  local s = {k = "loop", kind = "Pipelined", var = v, lo = E.lit(0), hi = E.lit(n), stages = r:of {0, 1, 2, 2, 3, 4}}
  local certain = true
  local w = r:chance(0.2) and E.index_var(G)
  if w and w.hi < n then
    s.hi, certain = E.add(w, E.lit(r:int(0, 1))), false
    certain = s.hi.lo > 0
  end
  local list = {}
  if product then
    list[1] = fed(G, out, v, n, product.dtype, product.M, product.K)
    list[2] = fed(G, out, v, n, product.dtype, product.K, product.N)
  else
    for i = 1, r:of {1, 1, 2, 2, 3} do list[i] = fed(G, out, v, n) end
  end
  G.in_pipeline = true
  G:maybe(certain, function()
    local vars, body = #G.vars, {}
    G:push {name = v, t = "int32", lo = 0, hi = n - 1}
    for _, f in ipairs(list) do
      local load = notes.options(G, {k = "copy", src = f.src, dst = {buf = f.buf.name}})
      if f.buf.init and r:chance(0.5) then load = {k = "if", arms = {{c = E.condition(G, 1), body = {load}}}} end
      f.buf.init = true
      add(body, load)
      if r:chance(0.1) then add(body, {k = "sync"}) end
    end
    if r:chance(G.profile.sync * 0.5) then add(body, {k = "sync"}) end
    if product then multiply(body) end
    r:shuffle(list)
    for _, f in ipairs(list) do
      if r:chance(product and 0.4 or 0.9) then add(body, gather(G, f)) end
    end
    G.nesting = G.nesting + 1
    for _, s2 in ipairs(block(r:int(0, 2))) do add(body, s2) end
    G.nesting = G.nesting - 1
    if r:chance(G.profile.sync * 0.5) then add(body, {k = "sync"}) end
    s.body = body
    for i = #G.vars, vars + 1, -1 do G.vars[i] = nil end
  end)
  G.in_pipeline = false
  for _, f in ipairs(list) do f.buf.held = nil end
  add(out, s)
  if r:chance(0.3) then elements.par(G, out, list[1].acc) end
end

return M
