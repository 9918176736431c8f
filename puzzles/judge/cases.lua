-- judge/cases.lua: on what a kernel is judged: sizes, shapes, inputs.
--
--   list = cases.list(p, part, {seed =, hidden = true})   -> {{size, stage, seed}, ..}
--   values = cases.inputs(p, part, case)                  -> arguments, x (by name)
--   less, more = cases.pair(p, part, name, elements, rng) two sizes that are too large to run
--
-- Sizes are small and awkward; hidden ones and all numbers come from the seed.  Inputs
-- are distinct numbers with edge values at random places.

local diag = require "moontile.diag"
local extent = require "moontile.puzzles.judge.extent"
local fields = require "moontile.puzzles.judge.fields"
local tensors = require "moontile.tl.tensor"
local puzzle = require "moontile.puzzles.judge.puzzle"
local types = require "moontile.base.types"

local M = {}

local Hidden = 3 -- cases
local Whole = 64 -- a multiple of the width of most tiles, or of half of it
local Asked = 2  -- more of them, where the goals are asked of some sizes only

-- Where the functions of somebody else's puzzles are.
local function foreign() return require "moontile.puzzles.judge.foreign" end

-- Random numbers of our own: a learner's file and the tensors use others.
-- Marsaglia's xorshift64*: period 2^64 - 1.
local function random(seed)
  local state = seed ~ 0x2545F4914F6CDD1D
  state = state == 0 and 1 or state
  return function(lo, hi)
    state = state ~ (state >> 12)
    state = state ~ (state << 25)
    state = state ~ (state >> 27)
    local r = (state * 0x2545F4914F6CDD1D) >> 11
    return lo + r % (hi - lo + 1)
  end
end
M.random = random

-- A seed that nobody could know before.
function M.fresh_seed()
  local f <close> = io.open("/dev/urandom", "rb")
  local bytes = f and f:read(7)
  return bytes and #bytes == 7 and (("<I7"):unpack(bytes)) >> 4 or os.time() * 1000 +
    math.floor(os.clock() * 1e6) % 1000
end

-- Sizes ----------------------------------------------------------------------------------

-- "M = 65, N = 1", in the order of their names
function M.text(size)
  local names, parts = {}, {}
  for name in pairs(size) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    parts[i] = ("%s = %s"):format(name, size[name])
  end
  return table.concat(parts, ", ")
end

local function sorted(t)
  local names = {}
  for name in pairs(t) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- One size of these ranges.  kind 1: anything; 2: uneven where it may be; 3: their ends.
local function draw(ranges, kind, rng)
  local size = {}
  for _, name in ipairs(sorted(ranges)) do
    local r = ranges[name]
    local step = r[3] or 1
    local lo, hi = (r[1] + step - 1) // step, r[2] // step
    local v = kind == 3 and (rng(0, 1) == 0 and lo or hi) or rng(lo, hi)
    if kind == 2 and step == 1 and v % 2 == 0 then
      v = v + (v < hi and 1 or v > lo and -1 or 0)
    end
    size[name] = v * step
  end
  return size
end

-- Are the goals of a part asked of this size?
local function asked(part, size)
  for name, r in pairs(part.asked or {}) do
    if size[name] < r[1] or size[name] > r[2] or size[name] % (r[3] or 1) ~= 0 then
      return false
    end
  end
  return true
end

-- How many of its numbers a visible size has.
local function shown(part, size)
  local n = 0
  for name, v in pairs(size) do
    for _, other in ipairs(part.visible) do
      if other[name] == v then
        n = n + 1
        break
      end
    end
  end
  return n
end

-- A size that the goals are asked of, with as few numbers that were shown as there can be: a
-- kernel may have learned one of them (`M == 64`), and not the size as a whole.
local function draw_asked(part, rng)
  local best, least
  for _ = 1, 50 do
    local size = draw(part.asked, 1, rng)
    local n = shown(part, size)
    if not least or n < least then
      best, least = size, n
    end
    if least == 0 then
      break
    end
  end
  return best
