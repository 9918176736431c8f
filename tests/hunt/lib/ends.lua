-- ends.lua: what a kernel reads first and writes last: its inputs, its tiles, its variables.
local E = require "hunt.expr"
local M = {}

local function add(out, s) out[#out + 1] = s end

function M.input(G)
  local r, t, k = G.r, G.tile_shape, G.kernel
  local function ragged(n) return r:chance(0.5) and n or math.max(1, n - r:int(1, 5)) end
  local rows = ragged(t[1] * (k.grid[2] or 1))
  local columns = ragged(t[2] * k.grid[1])
  local shape = r:of {{rows, columns}, {rows, columns}, {rows, ragged(t[3] * r:int(1, 4))}, {columns}, {rows},
                      {k.grid[3] or 2, rows, columns}, {ragged(40)}}
  return G:input(r:of(G.value_types), shape)
end

-- out[by, bx, ...] = tile, or its place in a matrix that the blocks share.
function M.output(G, kernel, b)
  local r = G.r
  local shape, from = {}, {}
  local grid, blocks = kernel.grid, kernel.blocks
  local matrix = #b.shape == 2 and #grid == 2 and r:chance(0.7)
  if matrix then
    shape = {b.shape[1] * grid[2], b.shape[2] * grid[1]}
    if r:chance(0.5) then shape = {math.max(1, shape[1] - r:int(0, 3)), math.max(1, shape[2] - r:int(0, 5))} end
    from = {E.mul(E.var(blocks[2], 0, grid[2] - 1), b.shape[1]), E.mul(E.var(blocks[1], 0, grid[1] - 1), b.shape[2])}
  else
    for d = #grid, 1, -1 do
      shape[#shape + 1] = grid[d]
      from[#from + 1] = E.var(blocks[d], 0, grid[d] - 1)
    end
    for _, n in ipairs(b.shape) do
      shape[#shape + 1] = n
      from[#from + 1] = E.lit(0)
    end
  end
  local o = G:buffer("global", b.dtype, shape, {name = G:name "O", lo = b.lo, hi = b.hi})
  G.results[#G.results + 1] = o.name
  if #shape <= 4 and r:chance(0.5) then
    add(kernel.body, {k = "copy", src = {buf = b.name}, dst = {buf = o.name, from = from, form = "origin",
        extents = M.lead(#shape - #b.shape, b.shape)}})
    return
  end
  local vars, idx, at = {}, {}, {}
  for d in ipairs(b.shape) do
    vars[d] = G:name "i"
    at[d] = E.var(vars[d], 0, b.shape[d] - 1)
  end
  for d, f in ipairs(from) do
    local v = at[d - (#from - #at)]
    idx[d] = not v and f or E.add(f, v)
  end
  add(kernel.body, {k = "par", vars = vars, extents = b.shape, body = {
    {k = "store", buf = o.name, idx = idx, e = {k = "load", t = b.dtype, buf = b.name, idx = at, lo = b.lo, hi = b.hi}}}})
end

-- `n` ones in front of a shape.
function M.lead(n, shape)
  local t = {}
  for _ = 1, n do t[#t + 1] = 1 end
  for _, m in ipairs(shape) do t[#t + 1] = m end
  return t
end

-- What the kernel's variables hold at its end.
function M.scalars(G, kernel)
  local shape, from = {}, {}
  for d = #kernel.grid, 1, -1 do
    shape[#shape + 1] = kernel.grid[d]
    from[#from + 1] = E.var(kernel.blocks[d], 0, kernel.grid[d] - 1)
  end
  shape[#shape + 1] = 4
  from[#from + 1] = E.var("q", 0, 3)
  local body = {}
  for i = 1, math.min(#G.scalars, 3) do
    local v = G.scalars[i]
    local o = G:buffer("global", v.t, shape, {name = G:name "O", lo = v.lo, hi = v.hi})
    G.results[#G.results + 1] = o.name
    add(body, {k = "store", buf = o.name, idx = from, e = E.var(v.name, v.lo, v.hi, v.t)})
  end
  add(kernel.body, {k = "par", vars = {"q"}, extents = {4}, body = body})
end

return M
