-- Random plain programs: unchanged by the reader, the same when staged, and when they ask for
-- values that they cannot decide by.
local run = dofile "lib/run.lua"
local generate = dofile "lib/generate.lua"
local bad, bytes = 0, 0
for seed = 1, tonumber(os.getenv "SEEDS") or 150 do
  local text = generate(seed, 60)
  bytes = bytes + #text
  local out, why = run.both(text, "seed" .. seed)
  if out then
    out, why = run.known(text, "seed" .. seed)
  end
  if not out then
    bad = bad + 1
    print("seed " .. seed, why)
    if os.getenv "SHOW" then
      print(text)
    end
  end
end
print("differing programs", bad)
assert(bytes > 100000)
