-- Time lines of kernels on all machines: nobody acts in two places at once, a wait ends
-- when what it waits for is there, shares are shares, and tracing changes nothing.
local kernels = dofile "lib/kernels.lua"

local Mbar = 20 -- cycles until a waiter sees the end of an mbarrier's phase

local function fail(t, what, e)
  print(("%s on %s: %s%s"):format(t.kernel, t.target, what,
    e and (": %s %d..%d line %d"):format(e.kind, e.from, e.to, e.line) or ""))
end

local function by_warp(t)
  local clock = {}
  for _, e in ipairs(t.events) do
    if e.to < e.from then
      fail(t, "an event ends before it begins", e)
    end
    if e.kind ~= "flight" and e.kind ~= "product" then
      for w = e.w0, e.w1 - 1 do
        if e.from < (clock[w] or 0) then
          fail(t, "a warp is in two places", e)
        end
        clock[w] = math.max(clock[w] or 0, e.to)
      end
    end
    if e.to > t.cycles then
      fail(t, "an event ends behind the end", e)
    end
  end
end

-- A wait for an mbarrier that took time ends when a copy lands or somebody arrives.
local function waits(t)
  local at = {}
  for _, e in ipairs(t.events) do
    at[e.kind == "flight" and e.to or e.kind == "arrive" and e.from or -1] = true
  end
  local n = 0
  for _, e in ipairs(t.events) do
    if e.letter == "w" and e.to > e.from then
      n = n + 1
      -- copies of several boxes are one event: the last of them may be for another barrier
      if t.blocks == 1 and not at[e.to - Mbar] and e.reason ~= "copy" then
        fail(t, "a wait ends with nothing", e)
      end
    end
  end
  return n
end

local function shares(t)
  for name, share in pairs(t.busy) do
    if share < 0 or share > 1 then
      fail(t, ("%s is busy %g"):format(name, share))
    end
  end
  for _, r in ipairs(t.rows) do
    local sum = 0
    for _, n in pairs(r.waits) do
      sum = sum + n
    end
    if sum > t.cycles then
      fail(t, r.name .. " waits longer than it runs")
    end
  end
end

tl.manual_seed(3)
local A, B = tl.randn({128, 256}, "float16"), tl.randn({256, 192}, "float16")
local X, Y = tl.randn({70, 32}, "float32"), tl.randn({1000}, "float32")
local n, waited = 0, 0
for _, arch in ipairs {"sm_75", "sm_80", "sm_89", "sm_90a", "c500", "gfx90a", "gfx942", "simt"} do
  for _, seed in ipairs {"", (arch == "sm_80" or arch == "sm_90a") and " -seed=7" or nil} do
    local target = "sim -arch=" .. arch .. seed
    local list = {{kernels.rows:compile(X, 8), {X}}, {kernels.handed:compile(Y), {Y}}}
    for stages = 1, 4 do
      list[#list + 1] = {kernels.gemm:compile(A, B, stages, 128), {A, B}}
    end
    for _, c in ipairs(list) do
      local k = c[1]:retarget(target)
      local want = k(table.unpack(c[2]))
      local t = k:trace{inputs = c[2]}
      by_warp(t)
      waited = waited + waits(t)
      shares(t)
      local again = k:trace{inputs = c[2]}
      if again.cycles ~= t.cycles or #again.events ~= #t.events then
        fail(t, "a second trace differs")
      end
      tl.testing.assert_close(k(table.unpack(c[2])), want, {rtol = 0, atol = 0})
      n = n + 1
    end
  end
end
print(n, "time lines;", waited > 50 and "many waits" or waited .. " waits")

-- What deeper pipelines are for.
for _, arch in ipairs {"sm_80", "sm_89", "sm_90a", "c500"} do
  local cycles = {}
  for stages = 1, 3 do
    local k = kernels.gemm:compile(A, B, stages, 128)
    cycles[stages] = k:trace{target = "sim -arch=" .. arch, inputs = {A, B}}.cycles
  end
  print(arch, cycles[3] <= cycles[2] and cycles[2] <= cycles[1] and cycles[3] < cycles[1])
end
