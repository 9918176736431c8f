-- tl/sizes.lua: small, awkward sizes for a kernel, derived from the kernel.
--
-- For each size of the shapes (a constant of T.const, a run-time dimension):
-- one tile, a tile and one, an uneven number beyond it, and 1; for a size that
-- the grid does not depend on, but a pipelined loop does, as many tiles as
-- make the loop shorter than the pipeline, and longer than two of it.  A size
-- that one tile must hold is never greater than the tile.
--
-- What a tile is, is found out: of the grid of run-time dimensions it can be
-- read; a constant's is the compile-time parameter by which the grid grows, or
-- else one whose name says so ("BK", "block_K", "tile_k" for K).

local device = require "moontile.tl.device"
local dry = require "moontile.tl.dry"
local ir = require "moontile.ir"
local jit = require "moontile.tl.jit"
local kernel = require "moontile.tl.kernel"

local M = {}

local Small = 256           -- a size without a tile is kept when it is no greater

local function prime_after(n)
  while true do
    n = n + 1
    local prime = n > 1
    for d = 2, math.floor(math.sqrt(n)) do
      prime = prime and n % d ~= 0
    end
    if prime then
      return n
    end
  end
end

-- Specialising -------------------------------------------------------------------

-- f(...) with these settings of the devices, and no kernel remembered.
local function with(settings, f, ...)
  local default, emit, compile = device.default, device.emit, device.compile
  local caching, last = jit.caching, kernel.last.kernel
  device.default = settings.target or default
  device.emit, device.compile, jit.caching = settings.emit, settings.compile, false
  local r = table.pack(pcall(f, ...))
  device.default, device.emit, device.compile = default, emit, compile
  jit.caching, kernel.last.kernel = caching, last
  return table.unpack(r, 1, r.n)
end
M.with = with

-- Is it only known when k is launched: a symbol of T.dynamic, or a scalar?
local function at_launch(k, name)
  for _, n in ipairs(k.dim_names) do
    if n == name then
      return true
    end
  end
  for _, p in ipairs(k.inputs) do
    if p.kind == "scalar" and p.name == name then
      return true
    end
  end
  return false
end

local function specialise(k, size, target)
  local config, any = {}, false
  for key, v in pairs(k.config) do
    config[key] = v
  end
  for key, v in pairs(size or {}) do
    if not at_launch(k, key) then
      config[key], any = v, true
    end
  end
  if not (k.jit and any) then
    return k:retarget(target)
  end
  local opts, own, last = k.jit.opts, k.jit.opts.target, k.jit.last
  opts.target = target
  local ok, made = pcall(k.jit.compile, k.jit, config)
  opts.target, k.jit.last = own, last
  return ok and made or error(made, 0)
end

-- The kernel k again, for other constants (a size of list()) and another
-- target; false and what the front end says.
function M.again(k, size, target)
  return with({target = target}, specialise, k, size, target)
end

-- The same without building anything: only its program is of use.
local function traced(k, size)
  return with({target = "cpu", emit = function() end, compile = dry.checked}, specialise, k, size,
    "cpu")
end

-- Tiles ----------------------------------------------------------------------------

