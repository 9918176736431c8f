-- help/shell.lua: `moontile help [NAME]`, `moontile help --all`.

local help = require "moontile.help"

local M = {}

-- run{name =, all =}: prints; true, or false after a message on stderr.
function M.run(o)
  if o.all then
    io.stdout:write(help.markdown())
    return true
  end
  local overview = require "moontile.help.overview"
  local name = o.name or ""
  local row, kind = name ~= "" and help.find(name), overview.kind(name)
  if kind and not (row and row.name == name) then
    io.stdout:write(overview.list(kind))
    return true
  end
  row = row or name ~= "" and help.find(":" .. name)
  if row then
    io.stdout:write(help.page(row))
    return true
  end
  local why = help.show(name)
  if why then
    io.stderr:write("moontile: ", why, "\n")
  end
  return why == nil
end

return M
