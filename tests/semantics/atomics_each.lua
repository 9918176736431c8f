-- How often an atomic outside of T.Parallel happens is decided by the program as it is written: once
-- for each thread where the condition around it, its index or its value speaks of the thread, though
-- the number of threads decides the condition, or the value is the same for all.
local function adds(body, n, target)
  local f = assert(load(([[return tl.jit(function(S, X, m)
    S: T.Tensor({1}, "int32")
    X: T.Tensor({%d}, "int32")
    m: T.int32
    for bx in T.Kernel(1, {threads = {%d, 1}}) do
      local tx, ty = T.get_thread_binding(0), T.get_thread_binding(1)
      local v = T.alloc_var("int32", 0)
      %s
    end
  end, {target = "%s"})]]):format(n, n, body, target), "=kernel"))()
  local s = tl.zeros({1}, "int32")
  f(s, tl.arange(n, "int32"), 2)
  return s[0]
end

local function all(n) return n end
local function once() return 1 end
local function upto(k) return function(n) return math.min(n, k) end end

local cases = {
  {"if tx < 64 then T.atomic_add(S[0], 1) end", upto(64)},
  {"if X[tx] < 1000 then T.atomic_add(S[0], 1) end", all},
  {"if tx >= 64 then v = 1 else T.atomic_add(S[0], 1) end", upto(64)},
  {"if ty == 0 then T.atomic_add(S[0], 1) end", all},
  {"local c = tx < 64; if c then T.atomic_add(S[0], 1) end", upto(64)},
  {"if tx < 64 and m > 1 then T.atomic_add(S[0], 1) end", upto(64)},
  {"if not (tx >= 64) then if m > 1 then T.atomic_add(S[0], 1) end end", upto(64)},
  {"local w = tx // 64; if w == 0 then T.atomic_add(S[0], 1) end", upto(64)},
  {"if tx * 0 + m == 2 then T.atomic_add(S[0], 1) end", all},
  {"if T.min(tx, 0) == 0 then T.atomic_add(S[0], 1) end", all},
  {"if T.Select(tx < 64, 1, 0) == 1 then T.atomic_add(S[0], 1) end", upto(64)},
  {"T.atomic_add(S[0], tx * 0 + 1)", all},
  {"T.atomic_add(S[0], T.cast(tx < 64, 'int32'))", upto(64)},
  {"T.atomic_add(S[tx // 128], 1)", all},
  {"T.atomic_add(S[0], X[tx * 0 + 1])", all},
  {"v = tx // 64; if v == 0 then T.atomic_add(S[0], 1) end", upto(64)},
  {"v = tx // 64; if v >= 0 then T.atomic_add(S[0], 1) end", all},
  {"v = tx; T.atomic_add(S[v // 128], 1)", all},
  {"if tx < 64 then v = 1 end; if v == 1 then T.atomic_add(S[0], 1) end", upto(64)},
  {"for k in T.serial(m) do if tx >= 64 then break end; T.atomic_add(S[0], 1) end", function(n) return 2 * math.min(n, 64) end},
  {"for k in T.serial(tx // 128 + 1) do T.atomic_add(S[0], 1) end", all},
  {"local p = T.atomic_add(S[0], tx * 0 + 1, {return_prev = true}); X[tx] = p", all},
  {"T.atomic_add(S[0], 1)", once},
  {"if bx == 0 then T.atomic_add(S[0], 1) end", once},
  {"if m > 1 then T.atomic_add(S[0], 1) end", once},
  {"if T.syncthreads_or(tx < 64) ~= 0 then T.atomic_add(S[0], 1) end", once},
  {"v = tx; v = 3; if v == 3 then T.atomic_add(S[0], 1) end", once},
  {"for i in T.Parallel(8) do if tx >= 0 then T.atomic_add(S[0], 1) end end", function() return 8 end},
}

for _, k in ipairs(cases) do
  local wrong = ""
  for _, n in ipairs {128, 96, 64, 32} do
    for _, t in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"} do
      local got = adds(k[1], n, t)
      if got ~= k[2](n) then
        wrong = wrong .. ("  %s, %d threads: %d"):format(t, n, got)
      end
    end
  end
  print(k[1] .. wrong)
end
