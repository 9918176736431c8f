-- base/plain.lua: sentences with names of files, settings and what else somebody else has written,
-- so that they can only be read: a terminal obeys nothing that comes in between.

local diag = require "moontile.diag"

local M = {}

-- ("wrote %s"):format(..), with each text among the values as diag.visible() shows it
function M.format(pattern, ...)
  local values = table.pack(...)
  for i = 1, values.n do
    values[i] = type(values[i]) == "string" and diag.visible(values[i]) or values[i]
  end
  return pattern:format(table.unpack(values, 1, values.n))
end

return M
