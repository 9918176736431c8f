-- layout_viz/shared.lua: where the elements of a buffer stand in memory.
--
--   view = "input"    element -> offset in elements, or the coordinates that a function gave
--   view = "output"   offset -> element
--   view = "address"  element -> byte
--   view = "banks"    element -> bank of shared memory, 4 bytes each
--   view = "chunks"   16 bytes of a row -> the 16-byte chunk of its 128 bytes; where there
--                     is an XOR beside the plain layout
--
--   animate = "rows" or "bits" (true: what suits): frames, row by row or one bit of the
--   XOR after another

local layouts = require "moontile.layout"
local fragment = require "moontile.layout_viz.fragment"
local object = require "moontile.layout.algebra"
local owner = require "moontile.layout_viz.owner"
local viz = require "moontile.viz"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

local bank_bytes, banks, chunk_bytes, chunks = 4, 32, 16, 8

-- Elements of a row that stand side by side in memory, at a place that is a
-- multiple of as many.
local function run_of(l, d)
  local run = 1
  local map = window.map(l)
  if not map then
    return 1
  end
  for _, g in ipairs(window.modes_of(l, d)) do
    if g.weight ~= run or g.stride ~= run then
      break
    end
    run = run * g.extent
  end
  for _, g in ipairs(map:modes()) do -- the others begin at multiples of it
    if g.stride ~= 0 and not (g.dim == d - 1 and g.stride < run) then
      while run > 1 and g.stride % run ~= 0 do
        run = run % 2 == 0 and run // 2 or 1
      end
    end
  end
  local xor = map:info().xor
  while xor and run > 1 << xor[2] do
    run = run % 2 == 0 and run // 2 or 1
  end
  return run
end

