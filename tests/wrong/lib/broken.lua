local M = {}
function M.run()
  local rows = nil
  return rows + 1
end
return M
