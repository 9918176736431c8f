-- layout_viz/modes.lua: the modes of a layout as tables.
--
--   view = "modes"   each bit of lane, warp, register or offset: the index bit that stands
--                     there, "j3^i0" where an XOR joins two; and each index bit's place.
--                     Modes that are no powers of two: i/16:3 is the mode (i // 16) % 3
--   view = "f2"       the same as a matrix over bits: rows places, columns index bits

local diag = require "moontile.diag"
local object = require "moontile.layout.algebra"
local term = require "moontile.term"
local viz = require "moontile.viz"
local window = require "moontile.layout_viz.window"

local log2 = object.log2
local say = window.say

local M = {}

local order = {"lane", "warp", "reg", "off"}
local axis_names = {
  lane = {"lane", "通道"}, warp = {"warp", "warp"}, reg = {"register", "寄存器"}, off = {"offset", "偏移"},
}
local hue_of = {lane = 0, warp = 1, reg = 2, off = 3}

local function axis_name(axis)
  return say(table.unpack(axis_names[axis]))
end

local function letter(dim)
  return window.letter(dim + 1)
end

-- Modes of each axis, low strides first.
local function by_axis(map)
  local axes = {}
  for _, g in ipairs(map:modes()) do
    axes[g.axis] = axes[g.axis] or {}
    table.insert(axes[g.axis], g)
  end
  for _, list in pairs(axes) do
    table.sort(list, function(a, b) return a.stride < b.stride end)
  end
  return axes
end

local function powers(g)
  return log2(g.extent) and log2(g.stride) and (not g.dim or log2(g.weight))
end

-- Does each place of an axis have a bit for itself?  Only the topmost mode may be of
-- another size.
local function bitwise(list)
  for i, g in ipairs(list) do
    if not powers(g) and (i < #list or not log2(g.stride)) then
      return false
    end
  end
  return true
end

local function digit_name(g)
  return ("%s/%d:%d"):format(letter(g.dim), g.weight, g.extent)
end

-- Bits of an axis: position -> the index bit there, "*" a copy, "i/16:3" a whole mode.
local function bits_of(list)
  local bits, top = {}, 0
  for _, g in ipairs(list) do
    local s = log2(g.stride)
    for k = 0, powers(g) and log2(g.extent) - 1 or 0 do
      bits[s + k] = not g.dim and {name = "*"} or
        powers(g) and {dim = g.dim, bit = log2(g.weight) + k,
          name = letter(g.dim) .. log2(g.weight) + k} or {name = digit_name(g)}
      top = math.max(top, s + k + 1)
    end
  end
  return bits, top
end

-- The XOR as pairs target -> source of bits of the offset.
local function xors(map)
  local x, of = map:info().xor, {}
  for k = 0, x and x[1] - 1 or -1 do
    of[x[2] + k] = x[2] + x[3] + k
  end
  return of
end

-- Rows of the table of places: axis, then a column a bit, from bit 0.
local function place_rows(map, axes)
  local rows, tints, most = {}, {}, 0
  local x = xors(map)
  for _, axis in ipairs(order) do
    if axes[axis] and bitwise(axes[axis]) then
      local bits, top = bits_of(axes[axis])
      local row = {axis_name(axis)}
      for b = 0, top - 1 do
        local text = bits[b] and bits[b].name or "-"
        if axis == "off" and x[b] and bits[x[b]] then
          text = text .. "^" .. bits[x[b]].name
        end
        row[b + 2] = text
      end
      rows[#rows + 1], tints[#tints + 1] = row, hue_of[axis]
      most = math.max(most, top)
    end
  end
  return rows, tints, most
end

-- Modes of the other axes: "i/16:3 x 4" says that (i // 16) % 3 counts 4 each.
local function digit_rows(axes)
  local rows, tints, most = {}, {}, 0
  for _, axis in ipairs(order) do
    if axes[axis] and not bitwise(axes[axis]) then
      local row = {axis_name(axis)}
      for i, g in ipairs(axes[axis]) do
        row[i + 1] = ("%s x %d"):format(g.dim and digit_name(g) or "*:" .. g.extent, g.stride)
        most = math.max(most, i)
      end
      rows[#rows + 1], tints[#tints + 1] = row, hue_of[axis]
    end
  end
  return rows, tints, most
end

local function fill(rows, n)
  for _, row in ipairs(rows) do
    for c = #row + 1, n do
      row[c] = ""
    end
  end
  return rows
end

-- A table in pieces of so many columns as fit.
local function pieces(f, head, rows, tints, style)
  local n = #head
  local wide = {}
  for c = 1, n do
    wide[c] = term.width(head[c])
    for _, row in ipairs(rows) do
      wide[c] = math.max(wide[c], term.width(row[c]))
    end
  end
  local from = 2
  while from <= n do
    local to, used = from, wide[1] + 2 + wide[from]
    while to < n and used + 2 + wide[to + 1] <= style.width - 1 do
      to = to + 1
      used = used + 2 + wide[to]
    end
    local h, part = {head[1], table.unpack(head, from, to)}, {}
    for r, row in ipairs(rows) do
      part[r] = {row[1], table.unpack(row, from, to)}
    end
    f:table {head = h, rows = part, tints = tints, align = ("l"):rep(#h)}
    from = to + 1
  end
end

-- Where each index bit stands: dimension, then a column a bit.  Dimensions with other
-- modes are left out: skipped[d].
local function index_rows(l, map)
  local rows, most, where, skipped = {}, 0, {}, {}
  local into = {} -- bit of the offset -> the bit that an XOR joins it to
  for target, source in pairs(xors(map)) do
    into[source] = target
  end
  for _, g in ipairs(map:modes()) do
    if g.dim and not powers(g) then
      skipped[g.dim] = true
    elseif g.dim then
      where[g.dim] = where[g.dim] or {}
      for k = 0, log2(g.extent) - 1 do
        local at = log2(g.stride) + k
        local text = ("%s %d"):format(axis_name(g.axis), at)
        if g.axis == "off" and into[at] then
          text = text .. "^" .. into[at]
        end
        where[g.dim][log2(g.weight) + k] = text
      end
    end
  end
  for d = 0, #l.shape - 1 do
    local row, n = {letter(d)}, 0
    for b in pairs(where[d] or {}) do
      n = math.max(n, b + 1)
    end
    for b = 0, n - 1 do
      row[b + 2] = where[d][b] or "-"
    end
    if n > 0 and not skipped[d] then
      rows[#rows + 1] = row
      most = math.max(most, n)
    end
  end
  return rows, most, skipped
end

local function heads(first, n, name)
  local t = {first}
  for b = 0, n - 1 do
    t[b + 2] = name and name .. b or tostring(b)
  end
  return t
end

-- "lane = (i % 8) * 4 + ..": what the user could write
local function formulas(l)
  local f = l:get_forward_index()
  if l.thread then
    return {say("thread = %s", "线程 = %s", f[1]), say("register = %s", "寄存器 = %s", f[2])}
  end
  return {say("offset = %s", "偏移 = %s", f[1])}
end

function M.table(l, opts, style)
  local map = object.need(l, tostring(l))
  local axes = by_axis(map)
  local f = viz.figure(say("%s: modes", "%s：mode", window.title(l)), window.source(l, opts))
  local rows, tints, most = place_rows(map, axes)
  if #rows > 0 then
    pieces(f, heads(say("bit", "位"), most), fill(rows, most + 1), tints, style)
  end
  rows, tints, most = digit_rows(axes)
  if #rows > 0 then
    pieces(f, heads(say("place", "位置"), most, say("mode ", "mode ")), fill(rows, most + 1), tints,
      style)
  end
  rows, most = index_rows(l, map)
  if #rows > 0 then
    pieces(f, heads(say("index", "下标"), most), fill(rows, most + 1), nil, style)
  end
  local lines, text = formulas(l), map:text()
  if text:find "bcast" then
    lines[#lines + 1] = say("*: copies, whatever the index is", "*：副本，与下标无关")
  end
  for _, g in ipairs(map:modes()) do
    if not powers(g) and g.dim then
      lines[#lines + 1] = say("%s is the mode (%s // %d) %% %d", "%s 表示 mode (%s // %d) %% %d",
        digit_name(g), letter(g.dim), g.weight, g.extent)
      break
    end
  end
  lines[#lines + 1] = text
  f:text(table.unpack(lines))
  return f
end

-- Columns of the matrix: index bits, without the dimensions that stand still.  Where the
-- bits of each dimension begin, how many columns, their names.
local function matrix_columns(l, map, skipped)
  local width, at, n, names = {}, {}, 0, {}
  for _, g in ipairs(map:modes()) do
    if g.dim and not skipped[g.dim] then
      width[g.dim] = math.max(width[g.dim] or 0, log2(g.weight * g.extent))
    end
  end
  for d = 0, #l.shape - 1 do
    at[d] = n
    for b = 0, (width[d] or 0) - 1 do
      n = n + 1
      names[n] = letter(d) .. b
    end
  end
  return at, n, names
end

-- The rows: hues[k] of the ones; heads; how many.
local function matrix_rows(map, axes, at, cols, skipped)
  local hues, left, n, x = {}, {}, 0, xors(map)
  for _, axis in ipairs(order) do
    local bits, top = bits_of(axes[axis] or {})
    local function set(e, hue)
      if e and e.dim and not skipped[e.dim] then
        hues[(n - 1) * cols + at[e.dim] + e.bit + 1] = hue
      end
    end
    for b = 0, top - 1 do
      n = n + 1
      left[n] = ("%s %d"):format(axis_name(axis), b)
      set(bits[b], hue_of[axis])
      if axis == "off" and x[b] then
        set(bits[x[b]], viz.accent)
      end
    end
  end
  return hues, left, n
end

-- The matrix over bits: place = matrix * index.  Dimensions of other sizes stand still.
function M.f2(l, opts, style)
  local map = object.need(l, tostring(l))
  local axes = by_axis(map)
  local _, _, skipped = index_rows(l, map)
  local at, cols, names = matrix_columns(l, map, skipped)
  for _, list in pairs(axes) do
    cols = bitwise(list) and cols or 0
  end
  if cols == 0 then
    diag.fail("layout_bits", tostring(l), map:text())
  end
  local hues, left, n = matrix_rows(map, axes, at, cols, skipped)
  local labels, signs = {}, {}
  for k = 1, n * cols do
    labels[k] = hues[k] and "1" or style.unicode and "·" or "."
    signs[k] = hues[k] and "1" or "."
    hues[k] = hues[k] or viz.plain
  end
  local f = viz.figure(say("%s: matrix over F2", "%s：F2 矩阵", window.title(l)),
    window.source(l, opts))
  f:grid {rows = n, cols = cols, labels = labels, hues = hues, signs = table.concat(signs),
    row_heads = left, col_heads = names}
  local lines = {say("place = matrix x index, sums without carry", "位置 = 矩阵 x 下标，求和不进位")}
  for d = 0, #l.shape - 1 do
    if skipped[d] then
      lines[#lines + 1] = say("%s stands still: its size is no power of two",
        "%s 固定不动：其大小不是二的幂", letter(d))
    end
  end
  lines[#lines + 1] = map:text()
  f:text(table.unpack(lines))
  return f
end

return M
