-- layout_viz/scale.lua: how many elements of a tensor stand in one cell of a figure.

local M = {}

local Huge = 128 -- cells along a side of a figure that no terminal bounds

local function up(n, by)
  return (n + by - 1) // by
end

-- The least power of two that leaves at most `most` cells, so that the borders of
-- cells are those of tiles.
local function cell(n, most)
  local size = 1
  while up(n, size) > most do
    size = size * 2
  end
  return size
end

-- Elements of a cell, rows and columns, for a matrix of rows x cols: all of them
-- where they fit, half blocks where there is colour, else cells of two columns, of
-- which `most` rows are enough.
function M.cells(rows, cols, style, opts, most)
  if opts.svg or opts.json or (opts.format and opts.format ~= "text") then
    return cell(rows, Huge), cell(cols, Huge)
  end
  local width = math.max(8, (style.width or 80) - 10)
  local height = math.max(8, (style.tty and style.height or 44) - 12)
  local blocks = width // 2
  if cols <= blocks and rows <= math.min(height, most or height) then
    return 1, 1
  elseif style.unicode and (style.colour or 0) >= 8 and style.cells ~= "block" then
    return cell(rows, math.min(2 * height, 96)), cell(cols, width)
  end
  return cell(rows, math.min(height, most or 32)), cell(cols, blocks)
end

-- Heads of n cells of `size` elements: the first index of each.
function M.heads(n, size)
  local t = {}
  for i = 1, n do
    t[i] = tostring((i - 1) * size)
  end
  return t
end

-- "float16[1024, 512]"
function M.type_text(t)
  return ("%s[%s]"):format(t.dtype, table.concat(t.shape, ", "))
end

return M
