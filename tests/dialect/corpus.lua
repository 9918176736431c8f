-- Plain Lua comes through the reader byte for byte, and means the same when all of it is treated
-- as staged code, and when it asks for values that it cannot decide by.
local run = dofile "lib/run.lua"
for _, name in ipairs { "control", "functions", "layout", "lexical", "operators", "programs" } do
  local f <close> = assert(io.open("lib/plain/" .. name .. ".lua"))
  local text = f:read "a"
  local out, why = run.both(text, name)
  print(name, out and "same" or why)
  out, why = run.known(text, name)
  print(name, "known", out and "same" or why)
end
for _, name in ipairs { "conditions" } do -- exact in what staged code is not
  local f <close> = assert(io.open("lib/plain/" .. name .. ".lua"))
  local out, why = run.known(f:read "a", name)
  print(name, "known", out and "same, " .. select(2, out:gsub("\n", "")) .. " lines" or why)
end
