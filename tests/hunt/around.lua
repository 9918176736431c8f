-- around.lua: loops around roles that mbarriers keep in step, right and wrong ones, against a reference.
--
--     moontile tests/hunt/around.lua [--seed N] [--count programs] [--targets a,b] [--show 1]
--
-- Without arguments it is the short test.  Each seed is a program (lib/around.lua) that runs on one of the targets.  Where
-- its roles are in order (lib/around_run.lua), the right values must come out.  Where they race, a warning or the
-- simulator must say so, or barriers of the compiler give the values of the text's order; where they wait for ever in
-- some order, something must say so.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "around", "around_text", "around_run"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end
local random, around, text, runner = require "hunt.random", require "hunt.around", require "hunt.around_text", require "hunt.around_run"

local options = {seed = 1, count = 40, show = 0, targets = "sm_90a,sm_90a,sm_80"}
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not options[name] or not arg[i + 1] then
    io.stderr:write("usage: moontile around.lua [--seed N] [--count programs] [--targets a,b] [--show 1]\n")
    os.exit(2)
  end
  options[name] = math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end

local targets, tally, bad = {}, {}, 0
for t in options.targets:gmatch "[^,]+" do targets[#targets + 1] = t end

-- Threads of a role that arrive again and have waited for nobody may count for one phase twice; the reference takes a
-- role as one.
local threads = {E636 = true}

local function word_of(verdict, may, codes, got, mixed, open)
  if verdict ~= "right" then
    if #codes > 0 then return verdict .. ", said" end
    -- a statement of the whole block in a loop is no barrier where nothing needs one
    return may[got] and verdict .. ", mended" or verdict == "stuck" and mixed and "stuck, may be" or verdict .. ", silent"
  end
  if #codes > 0 then
    if threads[codes[#codes]] then return "right, threads are not" end
    return may[got] and open and "right for this n" or "right, refused"
  end
  return may[got] and "right" or "right, another value"
end

for seed = options.seed, options.seed + options.count - 1 do
  local target = targets[seed % #targets + 1]
  local p = around.make(random.new(seed), target:find "sm_90" ~= nil)
  local verdict, may = runner.wanted(p, 6)
  local source = text.text(p)
  local codes, got, said = runner.run(p, source, "sim -arch=" .. target)
  local word = word_of(verdict, may, codes, got, source:find "%+ i %+ %d+%) %% 1009" ~= nil, p.dynamic)
  if word:find "silent" or word:find "refused" then -- there are more orders
    verdict, may = runner.wanted(p, 60)
    word = word_of(verdict, may, codes, got, source:find "%+ i %+ %d+%) %% 1009" ~= nil, p.dynamic)
  end
  for other = 2, word == "stuck, silent" and 6 or 0 do -- it may have been lucky
    if word:find "silent" and #runner.run(p, source, ("sim -arch=%s -seed=%d"):format(target, other)) > 0 then
      word = "stuck, said"
    end
  end
  tally[word] = (tally[word] or 0) + 1
  if word:find "silent" or word:find "refused" or word:find "another" then
    bad = bad + 1
    print(("seed %d, %s, %s: %s %s"):format(seed, p.kind, target, word, table.concat(codes, " ")))
    if options.show == 1 then 
      print(source)
      print(said)
      tl.set_target("cuda -arch=" .. target)
      print(assert(load(source))():compile{}:get_kernel_source())
    end
  end
end
local words = {}
for word, n in pairs(tally) do words[#words + 1] = n .. " " .. word end
table.sort(words, function(a, b) return a:match "%a.*" < b:match "%a.*" end)
print(table.concat(words, "; "))
os.exit(bad == 0 and 0 or 1)
