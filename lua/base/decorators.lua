-- base/decorators.lua: where the definition of a Python function begins: at the first of its decorators.
--
--     first(lines, n) -> the line, for the function whose `def` stands on line n of the list
--
--     @tilelang.jit(
--         out_idx=[-1],
--     )
--     def f(..)

local M = {}

function M.first(lines, n)
  local at = n
  local indent = (lines[n] or ""):match "^%s*"
  for i = n - 1, 1, -1 do
    local blanks, c = lines[i]:match "^(%s*)(.?)"
    if c == "@" and blanks == indent then
      at = i
    elseif c == "" or #blanks < #indent or (blanks == indent and c ~= ")") then
      break
    end
  end
  return at
end

return M
