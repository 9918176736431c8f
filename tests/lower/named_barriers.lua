-- Barriers of a number that the program names itself: where they order what a role's or the
-- block's threads do, the compiler puts in no other; where that is not sure, it does.

-- The lines of the launch that are barriers of the compiler.
local function added(k)
  local n = 0
  for line in k:ir "sync":gmatch "[^\n]+" do
    n = n + (line:find "^%s*bar_sync" and 1 or 0)
  end
  return n
end

local function run(name, target, body, threads, hangs)
  local f = tl.jit(function(X)
    X: T.Tensor({threads}, T.float32)
    local C = T.empty({threads}, T.float32)
    for _ in T.Kernel(1, {threads = threads}) do
      body(X, C, T.alloc_shared({threads}, T.float32), T.get_thread_binding())
    end
    return C
  end, {target = "sim -arch=" .. target})
  local x = tl.arange(threads, "float32")
  local k = f:compile()
  local n = 0
  for _, note in ipairs(k:analyze().notes) do
    n = n + (note.code == "E497" and 1 or 0)
  end
  print(name, target, added(k) .. " added", n .. " mended", hangs and "" or k(x):sum())
end

local cases = {
  {"both wait, in a role", T.macro(function(X, C, s)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
      C[t] = s[127 - t]
    end
    for t in T.ws(1) do
      s[128 + t] = X[128 + t]
      T.sync_threads(1, 256)
      C[128 + t] = s[255 - t]
    end
  end)},
  {"both wait, then all read", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
    end
    for t in T.ws(1) do
      s[128 + t] = X[128 + t]
      T.sync_threads(1, 256)
    end
    C[tx] = s[255 - tx]
  end)},
  {"written behind it, then all read", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      T.sync_threads(1, 256)
      s[t] = X[t]
    end
    for t in T.ws(1) do
      s[128 + t] = X[128 + t]
      T.sync_threads(1, 256)
    end
    C[tx] = s[255 - tx]
  end)},
  {"in loops: a role's own", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      for k in T.serial(2) do
        s[t] = X[t] + k
        T.sync_threads(1, 256)
        C[t] = s[127 - t]
        T.sync_threads(1, 256)
      end
    end
    for t in T.ws(1) do
      for k in T.serial(4) do T.sync_threads(1, 256) end
      C[128 + t] = X[128 + t]
    end
  end)},
  {"in loops, then all read", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      for k in T.serial(2) do
        s[t] = X[t] + k
        T.sync_threads(1, 256)
      end
    end
    for t in T.ws(1) do
      s[128 + t] = X[128 + t]
      for k in T.serial(2) do T.sync_threads(1, 256) end
    end
    C[tx] = s[255 - tx]
  end)},
  {"one only arrives", T.macro(function(X, C, s)
    for t in T.ws(0) do
      s[t] = X[t]
      T.named_barrier_arrive(1, 256)
      C[t] = X[t]
    end
    for t in T.ws(1) do
      s[128 + t] = X[128 + t]
      T.sync_threads(1, 256)
      C[128 + t] = s[255 - t]
    end
  end)},
  {"under a condition of the block", T.macro(function(X, C, s)
    for t in T.ws(0) do
      s[t] = X[t]
      if X[0] >= 0 then T.sync_threads(1, 256) end
      C[t] = s[127 - t]
    end
    for t in T.ws(1) do
      if X[0] >= 0 then T.sync_threads(1, 256) end
      C[128 + t] = X[128 + t]
    end
  end)},
  {"roles in a loop", T.macro(function(X, C, s, tx)
    for k in T.serial(2) do
      for t in T.ws(0) do
        s[t] = X[t] + k
        T.sync_threads(1, 256)
      end
      for t in T.ws(1) do
        T.sync_threads(1, 256)
      end
      C[tx] = s[127 - tx % 128]
      T.sync_threads()
    end
  end)},
  {"roles in a loop, each in another round", T.macro(function(X, C, s, tx)
    for k in T.serial(2) do
      for t in T.ws(0) do
        if k == 0 then
          s[t] = X[t]
          T.sync_threads(1, 256)
        end
      end
      for t in T.ws(1) do
        if k == 1 then T.sync_threads(1, 256) end
      end
      C[tx] = s[127 - tx % 128]
    end
  end), hangs = true},
  {"one after the other, not side by side", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
    end
    C[tx] = s[127 - tx % 128]
    for t in T.ws(1) do T.sync_threads(1, 256) end
  end), hangs = true},
  {"what one role knows, another does not", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
    end
    for t in T.ws(1) do
      T.sync_threads(2, 256)
      T.sync_threads(1, 256)
    end
    for t in T.ws(2) do T.sync_threads(2, 256) end
    C[tx] = s[127 - tx % 128]
  end), 384},
  {"the same, told on behind it", T.macro(function(X, C, s, tx)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
    end
    for t in T.ws(1) do
      T.sync_threads(1, 256)
      T.sync_threads(2, 256)
    end
    for t in T.ws(2) do T.sync_threads(2, 256) end
    C[tx] = s[127 - tx % 128]
  end), 384},
  {"more threads than it counts", T.macro(function(X, C, s)
    for t in T.ws(0) do
      s[t] = X[t]
      T.sync_threads(1, 256)
      C[t] = s[127 - t]
      T.sync_threads(1, 256)
    end
    for t in T.ws(1) do
      T.sync_threads(1, 256)
      C[128 + t] = X[128 + t]
    end
    for t in T.ws(2) do
      T.sync_threads(1, 256)
      C[256 + t] = X[256 + t]
    end
  end), 384},
}
for _, c in ipairs(cases) do
  for _, target in ipairs {"sm_80", "sm_90a"} do
    run(c[1], target, c[2], c[3] or 256, c.hangs)
  end
