-- Atomics in statements to which a program gives stages of a pipeline: each iteration's come in order where it shows
-- (a tile that is written anew has copies), and updates of one kind in whichever comes first.
local silent = dofile "lib/silent.lua"
silent.machines = "sm_75 sm_80 sm_90a c500 gfx942"

local function kernel(lists, body)
  return assert(load(([[return tl.jit(function()
    local C = T.empty({64}, "int32")
    for _ in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({64}, "int32")
      T.fill(s, 0)
      for k in T.Pipelined(4, {num_stages = 2, %s}) do
        %s
      end
      T.copy(s, C)
    end
    return C
  end)]]):format(lists, body), "=kernel"))()
end

local cases = {
  {"written anew", "stage = {0, 0, 1}, order = {0, 1, 2}",
    "T.fill(s, k) for i in T.Parallel(64) do T.atomic_add(s[i], i) end for i in T.Parallel(64) do T.atomic_add(s[63 - i], 1) end",
    function(i) return 3 + i + 1 end},
  {"sums, the last first", "stage = {1, 0}, order = {1, 0}",
    "for i in T.Parallel(64) do T.atomic_add(s[63 - i], i) end for i in T.Parallel(64) do T.atomic_add(s[i], k) end",
    function(i) return 4 * (63 - i) + 6 end},
  {"sums, in order", "stage = {0, 1}, order = {0, 1}",
    "for i in T.Parallel(64) do T.atomic_add(s[63 - i], i) end for i in T.Parallel(64) do T.atomic_add(s[i], k) end",
    function(i) return 4 * (63 - i) + 6 end},
  {"two kinds of one stage", "stage = {1, 1}, order = {0, 1}",
    "for i in T.Parallel(64) do T.atomic_add(s[63 - i], 1) end for i in T.Parallel(64) do T.atomic_max(s[i], k * 20) end",
    function() return 60 end},
}
for _, c in ipairs(cases) do
  local k = kernel(c[2], c[3])
  silent.case(c[1], nil, k, {})
  for _, t in ipairs {"cpu", "sim -arch=sm_80 -seed=2", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    tl.set_target(t)
    local C, bad = k(), 0
    for i = 0, 63 do bad = bad + (C[i] == c[4](i) and 0 or 1) end
    if bad > 0 then print(c[1], t, bad .. " wrong") end
  end
end
silent.done()
