-- layout_viz/ruled.lua: view = "cute": a layout as CuTe's print_layout prints it: the
-- notation, then a ruled table with the numbers of rows and columns.  A Fragment gets
-- T and V in its cells, as print_latex draws thread-value layouts.

local viz = require "moontile.viz"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

-- Cells of a window as texts, right-aligned numbers or "T0V0".
local function cells_of(l, w)
  local t = {}
  if l.thread then
    local threads, regs = window.places(l, w)
    for k = 1, w.cells do
      t[k] = ("T%dV%d"):format(threads[k], regs[k])
    end
  else
    for k, off in ipairs(window.offsets(l, w)) do
      t[k] = tostring(off)
    end
  end
  return t
end

-- The lines of the table.
function M.lines(l, w)
  local cells, wide, out = cells_of(l, w), 1, {}
  for _, s in ipairs(cells) do
    wide = math.max(wide, #s)
  end
  local function right(s, n)
    return (" "):rep(n - #s) .. s
  end
  local head, rule = "    ", "    " .. ("+" .. ("-"):rep(wide + 2)):rep(w.nc) .. "+"
  for c = 1, w.nc do
    head = head .. "  " .. right(w.col_heads[c], wide) .. " "
  end
  out[1] = head:gsub("%s+$", "")
  for r = 1, w.nr do
    local line = right(w.row_heads[r], 2) .. "  "
    for c = 1, w.nc do
      line = line .. "| " .. right(cells[(r - 1) * w.nc + c] or "", wide) .. " "
    end
    out[#out + 1] = rule
    out[#out + 1] = line .. "|"
  end
  out[#out + 1] = rule
  return out
end

-- The notation, or why there is none.
local function notation(l)
  local ok, text = pcall(l.cute, l)
  return ok and text or window.map(l) and window.map(l):text() or tostring(l)
end

function M.figure(l, opts, style)
  local map = window.map(l)
  local widest
  if l.thread then
    widest = 2 + #tostring((map and map:info().threads or l:get_thread_size()) - 1) +
      #tostring((map and map:info().registers or l:get_register_size()) - 1)
  else
    widest = map and #tostring(map:info().span - 1) or 4
  end
  local w = window.of(l, {opts = opts, style = style, cell = widest + 3, rows = 16})
  local f = viz.figure(notation(l), window.source(l, opts))
  f:text(table.unpack(M.lines(l, w)))
  local words = table.move(w.words, 1, #w.words, 1, {})
  if l.thread then
    words[#words + 1] = say("the notation maps (thread, value) to m + M * n",
      "记法将（线程、值）映射到 m + M * n")
  end
  if #words > 0 then
    f:text(table.unpack(words))
  end
  return f
end

return M
