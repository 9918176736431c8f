-- roles.lua: roles that share tiles, with mbarriers and named barriers, right and wrong ones, against a reference.
--
--     moontile tests/hunt/roles.lua [--seed N] [--count programs] [--targets a,b] [--show 1]
--
-- Without arguments it is the short test.  Each seed is a program (lib/roles.lua) that runs on one of the targets.  Where
-- its roles are in order (lib/roles_run.lua), the right values must come out; where they race, or wait for ever in some
-- order, a warning or the simulator must say so.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "roles", "roles_run"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local random, roles, runner = require "hunt.random", require "hunt.roles", require "hunt.roles_run"

local options = {seed = 1, count = 60, show = 0, targets = "sm_90a,sm_80"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile roles.lua [--seed N] [--count programs] [--targets a,b] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets, tally, bad = {}, {}, 0
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Threads of a role that arrive again and have waited for nobody may count for one phase twice; the reference takes a
-- role as one.
local threads = {E636 = true}

for seed = options.seed, options.seed + options.count - 1 do
  local p = roles.make(random.new(seed))
  local target = targets[seed % #targets + 1]
  local verdict, want = runner.wanted(p)
  local codes, got = runner.run(p, "sim -arch=" .. target)
  local word
  if verdict ~= "right" then
    word = #codes > 0 and verdict .. ", said" or verdict .. ", silent"
  elseif #codes > 0 then
    word = threads[codes[#codes]] and "right, threads are not" or "right, refused"
  else
    word = got == want and "right" or "right, another value"
  end
  tally[word] = (tally[word] or 0) + 1
  if word:find "silent" or word:find "refused" or word:find "another" then
    bad = bad + 1
    print(("seed %d, %s, %s: %s %s"):format(seed, p.kind, target, word, table.concat(codes, " ")))
    if options.show == 1 then print(roles.text(p)) end
  end
end
local words = {}
for word, n in pairs(tally) do words[#words + 1] = n .. " " .. word end
table.sort(words, function(a, b) return a:match "%a.*" < b:match "%a.*" end)
print(table.concat(words, "; "))
os.exit(bad == 0 and 0 or 1)
