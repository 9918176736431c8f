-- tl/guard.lua: memory for kernels that are not trusted: outputs start as poison, every
-- tensor lies between two guard bands of poison, and a wrong element is followed to the
-- thread that wrote it.  For k:check() and the judge of the puzzles.
--
--   local alloc, bands = guard.guarded()
--   k:launch(values, #values, alloc, print)
--   local which, at = guard.touched(bands)

local stage = require "moontile.stage"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local Band = 64 -- elements of a guard band, on either side

-- What a tensor of this dtype holds before anybody writes to it.
function M.poison(dtype)
  local of = types.info(dtype)
  local c, bits = of.class, of.bits < 8 and 0x5 or 0x5A
  return c == "F" and 0 / 0 or c == "B" and true or c == "U" and bits or -bits
end

local function count(shape)
  local n = 1
  for _, d in ipairs(shape) do
    n = n * d
  end
  return n
end

-- An allocator of poisoned tensors, alloc(shape, dtype), and what remembers their bands.
function M.guarded()
  local bands = {}
  return function(shape, dtype)
    local n = count(shape)
    local t = tensor.new({n + 2 * Band}, dtype):fill_(M.poison(dtype))
    bands[#bands + 1] = {t, n}
    return t[stage.slice(Band, Band + n)]:reshape(shape)
  end, bands
end

-- Is v what was there before?
local function poisoned(v, p)
  return v == p or (v ~= v and p ~= p)
end

-- Which band was overwritten, counted as they were allocated, and at which element
-- from the first; or nil.
function M.touched(bands)
  for k, b in ipairs(bands) do
    local t, n = b[1], b[2]
    local p = M.poison(t.dtype)
    for i = 0, Band - 1 do
      if not poisoned(t[i], p) then
        return k, i - Band
      elseif not poisoned(t[Band + n + i], p) then
        return k, n + i
      end
    end
  end
end

-- The element at {3, 5} of a tensor of this shape, counted from its first.
function M.flat(at, shape)
  local n = 0
  for d, v in ipairs(at) do
    n = n * shape[d] + v
  end
  return n
end

-- Who wrote element `at` of buffer `name` of k, a kernel of the simulator: run(k, print)
-- runs it once more.  -> {line, col, file, thread, block}; "nobody"; nil: not known
function M.writer(k, name, t, at, run)
  local ok, again = pcall(k.retarget, k, ("%s -keep -who=%s:%d"):format(k.target, name,
    M.flat(at, t.shape)))
  if not ok then
    return
  end
  local said = {}
  run(again, function(s) said[#said + 1] = s end)
  local text = table.concat(said)
  local line, col, thread, block, file = text:match "@who (%d+) (%d+) (%d+) (%b()) ([^\n]*)"
  if line then
    return {line = tonumber(line), col = tonumber(col), file = file, thread = tonumber(thread),
      block = block}
  end
  return text:find("@who 0", 1, true) and "nobody" or nil
end

return M
