-- Two statements that change one element by atomics: where one is not the other's update, or gives the
-- element back, they happen in order, whichever threads come to it.  Flags and locks, for which threads
-- wait in one statement, go on as they are.
local silent = dofile "lib/silent.lua"
silent.machines = "sm_75 sm_80 sm_90a c500 gfx942"

-- Both of two statements, on a tile in shared memory or on a tensor; r takes what one of them gives.
local function pair(first, second, rounds, shared)
  local text = ([[return tl.jit(function()
    local C = T.empty({64}, "int32")
    local R = T.empty({128}, "int32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s = %s
      local r = T.alloc_shared({128}, "int32")
      local v = T.alloc_shared({64}, "int32")
      T.fill(s, 3)
      T.fill(r, 0)
      T.fill(v, 7)
      for _ in T.serial(%d) do
        %s
        %s
      end
      T.copy(s, C)
      T.copy(r, R)
    end
    return C, R
  end)]]):format(shared and 'T.alloc_shared({64}, "int32")' or "C", rounds or 1, first, second)
  if not text:find "s, v%)" then text = text:gsub("[^\n]*%f[%w]v%f[%W][^\n]*\n", "") end
  if not shared then text = text:gsub("[^\n]*copy%(s, C%)[^\n]*\n", "") end
  return assert(load(text, "=kernel"))()
end

local add = "for i in T.Parallel(128) do T.atomic_add(s[i // 2], 5) end"
local cases = {
  {"add, max", add, "for i in T.Parallel(128) do T.atomic_max(s[63 - i // 2], 7) end"},
  {"max, add, again", "for i in T.Parallel(128) do T.atomic_max(s[63 - i // 2], 9) end", add, 3},
  {"min, max", "for i in T.Parallel(64) do T.atomic_min(s[i], i - 20) end", "for i in T.Parallel(64) do T.atomic_max(s[63 - i], 1) end"},
  {"add, load", add, "for i in T.Parallel(128) do r[i] = T.atomic_load(s[63 - i // 2]) end"},
  {"load, add, again", "for i in T.Parallel(128) do r[i] = T.atomic_load(s[63 - i // 2]) end", add, 2},
  {"add, store", add, "for i in T.Parallel(64) do T.atomic_store(s[63 - i], i) end"},
  {"store, add", "for i in T.Parallel(64) do T.atomic_store(s[63 - i], i) end", add},
  {"store, store", "for i in T.Parallel(64) do T.atomic_store(s[i], i) end", "for i in T.Parallel(64) do T.atomic_store(s[63 - i], i) end"},
  {"add, add with the value before", add,
    "for i in T.Parallel(64) do r[i] = T.atomic_add(s[63 - i], 1, {return_prev = true}) end"},
  {"value before, again", "for i in T.Parallel(64) do r[i] = T.atomic_add(s[i], i, {return_prev = true}) end",
    "for i in T.Parallel(64) do r[127 - i] = T.atomic_max(s[63 - i], 40, {return_prev = true}) end", 3},
  {"acquire and release", "for i in T.Parallel(64) do T.atomic_add(s[i], 5, {memory_order = \"acq_rel\"}) end",
    "for i in T.Parallel(64) do T.atomic_max(s[63 - i], 7, {memory_order = \"acq_rel\"}) end"},
  {"tile, elements", "T.atomic_add(s, v)", "for i in T.Parallel(64) do T.atomic_max(s[63 - i], 9) end"},
  {"elements, tile", "for i in T.Parallel(64) do T.atomic_max(s[63 - i], 9) end", "T.atomic_add(s, v)", 2},
  {"of some threads", "if T.get_thread_binding() < 64 then for i in T.Parallel(64) do T.atomic_add(s[i], i) end end",
    "if T.get_thread_binding() < 64 then for i in T.Parallel(64) do T.atomic_max(s[63 - i], 30) end end"},
  {"of a range", "if T.get_thread_binding() < 64 then T.atomic_add(s[T.get_thread_binding()], 9); T.atomic_max(s[63 - T.get_thread_binding()], 30) end", ""},
}
for _, c in ipairs(cases) do
  for _, where in ipairs {true, false} do
    silent.case(c[1] .. (where and ", shared" or ", global"), nil, pair(c[2], c[3], c[4], where), {})
  end
end

-- the values, too: of every kind of order one
local want = {["add, max"] = 13, ["max, add, again"] = 39, ["add, store"] = 63, ["add, load"] = 13}
for _, c in ipairs(cases) do
  for _, t in ipairs {"cpu", "sim -seed=1", "sim -arch=gfx942 -seed=3", "sim -arch=sm_75 -seed=1"} do
    if want[c[1]] then
      tl.set_target(t)
      local C, R = pair(c[2], c[3], c[4], true)()
      print(c[1], t, C[0], C[0] == want[c[1]] and "right" or "WRONG")
    end
  end
end

-- Flags: a block waits for the one before it, in one statement; and a lock.
local flags = tl.jit(function()
  local C = T.empty({5}, "int32")
  for _ in T.Kernel(1) do T.clear(C) end
  for bx in T.Kernel(4, {threads = 64}) do
    if T.get_thread_binding() == 0 then
      if bx > 0 then
        while T.atomic_load(C[bx - 1], "acquire") == 0 do end
      end
      T.atomic_add(C[4], bx)
      T.atomic_store(C[bx], 1, "release")
    end
  end
  return C
end)
for _, m in ipairs {"sm_75", "sm_90a", "c500", "gfx942"} do -- blocks come in order
  tl.set_target("sim -arch=" .. m)
  print("flags", m, flags())
end

local lock = tl.jit(function()
  local C = T.empty({2}, "int32")
  for _ in T.Kernel(1) do T.clear(C) end
  for _ in T.Kernel(4, {threads = 32}) do
    if T.get_thread_binding() == 0 then
      while T.atomic_max(C[0], 1, {return_prev = true, memory_order = "acquire"}) == 1 do end
      T.atomic_add(C[1], T.atomic_load(C[1]) + 1)
      T.atomic_store(C[0], 0, "release")
    end
  end
  return C
end)
silent.case("lock", nil, lock, {})
silent.done()
