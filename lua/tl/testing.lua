-- moontile.tl.testing: is a result what it should be, and if not, where not.
--
--   tl.testing.assert_close(c, tl.ref.matmul(a, b))
--   tl.testing.assert_close(c, want, {rtol = 1e-2, atol = 1e-2})
--
-- A failure names the first bad element, counts, gives the greatest
-- differences, draws where the errors are, and says so when their place has a
-- well-known form, such as the last column of every tile.

local tensor = require "moontile.tensor"
local rules = require("moontile.tl.tensor").rules
local ref = require "moontile.ref"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"

local M = {doc = {}}

-- rtol and atol by the dtype of what is tested.  float16, bfloat16, float32
-- and float64 as in PyTorch; the other floats by their spacing; integers exact.
M.tolerance = {
  float64 = {1e-7, 1e-7},
  float32 = {1.3e-6, 1e-5},
  tfloat32 = {1e-3, 1e-5},
  float16 = {1e-3, 1e-5},
  bfloat16 = {1.6e-2, 1e-5},
  float8_e4m3fn = {0.125, 2 ^ -9},
  float8_e5m2 = {0.25, 2 ^ -16},
}

local known = {rtol = true, atol = true, msg = true}

-- What assert_close refused last is in M.failed, {actual, expected, rtol, atol}, for
-- plot(tl.testing.failed); unless both are larger than this, in bytes.
local most_kept = 64 << 20

-- The looser of the two dtypes decides.
local function tolerances(a, e, rtol, atol)
  local x, y = M.tolerance[a.dtype] or {0, 0}, M.tolerance[e.dtype] or {0, 0}
  if e.dtype:find("int") or y[1] < x[1] then y = x end
  return rtol or y[1], atol or y[2]
end

-- Anything that can stand for a tensor: a tensor, a number, nested tables.
local function operand(x, which, like)
  if tensor.istensor(x) then return x end
  if type(x) ~= "table" and type(x) ~= "number" then
    rules.wrong(which, "tensor", x)
  end
  local t = tensor.from_table(x, "float64")
  return t.ndim == 0 and like and t:expand(like.shape) or t
end

-- close(actual, expected, rtol, atol): true, or false and what the comparison
-- found, with .rtol and .atol; nothing is compared when the shapes differ, nor
-- under `moontile compile`, where results read as zeros
local function close(actual, expected, rtol, atol)
  local a = operand(actual, "actual")
  local e = operand(expected, "expected", a)
  if rules.shape_text(a) ~= rules.shape_text(e) then
    return false, nil, a, e
  elseif device.emit then
    return true
  end
  rtol, atol = tolerances(a, e, rtol, atol)
  for name, v in pairs {rtol = rtol, atol = atol} do
    if type(v) ~= "number" then
      rules.wrong(name, "number", v)
    end
  end
  local c = ref.compare(a, e, rtol, atol)
  c.rtol, c.atol = rtol, atol
  return c.bad == 0, c, a, e
end

M.doc.allclose = {
  sig = "allclose(a, b, rtol, atol)",
  summary = "whether |a - b| <= atol + rtol |b| for every element; NaN never is",
  summary_zh = "是否每个元素都满足 |a - b| <= atol + rtol |b|；NaN 总是不满足",
  example = "print(tl.testing.allclose(c, want, 1e-2, 1e-2))",
}
function M.allclose(a, b, rtol, atol)
  if type(rtol) == "table" then
    local o = rules.options("tl.allclose", rtol, known)
    rtol, atol = o.rtol, o.atol
  end
  return (close(a, b, rtol, atol))
end

-- Reporting ------------------------------------------------------------------------

local function number(v)
  return math.type(v) == "integer" and tostring(v) or ("%.6g"):format(v)
end

local function place(at)
  return "[" .. table.concat(at, ", ") .. "]"
end

-- The value of a float in its own digits, so that float16 0.1 reads 0.1.
local function element(t, v)
  local whole = math.tointeger(v)
  if whole and not t.dtype:find("float") then return tostring(whole) end
  local size = math.abs(v)
  local text, exponent = ref.decimal(v, t.dtype, size >= 1e6 or (size > 0 and size < 1e-4), 8)
  text = text:gsub("%.$", "")
  return exponent and ("%se%d"):format(text, exponent) or text
end

-- Pattern -> the note's id and its arguments.
local patterns = {
  zeros = function() return "close_zeros" end,
  transposed = function() return "close_transposed" end,
  scaled = function(c) return "close_scaled", number(c.factor) end,
  lastcol = function(c) return "close_lastcol", c.p[1] end,
  lastrow = function(c) return "close_lastrow", c.p[1] end,
  firstblock = function(c) return "close_firstblock", c.p[1] .. " x " .. c.p[2] end,
  everyrow = function(c) return "close_everyrow", c.p[1], c.p[2], c.p[3] end,
  everycol = function(c) return "close_everycol", c.p[1], c.p[2], c.p[3] end,
  tailrow = function(c) return "close_tail", c.p[1], 0 end,
  tailcol = function(c, t) return "close_tail", c.p[1], t.ndim - 1 end,
}

local function note(d, id, ...)
  diag.note(d, id, nil, nil, nil, ...)
