-- term/columns.lua: rows of texts as columns.
--
--     columns.table(rows [, {align = "lr", gap = 2, width =, indent = 2}]) -> text

local term = require "moontile.term"

local M = {}

function M.table(rows, opt)
  opt = opt or {}
  local widths, n = {}, 0
  for _, row in ipairs(rows) do
    n = math.max(n, #row)
    for i, s in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, term.width(s))
    end
  end
  local lines, gap = {}, (" "):rep(opt.gap or 2)
  for k, row in ipairs(rows) do
    local cells = {}
    for i = 1, n do
      local right = (opt.align or ""):sub(i, i) == "r"
      cells[i] = term.pad(row[i] or "", widths[i], right and "r" or "l")
    end
    local line = (" "):rep(opt.indent or 2) .. table.concat(cells, gap):gsub("%s+$", "")
    lines[k] = opt.width and term.cut(line, opt.width, "...") or line
  end
  return table.concat(lines, "\n")
end

return M
