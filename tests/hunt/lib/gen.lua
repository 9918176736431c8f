-- gen.lua: a random program from a seed.
--
-- A program is {bufs = {name -> {scope, dtype, shape, ...}}, params, outputs, inputs, kernels, dims}; a kernel is
-- {grid, blocks, threads, body}.  Programs are right by the contract by construction: tiles are written whole
-- before they are read, iterations of T.Parallel keep to elements of their own, blocks to regions of their own.
-- statements.lua makes the statements, expr.lua the values.
local Random = require "hunt.random"
local types = require "hunt.types"
local E = require "hunt.expr"
local statements = require "hunt.statements"
local ends = require "hunt.ends"
local notes = require "hunt.notes"
local M = {}

-- How often what is generated; a profile changes some of these.  0 is never.
local base = {
  statements = 9, depth = 2,
  par = 8, copy = 4, fill = 1, reduce = 2, scan = 1, transpose = 0.5, gemm = 1.5, atomic = 1,
  loop = 2.5, pipeline = 2, branch = 2, ["while"] = 0.5, var = 1.5, let = 0.7, macro = 0.5, view = 0.5, threads = 0.5,
  range = 0.3, sync = 0.4, feed = 1, ["local"] = 0.5, single = 0.5, grid = 0.3, assume = 0.3, say = 0.1,
  tested = 0.2,                         -- indices that are tested and stored over
  cut = 0.3,                            -- break and continue
  next = 0.1,                           -- continue of T.Parallel and of loops inside
  vector = 0.15,                        -- T.vectorized around stores
  cell = 0.1,                           -- variables of an iteration
  steps = 0.3,                          -- loops of iterations with steps, or ends that differ
  facts = 0.05,                         -- T.assume and device_assert of an iteration
  fetch = 0.02,                         -- atomics that give the element before
  sizes = 0.3,                          -- extents by the names of sizes
  peek = 0.05,                          -- elements of fragments outside of T.Parallel
  any = 0.03,                           -- conditions that look at tiles
  calls = 0.08,                         -- functions that are seldom called
  options = 0.1,                        -- options and annotations that must not change results
  safe = 0.1,                           -- annotate_safe_value
  gather = 0.4, outside = 0.5, narrow = 1, fragmap = 1, inner = 0.4, dynamic = 0.3, second = 0.15,
  pipeline_if = 0.4, pipeline_shared = 1, pipeline_reduce = 1, narrow_compare = 1, break_and = 1,
  types = {"int32", "float32", "float16", "int32", "float32", "int8", "uint8", "bfloat16", "int16", "uint16", "int64",
           "uint32", "bool"},
}

M.profiles = {
  all = {},
  -- one band at a time
  vector = {vector = 0.7, single = 3, par = 10, cell = 0.2, facts = 0.1},
  facts = {assume = 4, say = 0.5, facts = 0.3, cell = 0.3, steps = 0.8, inner = 0.8, any = 0.2, dynamic = 0.8},
  index = {gemm = 0, pipeline = 0, feed = 0, loop = 1, par = 12, fragmap = 1, narrow = 1},
  feed = {feed = 10, sync = 2, gemm = 2, par = 6, copy = 4, statements = 6},
  pipe = {pipeline = 8, par = 6, copy = 4, branch = 3, statements = 7},
  narrow = {gemm = 0, calls = 0.2, types = {"int8", "int16", "uint8", "uint16", "int8", "int16", "int32"}},
  flow = {loop = 6, branch = 6, ["while"] = 2, cut = 1, var = 4, pipeline = 1},
  tile = {reduce = 6, scan = 3, copy = 6, transpose = 2, gemm = 4, view = 2},
  thread = {threads = 4, range = 2, atomic = 2},
  tested = {tested = 8, par = 3, copy = 2, gemm = 0, pipeline = 0, feed = 0, statements = 6},
  gemm = {gemm = 8, pipeline = 4, types = {"float16", "float32", "bfloat16", "int8", "int32"}},
  deep = {narrow_compare = 0, break_and = 0, fragmap = 0, inner = 0, threads = 0},
  deeppipe = {narrow_compare = 0, break_and = 0, fragmap = 0, inner = 0, threads = 0, pipeline = 8, branch = 4, reduce = 0, scan = 0, statements = 6},
}