end

-- Programs of two or three roles that meet at barriers of all of them, of their own, or
-- arrive at one: what each thread reads was written by another of its role, or, behind all
-- roles, of any. The simulator knows of each pair of accesses that nothing orders.
--     SEEDS=400 FIRST=1000 SHOW=1 moontile named_barriers.lua
local first, seeds = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 12
local random = math.random

local function program(seed)
  math.randomseed(seed)
  local roles, out, inner = random(2, 3), {}, {}
  local all = 128 * roles
  for r = 1, roles do inner[r] = {} end
  local function say(r, depth, ...) table.insert(inner[r], ("  "):rep(depth) .. string.format(...)) end
  local steps = random(2, 5)
  local loop = random() < 0.4 and random(1, steps) -- of all roles, from here to the next barrier of all
  local kind = {}
  for i = 1, steps do kind[i] = random(6) end
  for r = 1, roles do
    for i = 1, steps do
      local depth = loop == i and 1 or 0
      if depth == 1 then say(r, 0, "for k in T.serial(3) do") end
      for _ = 1, random(0, 3) do
        local a = random(0, 1)
        if random() < 0.5 then
          say(r, depth, "s%d[%d, t] = c[0] + %d", r, a, random(9))
        else
          say(r, depth, "c[0] = c[0] * 3 + s%d[%d, (t + %d) %% 128]", r, a, random(0, 127))
        end
      end
      if kind[i] <= 3 then
        say(r, depth, "T.sync_threads(1, %d)", all)
      elseif kind[i] == 4 then
        say(r, depth, "T.sync_threads(%d, 128)", 4 + r)
      elseif kind[i] == 5 then -- who arrives must not run ahead
        say(r, depth, r > 1 and "T.sync_threads(2, %d)" or "T.named_barrier_arrive(2, %d)", all)
        say(r, depth, "T.sync_threads(3, %d)", all)
      end
      if depth == 1 then say(r, 0, "end") end
    end
    if random() < 0.5 then say(r, 0, "s%d[0, t] = c[0]", r) end
  end
  out[#out + 1] = "return tl.jit(function(X)"
  out[#out + 1] = "  X: T.Tensor({128}, T.int32)"
  out[#out + 1] = ("  local C = T.empty({%d}, T.int32)"):format(all)
  out[#out + 1] = ("  for _ in T.Kernel(1, {threads = %d}) do"):format(all)
  out[#out + 1] = "    local tx, c = T.get_thread_binding(), T.alloc_local({1}, T.int32)"
  out[#out + 1] = "    c[0] = X[tx % 128]"
  for r = 1, roles do
    out[#out + 1] = ("    local s%d = T.alloc_shared({2, 128}, T.int32)"):format(r)
    out[#out + 1] = ("    T.fill(s%d, %d)"):format(r, r)
  end
  for r = 1, roles do
    out[#out + 1] = ("    for t in T.ws(%d) do"):format(r - 1)
    for _, line in ipairs(inner[r]) do out[#out + 1] = "      " .. line end
    out[#out + 1] = "    end"
  end
  for r = 1, roles do
    out[#out + 1] = ("    c[0] = c[0] + s%d[%d, 127 - tx %% 128]"):format(r, random(0, 1))
  end
  out[#out + 1] = "    C[tx] = c[0]"
  out[#out + 1] = "  end"
  out[#out + 1] = "  return C"
  out[#out + 1] = "end)"
  return table.concat(out, "\n")
end

-- Notes of what the second look at the order had to put in.
local function mended(k)
  local n = 0
  for _, note in ipairs(k:analyze().notes) do n = n + (note.code == "E497" and 1 or 0) end
  return n
end

local wrong = 0
local x = tl.arange(128, "int32")
for seed = first, first + seeds - 1 do
  local text, want = program(seed), nil
  if os.getenv "SHOW" then print(text) end
  for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a -seed=5"} do
    local f = load(text, "=" .. seed)()
    local ok, got, lacks = pcall(function()
      local k = f:compile():retarget(target)
      return k(x), mended(k)
    end)
    want = want or ok and got
    if not ok or lacks > 0 or not tl.allclose(got, want, 0, 0) then
      wrong = wrong + 1
      print("seed", seed, target, not ok and got or lacks > 0 and "mended" or "differs")
    end
  end
end
print(wrong .. " wrong")
