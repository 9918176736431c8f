-- Random pipelined kernels: with any number of stages, on every machine, they
-- compute what the cpu target does, bit for bit.  A longer run:
--
--     moontile tests/lower/pipe_random.lua FIRST COUNT
package.path = "lib/?.lua;tests/lower/lib/?.lua;" .. package.path
local programs = require "pipe_programs"

local first, count = tonumber(arg[1] or 1), tonumber(arg[2] or 14)
local machines = {"sm_80", "sm_90a", "c500"}
local bad = 0

for seed = first, first + count - 1 do
  local text, dt = programs.make(seed)
  local want, why = programs.run(text, dt, seed, 0, "cpu")
  local function fail(...)
    bad = bad + 1
    print(("seed %d: %s"):format(seed, table.concat({...}, ": ")))
    if arg[3] then print(text) end
  end
  if not want then
    fail("cpu", why)
  else
    for i, m in ipairs(machines) do
      local stages = (seed + i) % 4 + 1
      local got, err = programs.run(text, dt, seed, stages, "sim -arch=" .. m)
      local same, where = false, err
      if got then same, where = programs.same(want, got) end
      if not same then
        fail(m, "stages " .. stages, where)
      end
    end
  end
end
if bad == 0 then
  print "all agree"
end
os.exit(bad == 0)
