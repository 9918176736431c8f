-- Random programs that send values through shared memory, as each machine: the
-- simulator finds no access that a barrier should have ordered, and the numbers are
-- those of the cpu target.  Index maps with casts, divisions and xors, of threads and
-- loop variables; selects and ifs on both; loops of known and unknown trip counts.
--     SEEDS=1000 FIRST=1 SHOW=1 moontile sync_random.lua
local first, count = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 12
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}

local function generate(seed)
  math.randomseed(seed)
  local rnd = math.random
  local N = ({64, 128, 256})[rnd(3)]
  local threads = ({64, 128, 256})[rnd(3)]
  local lines, loops, depth = {}, {}, 0
  local function put(fmt, ...) lines[#lines + 1] = ("  "):rep(depth + 2) .. fmt:format(...) end
  local function pick(...) local t = {...}; return t[rnd(#t)] end

  -- A number of the loops around: small, and the same for all threads.
  local function around()
    if #loops == 0 then return tostring(rnd(0, 9)) end
    local k = loops[rnd(#loops)]
    return pick(k, k, ("(%s * %d)"):format(k, rnd(2, 40)), ("(%s %% %d)"):format(k, rnd(2, 5)),
      ("(%s // %d)"):format(k, rnd(2, 4)), ("T.min(%s, %d - %s)"):format(k, rnd(3, 20), k),
      ("T.truncdiv(%s, -%d)"):format(k, rnd(1, 3)), ("T.cast(%s * %d, \"int8\"):astype(\"int32\")"):format(k, rnd(20, 90)))
  end
  -- 0 .. N - 1, a permutation of i; then any map into it.
  local function permutation()
    return pick("i", ("(i ~ %d)"):format(rnd(0, N - 1)), ("(%d - i)"):format(N - 1),
      ("((i * %d + %d) %% %d)"):format(2 * rnd(0, 20) + 1, rnd(0, 99), N),
      ("((i + %s) %% %d)"):format(around(), N), ("((i ~ (%s & %d)))"):format(around(), N - 1),
      ("(T.truncdiv(i, -1) + %d)"):format(N - 1), ("(i // -1 + %d)"):format(N - 1),
      ("(T.cast(i * %d + %s, \"uint8\"):astype(\"int32\") & %d)"):format(2 * rnd(0, 9) + 1, around(), N - 1),
      ("(((i * 3 + %s) %% %d + %d) %% %d)"):format(around(), N, N, N),
      ("X[(i + %s) %% %d]"):format(around(), N)) -- X[i] = i, which the compiler does not know
  end
  local function place()
    return pick(permutation(), permutation(), ("(i // %d)"):format(rnd(2, 64)),
      ("((i * i + %s) %% %d)"):format(around(), N), ("((%s) %% %d)"):format(around(), N),
      ("(T.truncdiv(i, %d) + T.truncmod(i, %d))"):format(rnd(2, 9), rnd(1, 9)),
      ("(i %% %d)"):format(rnd(1, 64)))
  end
  local function condition()
    return pick(("i < %s"):format(around()), ("i %% %d == %d"):format(rnd(2, 5), rnd(0, 1)),
      ("i // 32 == %s"):format(around()), ("%s > %d"):format(around(), rnd(0, 5)),
      ("%s == i %% 8"):format(around()), ("i >= %d and %s ~= 1"):format(rnd(0, N), around()),
      ("L[1] > i or %s < 3"):format(around()), ("i ~= %s * 2"):format(around()))
  end
  local function uniform()
    return pick(("%s %% 2 == %d"):format(around(), rnd(0, 1)), ("%s < %d"):format(around(), rnd(1, 9)),
      ("L[1] > %s"):format(around()), ("%s ~= %d"):format(around(), rnd(0, 3)))
  end
  local function value()
    return pick("X[i]", "X[i] + " .. around(), "i", "X[i] * 3")
  end
  local function statement()
    local t = pick("s", "s", "t")
    put("for i in T.Parallel(%d) do", N)
    depth = depth + 1
    local kind = rnd(6)
    if kind <= 2 then
      put("%s[%s] = %s", t, permutation(), value())
    elseif kind == 3 then
      local at = permutation()
      put("if %s then %s[%s] = %s end", condition(), t, at, value())
    elseif kind == 4 then
      put("a[i] = a[i] * 5 + T.if_then_else(%s, %s[%s], 1)", condition(), t, place())
    else
      put("a[i] = a[i] * 3 + %s[%s]", t, place())
    end
    depth = depth - 1
    put("end")
  end
  local function block(n, level)
    for _ = 1, n do
      local kind = rnd(10)
      if kind <= 6 or level == 3 then
        statement()
      elseif kind <= 8 then
        local k = ("k%d"):format(#loops)
        put(pick(("for %s in T.serial(%d) do"):format(k, level == 0 and pick(3, 8, 17, 70) or rnd(1, 5)),
          ("for %s in T.serial(L[0]) do"):format(k), ("for %s in T.serial(%d, L[0], 2) do"):format(k, rnd(0, 2)),
          ("for %s in T.unroll(%d) do"):format(k, rnd(2, 4))))
        loops[#loops + 1] = k
        depth = depth + 1
        block(rnd(1, 4), level + 1)
        depth = depth - 1
        loops[#loops] = nil
        put("end")
      else
        put("if %s then", uniform())
        depth = depth + 1
        block(rnd(1, 2), level + 1)
        depth = depth - 1
        put(rnd(2) == 1 and "else" or "end")
        if lines[#lines]:find "else" then
          depth = depth + 1
          block(1, level + 1)
          depth = depth - 1
          put("end")
        end
      end
    end
  end
  put("T.clear(s) T.clear(t) T.clear(a)")
  block(rnd(3, 6), 0)
  return ([[
return tl.jit(function(X, L)
  X: T.Tensor({%d}, "int32")
  L: T.Tensor({2}, "int32")
  local Y = T.empty({%d}, "int32")
  for _ in T.Kernel(1, {threads = %d}) do
    local s, t = T.alloc_shared({%d}, "int32"), T.alloc_shared({%d}, "int32")
    local a = T.alloc_fragment({%d}, "int32")
%s
    for i in T.Parallel(%d) do Y[i] = a[i] + s[i // 2] + t[i // 3] end
  end
  return Y
end)]]):format(N, N, threads, N, N, N, table.concat(lines, "\n"), N), N
end

local wrong = 0
local function say(...)
  wrong = wrong + 1
  print(...)
end
for seed = first, first + count - 1 do
  local text, N = generate(seed)
  local x, l = tl.arange(N, "int32"), tl.full({2}, seed % 7 + 1, "int32")
  local function run(target)
    tl.set_target(target)
    local ok, y = pcall(function() return load(text, "=seed" .. seed)()(x, l) end)
    if not ok then say(seed, target, y) return end
    local v = {}
    for i = 1, N do v[i] = y[i - 1] end
    return table.concat(v, " ")
  end
  local want = run "sim -arch=simt -seed=1"
  for _, m in ipairs(machines) do
    local got = run("sim -arch=" .. m)
    if got and got ~= want then say(seed, m, "other numbers") end
  end
  if wrong > 0 and os.getenv "SHOW" then print(text) break end
end
print(("%d programs, %d wrong"):format(count, wrong))
