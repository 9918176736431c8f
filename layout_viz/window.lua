-- layout_viz/window.lua: which part of a layout a figure draws, exactly folded.
--
-- A layout is a sum of modes, so what lies beyond a mode repeats what lies
-- below it, moved by the mode's stride.  A window is the part below a cut that
-- fits; its words say how the rest goes on: "rows repeat every 16: register +32, 4
-- times".  Layouts of one dimension are wrapped into rows; of three and more two
-- dimensions are drawn and the others stand still.
--
--   w = window.of(l, {opts =, style =, cell = 5, rows = 16, least = 8, unit = 1, at = {5, 9}})
--
--   w.lo, w.hi        the box of indices, half open; row-major order is that of the cells
--   w.nr, w.nc        rows and columns of cells; a cell is w.unit elements of a row
--   w.rd, w.cd        the dimensions drawn, counted from 1; rd nil: wrapped
--   w.holes           cells beyond the end, where a wrapped layout has some
--   w.folded          the rows that are not drawn repeat those that are
--   w.words           sentences about what is not drawn
--   w:cell(idx)       the number of the cell of an element, from 1; nil: not drawn
--   w:index(cell)     the element of a cell

local diag = require "moontile.diag"
local object = require "moontile.layout.algebra"

local M = {}

local function say(en, zh, ...)
  local s = diag.lang() == "zh" and zh or en
  return select("#", ...) > 0 and s:format(...) or s
end
M.say = say

-- "1 wavefront", "8 wavefronts"; in Chinese the word stands behind its number.
function M.count(n, one, many, zh)
  return diag.lang() == "zh" and n .. zh or n .. " " .. (n == 1 and one or many)
end

-- Modes ---------------------------------------------------------------------------

-- The layout of a layout, or nil: tried once.
function M.map(l)
  if l.map == nil and l.nomap == nil then
    local ok, map = pcall(object.map, l, l.lanes)
    l.nomap = not (ok and map)
  end
  return not l.nomap and l.map or nil
end

-- What an index is called: i, j, k, ..
local letters = {"i", "j", "k", "l", "m", "n", "p", "q"}
function M.letter(d)
  return letters[d]
end

local names = {
  reg = {"register +%d", "寄存器 +%d"}, lane = {"lane +%d", "通道 +%d"},
  warp = {"warp +%d", "warp +%d"}, off = {"offset +%d elements", "偏移 +%d 个元素"},
}

