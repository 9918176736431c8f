-- atomics.lua: statements that change the same elements by atomics of several kinds, on targets, against an interpreter.
--
--     moontile tests/hunt/atomics.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1]
--
-- Without arguments it is the short test.  Each seed is a program (lib/atomics.lua) that runs on `each` of the targets in
-- turns, in an order of its own (-seed).  Where it says what comes out, it must come out; where it does not (two kinds of
-- updates by iterations of one loop), a simulated machine
-- must refuse it.  What differs is made small and printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "atomics_values", "atomics_flow", "atomics", "atomics_run"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local random, atomics, runner = require "hunt.random", require "hunt.atomics", require "hunt.atomics_run"

local options = {seed = 1, count = 60, each = 1, show = 0, targets = "sm_80,sm_90a,gfx942,c500,sm_75,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile atomics.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- What is said of stages that a program gives and that do not fit; of lists that are too short (an update that gives
-- the value before is a statement besides the one that stores it, a branch without any is none).
local stages = {E508 = true, E510 = true, E511 = true, E587 = true}

-- Nothing where a program does on a target what it must, else a code and words.
local function judge(p, target)
  local want, unordered, soft = runner.wanted(p)
  if not want or soft and not unordered then return end
  local code, text, said = runner.run(p, target, want)
  if unordered then
    if code == "right" or code == "wrong" then
      if target == "cpu" then return end
      return "accepted", unordered
    end
    if code == "?" or code == "E999" then return code, text end
    return
  end
  local _, never, maybe = runner.wanted(p, true)
  if p.roles and code == "E557" then return end -- the machine has no barrier for a part of the block
  if (never or maybe) and code ~= "wrong" and code ~= "?" and code ~= "E999" then return end -- by what is not reached
  if p.listed and stages[code] then return end
  if code == "right" then
    local w = said:match "warning%[(E93[245])%]"
    if w then return "warned " .. w, said end
    return
  end
  return code, text
end

-- Leaves out statements as long as the verdict stays.
local function shrink(p, target, code)
  local function same()
    local ok, c = pcall(judge, p, target)
    return ok and c == code
  end
  local function go(list)
    local i = #list
    while i >= 1 do
      local s = table.remove(list, i)
      if not same() then
        if s.parts then
          for _, part in ipairs(s.parts) do
            for k, x in ipairs(part) do table.insert(list, i + k - 1, x) end
            if same() then
              s = nil
              i = i + #part
              break
            end
            for _ = 1, #part do table.remove(list, i) end
          end
        end
        if s then
          table.insert(list, i, s)
          for _, part in ipairs(s.parts or {}) do go(part) end
        end
      end
      i = i - 1
    end
  end
  for _ = 1, 2 do go(p.statements) end
end

local findings, skipped, unordered = 0, 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local r = random.new(seed * 0x3C6EF372FE94F82B)
  local p = atomics.program(r)
  runner.prune(p)
  local want, why, soft = runner.wanted(p)
  if not want or soft and not why then
    skipped = skipped + 1
  else
    if options.show == 1 then print(p:text()) end
    if why then unordered = unordered + 1 end
    for k = 0, options.each - 1 do
      local t = targets[(seed + k) % #targets + 1]
      local target = t == "cpu" and t or ("sim -arch=%s -seed=%d"):format(t, seed % 9)
      local code, text = judge(p, target)
      if code then
        findings = findings + 1
        shrink(p, target, code)
        print(("seed %d on %s: %s"):format(seed, target, code))
        print(p:text())
        print(select(2, judge(p, target)) or text)
        break
      end
    end
  end
end
print(("seeds %d to %d: %d findings, %d without an order, %d not counted"):format(options.seed, options.seed + options.count - 1,
  findings, unordered, skipped))
os.exit(findings == 0 and 0 or 1, true)
