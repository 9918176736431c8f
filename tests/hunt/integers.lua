-- integers.lua: expressions over integers at the ends of their types, on targets, against plain Lua: hundreds to a
-- kernel.
--
--     moontile tests/hunt/integers.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]
--
-- Without arguments it is the short test.  Of what differs the smallest wrong part is printed, with its operands'
-- values (lib/integers.lua says what is right).
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "integers", "integers_run"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local run = require "hunt.integers_run"

local options = {seed = 1, count = 2, size = 250, targets = "sim,sim -arch=sm_90a,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile integers.lua [--seed N] [--count kernels] [--size expressions] [--targets a,b]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

-- The values that a part is made of, in the lane where it is wrong.
local function say_operands(e, lane, seen)
  if e.t and not e[1] and not seen[e.text] then
    seen[e.text] = true
    print(("    %s = %d, %s"):format(e.text, e.f(lane), e.t.name))
  end
  for _, a in ipairs(e) do say_operands(a, lane, seen) end
end

-- b: {x, lane, got, want}
local function say(b)
  local x = b.x
  local text = x.op and ("%s; %s= %s"):format(x.first.text, x.op, x.e.text) or x.e.text
  print(("  %s as %s is %s, wanted %s"):format(text, x.t.name, b.got, b.want))
  if x.first then say_operands(x.first, b.lane, {}) end
  say_operands(x.e, b.lane, {})
end

-- The smallest part of x by itself that is wrong or refused; x is wrong with others alone: nothing.
local function smallest(x, X, target)
  for _, part in ipairs(run.parts(x)) do
    local bad, why = run.run({part}, X, target)
    if not bad then return print(("  %s: %s"):format(part.e.text, why)) end
    if bad[1] then return say(bad[1]) end
  end
  print("  only beside others: " .. x.e.text)
end

-- One kernel: how many of its expressions are wrong; it is refused: 1.
local function judge(list, X, target, seed)
  local bad, why = run.run(list, X, target)
  if bad then
    for k, b in ipairs(bad) do
      if k == 1 then print(("seed %d on %s: %d wrong"):format(seed, target, #bad)) end
      if k <= 3 then smallest(b.x, X, target) end
    end
    return #bad
  end
  print(("seed %d on %s: %s"):format(seed, target, why))
  for _, x in ipairs(list) do
    if not run.run({x}, X, target) then
      smallest(x, X, target)
      break
    end
  end
  return 1
end

local found, expressions = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local list, X = run.program(seed, options.size)
  expressions = expressions + #list
  for target in options.targets:gmatch "[^,]+" do found = found + judge(list, X, target, seed) end
end
print(("seeds %d to %d: %d expressions, %d findings"):format(options.seed, options.seed + options.count - 1, expressions, found))
os.exit(found == 0 and 0 or 1, true)
