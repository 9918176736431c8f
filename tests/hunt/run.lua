-- run.lua: generated programs on targets, against an interpreter: `make hunt`.
--
--     moontile tests/hunt/run.lua [--seed N] [--count M] [--targets a,b] [--profile P] [--out DIR]
--         [--known FILE] [--each N] [--set weight=value,...]
--
-- One machine of each program's takes its warps and blocks in an order of the program's own (-seed): the
-- usual one hides barriers that are missing.  Without arguments it is the short test.  Seeds N .. N + M - 1 become programs (lib/gen.lua) that run on each target; what differs from the
-- interpreter, and what is refused, is made small (lib/shrink.lua) and printed as a script that runs alone.
-- Targets are machines of the simulator (sm_80), cpu or cuda; --cpu-every N and --cuda-every N try these, which
-- take a compiler's time, with each Nth seed unless they stand alone.
local here = arg[0]:match "^(.*/)[^/]*$" or "./"
for _, name in ipairs {"random", "types", "expr", "notes", "elements", "tested", "feed", "statements", "ends", "gen", "tiles", "interp", "print",
                       "judge", "shrink", "wild"} do
  package.preload["hunt." .. name] = function() return dofile(here .. "lib/" .. name .. ".lua") end
end

io.stdout:setvbuf "line"
local options = {seed = 1, count = 100, targets = "sm_75,sm_80,sm_90a,c500,gfx942,cpu", profile = "all", ["cpu-every"] = 4,
                 ["cuda-every"] = 4, shrink = 400, each = 100}
if not arg[1] then
  -- the test of `make test`: few seeds
  options.count, options.each, options["cpu-every"] = 60, 1, 8
end
local i = 1
while arg[i] do
  local name = arg[i]:match "^%-%-(.+)$"
  if not name or not arg[i + 1] then
    io.stderr:write("usage: moontile run.lua [--seed N] [--count M] [--targets a,b] [--profile P] [--out DIR]\n")
    os.exit(2)
  end
  options[name] = arg[i + 1]
  i = i + 2
end
for _, name in ipairs {"seed", "count", "cpu-every", "cuda-every", "shrink", "each"} do
  options[name] = math.tointeger(tonumber(options[name]))
end

local gen, judge = require "hunt.gen", require "hunt.judge"
local printer, shrink = require "hunt.print", require "hunt.shrink"

local changed = {}
for name, value in (options.set or ""):gmatch "([%w_]+)=([%d.]+)" do changed[name] = tonumber(value) end

local targets = {}
for t in options.targets:gmatch "[^,]+" do
  targets[#targets + 1] = options[t .. "-every"] and t or "sim -arch=" .. t
end

-- The seed at hand stands in a file, so that whoever watches knows what killed or hung the process.
local function announce(text)
  if not options.at then return end
  local f = assert(io.open(options.at, "w"))
  f:write(text, "\n")
  f:close()
end

if options.profile == "wild" then
  os.exit(require "hunt.wild".run(options, announce) > 0 and 1 or 0, true)
end

-- The target as this program is run on it: a third on a machine so small that blocks loop over tiles.
local function in_order(target, n, seed)
  if target:find "sm_90a" and seed % 3 == 0 then target = target .. " -sms=2" end
  local own = (n - seed) % #targets == 0 and (options.each > 1 or seed // #targets % 2 == 0)
  return own and target:find "^sim" and ("%s -seed=%d"):format(target, seed % 997 + 1) or target
end

local counts = {programs = 0, invalid = 0, found = 0, known = 0, refused = 0}

-- Messages that are known already: a file with a fragment on each line.
local known = {}
if options.known then
  for line in io.lines(options.known) do
    if line ~= "" then known[#known + 1] = line end
  end
end
local function is_known(verdict)
  for _, fragment in ipairs(known) do
    if (verdict.target .. ": " .. verdict.text):find(fragment, 1, true) then return true end
  end
end

local function report(program, verdict, wanted, short)
  counts.found = counts.found + 1
  local text = ("-- seed %d, profile %s, %s: %s\n-- %s\n%s"):format(program.seed, options.profile, verdict.target, verdict.code,
    verdict.text:gsub("\n", "\n-- "), printer.script(short, wanted))
  if options.out then
    local name = ("%s/%s-%s-%d.lua"):format(options.out, verdict.code, verdict.target:match "arch=([%w_]+)" or verdict.target, program.seed)
    local f = assert(io.open(name, "w"))
    f:write(text)
    f:close()
    print(("seed %d: %s on %s: %s"):format(program.seed, verdict.code, verdict.target, (verdict.text:match "[^\n]*")))
  else
    print(text)
  end
end

for seed = options.seed, options.seed + options.count - 1 do
  announce(seed)
  local program = gen.program(seed, options.profile, changed)
  local wanted, why = judge.wanted(program)
  if not wanted then
    counts.invalid = counts.invalid + 1
    if options.invalid then print(("seed %d: invalid: %s"):format(seed, why)) end
  else
    counts.programs = counts.programs + 1
    local seen = {}
    for n, target in ipairs(targets) do
      -- `each`: so many targets for a seed, in turns
      local turn = (n - seed * options.each) % #targets < options.each
      local every = #targets > 1 and options[target .. "-every"]
      if every then turn = seed % every == 0 end
      if turn then
        announce(seed .. " " .. target)
        local verdict = judge.run(program, in_order(target, n, seed), wanted)
        local again = false
        for _, v in ipairs(seen) do again = again or judge.alike(v, verdict) end
        if verdict.kind == "refused" then
          counts.refused = counts.refused + 1
        elseif verdict.kind ~= "right" and is_known(verdict) then
          counts.known = counts.known + 1
        elseif verdict.kind ~= "right" and not again then
          seen[#seen + 1] = verdict
          local short, w, v = shrink.run(program, verdict, options.shrink)
          report(short, v, w, short)
          program = gen.program(seed, options.profile, changed) -- what was made small is not it any more
        end
      end
    end
  end
end
print(("seeds %d to %d: %d programs, %d findings, %d known, %d refused, %d not counted"):format(options.seed,
  options.seed + options.count - 1, counts.programs, counts.found, counts.known, counts.refused, counts.invalid))
if counts.found > 0 then os.exit(1) end