-- Elements of a cell that is so many bytes, no more than stand side by side.
local function unit_of(l, d, bits, bytes)
  local want = math.max(1, bytes * 8 // bits)
  local run = run_of(l, d)
  while want > 1 and (run % want ~= 0 or l.shape[d] % want ~= 0) do
    want = want // 2
  end
  return want
end

-- What a cell of each view says of an offset: label, hue, tone.
local forms = {
  input = {
    bytes = 0,
    title = function() return say("element -> offset in elements", "元素 -> 以元素计的偏移") end,
    value = function(off) return off end,
    hue = function(off) return off % 8, 160 end,
    legend = function() return say("a number is an offset in elements; colour: offset % 8", "数字为以元素计的偏移；颜色：偏移 % 8") end,
  },
  address = {
    bytes = chunk_bytes,
    title = function() return say("element -> byte", "元素 -> 字节") end,
    value = function(off, bits) return off * bits // 8 end,
    hue = function(off, bits) return off * bits // 8 // chunk_bytes % chunks, 160 end,
    legend = function() return say("a number is a byte; colour: 16-byte chunk of 128", "数字为字节地址；颜色：128 字节中的 16 字节块") end,
  },
  banks = {
    bytes = bank_bytes,
    title = function() return say("element -> bank", "元素 -> bank") end,
    value = function(off, bits) return off * bits // 8 // bank_bytes % banks end,
    hue = function(off, bits)
      local bank = off * bits // 8 // bank_bytes % banks
      return bank // 4, 90 + bank % 4 * 40
    end,
    legend = function() return say("a number is a bank of 4 bytes, 32 of them; colour: groups of 4 banks", "数字为 bank 号，共 32 个，每个 4 字节；颜色：每 4 个 bank 一组") end,
  },
  chunks = {
    bytes = chunk_bytes,
    title = function()
      return say("16 bytes of a row -> chunk of 128 bytes", "行内每 16 字节 -> 128 字节中的块号")
    end,
    value = function(off, bits) return off * bits // 8 // chunk_bytes % chunks end,
    hue = function(off, bits) return off * bits // 8 // chunk_bytes % chunks, 160 end,
    legend = function() return say("a number and its colour are a chunk: 16 bytes, 4 banks of 4 bytes", "数字与颜色为块号：每块 16 字节，即 4 个各 4 字节的 bank") end,
  },
}

-- "each cell is 8 elements, 16 bytes"
local function cell_text(unit, bits)
  return unit > 1 and say("each cell is %d elements, %d bytes: where the first one stands",
    "每格为 %d 个元素，%d 字节：表示第一个元素的位置", unit, unit * bits // 8) or nil
end

-- The grid of one window; offsets as the view wants them.
local function panel(w, view, bits, offsets, o)
  local form = forms[view]
  local values, hues, tones, signs, holes = {}, {}, {}, {}, table.move(w.holes, 1, #w.holes, 1, {})
  for k = 1, w.nr * w.nc do
    local off = offsets[k]
    if not off then
      values[k], hues[k], tones[k], signs[k] = 0, viz.plain, 0, " "
      if k <= w.cells then
        holes[#holes + 1] = k
      end
    else
      values[k] = form.value(off, bits)
      hues[k], tones[k] = form.hue(off, bits)
      signs[k] = fragment.sign(values[k])
    end
  end
  return {rows = w.nr, cols = w.nc, format = "%d", values = {values}, hues = hues, tones = tones,
    signs = table.concat(signs), holes = holes, marks = o.marks, row_heads = w.row_heads,
    col_heads = w.col_heads, row_name = w.row_name, col_name = w.col_name, caption = o.caption}
end

local function has_xor(l)
  local map = window.map(l)
  return map and map:info().xor
end

-- "XOR: offset bits 3..5 with bits 6..8"
local function xor_text(l, bits)
  local x = has_xor(l)
  if not x then
    return nil
  end
  local e = bits // 8
  local shift = 0
  while e > 1 do
    e, shift = e // 2, shift + 1
  end
  if bits < 8 then
    return say("XOR: offset bits %d..%d with bits %d..%d", "XOR：偏移的第 %d..%d 位与第 %d..%d 位",
      x[2], x[2] + x[1] - 1, x[2] + x[3], x[2] + x[3] + x[1] - 1)
  end
  return say("XOR: byte bits %d..%d with bits %d..%d", "XOR：字节地址的第 %d..%d 位与第 %d..%d 位",
    x[2] + shift, x[2] + x[1] - 1 + shift, x[2] + x[3] + shift, x[2] + x[3] + x[1] - 1 + shift)
end

local function texts(l, w, view, bits)
  local lines = {cell_text(w.unit, bits)}
  lines[#lines + 1] = xor_text(l, bits)
  lines[#lines + 1] = l.why and l.why[1]
  for _, line in ipairs(w.words) do
    lines[#lines + 1] = line
  end
  lines[#lines + 1] = forms[view].legend()
  return lines
end

-- The number of columns of the widest value of the view, and one before it.
local function cell_width(l, view, bits)
  if view == "chunks" then
    return 2
  elseif view == "banks" then
    return 3
  end
  local map = window.map(l)
  local span = map and map:info().span or 1
  if not map then
    for _, n in ipairs(l:get_output_shape()) do
      span = span * n
    end
  end
  return #tostring(view == "address" and span * bits // 8 or span) + 1
end

local function drawn_column(l)
  return #l.shape
end

local function frame(l, opts, style, view, bits)
  local unit = unit_of(l, drawn_column(l), bits, forms[view].bytes)
  local cell = cell_width(l, view, bits)
  if view == "banks" and opts.fold ~= false then -- wider cells where words do not fit
    local wide = unit_of(l, drawn_column(l), bits, chunk_bytes)
    while unit < wide and l.shape[#l.shape] // unit * cell + 6 > style.width do
      unit = unit * 2
    end
  end
  return window.of(l, {opts = opts, style = style, cell = cell, rows = 16, least = 8, unit = unit,
    at = opts.owner})
end

local function title(l, view)
  return say("%s: %s", "%s：%s", window.title(l), forms[view].title())
end

local function marks_of(l, opts, w)
  if not opts.owner then
    return nil, {}
  end
  local lines = owner.element(l, opts.owner)
  return {w:cell(opts.owner)}, lines
end

-- The plain layout of the same elements.
local function plain(l)
  local p = object.of(layouts.linear(l.shape), "linear")
  p.bits, p.lanes = l.bits, l.lanes
  return p
end

-- Element -> place.  Chunks and banks of a layout with an XOR stand beside those
-- that it would have without.
function M.places(l, view, opts, style)
  local bits = owner.bits(l, opts)
  local w = frame(l, opts, style, view, bits)
  local f = viz.figure(title(l, view), window.source(l, opts))
  local marks, lines = marks_of(l, opts, w)
  local offsets = window.offsets(l, w)
  f:row()
  if has_xor(l) and (view == "chunks" or view == "banks") and opts.before ~= false then
    f:grid(panel(w, view, bits, window.offsets(plain(l), w), {marks = marks,
      caption = say("without the XOR, row-major", "没有 XOR 时，行主序")}))
    f:grid(panel(w, view, bits, offsets, {marks = marks, caption = say("as it is", "实际布局")}))
  else
    f:grid(panel(w, view, bits, offsets, {marks = marks}))
  end
  f:row()
  for _, line in ipairs(texts(l, w, view, bits)) do
    lines[#lines + 1] = line
  end
  f:text(table.unpack(lines))
  return f
end

-- Element -> the coordinates that a function gives, where they are several.
local function coordinates(l, opts, style)
  local w = window.of(l, {opts = opts, style = style, cell = 6, rows = 16, at = opts.owner})
  local f = viz.figure(say("%s: element -> coordinates", "%s：元素 -> 坐标", window.title(l)),
    window.source(l, opts))
  local labels, hues, tones = {}, {}, {}
  for k = 1, w.nr * w.nc do
    local out = k <= w.cells and l:map_forward_index(table.unpack(w:index(k))) or {}
    labels[k] = table.concat(out, ",")
    hues[k], tones[k] = (out[1] or 0) % 8, 100 + (out[2] or 0) % 8 * 15
  end
  f:grid {rows = w.nr, cols = w.nc, labels = labels, hues = hues, tones = tones, holes = w.holes,
    marks = marks_of(l, opts, w), row_heads = w.row_heads, col_heads = w.col_heads,
    row_name = w.row_name, col_name = w.col_name}
  local lines = select(2, marks_of(l, opts, w))
  for _, line in ipairs(w.words) do
    lines[#lines + 1] = line
  end
  lines[#lines + 1] = say("colour: first coordinate % 8", "颜色：第一个坐标 % 8")
  f:text(table.unpack(lines))
  return f
end

-- Element -> offset, as TileLang's plots of a Layout show it.
function M.input(l, opts, style)
  local zero = {}
  for d = 1, #l.shape do
    zero[d] = 0
  end
  if #object.pack(l.forward(table.unpack(zero))) > 1 then
    return coordinates(l, opts, style)
  end
  return M.places(l, "input", opts, style)
end

-- What a layout's places are in rows and columns, and a function from there to the
-- element, or nil: the coordinates of a function that gives two, else offsets in
-- rows of 8.
local function places_of(l)
  local size, n = l:get_output_shape(), 1
  if #size == 2 then
    local back = l:inverse()
    return size, function(r, c) return {back:at(r, c)} end
  end
  for _, v in ipairs(size) do
    n = n * v
  end
  local W, map = math.min(8, n), window.map(l)
  local at = map and map:elements(0, n)
  return {(n + W - 1) // W, W}, function(r, c)
    local off, idx = r * W + c, {}
    if not at then
      return off < n and {l:owner(off)} or nil
    end
    local e = at[off + 1]
    for d = #l.shape, 1, -1 do
      idx[d], e = e and e % l.shape[d], e and e // l.shape[d]
    end
    return at[off + 1] and at[off + 1] >= 0 and idx or nil
  end
end

-- Place -> element.
function M.output(l, opts, style)
  local size, inverse = places_of(l)
  local wide = #l.shape * 2
  for _, n in ipairs(l.shape) do
    wide = wide + #tostring(n - 1) - 1
  end
  local places = object.layout(size, function(r, c) return r * size[2] + c end, l.name)
  places.nomap = true
  local w = window.of(places, {opts = opts, style = style, cell = wide, rows = 16})
  local f = viz.figure(say("%s: offset -> element", "%s：偏移 -> 元素", window.title(l)),
    window.source(l, opts))
  local labels, hues, tones, holes = {}, {}, {}, {}
  for k = 1, w.nr * w.nc do
    local idx = inverse(table.unpack(w:index(k)))
    local some = idx and idx[1] ~= nil
    labels[k] = some and table.concat(idx, ",") or ""
    hues[k], tones[k] = some and idx[1] % 8 or viz.plain, some and 100 + (idx[2] or 0) % 8 * 15 or 0
    holes[#holes + 1] = not some and k or nil
  end
  if #l:get_output_shape() ~= 2 then
    for r = 1, w.nr do
      w.row_heads[r] = tostring((w.lo[1] + r - 1) * size[2])
    end
  end
  f:grid {rows = w.nr, cols = w.nc, labels = labels, hues = hues, tones = tones, holes = holes,
    row_heads = w.row_heads, col_heads = w.col_heads}
  local lines = table.move(w.words, 1, #w.words, 1, {})
  lines[#lines + 1] = say("colour: first index % 8; empty: nothing stands there",
    "颜色：第一个下标 % 8；空格：此处没有元素")
  f:text(table.unpack(lines))
  return f
end

-- Frames ---------------------------------------------------------------------------

-- The layout with the first n of its XOR's bits.
local function partial(l, n)
  local x = has_xor(l)
  local base = layouts.parse((window.map(l):text():gsub(" xor%b()", "")))
  local p = object.layout(l.shape, function(...)
    local off = base:eval(...)
    return off ~ ((off >> (x[2] + x[3]) & (1 << n) - 1) << x[2])
  end, l.name)
  p.nomap, p.bits = true, l.bits
  return p
end

function M.frames(l, view, opts, style)
  local bits = owner.bits(l, opts)
  local w = frame(l, opts, style, view, bits)
  local x = has_xor(l)
  local how = opts.animate == true and (x and "bits" or "rows") or opts.animate
  local list, last = {}, how == "bits" and (x and x[1] or 0) or w.nr
  for n = how == "bits" and 0 or 1, last do
    local f = viz.figure(title(l, view), window.source(l, opts))
    local offsets, line
    if how == "bits" then
      offsets = window.offsets(partial(l, n), w)
      line = n == 0 and say("no bit of the XOR yet", "尚未应用 XOR 的任何一位") or
        say("offset bit %d ^= bit %d", "偏移第 %d 位 ^= 第 %d 位", x[2] + n - 1,
          x[2] + x[3] + n - 1)
    else
      offsets = window.offsets(l, w)
      for k = n * w.nc + 1, #offsets do
        offsets[k] = nil
      end
      line = say("row %s", "第 %s 行", w.row_heads[n])
    end
    f:grid(panel(w, view, bits, offsets, {}))
    f:text(line, table.unpack(texts(l, w, view, bits)))
    list[#list + 1] = f
  end
  return list
end

return M
