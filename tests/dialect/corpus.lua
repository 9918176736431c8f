-- Plain Lua comes through the reader byte for byte, and means the same when
-- all of it is treated as staged code.
local run = dofile "lib/run.lua"
for _, name in ipairs { "control", "functions", "layout", "lexical", "operators", "programs" } do
  local f <close> = assert(io.open("lib/plain/" .. name .. ".lua"))
  local out, why = run.both(f:read "a", name)
  print(name, out and "same" or why)
end