local Gen = {}
Gen.__index = Gen

function Gen:name(prefix)
  self.counters[prefix] = (self.counters[prefix] or 0) + 1
  return prefix .. self.counters[prefix]
end

-- Bounds that values of a tile keep to.
function Gen:cap(dtype)
  local t = types.of[dtype]
  if t.kind == "float" then return -t.cap + 0.0, t.cap + 0.0 end
  if t.kind == "bool" then return 0, 1 end
  return t.lo, t.hi
end

function Gen:buffer(scope, dtype, shape, fields)
  local prefix = ({global = "X", shared = "s", fragment = "f", ["local"] = "l"})[scope]
  local b = fields or {}
  b.name = b.name or self:name(prefix)
  b.scope, b.dtype, b.shape = scope, dtype, shape
  if not b.lo then b.lo, b.hi = self:cap(dtype) end
  self.program.bufs[b.name] = b
  return b
end

-- A tile of this kernel, not written yet.  It stands at the kernel's head, or here.
function Gen:tile(scope, dtype, shape, fields)
  local b = self:buffer(scope, dtype, shape, fields)
  table.insert(self.head, {k = "alloc", buf = b.name})
  self.reading[#self.reading + 1] = b
  self.tiles[#self.tiles + 1] = b
  return b
end

local function count(shape)
  local n = 1
  for _, m in ipairs(shape) do n = n * m end
  return n
end

local function contents(r, b)
  local t, list = types.of[b.dtype], {}
  local small = r:chance(0.5)
  for i = 1, count(b.shape) do
    if t.kind == "bool" then
      list[i] = r:chance(0.5)
    elseif t.kind == "float" then
      local m = b.top or (small and 4 or t.cap)
      list[i] = r:int(-m, m) + 0.0
    elseif small or r:chance(0.8) then
      list[i] = r:int(t.signed and -20 or 0, 40)
    else
      list[i] = t.wrap(r:bits())
    end
  end
  return list
end

-- The bounds of what is read of an input: its numbers, and 0 outside.
local function known(list, b)
  if b.dtype == "bool" then return nil end
  local lo, hi = types.zero(b.dtype), types.zero(b.dtype)
  for _, v in ipairs(list) do lo, hi = math.min(lo, v), math.max(hi, v) end
  return {lo = lo, hi = hi}
end

-- A tensor parameter with contents.  A dimension may go by a name that the kernel learns when it is called.
function Gen:input(dtype, shape, fields)
  local b = self:buffer("global", dtype, shape, fields)
  b.init = true
  local p = self.program
  p.params[#p.params + 1] = b.name
  p.inputs[b.name] = contents(self.r, b)
  b.known = known(p.inputs[b.name], b)
  if self.r:chance(self.profile.dynamic) then
    b.dims = {}
    for d, n in ipairs(shape) do
      if self.r:chance(0.7) then
        local name = self:name "n"
        b.dims[d] = name
        p.dims[name] = n
        p.dim_order[#p.dim_order + 1] = name
        p.dim_kind[name] = self.r:of {"const", "dynamic"}
      end
    end
    if not next(b.dims) then b.dims = nil end
  end
  self.inputs[#self.inputs + 1] = b
  return b
end

function Gen:may_read(b)
  if b.atomic then return false end
  if b.per_thread then return self.par == "threads" end
  if not self.par then return b.scope ~= "fragment" or self.r:chance(self.profile.peek) end
  return b.scope ~= "local" and not (self.par == "threads" and b.scope == "fragment")
end

function Gen:push(var)
  self.vars[#self.vars + 1] = var
end

-- Runs f with what it declares forgotten again behind it.
function Gen:scope(f)
  local n = #self.vars
  f()
  for i = #self.vars, n + 1, -1 do self.vars[i] = nil end
end

-- Runs f; what it initialises counts behind it only if `certain`.
function Gen:maybe(certain, f)
  local was = {}
  for name, b in pairs(self.program.bufs) do was[name] = b.init or false end
  f()
  if not certain then
    for name, b in pairs(self.program.bufs) do
      if b.scope ~= "global" then b.init = was[name] or false end
    end
  end
end

-- A list of statements.
function Gen:block(n)
  local out = {}
  self:scope(function()
    for _ = 1, n do statements.one(self, out) end
  end)
  return out
end

-- The kernel writes what it has made of its tiles, each block a part of its own.
function Gen:finish(kernel)
  local r, p = self.r, self.program
  local made = {}
  for _, b in ipairs(self.tiles) do
    if b.init and (b.scope == "shared" or b.scope == "fragment") then made[#made + 1] = b end
  end
  if #made == 0 then
    local b = self:tile("fragment", "int32", {8})
    kernel.body[#kernel.body + 1] = {k = "fill", dst = {buf = b.name}, e = E.lit(1)}
    made[1] = b
  end
  r:shuffle(made)
  for i = 1, math.min(#made, 4) do
    ends.output(self, kernel, made[i])
  end
  if #self.scalars > 0 then ends.scalars(self, kernel) end
  for _, name in ipairs(self.results) do p.outputs[#p.outputs + 1] = name end
end

local function kernel(self)
  local r, p = self.r, self.program
  local grid, blocks = {}, {}
  for d = 1, r:of {1, 1, 2, 2, 3} do
    grid[d] = r:of {1, 1, 2, 2, 3}
    if d > 1 then grid[d] = r:of {1, 2} end
    blocks[d] = ({"bx", "by", "bz"})[d] .. (#p.kernels > 0 and #p.kernels + 1 or "")
  end
  local k = {grid = grid, blocks = blocks, threads = r:of {32, 64, 64, 128, 128, 128, 256}, body = {}}
  p.kernels[#p.kernels + 1] = k
  self.kernel, self.vars, self.reading, self.tiles, self.head = k, {}, {}, {}, {}
  self.scalars, self.results, self.loops, self.depth, self.nesting = {}, {}, {}, 0, 0
  for d, name in ipairs(blocks) do
    self:push {name = name, t = "int32", lo = 0, hi = grid[d] - 1, block = true}
  end
  self.tile_shape = {r:of {2, 4, 4, 8, 8, 16}, r:of {4, 8, 8, 16, 16, 32}, r:of {8, 8, 16, 32}}
  if r:chance(0.15) then self.tile_shape[r:int(1, 2)] = r:of {3, 5, 12, 20, 24, 33} end
  self.value_types = {}
  for i = 1, r:int(2, 4) do self.value_types[i] = r:of(self.profile.types) end
  for _ = 1, r:int(2, 3) do ends.input(self) end
  notes.kernel(self)
  for _, b in ipairs(self.inputs) do self.reading[#self.reading + 1] = b end
  local n = math.max(2, self.profile.statements // 1 + r:int(-4, 4))
  self.body = k.body
  statements.first(self, k.body)
  for _ = 1, n do statements.one(self, k.body) end
  self:finish(k)
  notes.tiles(self)
  table.move(k.body, 1, #k.body, #self.head + 1)
  for i, s in ipairs(self.head) do k.body[i] = s end
  -- what this kernel has written, the next one reads
  for _, name in ipairs(self.results) do
    local b = p.bufs[name]
    if not b.atomic then
      b.init = true
      self.inputs[#self.inputs + 1] = b
    end
  end
end

-- The program of a seed.  `changed` are weights that differ from the profile's.
function M.program(seed, profile, changed)
  local weights = setmetatable(M.profiles[profile or "all"] or error("no profile " .. profile), {__index = base})
  if changed then weights = setmetatable(changed, {__index = weights}) end
  local self = setmetatable({r = Random.new(seed), profile = weights, counters = {}, inputs = {}}, Gen)
  self.program = {seed = seed, exact = true, bufs = {}, params = {}, outputs = {}, inputs = {}, kernels = {},
                  dims = {}, dim_order = {}, dim_kind = {}}
  kernel(self)
  if self.r:chance(weights.second) then kernel(self) end
  return self.program
end

return M
