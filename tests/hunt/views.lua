-- views.lua: fragments and shared memory by several names, of elements of several widths, on targets,
-- against an interpreter that knows bytes alone.
--
--     moontile tests/hunt/views.lua [--seed N] [--count programs] [--targets a,b] [--each n]
--
-- Without arguments it is the short test.  Each seed is a program (lib/views.lua) that runs on `each` of the
-- targets in turns; of what differs, or is refused, the statements that it takes are printed.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "views"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local views = require "hunt.views"

local options = {seed = 1, count = 200, each = 1,
  targets = "sim -arch=sm_80,sim -arch=sm_90a,sim -arch=gfx942,sim -arch=c500,cpu"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile views.lua [--seed N] [--count programs] [--targets a,b] [--each n]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end
local targets = {}
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Nothing where p is right on a target, else a word and more of them.
local function judge(p, target)
  local want = views.interpret(p)
  local chunk, why = load(views.text(p), "=views")
  if not chunk then return "text", why end
  local ok, got = pcall(function() return views.results(p, chunk(target)) end)
  if not ok then
    local code = tostring(got):match "%[(E%d+)%]" or "?"
    if code == "E436" and target:find "-build" then return end -- its text is good for the C compiler
    return code, tostring(got)
  end
  for name, w in pairs(want) do
    for i, v in ipairs(w) do
      if got[name][i] ~= v then return "wrong", ("%s[%d] is %s, wanted %d"):format(name, i - 1, got[name][i], v) end
    end
  end
end

-- Leaves out statements as long as the verdict stays.
local function shrink(p, target, code)
  for i = #p.list, 1, -1 do
    local s = table.remove(p.list, i)
    local ok, c = pcall(judge, p, target)
    if not (ok and c == code) then table.insert(p.list, i, s) end
  end
end

local found = 0
for seed = options.seed, options.seed + options.count - 1 do
  local p = views.make(seed)
  for k = 1, options.each do
    local target = targets[(seed + k - 2) % #targets + 1]
    local code, why = judge(p, target)
    if code then
      found = found + 1
      shrink(p, target, code)
      code, why = judge(p, target)
      print(("seed %d, %s: %s: %s\n%s"):format(seed, target, code, why, views.text(p)))
    end
  end
end
print(("%d programs, %d findings"):format(options.count, found))
os.exit(found == 0)
