-- Run by examples.sh: each kernel of the file in arg[1] as TileLang Python into the folder arg[2].
local dry = require "moontile.tl.dry"
local export = require "moontile.export"

local file, dir = arg[1], arg[2]
local base = file:match "([^/]*)%.lua$"
local n = 0
arg[1], arg[2] = "small", nil
dry.run(file, function(k)
  local text, missing = export.python(k.P)
  n = n + 1
  if missing > 0 then
    print(("%s: %s: without a counterpart: %d"):format(base, k.name, missing))
    print((text:gsub("[^\n]*\n", function(l) return l:find "# moontile:" and l or "" end)))
  end
  local f = assert(io.open(("%s/%s_%d.py"):format(dir, base, n), "w"))
  f:write(text)
  f:close()
end, dry.checked)
if n == 0 then
  print(base .. ": no kernels")
end