end

-- text: a note in front of the others
local function report(c, a, e, text)
  local d = diag.make("close_values", place(c.first), element(a, c.got), element(e, c.want))
  if text then
    note(d, "close_torch", text)
  end
  note(d, "close_count", c.bad, c.count, ("%.3g"):format(100 * c.bad / c.count),
    number(c.rtol), number(c.atol))
  if c.maxabs > 0 then
    note(d, "close_worst", number(c.maxabs), place(c.abs_at), number(c.maxrel),
      place(c.rel_at))
  end
  if c.nan > 0 then
    note(d, "close_nan", c.nan)
  end
  if c.count >= 16 and c.map:find(".", 1, true) then
    local size = a.ndim < 2 and tostring(c.cell_cols) or c.cell_rows .. " x " .. c.cell_cols
    note(d, "close_map", size, c.map)
  end
  local pattern = patterns[c.pattern]
  if pattern then
    note(d, pattern(c, a))
  end
  return d
end

-- a and e with 0 where both are NaN.
function rules.without_shared_nan(a, e)
  if not (a.dtype:find "float" and e.dtype:find "float") then
    return a, e
  end
  local rows = require("moontile.tl.host.registry").rows
  local both = rows.logical_and.fn(rows.isnan.fn(a), rows.isnan.fn(e))
  if not rows.any.fn(both):item() then
    return a, e
  end
  return rows.masked_fill.fn(a, both, 0), rows.masked_fill.fn(e, both, 0)
end

M.doc["testing.assert_close"] = {
  sig = "testing.assert_close(actual, expected, {rtol, atol})",
  summary = "an error that shows where actual is not close to expected; the tolerances are "
    .. "those of the dtypes unless given",
  summary_zh = "actual 与 expected 不够接近时报错，并画出误差所在；省略容差时按 dtype 取值",
  example = "tl.testing.assert_close(c, tl.ref.matmul(a, b), {rtol = 1e-2, atol = 1e-2})",
  see = {"tl.allclose", "kernel:check"},
}
-- TileLang's comparison: a share of the elements may differ.  o: rtol (1e-2), atol (1e-3), ratio (1e-3),
-- verbose, a function that gets a text; NaN in both is equal unless o.equal_nan is false, dtypes are
-- those of the other unless o.check_dtype is false.  A note says how many of these few there are.
function rules.mostly_close(actual, expected, o)
  local a, e = operand(actual, "actual"), operand(expected, "expected")
  if rules.shape_text(a) ~= rules.shape_text(e) then
    diag.fail("close_shape", rules.shape_text(a), rules.shape_text(e))
  elseif o.check_dtype ~= false and a.dtype ~= e.dtype then
    diag.fail("close_dtype", a.dtype, e.dtype)
  elseif device.emit then
    return
  end
  local rtol, atol, ratio = o.rtol or 1e-2, o.atol or 1e-3, o.ratio or 1e-3
  if o.equal_nan ~= false then
    a, e = rules.without_shared_nan(a, e)
  end
  local c = ref.compare(a, e, rtol, atol)
  c.rtol, c.atol = rtol, atol
  local allowed = math.floor(c.count * ratio)
  if o.verbose then
    o.verbose(("Number of mismatched elements: %d / %d (allowed: %d)"):format(c.bad, c.count, allowed))
  end
  if c.bad > allowed then
    M.failed = a:nbytes() + e:nbytes() <= most_kept and {actual = a, expected = e, rtol = rtol, atol = atol} or nil
    error(report(c, a, e, ("Too many mismatched elements: %d > %d (%.2f%% allowed, but get %.2f%%)."):format(c.bad, allowed,
      ratio * 100, c.bad / c.count * 100)), 0)
  elseif c.bad > 0 then
    io.stderr:write(tostring(diag.make("close_few", c.bad, c.count, number(ratio), number(c.maxabs))), "\n")
  end
end

-- Raises with the report on a and e, of one shape, unless they are close; summary(a, c, rtol, atol)
-- is a text that comes first, msg another in its place.
function rules.refuse_close(a, e, rtol, atol, msg, summary)
  local c = not device.emit and ref.compare(a, e, rtol, atol)
  if not c or c.bad == 0 then return end
  c.rtol, c.atol = rtol, atol
  M.failed = a:nbytes() + e:nbytes() <= most_kept and
    {actual = a, expected = e, rtol = rtol, atol = atol} or nil
  local text = summary(a, c, rtol, atol, e)
  error(report(c, a, e, type(msg) == "function" and msg(text) or msg or text), 0)
end

function M.assert_close(actual, expected, opts, atol)
  local o = type(opts) == "number" and {rtol = opts, atol = atol}
    or rules.options("tl.testing.assert_close", opts, known)
  local ok, c, a, e = close(actual, expected, o.rtol, o.atol)
  if ok then return end
  if not c then
    diag.fail("close_shape", rules.shape_text(a), rules.shape_text(e))
  end
  M.failed = a:nbytes() + e:nbytes() <= most_kept and
    {actual = a, expected = e, rtol = c.rtol, atol = c.atol} or nil
  error(report(c, a, e), 0)
end

return M
