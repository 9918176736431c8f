-- layout_viz/tensor.lua: plot(t): a tensor as a heat map, as bars or a curve.
--
--   plot(tl.randn{64, 64})
--   plot(t, {rows = {0, 15}, cols = {0, 31}, values = true})    numbers in the cells
--   plot(t, {slice = {3}})                                      t[3, :, :] of three dimensions
--
-- A large tensor is drawn by the means of blocks, and the figure says so.  NaN and
-- infinity are marked wherever a cell holds one.  Colours run from the least to the
-- greatest mean, or both ways from 0 when the signs mix.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local scale = require "moontile.layout_viz.scale"
local stage = require "moontile.stage"
local stats = require "moontile.stats"
local tensor = require "moontile.tensor"
local viz = require "moontile.viz"
local W = require "moontile.base.translations"

local say = program.say

local MaxBars = 32        -- longer vectors are curves
local MaxPoints = 256     -- of a curve
local MaxValues = 1 << 14 -- cells with numbers

-- Parts of a tensor ---------------------------------------------------------------------

local function outside(name, dim, n)
  diag.fail("plot_slice", name, tostring(dim), tostring(n), tostring(n - 1))
end

-- The slice of the leading dimensions: a matrix or vector, and the indices.
local function slice_of(t, opts)
  local at = opts.slice or {}
  if type(at) == "number" then
    at = {at}
  elseif type(at) ~= "table" then
    diag.fail("arg_type", "plot", "slice", W"a table", describe(at),
      "plot(t, {slice = {3}})")
  end
  local lead = math.max(0, t.ndim - 2)
  if #at > lead then
    diag.fail("arg_value", "plot", "slice", ("0 .. %d"):format(lead), tostring(#at))
  end
  local idx = {}
  for d = 1, lead do
    local i = at[d] or 0
    if math.type(i) ~= "integer" or i < 0 or i >= t.shape[1] then
      outside(("slice = {%s}"):format(table.concat(at, ", ")), d - 1, t.shape[1])
    end
    idx[d] = i
    t = t[i]
  end
  return t, idx
end

-- The window that rows and cols ask for, and its first row and column.
local function window_of(t, opts)
  local rows, cols = opts.rows, opts.cols
  local n = t.ndim
  if rows and (n < 2 or rows[1] >= t.shape[1]) then
    outside(("rows = {%d, %d}"):format(rows[1], rows[2]), 0, n < 2 and 1 or t.shape[1])
  elseif cols and cols[1] >= t.shape[n] then
    outside(("cols = {%d, %d}"):format(cols[1], cols[2]), n - 1, t.shape[n])
  end
  local function slice(r, size)
    return r and stage.slice(r[1], math.min(r[2] + 1, size)) or stage.slice(0, size)
  end
  if n == 1 then
    return cols and t[slice(cols, t.shape[1])] or t, 0, cols and cols[1] or 0
  elseif rows or cols then
    t = t[{slice(rows, t.shape[1]), slice(cols, t.shape[2])}]
  end
  return t, rows and rows[1] or 0, cols and cols[1] or 0
end

-- Numbers ----------------------------------------------------------------------------------

local function number(v)
  if v ~= v then
    return "nan"
  elseif v == math.huge or v == -math.huge then
    return v > 0 and "inf" or "-inf"
  end
  return v == math.floor(v) and math.abs(v) < 1e15 and ("%d"):format(v) or ("%.4g"):format(v)
end

-- What the elements are like: one line.
local function facts_text(s)
  if not s.min then
    return s.count == 0 and say("no elements", "没有元素") or
      say("no finite element: %d NaN, %d infinite", "没有有限的元素：NaN %d 个，无穷 %d 个", s.nans, s.infs)
  end
  local text = say("min %s, max %s, mean %s", "最小 %s，最大 %s，平均 %s", number(s.min),
    number(s.max), number(s.average))
  if s.zeros > 0 then
    text = text .. say(", zeros %d (%.3g %%)", "，零 %d 个（%.3g %%）", s.zeros,
      100 * s.zeros / s.count)
  end
  if s.nans > 0 then
    text = text .. say(", NaN %d", "，NaN %d 个", s.nans)
  end
  if s.infs > 0 then
    text = text .. say(", infinite %d", "，无穷 %d 个", s.infs)
  end
  return text
end

-- Colours ------------------------------------------------------------------------------------

local ramp = ".,:-=+*#%@"
local positive, negative = "123456789", "abcdefghi"

-- The span of the cells' means: least, greatest; nil when there are none.
local function span_of(means)
  local lo, hi
  for _, v in ipairs(means) do
    if v then
      lo, hi = math.min(lo or v, v), math.max(hi or v, v)
    end
  end
  return lo, hi
end

-- value -> hue, tone, sign
local function heat(lo, hi)
  local width = hi > lo and hi - lo or 1
  return function(v)
    local part = (v - lo) / width
    local i = math.min(10, math.floor(part * 10) + 1)
    return viz.heat, math.floor(part * 255 + 0.5), ramp:sub(i, i)
  end
end

local function diverging(lo, hi)
  local most = math.max(-lo, hi)
  return function(v)
    local part = v / most
    local i = math.min(9, math.ceil(math.abs(part) * 9))
    local sign = i == 0 and "." or part > 0 and positive:sub(i, i) or negative:sub(i, i)
    return viz.diverging, math.floor(128 + 127 * part + 0.5), sign
  end
end

local function legend(f, lo, hi, s)
  local rows = {}
  if lo and lo < 0 and hi > 0 then
    local most = math.max(-lo, hi)
    rows = {{hue = viz.diverging, tone = 1, sign = "i", label = number(-most)},
      {hue = viz.diverging, tone = 64, sign = "e", label = number(-most / 2)},
      {hue = viz.diverging, tone = 128, sign = ".", label = "0"},
      {hue = viz.diverging, tone = 192, sign = "5", label = number(most / 2)},
      {hue = viz.diverging, tone = 255, sign = "9", label = number(most)}}
  elseif lo == hi and lo then
    rows = {{hue = viz.heat, tone = 0, sign = ".", label = number(lo)}}
  elseif lo then
    rows = {{hue = viz.heat, tone = 0, sign = ".", label = number(lo)},
      {hue = viz.heat, tone = 128, sign = "+", label = number((lo + hi) / 2)},
      {hue = viz.heat, tone = 255, sign = "@", label = number(hi)}}
  end
  if s.nans > 0 then
    rows[#rows + 1] = {hue = viz.bad, tone = 200, sign = "N", label = "NaN"}
  end
  if s.infs > 0 then
    rows[#rows + 1] = {hue = viz.warn, tone = 200, sign = "I", label = say("infinite", "无穷")}
  end
  if #rows > 0 then
    f:legend(rows)
  end
end

-- Drawing -----------------------------------------------------------------------------------

-- Numbers in the cells: short ones, by the digits that keep neighbours apart.
local function labels_of(means, s, inexact)
  local labels = {}
  for i, v in ipairs(means) do
    local text = v and number(v) or ""
    if s.nan[i] > 0 then
      text = v and inexact and text .. "?" or "nan"
    elseif s.inf[i] > 0 then
      text = v and inexact and text .. "!" or "inf"
    end
    labels[i] = text
  end
  return labels
end

local function heat_map(f, t, r0, c0, opts, style)
  local rows, cols = t.shape[1], t.shape[2]
  local high, wide = scale.cells(rows, cols, style, opts)
  if opts.values then
    high, wide = 1, 1
    if rows * cols > MaxValues then
      diag.fail("arg_value", "plot", "values", ("<= %d"):format(MaxValues), tostring(rows * cols))
    end
  end
  local s = stats.blocks(t, high, wide)
  local lo, hi = span_of(s.mean)
  local paint = lo and (lo < 0 and hi > 0 and diverging or heat)(lo, hi)
  local hues, tones, signs, n = {}, {}, {}, #s.mean
  for i = 1, n do
    local v = s.mean[i]
    if s.nan[i] > 0 then
      hues[i], tones[i], signs[i] = viz.bad, 200, "N"
    elseif s.inf[i] > 0 then
      hues[i], tones[i], signs[i] = viz.warn, 200, "I"
    else
      hues[i], tones[i], signs[i] = paint(v)
    end
  end
  local down, across = (rows + high - 1) // high, (cols + wide - 1) // wide
  local row_heads, col_heads = {}, {}
  for i = 1, down do
    row_heads[i] = tostring(r0 + (i - 1) * high)
  end
  for i = 1, across do
    col_heads[i] = tostring(c0 + (i - 1) * wide)
  end
  f:grid {rows = down, cols = across, hues = hues, tones = tones, signs = table.concat(signs),
    labels = opts.values and labels_of(s.mean, s, false) or nil, row_heads = row_heads,
    col_heads = col_heads}
  legend(f, lo, hi, s)
  local lines = {facts_text(s)}
  if high * wide > 1 then
    lines[2] = say(
      "a cell is the mean of %d x %d elements; plot(t, {rows = {0, 31}, cols = {0, 31}}) shows a part",
      "每格为 %d x %d 个元素的平均值；plot(t, {rows = {0, 31}, cols = {0, 31}}) 显示一部分", high, wide)
  end
  f:text(table.unpack(lines))
end

local function finite(v)
  return v and v == v and v ~= math.huge and v ~= -math.huge
end

-- A vector: bars, or a curve of the means of runs.
local function vector(f, t, c0)
  local n = t.shape[1]
  local wide = math.max(1, (n + MaxPoints - 1) // MaxPoints)
  local s = stats.blocks(t, 1, wide)
  if n <= MaxBars then
    local bars = {}
    for i = 1, n do
      local v = s.mean[i]
      local bad = s.nan[i] > 0 and "nan" or s.inf[i] > 0 and "inf"
      bars[i] = {label = tostring(c0 + i - 1), value = v or 0, text = bad or number(v),
        hue = bad and viz.bad or 0}
    end
    f:bars(bars)
  else
    local points = {}
    for i, v in ipairs(s.mean) do
      if finite(v) then
        points[#points + 1] = {c0 + (i - 1) * wide, v}
      end
    end
    if #points > 0 then
      f:curve {xlabel = say("index", "下标"), ylabel = "", lines = {{points = points}}}
    end
  end
  local lines = {facts_text(s)}
  if wide > 1 then
    lines[2] = say("a point is the mean of %d elements", "每点为 %d 个元素的平均值", wide)
  end
  f:text(table.unpack(lines))
end

local function figure(t, _, opts, style)
  if t:numel() == 0 then
    diag.fail("plot_empty", scale.type_text(t))
  end
  local whole = scale.type_text(t)
  local part, idx = slice_of(t, opts)
  local f = viz.figure(whole, opts.source or "plot(t)")
  if part.ndim == 0 then
    local v = part:item()
    f:text(type(v) == "boolean" and tostring(v) or number(v))
    return f
  end
  local r0, c0
  part, r0, c0 = window_of(part, opts)
  if #idx > 0 then
    f:text(say("slice [%s, :, :]; plot(t, {slice = {%s}}) shows another one",
      "切片 [%s, :, :]；plot(t, {slice = {%s}}) 显示另一个", table.concat(idx, ", "),
      table.concat(idx, ", ", 1, #idx - 1) .. (#idx > 1 and ", " or "") ..
        (idx[#idx] + 1 < t.shape[#idx] and idx[#idx] + 1 or 0)))
  end
  if part.ndim == 1 and not opts.values then
    vector(f, part, c0)
  else
    heat_map(f, part.ndim == 1 and part:reshape {1, part.shape[1]} or part, r0, c0, opts, style)
  end
  return f
end

plot.add {
  name = "tensor",
  summary = {en = "a tensor: plot(t), plot(got, want)", zh = "张量：plot(t)、plot(got, want)"},
  options = {"values", "slice"},
  is = function(v, what) return tensor.istensor(v) and what == nil end,
  figure = figure,
}