end

-- A size whose names but one are as small as they are drawn, and that one as given.
local function draw_single(part, name, value, rng)
  local size = {}
  for _, other in ipairs(sorted(part.hidden)) do
    local r = part.hidden[other]
    local step = r[3] or 1
    local lo = (r[1] + step - 1) // step
    size[other] = rng(lo, math.min(lo + 4, r[2] // step)) * step
  end
  size[name] = value
  return size
end

-- A size far beyond the range of one name: what counts tiles by a number that is enough for all the hidden
-- ones is found.  A little further each time, so that no number is the one that is asked.
local function draw_beyond(part, name, rng)
  local step = part.hidden[name][3] or 1
  local least = part.beyond[name] // step
  return draw_single(part, name, rng(least, least + least // 8) * step, rng)
end

-- A hidden case with `name` as large as given, or a little less, and all others small.
function M.single(part, name, value, rng)
  local step = part.hidden[name][3] or 1
  return {stage = "hidden", size = draw_single(part, name, value // step * step, rng), asked = false, beyond = true}
end

-- Cases of a part, the visible ones first.  A case: {stage, size, seed, number, asked = are the
-- goals asked of it?}.
function M.list(_, part, opts)
  local list = {}
  local function add(stage, size)
    list[#list + 1] = {stage = stage, size = size, number = #list + 1, asked = asked(part, size),
      seed = (opts.seed or 0) * 64 + #list}
  end
  for _, size in ipairs(part.visible) do
    add("visible", size)
  end
  if opts.hidden then
    local rng = random(opts.seed or 0)
    for kind = 1, Hidden do
      add("hidden", draw(part.hidden, kind, rng))
    end
    for _ = 1, part.asked and Asked or 0 do
      add("hidden", draw_asked(part, rng))
    end
    for _, name in ipairs(sorted(part.beyond or {})) do
      add("hidden", draw_beyond(part, name, rng))
      list[#list].asked, list[#list].beyond = false, true
    end
  end
  return list
end

-- Shapes ---------------------------------------------------------------------------------

-- An item of a shape: 3, "M", "K//2".
local function extent_of(p, item, size)
  local v = item
  if type(item) == "string" then
    v = extent.value(item, size)
  end
  if math.type(v) ~= "integer" or v < 0 then
    diag.fail("puzzle_shape", p.folder .. "/puzzle.lua", tostring(item), M.text(size))
  end
  return v
end

function M.shape(p, items, size)
  local shape = {}
  for i, item in ipairs(items) do
    shape[i] = extent_of(p, item, size)
  end
  return shape
end

-- Elements of the largest tensor of a part.
function M.largest(p, part, size)
  local most = 0
  for _, list in ipairs {part.inputs, part.outputs} do
    for _, v in ipairs(list) do
      local n = v.shape and 1 or 0
      for _, d in ipairs(v.shape and M.shape(p, v.shape, size) or {}) do
        n = n * d
      end
      most = math.max(most, n)
    end
  end
  return most
end

-- Two sizes, one twice the other along `name` and the same along all others, which are tiny, with tensors of
-- at most `elements`; nil: these would not be far beyond what is run.  Both are whole tiles: rows that begin
-- anywhere are moved in another way.
function M.pair(p, part, name, elements, rng)
  local step = (part.hidden[name][3] or 1) * Whole
  local more = draw_single(part, name, 2 * step, rng)
  while M.largest(p, part, more) <= elements // 2 do
    more[name] = more[name] * 2
  end
  if more[name] < 2 * part.beyond[name] then
    return nil
  end
  local less, half = {}, more[name] // (2 * step)
  for other, v in pairs(more) do
    less[other] = v
  end
  less[name] = rng(half - half // 4, half) * step
  more[name] = 2 * less[name]
  return less, more
end

-- Inputs ---------------------------------------------------------------------------------

local function isfloat(dtype)
  return types.info(dtype).class == "F"
end

-- Puts each edge value at a few random places.
local function mix(t, edge, rng)
  local n = t:numel()
  if n < 4 * #edge then -- a tensor of a few elements keeps its numbers
    return t
  end
  local flat = t:reshape {n}
  for _, v in ipairs(edge) do
    for _ = 1, 1 + n // 512 do
      flat[rng(0, n - 1)] = v
    end
  end
  return t
end

local fills = {
  normal = function(shape, dtype, factor)
    local t = tensors.randn(shape, factor and "float32" or dtype)
    return factor and (t * factor):to(dtype) or t
  end,
  uniform = function(shape, dtype) return tensors.rand(shape, dtype) end,
  int = function(shape, dtype, lo, hi) return tensors.randint(lo, hi + 1, shape, dtype) end,
  bytes = function(shape, dtype) return tensors.randint(0, 256, shape, dtype) end,
}

local function fill(p, input, case, rng)
  local shape, how = M.shape(p, input.shape, case.size), input.fill
  if type(how) == "function" then
    local t = how(shape, case.size, puzzle.environment().tl)
    if not (tensors.istensor(t) and t.dtype == input.dtype and
      table.concat(t.shape, ", ") == table.concat(shape, ", ")) then
      diag.fail("puzzle_field", p.folder .. "/puzzle.lua", input.name .. ".fill",
        tensors.istensor(t) and ("%s {%s}"):format(t.dtype, table.concat(t.shape, ", ")) or
        fields.describe(t), ("%s {%s}"):format(input.dtype, table.concat(shape, ", ")))
    end
    return input.edge and mix(t:contiguous(), input.edge, rng) or t:contiguous()
  end
  how = how or (isfloat(input.dtype) and "normal" or "bytes")
  local name = type(how) == "table" and how[1] or how
  if not fills[name] then
    diag.fail("puzzle_field", p.folder .. "/puzzle.lua", input.name .. ".fill", tostring(name),
      table.concat(sorted(fills), ", "))
  end
  local t = fills[name](shape, input.dtype, table.unpack(type(how) == "table" and how or {}, 2))
  return mix(t, input.edge or (isfloat(input.dtype) and {0, -0.0, 1, -1} or {}), rng)
end

-- The value of an input that is a scalar; nil: it is none.
function M.scalar(p, part, i, case)
  local input = part.inputs[i]
  if not input.scalar or type(input.value) ~= "function" then
    return input.scalar and input.value
  elseif p.foreign then
    return foreign().scalars(p, part, case)[i]
  end
  return input.value(case.size)
end

-- Are the inputs made without a function of the puzzle's?
local function plain(part)
  for _, input in ipairs(part.inputs) do
    if type(input.fill) == "function" or type(input.value) == "function" then
      return false
    end
  end
  return true
end

-- The arguments of a case, in order, and the same by name.  Large ones are too large to come
-- from another process.
function M.inputs(p, part, case)
  if p.foreign and not (case.stage == "large" and plain(part)) then
    return foreign().inputs(p, part, case)
  end
  local _ <close> = tensors.seeded(case.seed)
  local rng, values, x = random(case.seed + 1), {}, {}
  for i, input in ipairs(part.inputs) do
    local v
    if input.scalar then
      v = M.scalar(p, part, i, case)
    else
      v = fill(p, input, case, rng)
    end
    values[i], x[input.name] = v, v
  end
  return values, x
end

-- What the evaluator is asked to trace for a case; on a GPU's large sizes with large tiles.
function M.trace(p, part, case)
  local args, config = {}, {}
  for i, input in ipairs(part.inputs) do
    if input.scalar then
      args[i] = {scalar = input.scalar, value = M.scalar(p, part, i, case)}
    else
      args[i] = {shape = M.shape(p, input.shape, case.size), dtype = input.dtype}
    end
  end
  local other = case.stage == "large" and part.large_config or {}
  for _, pair in ipairs(part.config or {}) do
    config[pair[1]] = other[pair[1]] or pair[2]
  end
  return {kernel = part.name, args = args, config = config, sizes = case.size}
end

return M
