-- through.lua: kernels whose stages pass data through global memory, on targets, against an interpreter.
--
--     moontile tests/hunt/through.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1]
--
-- SEED and COUNT in the environment do what --seed and --count do.  Each seed is a program (lib/through.lua) that runs on
-- `each` of the targets in turns; what differs, and what is refused, is made small and printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "through_tensors", "through_ways", "through_stages", "through_loops", "through",
                       "through_text"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local through = require "hunt.through"
local text = require "hunt.through_text"

local options = {seed = math.tointeger(os.getenv "SEED") or 1, count = math.tointeger(os.getenv "COUNT") or 28, each = 1, show = 0,
  shrink = 1,
  targets = "sim -arch=sm_90a,sim -arch=sm_80,sim -arch=gfx942,sim -arch=c500,cpu,sim -arch=sm_75"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile through.lua [--seed N] [--count programs] [--targets a,b] [--each n] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Fair answers: no room in shared memory; what some of the threads cannot do by themselves; a machine without bulk copies.
local function fair(p, code, target)
  return code == "E537" or code == "E529" or code == "E557" or
    target ~= "cpu" and not target:find "sm_9" and p.bulks or code == "E087" and p.thread_program
end

-- Nothing where a program is right on a target, else a code and words.
local function judge(p, target)
  local want = p.want or assert(through.interpret(p))
  local chunk, why = load(text.text(p), "=through")
  if not chunk then return "text", why end
  local ok, got = pcall(function() return text.call(p, chunk(target)) end)
  if not ok then
    local code = tostring(got):match "%[(E%d+)%]" or "?"
    if code == "E436" and target:find "-build" then return end -- its text is good for the C compiler
    return code, tostring(got)
  end
  for name, g in pairs(got) do
    local w = want[name]
    for k = 1, #g do
      if g[k] ~= w[k] then
        return "wrong", ("%s, element %d is %s, wanted %s"):format(name, k - 1, tostring(g[k]), tostring(w[k]))
      end
    end
  end
end

-- Leaves out stages as long as the verdict stays.
local function shrink(p, list, target, code)
  local i = #list
  while i >= 1 do
    local s = table.remove(list, i)
    local good = through.interpret(p)
    local ok, c = pcall(judge, p, target)
    if not (good and ok and c == code) then
      table.insert(list, i, s)
      if s.list and not s.roles then shrink(p, s.list, target, code) end
    end
    i = i - 1
  end
end

local found, refused = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local kind = seed % 8 == 0 and "bulk" or seed % 8 == 4 and "async" or nil
  local p = through.program(seed, kind)
  for n = 0, options.each - 1 do
    local target = targets[(seed + n) % #targets + 1]
    if p.bulks and options.each == 1 then target = "sim -arch=sm_90a" end
    if options.show == 1 then print(text.text(p)) end
    local code, why = judge(p, target)
    if code and fair(p, code, target) then
      refused = refused + 1
    elseif code then
      found = found + 1
      if options.shrink == 1 then
        p.want = nil
        shrink(p, p.list, target, code)
        through.interpret(p)
        why = select(2, judge(p, target))
      end
      print(("-- seed %d, %s: %s: %s\n%s"):format(seed, target, code, why, text.text(p)))
      if options.shrink == 1 then p = through.program(seed, kind) end
    end
  end
end
print(("seeds %d to %d: %d findings, %d refused"):format(options.seed, options.seed + options.count - 1, found, refused))
os.exit(found == 0 and 0 or 1, true)
