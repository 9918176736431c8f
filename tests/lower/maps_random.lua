-- Index maps between fragments, drawn at random, as every kind of machine runs
-- them, against plain loops, exactly.
--     SEEDS=400 FIRST=1000 SHOW=1 moontile maps_random.lua
local generate = dofile "lib/maps.lua"
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}
local first, count = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 40
local bad = 0

local function run(p, machine)
  local list = {}
  for x = 1, #p.input + 1 do list[x] = p.input[x - 1] end
  local f = assert(load(p.text, "=chain"))()
  local a = tl.from_table(list, p.dtype):reshape(table.unpack(p.shape))
  tl.set_target(machine)
  local c = f(a)
  local want, n = p.want()
  local got = c:reshape(n):totable()
  for x = 0, n - 1 do
    if got[x + 1] ~= want[x] then
      error(("element %d is %s, wanted %s"):format(x, got[x + 1], want[x]), 0)
    end
  end
end

for seed = first, first + count - 1 do
  local p = generate(seed)
  for k, m in ipairs(machines) do
    if count < 100 or (seed + k) % #machines == 0 then
      local ok, why = pcall(run, p, "sim -arch=" .. m)
      if not ok then
        bad = bad + 1
        print(("seed %d, %s: %s"):format(seed, m, tostring(why):match "[^\n]*"))
        if os.getenv "SHOW" then print(p.text) end
      end
    end
  end
end
print(bad == 0 and "all as plain loops say" or bad .. " wrong")
