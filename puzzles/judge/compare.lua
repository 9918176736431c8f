-- judge/compare.lua: is a result right, and if not, what is it?
--
-- The limit of an element, against the float64 reference w, with s the sum of the absolute
-- terms behind it and n the roundings in the accumulator's type:
--
--     u(output) |w| + min(n, 6 + 4 sqrt n) u(acc) s + the least number of the output's type
--
-- u is half an ulp: the error of one rounding to nearest.  The first term is the store.
-- n u s bounds any order of summation (Higham, Accuracy and Stability of Numerical
-- Algorithms, 4.2); independent roundings grow like sqrt n, of which 4 deviations are
-- allowed, and 6 for sums too short for that.  A result that keeps another limit, with the
-- next lower type for the accumulator, is of weak precision, not wrong, if its errors look like
-- that type's roundings: the limit of a long sum leaves room for a whole tile that was missed.

local cases = require "moontile.puzzles.judge.cases"
local diag = require "moontile.diag"
local fields = require "moontile.puzzles.judge.fields"
local differences = require "moontile.layout_viz.differences"
local ref = require "moontile.tl.ref"
local core = require "moontile.ref"
local stats = require "moontile.stats"
local tensors = require "moontile.tl.tensor"

local M = {}

-- The accumulator that is one step weaker.
local lower = {float64 = "float32", float32 = "float16", tfloat32 = "bfloat16",
  float16 = "float8_e4m3fn", bfloat16 = "float8_e5m2", float22 = "float8_e4m3fn"}

-- What matrix units really sum in, where no tensor has the type: products of 8-bit floats on
-- Hopper and Ada keep 13 binary places, and cut what is behind: an error of a whole ulp.
local cut = {float22 = 2^-13}

-- The root mean square of the errors of one rounding, as a part of the largest: 1 / sqrt(3) where they are spread
-- evenly and the number is just above a power of 2, less above it; 0.39 is the most that a solution was seen to have.
local Usual = 0.45

-- Half an ulp of 1, the least number and the greatest.  float32's least is a normal one:
-- GPUs may flush the smaller ones.
local least = {float16 = 2^-24, bfloat16 = 2^-126, float32 = 2^-126, tfloat32 = 2^-126,
  float64 = 2^-1022, float8_e4m3fn = 2^-9, float8_e5m2 = 2^-16}

local function half_ulp(dtype)
  if cut[dtype] then
    return cut[dtype], math.huge
  end
  local _, _, class, _, max, eps = core.dtype(dtype)
  return class == "F" and eps / 2 or 0, class == "F" and max or math.huge
end
M.half_ulp = half_ulp

-- The rules of an output: {acc, steps, factor, lower}, or "exact".
local function rules_of(part, name)
  local r = part.precision
  if r == "exact" then
    return r
  end
  return r[name] or (r.acc or r.steps or r.factor or r.lower) and r or "exact"
end

-- How many roundings go into an element, and how many of them its limit allows in a row.
local function roundings(r, size)
  local steps = r.steps or 1
  if type(steps) == "function" then
    steps = steps(size)
  end
  return steps, math.min(steps, 6 + 4 * math.sqrt(steps))
end

-- Want in float64 and the limits of its elements, for accumulators of type acc.
local function limit_of(part, output, size, want, scale, acc)
  local r = rules_of(part, output.name)
  local u, most = half_ulp(output.dtype)
  if r == "exact" then
    return tensors.zeros(want.shape, "float64"), most
  end
  local _, n = roundings(r, size)
  local factor = r.factor or 1
  local base = ref.abs(want)
  local s = scale and ref.abs(scale) or base
  local limit = ref.add(ref.mul(base, factor * u),
    ref.mul(s, factor * n * half_ulp(acc or r.acc or "float32")))
  return ref.add(limit, least[output.dtype] or 0), most
end

-- How close, relatively, a wrong result comes to what it looks like ("twice what it should
-- be"): within what the puzzle allows a right one, but never so far that anything would do.
local function nearness(dtype, want, limit)
  local most = want:numel() > 0 and ref.max(ref.abs(want)) or 0
  local allowed = most > 0 and most < math.huge and ref.max(limit) / most or 0
  return math.max(4 * half_ulp(dtype), math.min(allowed, 2^-10))
end

-- The reference's results: {name -> {want, limit, weak (limits), most}}
function M.expected(p, part, case, x)
  if p.foreign then
    return require("moontile.puzzles.judge.foreign").expected(p, part, case)
  end
  local want, scale = part.reference(x, case.size)
  local list = {}
  for i, output in ipairs(part.outputs) do
    local w = type(want) == "table" and not tensors.istensor(want) and want[output.name]
    if not tensors.istensor(w) then
      diag.fail("puzzle_field", p.folder .. "/puzzle.lua", "reference()." .. output.name,
        fields.describe(w), "a tensor")
    end
    local shape = cases.shape(p, output.shape, case.size)
    w = w:to("float64"):contiguous()
    if table.concat(w.shape, ",") ~= table.concat(shape, ",") then
      diag.fail("puzzle_field", p.folder .. "/puzzle.lua", "reference()." .. output.name,
        "{" .. table.concat(w.shape, ", ") .. "}", "{" .. table.concat(shape, ", ") .. "}")
    end
    local s = scale and scale[output.name]
    s = s and s:to("float64"):contiguous()
    local r = rules_of(part, output.name)
    local limit, most = limit_of(part, output, case.size, w, s)
    local weak, usual
    if r ~= "exact" then
      local steps, allowed = roundings(r, case.size)
      usual = Usual * math.sqrt(steps) / allowed
      weak = limit_of(part, output, case.size, w, s,
        r.lower or lower[r.acc or "float32"] or "float16")
    end
    list[i] = {name = output.name, dtype = output.dtype, want = w, limit = limit, weak = weak, usual = usual,
      most = most, near = nearness(output.dtype, w, limit)}
  end
  return list
end

-- How large a part of its limit the worst element takes; NaN: one is not a number.
function M.worst(e, got)
  local _, facts = stats.settle(got, e.want, e.limit, e.most)
  return facts.worst
end

-- Are the errors those of roundings, and nothing else?  Roundings add up as a walk of random steps does; their
-- root mean square is then `usual` of the limit, whatever the number of elements.
local function like_roundings(e, got)
  local _, again = stats.settle(got, e.want, e.weak, e.most)
  if again.bad > 0 then
    return false
  end
  local part = ref.div(ref.abs(ref.sub(got:to "float64", e.want)), e.weak)
  return math.sqrt(ref.sum(ref.mul(part, part)) / part:numel()) <= e.usual
end

-- nil: right.  Otherwise {name, weak = bool, d = layout_viz/differences.lua's, settled,
-- want, at = {i, j} of the first bad element, got, wanted, limit (there), worst}
function M.judge(e, got)
  local settled, facts = stats.settle(got, e.want, e.limit, e.most)
  if facts.bad == 0 then
    return nil, facts.worst
  end
  local near = math.max(e.near, 2^-20)
  local d = differences.describe(settled, e.want, {rtol = 0, atol = 0, near = near})
  local weak = e.weak ~= nil and like_roundings(e, got)
  local at = d.first
  return {name = e.name, dtype = e.dtype, weak = weak, d = d, settled = settled, want = e.want, at = at,
    got = d.got, wanted = d.want, limit = e.limit[at], worst = facts.worst, bad = facts.bad,
    count = d.count}, facts.worst
end

return M