-- Modes of a dimension (from 1), low ones first.
local function modes_of(l, d)
  local map, list = M.map(l), {}
  for _, g in ipairs(map and map:modes() or {}) do
    if g.dim == d - 1 then
      list[#list + 1] = g
    end
  end
  table.sort(list, function(a, b) return a.weight < b.weight end)
  return list
end
M.modes_of = modes_of

-- Do modes on offsets from `stride` to below `span` only add to the place, whatever
-- the XOR does?  Their bits are above all that the XOR looks at, or apart from what
-- it reads and writes.
local function adds(stride, span, xor)
  local bits, base, shift = xor[1], xor[2], xor[3]
  if stride % (1 << (base + shift + bits)) == 0 then
    return true
  end
  local powers = stride & (stride - 1) == 0 and span & (span - 1) == 0
  local function apart(low)
    return span <= 1 << low or stride >= 1 << (low + bits)
  end
  return powers and apart(base) and apart(base + shift)
end

-- Sizes at which dimension d can be cut so that the rest only repeats, descending.
local function cuts(l, d)
  local map = M.map(l)
  local xor, found = map and map:info().xor, {}
  local list = modes_of(l, d)
  for i = #list, 1, -1 do
    local g = list[i]
    for m = g.extent - 1, 1, -1 do
      if g.extent % m == 0 then
        if xor and g.axis == "off" and not adds(g.stride * m, g.stride * g.extent, xor) then
          return found
        end
        found[#found + 1] = g.weight * m
      end
    end
  end
  return found
end

-- "repeat every 16: register +32, 4 times; every 64: warp +1, 2 times"
local function repeats(l, d, cut)
  local parts = {}
  for _, g in ipairs(modes_of(l, d)) do
    local top = g.weight * g.extent
    if top > cut then
      local low = math.max(g.weight, cut)
      local n = names[g.axis]
      parts[#parts + 1] = say("every %d: %s, %d times", "每 %d 个：%s，共 %d 次", low,
        say(n[1], n[2], g.stride * (low // g.weight)), top // low)
    end
  end
  return say("repeat ", "的重复规律：") .. table.concat(parts, say("; ", "；"))
end

-- Where a drawn dimension of n elements begins and ends, and a sentence if that is
-- not all of it.  most: so many fit, least: so many are enough; range: what the user
-- wants to see, inclusive; at: an index that must be seen.
local function side(l, d, n, most, range, at, what, option, least)
  if range then
    local from, to = range[1], math.min(range[2], n - 1)
    if from >= n then
      diag.fail("layout_range", tostring(l), d - 1, from, n - 1)
    end
    return from, to + 1, (from > 0 or to < n - 1) and
      say("%s %d..%d of %d", "%s %d..%d，共 %d", what, from, to, n) or nil
  elseif n <= most then
    return 0, n
  end
  local best
  for _, c in ipairs(cuts(l, d)) do
    if c <= most and c > 1 and (not best or c >= (least or most)) then
      best = c
    end
  end
  if best then
    local from = at and at - at % best or 0
    local to = math.min(from + best, n)
    local which = from > 0 and say("%s %d..%d, which ", "%s %d..%d", what, from, to - 1) or
      say("%s ", "%s", what)
    return from, to, which .. repeats(l, d, best), true
  end
  local even = 1
  while even * 2 <= most do
    even = even * 2
  end
  most = even
  local from = at and at - at % most or 0
  local to = math.min(from + most, n)
  return from, to, say("%s %d..%d of %d; %s = {%d, %d} shows others",
    "%s %d..%d，共 %d；用 %s = {%d, %d} 查看其他部分", what, from, to - 1, n, option,
    to < n and to or 0, to < n and math.min(to + most, n) - 1 or most - 1)
end

-- Dimensions -----------------------------------------------------------------------

-- Which dimensions are drawn and where the others stand, from {slice = ..}: numbers
-- stand still, ":" is drawn; a shorter list speaks of the first dimensions.
local function dims_of(l, slice, at)
  local rank, fixed, free = #l.shape, {}, {}
  local function refuse()
    local t = {}
    for i, v in ipairs(type(slice) == "table" and slice or {}) do
      t[i] = type(v) == "string" and ("%q"):format(v) or tostring(v)
    end
    diag.fail("layout_cut", "slice", tostring(l), type(slice) == "table" and
      "{" .. table.concat(t, ", ") .. "}" or tostring(slice))
  end
  if slice ~= nil and (type(slice) ~= "table" or #slice > rank) then
    refuse()
  end
  for d = 1, rank do
    local v = slice and slice[d]
    if v == ":" then
      free[#free + 1] = d
    elseif v ~= nil then
      if math.type(v) ~= "integer" or v < 0 or v >= l.shape[d] then
        refuse()
      end
      fixed[d] = v
    end
  end
  for d = rank, 1, -1 do -- what the list does not name: the last ones are drawn
    if not fixed[d] and not (slice and slice[d] == ":") then
      if #free < 2 then
        free[#free + 1] = d
      else
        fixed[d] = at and at[d] or 0
      end
    end
  end
  if #free > 2 or #free == 0 then
    refuse()
  end
  table.sort(free)
  return free, fixed
end

-- "offset +8192, every 2: offset +64": how the place moves along a dimension
local function moves_of(l, d)
  local moves = {}
  for _, g in ipairs(modes_of(l, d)) do
    local n = names[g.axis]
    local move = say(n[1], n[2], g.stride)
    moves[#moves + 1] = g.weight == 1 and move or say("every %d: %s", "每 %d 个：%s", g.weight, move)
  end
  return #moves > 0 and say(": ", "：") .. table.concat(moves, say(", ", "，")) or ""
end

-- "slice [0, :, :]; i has 3: offset +8192"
local function slice_words(l, fixed, words)
  if next(fixed) == nil then
    return
  end
  local t = {}
  for d = 1, #l.shape do
    t[d] = fixed[d] and tostring(fixed[d]) or ":"
  end
  local line = say("slice [%s]", "切片 [%s]", table.concat(t, ", "))
  for d = 1, #l.shape do
    if fixed[d] and l.shape[d] > 1 then
      local stage = d == 1 and l.stages
      line = line .. say(stage and "; %s is the stage of the pipeline, %d%s" or "; %s has %d%s",
        stage and "；%s 为流水线的级，共 %d 个%s" or "；%s 共 %d 个%s", letters[d], l.shape[d], moves_of(l, d))
    end
  end
  words[#words + 1] = line
end

-- Windows --------------------------------------------------------------------------

local Window = {}
Window.__index = Window

function Window:cell(idx)
  if not self.rd then
    local e = idx[1] - self.lo[1]
    return e >= 0 and idx[1] < self.hi[1] and e // self.unit + 1 or nil
  end
  for d, v in ipairs(idx) do
    if v < self.lo[d] or v >= self.hi[d] then
      return nil
    end
  end
  return (idx[self.rd] - self.lo[self.rd]) * self.nc +
    (idx[self.cd] - self.lo[self.cd]) // self.unit + 1
end

function Window:index(cell)
  local idx = table.move(self.lo, 1, #self.lo, 1, {})
  if not self.rd then
    idx[1] = idx[1] + (cell - 1) * self.unit
    return idx
  end
  idx[self.rd] = idx[self.rd] + (cell - 1) // self.nc
  idx[self.cd] = idx[self.cd] + (cell - 1) % self.nc * self.unit
  return idx
end

local function heads(from, n, step)
  local t = {}
  for i = 1, n do
    t[i] = tostring(from + (i - 1) * step)
  end
  return t
end

-- Where columns may be drawn so that labels of `cell` columns fit, and rows.
local function room(o, head)
  local opts = o.opts
  if opts.fold == false then
    return math.maxinteger, math.maxinteger
  end
  return math.max(1, (o.style.width - head - 1) // o.cell), o.rows or 16
end

-- One dimension in rows of W elements, W a cut or a power of two.
local function wrapped(l, o, words)
  local n, unit, opts = l.shape[1], o.unit or 1, o.opts
  local most = math.max(1, math.min(o.style.width - 8, 72) // o.cell)
  local W = 1
  while W * 2 <= most and W * unit < n do
    W = W * 2
  end
  local _, rows = room(o, 0)
  local limit = rows == math.maxinteger and rows or rows * W * unit
  local range = opts.rows and {opts.rows[1] * W * unit, (opts.rows[2] + 1) * W * unit - 1}
  local from, to, text, exact = side(l, 1, n, limit, range, o.at and o.at[1],
    say("elements", "元素"), "rows")
  if text and not opts.rows and not exact then
    text = say("elements %d..%d of %d; rows = {%d, %d} shows others",
      "元素 %d..%d，共 %d；用 rows = {%d, %d} 查看其他部分", from, to - 1, n, rows, 2 * rows - 1)
  end
  words[#words + 1] = text
  local cells = (to - from + unit - 1) // unit
  local nr = (cells + W - 1) // W
  W = nr == 1 and cells or W
  local holes = {}
  for c = cells + 1, nr * W do
    holes[#holes + 1] = c
  end
  return {lo = {from}, hi = {to}, cd = 1, nr = nr, nc = W, unit = unit, holes = holes,
    row_heads = heads(from, nr, W * unit), col_heads = heads(0, W, unit), words = words,
    cells = cells}
end

function M.of(l, o)
  local words, unit = {}, o.unit or 1
  local free, fixed = dims_of(l, o.opts.slice, o.at)
  if #l.shape == 1 then
    return setmetatable(wrapped(l, o, words), Window)
  end
  local rd, cd = free[1], free[2]
  if not cd then -- one line of it: a neighbour is as long as one index
    local other = rd > 1 and rd - 1 or 2
    rd, cd = math.min(rd, other), math.max(rd, other)
  end
  slice_words(l, fixed, words)
  local lo, hi = {}, {}
  for d, v in pairs(fixed) do
    lo[d], hi[d] = v, v + 1
  end
  local head = #tostring(l.shape[rd] - 1) + 1
  local mostc, mostr = room(o, math.max(head, o.head or 0))
  local at = o.at or {}
  local exact
  if not fixed[rd] then
    lo[rd], hi[rd], words[#words + 1], exact = side(l, rd, l.shape[rd], mostr, o.opts.rows, at[rd],
      say("rows", "行"), "rows", o.least)
  end
  if not fixed[cd] then
    lo[cd], hi[cd], words[#words + 1] = side(l, cd, l.shape[cd],
      mostc == math.maxinteger and mostc or mostc * unit, o.opts.cols, at[cd],
      say("columns", "列"), "cols")
  end
  local w = {lo = lo, hi = hi, rd = rd, cd = cd, unit = unit, holes = {}, words = words,
    folded = exact, nr = hi[rd] - lo[rd], nc = (hi[cd] - lo[cd] + unit - 1) // unit}
  w.row_heads, w.col_heads = heads(lo[rd], w.nr, 1), heads(lo[cd], w.nc, unit)
  w.row_name, w.col_name = letters[rd], letters[cd]
  w.cells = w.nr * w.nc
  return setmetatable(w, Window)
end

-- A gap after each block that the lanes of a warp cover, where that is a part of
-- what is drawn.
function M.gap(l, d, n)
  local top = 1
  for _, g in ipairs(modes_of(l, d)) do
    if g.axis == "lane" then
      top = g.weight * g.extent
    end
  end
  return top > 1 and top < n and n % top == 0 and top or nil
end

-- Values ---------------------------------------------------------------------------

-- Calls f(idx) for the elements of the box, row-major.
local function each(lo, hi, f)
  local idx, n = table.move(lo, 1, #lo, 1, {}), #lo
  while true do
    f(idx)
    local d = n
    while d >= 1 do
      idx[d] = idx[d] + 1
      if idx[d] < hi[d] then
        break
      end
      idx[d] = lo[d]
      d = d - 1
    end
    if d == 0 then
      return
    end
  end
end
M.each = each

-- Every unit-th entry of rows of n.
local function thin(list, w)
  if w.unit == 1 then
    return list
  end
  local out, row = {}, w.hi[w.cd] - w.lo[w.cd]
  for k = 1, #list, row do
    for c = 0, row - 1, w.unit do
      out[#out + 1] = list[k + c]
    end
  end
  return out
end

-- Threads and registers of the cells of a window onto a Fragment.
function M.places(l, w)
  local map = M.map(l)
  local threads, regs = {}, {}
  if map then
    threads, regs = map:places(w.lo, w.hi)
  else
    local n = #l.shape
    each(w.lo, w.hi, function(idx)
      idx[n + 1] = 0
      threads[#threads + 1] = l.thread(table.unpack(idx, 1, n + 1))
      idx[n + 1] = nil
      regs[#regs + 1] = l.index(table.unpack(idx, 1, n))
    end)
  end
  return thin(threads, w), thin(regs, w)
end

-- Offsets of the cells of a window onto a Layout, in elements.
function M.offsets(l, w)
  local map = M.map(l)
  local list = {}
  if map then
    list = map:offsets(w.lo, w.hi)
  else
    each(w.lo, w.hi, function(idx) list[#list + 1] = l:at(table.unpack(idx)) end)
  end
  return thin(list, w)
end

-- What the threads of a Fragment's further copies are more than those of the first:
-- {4, 8, 12}; nil where they are not the same for all elements.
function M.copies(l)
  local map, list = M.map(l), {0}
  if (l.copies or 1) <= 1 then
    return {}
  elseif not map then
    return nil
  end
  for _, g in ipairs(map:modes()) do
    if not g.dim and g.axis ~= "reg" then
      local step = g.axis == "warp" and g.stride * map:info().lanes or g.stride
      local more = {}
      for k = 0, g.extent - 1 do
        for _, v in ipairs(list) do
          more[#more + 1] = v + k * step
        end
      end
      list = more
    end
  end
  table.sort(list)
  table.remove(list, 1)
  return list
end

-- Headline ----------------------------------------------------------------------------

-- "Cl (64, 64) float32"
function M.title(l)
  local name = l.buffer or l.name or "?"
  if name == "user" or name == "inverse" then
    name = l.thread and "T.Fragment" or "T.Layout"
  end
  return ("%s (%s)%s"):format(name, table.concat(l.shape, ", "), l.dtype and " " .. l.dtype or "")
end

-- Options that say how a figure is written, not what it shows.
local quiet = {svg = true, json = true, source = true, width = true, height = true, colour = true,
  unicode = true, format = true, page = true, cells = true, delay = true}

-- What was plotted, as it could be typed.
function M.source(l, opts)
  local what = l.kernel and ("%s, %q"):format(l.kernel.name, l.buffer) or l.source
  if not what then
    return nil
  end
  local keys = {}
  for key, v in pairs(opts) do
    local t = type(v)
    if not quiet[key] and (t == "string" or t == "number" or t == "boolean") then
      keys[#keys + 1] = ("%s = %s"):format(key, t == "string" and ("%q"):format(v) or tostring(v))
    elseif key == "owner" or key == "slice" or key == "rows" or key == "cols" then
      local list = {}
      for i, n in ipairs(v) do
        list[i] = type(n) == "string" and ("%q"):format(n) or tostring(n)
      end
      keys[#keys + 1] = ("%s = {%s}"):format(key, table.concat(list, ", "))
    elseif object.is(v) and v.source then
      keys[#keys + 1] = ("%s = %s"):format(key, v.source)
    elseif not quiet[key] then -- a function: it cannot be written down
      return nil
    end
  end
  table.sort(keys)
  return ("plot(%s%s)"):format(what, #keys > 0 and ", {" .. table.concat(keys, ", ") .. "}" or "")
end

return M