-- The extents of all grids as texts; nil when the kernel refuses the size.
local function grids(k, size)
  local ok, made = traced(k, size)
  if not ok then
    return nil
  end
  local list = {}
  for _, l in ipairs(ir.launches(made.P)) do
    for _, g in ipairs(l.grid) do
      list[#list + 1] = tostring(g)
    end
  end
  return list
end

local function same(a, b)
  for i, v in ipairs(a) do
    if v ~= b[i] then
      return false
    end
  end
  return true
end

-- Compile-time parameters that could be tiles, the smallest first.
local function parameters(k)
  local list, seen = {}, {}
  for name, v in pairs(k.config) do
    if k.used[name] == nil and math.type(v) == "integer" and v > 1 and not seen[v] then
      seen[v] = true
      list[#list + 1] = v
    end
  end
  table.sort(list)
  return list
end

local function with_size(base, name, v)
  local size = {}
  for key, x in pairs(base) do
    size[key] = x
  end
  size[name] = v
  return size
end

-- How a tile's parameter may be called, for a size called %s.
local spellings = {"^b(l?o?c?k?)_?%s$", "^t(i?l?e?)_?%s$", "^%s_?tile$", "^%s_?block$"}

local function by_name(k, name)
  for _, pattern in ipairs(spellings) do
    for key, v in pairs(k.config) do
      if k.used[key] == nil and math.type(v) == "integer" and v > 1 and
        key:lower():find((pattern:gsub("%%s", name:lower()))) then
        return v
      end
    end
  end
end

-- One block for each?
local function each_block(k, name, own)
  local a, b, c = grids(k, with_size(own, name, 2)), grids(k, with_size(own, name, 3)),
    grids(k, with_size(own, name, 4))
  return a and b and c and not same(a, b) and not same(b, c)
end

-- The loops of the program as text.
local function loops(k, size)
  local ok, made = traced(k, size)
  local list = {}
  for line in (ok and ir.text(made.P) or ""):gmatch "[^\n]+" do
    list[#list + 1] = line:match "^%s*for .*"
  end
  return list
end

-- Does nothing repeat when the size is beyond the tile?  Then one tile holds all of it.
local function covers(k, name, own, tile)
  local one, two = loops(k, with_size(own, name, tile)), loops(k, with_size(own, name, 2 * tile))
  return #one == #two and same(one, two)
end

-- The tile of a constant; does the grid depend on it?
local function tile_of(k, name, own)
  local near = grids(k, with_size(own, name, own[name] + 1)) or grids(k, own)
  local far = grids(k, with_size(own, name, 2 * own[name])) or near
  local ingrid = near and far and not same(near, far) or false
  for _, c in ipairs(ingrid and parameters(k) or {}) do
    local one = grids(k, with_size(own, name, c))
    local two = one and grids(k, with_size(own, name, c + 1))
    local less = two and not same(one, two) and grids(k, with_size(own, name, c - 1))
    if less and same(one, less) then
      return c, true
    end
  end
  return by_name(k, name) or (ingrid and each_block(k, name, own) and 1), ingrid
end

-- The tile of a run-time dimension, as its grid or a loop is written: (M + 63) // 64
local function tile_of_dim(k, name)
  local text = ir.text(k.P)
  return tonumber(text:match("%f[%w_]" .. name .. "%f[^%w_] *%+ *%d+%) *// *(%d+)") or
    text:match("%f[%w_]" .. name .. "%f[^%w_] *// *(%d+)"))
end

-- Stages of the deepest pipeline.
local function stages(k)
  local most = 0
  for n in ir.text(k.P):gmatch "stages=(%d+)" do
    most = math.max(most, tonumber(n))
  end
  return most
end

-- Lists ----------------------------------------------------------------------------

local function values(k, tile, ingrid, own, whole)
  if tile == 1 then
    return {3, 1}
  elseif tile and whole then
    return {tile, tile - 1, prime_after(tile // 2), 1}
  elseif tile then
    local list = {tile, tile + 1, prime_after(tile + tile // 2), 1}
    local s = stages(k)
    if not ingrid and s > 1 then
      list[5] = (2 * s + 1) * tile
      list[6] = s > 2 and (s - 1) * tile or nil
    end
    return list
  elseif own and own <= 8 then
    return {own, 1}
  elseif own and own <= Small then
    return {own, own + 1, prime_after(own // 2), 1}
  end
  return {64, 65, 97, 1}
end

-- strides: a set of names that are left to set_strides().
local function constants(k, strides)
  local names, own = {}, {}
  for name, v in pairs(k.used or {}) do
    if math.type(v) == "integer" and not strides[name] then
      names[#names + 1] = name
      own[name] = v
    end
  end
  table.sort(names)
  local list = {}
  for _, name in ipairs(names) do
    local tile, ingrid = tile_of(k, name, own)
    local whole = tile and not ingrid and covers(k, name, own, tile)
    list[name] = values(k, tile, ingrid, own[name], whole)
  end
  return names, list, own
end

-- Sizes without a tile grow until the kernel takes them all.
local function accepted(k, names, list, own)
  for _ = 1, 6 do
    local size = {}
    for _, name in ipairs(names) do
      size[name] = list[name][1]
    end
    if traced(k, size) then
      return
    end
    for _, name in ipairs(names) do
      local v = list[name]
      if own[name] and (v[1] == 64 and v[2] == 65 and v[3] == 97 or v.grown) then
        v.grown = true
        v[1] = math.min(v[1] * 2, math.max(own[name], v[1]))
        v[2], v[3] = v[1] + 1, prime_after(v[1] + v[1] // 2)
      end
    end
  end
end

local function combined(names, list)
  local all, seen = {}, {}
  local function add(pick)
    local size, text = {}, {}
    for i, name in ipairs(names) do
      size[name] = pick(name, list[name])
      text[i] = size[name]
    end
    local key = table.concat(text, ",")
    if not seen[key] then
      seen[key] = true
      all[#all + 1] = size
    end
  end
  add(function(_, v) return v[1] end)
  for _, changed in ipairs(names) do
    for i = 2, 6 do
      add(function(name, v) return name == changed and v[i] or v[1] end)
    end
  end
  for i = 2, 4 do
    add(function(_, v) return v[i] or v[1] end)
  end
  return all
end

-- The shapes of all parameters as text; nil when the kernel refuses the size.
local function shapes(k, size)
  local ok, made = traced(k, size)
  local parts = {}
  for i, p in ipairs(ok and made.params or {}) do
    local d = {}
    for j, r in ipairs(p.shape or {}) do
      d[j] = r.text
    end
    parts[i] = table.concat(d, ",")
  end
  return ok and table.concat(parts, ";") or nil
end

-- Of a lazy function the sizes are those parameters that the shapes depend on.
local function sizes_of_lazy(k)
  local used, own = {}, shapes(k, {})
  for name, v in pairs(k.config) do
    if math.type(v) == "integer" and v > 0 then
      local other = shapes(k, {[name] = 2 * v}) or shapes(k, {[name] = v + 1})
      used[name] = other and other ~= own and v or nil
    end
  end
  return used
end

-- Does one of these dimensions speak of the symbol?
local function speaks(dims, name)
  for _, r in ipairs(dims or {}) do
    if not r.n and r.text:find("%f[%w_]" .. name .. "%f[^%w_]") then
      return true
    end
  end
  return false
end

-- Symbols of k that have their values at its launch, in order; scalars when a shape speaks of them.
local function run_time(k)
  local list = {table.unpack(k.dim_names)}
  for _, s in ipairs(k.inputs) do
    local var = s.kind == "scalar" and kernel.symbol(s)
    local shapes_it = false
    for _, p in ipairs(var and k.inputs or {}) do
      shapes_it = shapes_it or speaks(p.shape, s.name)
    end
    list[#list + 1] = shapes_it and s.name or nil
  end
  return list
end

-- Strides ----------------------------------------------------------------------------

-- The parameters with the variables of their symbols by name, as k has them, and as its function
-- has them, where constants are symbols too.
local function described(k)
  local function of(params, names, vars, consts)
    local symbols = {}
    for i, name in ipairs(names) do
      symbols[name] = vars[i]
    end
    for name, var in pairs(consts) do
      symbols[name] = var
    end
    return {params = params, vars = symbols}
  end
  local list = {of(k.inputs, k.dim_names, k.dim_vars, {})}
  for _, sig in pairs(k.jit and k.jit.sigs or {}) do
    if sig.consts then
      local names, vars = ir.dims(sig.P)
      list[#list + 1] = of(sig.params, names, vars, sig.consts)
    end
  end
  return list
end

-- Is the symbol nothing but a stride?
local function only_stride(d, name)
  local strides = false
  for _, p in ipairs(d.params) do
    if speaks(p.shape, name) then
      return false
    end
    strides = strides or speaks(p.strides, name)
  end
  return strides
end

-- Sets the strides of p that `size` does not name: the rows, `more` elements longer than they
-- have to be, behind each other.
local function set_strides(p, is, size, env, more)
  local below, extent = 1, 1
  for d = #p.shape, 1, -1 do
    local r, s = p.shape[d], p.strides[d]
    local name = s.var and is[s.var]
    if name then
      size[name] = math.max(size[name] or 0, (d == #p.shape and 1 or extent + more) * below)
      env[s.var] = size[name]
    end
    below, extent = s.n or ir.eval(s.e, env) or 0, r.n or ir.eval(r.e, env) or 0
  end
end

-- The names that are strides and nothing else, as a set; set(size, more) gives them values.
local function strides_of(k)
  local all, names = described(k), {}
  for _, d in ipairs(all) do
    d.is = {}
    for name, var in pairs(d.vars) do
      if only_stride(d, name) then
        names[name], d.is[var] = true, name
      end
    end
  end
  return names, function(size, more)
    for _, d in ipairs(all) do
      local env = {}
      for name, var in pairs(d.vars) do
        env[var] = size[name]
      end
      for _, p in ipairs(d.params) do
        if p.strides then
          set_strides(p, d.is, size, env, more)
        end
      end
    end
  end
end

local Apart = 8 -- elements between rows, of every other size

-- Sizes of k as a list of {name = value}: everything plain; each one's other
-- values with the rest plain; all of them a tile and one, uneven, 1.  A kernel
-- of fixed shapes has one, false: its own.
function M.list(k)
  if k.jit and not k.used then
    k.used = sizes_of_lazy(k)
  end
  local strides, set = strides_of(k)
  local names, list, own = constants(k, strides)
  if #names > 0 then
    accepted(k, names, list, own)
  end
  for _, name in ipairs(run_time(k)) do
    if not strides[name] then
      names[#names + 1] = name
      list[name] = values(k, tile_of_dim(k, name), true)
    end
  end
  if #names == 0 and not next(strides) then
    return {false}
  end
  local all = combined(names, list)
  if #names == 0 then
    all[2] = {}
  end
  for i, size in ipairs(all) do
    set(size, i % 2 == 0 and Apart or 0)
  end
  return all
end

-- "M = 65, N = 1"
function M.text(size)
  local names, parts = {}, {}
  for name in pairs(size) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    parts[i] = ("%s = %d"):format(name, size[name])
  end
  return table.concat(parts, ", ")
end

return M
