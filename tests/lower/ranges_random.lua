-- Tile operations under conditions on the thread: ranges inside of ranges, both
-- branches, loops, several operations that hand tiles on in shared memory and in
-- registers, elements that single threads set; each program against a plain
-- interpreter of what stands in the text.
--     SEEDS=400 FIRST=1000 SHOW=1 TARGETS="cpu,sim -arch=c500" moontile ranges_random.lua
local first, seeds = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 8
local targets = {}
for t in (os.getenv "TARGETS" or "sim -arch=sm_75,sim -arch=sm_80,sim -arch=sm_90a,sim -arch=c500,sim -arch=gfx942,cpu")
  :gmatch "[^,]+" do
  targets[#targets + 1] = t
end

-- What a range cannot do on some machine or other: parts of warps, no barriers of a range.
local may_refuse = {E236 = true, E237 = true, E238 = true, E239 = true, E557 = true, E759 = true}

local Threads, Mod = 256, 1009
local random = math.random
local function pick(t) return t[random(#t)] end

-- A program is a list of {text, run}: text(depth) gives its lines, run(m) does it to the
-- tiles in m; m.lo .. m.hi - 1 are the threads that are here.
local function generator(seed)
  math.randomseed(seed)
  local R, C = pick {8, 16, 5}, pick {32, 16, 24}
  local G, fresh = {R = R, C = C}, 0
  local function name(s)
    fresh = fresh + 1
    return s .. fresh
  end

  local function each(m, d, f)
    local new = {}
    for i = 0, R - 1 do
      for j = 0, C - 1 do new[i * C + j] = f(i, j) % Mod end
    end
    m[d] = new
  end

  local ops = {}

  function ops.fill(d)
    local v = random(0, Mod - 1)
    return ("T.fill(%s, %d)"):format(d, v), function(m) each(m, d, function() return v end) end
  end

  function ops.load(d)
    return ("T.copy(X, %s)"):format(d),
      function(m) each(m, d, function(i, j) return m.X[i * C + j] end) end
  end

  function ops.nest(d, a, b)
    local k = random(1, 9)
    return ("for i, j in T.Parallel(%d, %d) do\n  %s[i, j] = (%s[%d - i, j] * 3 + %s[i, %d - j] + %d) %% %d\nend")
      :format(R, C, d, a, R - 1, b, C - 1, k, Mod),
      function(m)
        each(m, d, function(i, j) return m[a][(R - 1 - i) * C + j] * 3 + m[b][i * C + C - 1 - j] + k end)
      end
  end

  function ops.registers(d, a)
    local f, k = name "f", random(2, 5)
    return ([[
local %s = T.alloc_fragment({%d, %d}, T.int32)
T.copy(%s, %s)
for i, j in T.Parallel(%d, %d) do
  %s[i, j] = (%s[i, j] * %d + j) %% %d
end
T.copy(%s, %s)]]):format(f, R, C, a, f, R, C, f, f, k, Mod, f, d),
      function(m) each(m, d, function(i, j) return m[a][i * C + j] * k + j end) end
  end

  function ops.rows(d, a)
    local f, r = name "f", name "r"
    return ([[
local %s, %s = T.alloc_fragment({%d, %d}, T.int32), T.alloc_fragment({%d}, T.int32)
T.copy(%s, %s)
T.reduce_sum(%s, %s, 1)
for i, j in T.Parallel(%d, %d) do
  %s[i, j] = (%s[i] + j) %% %d
end]]):format(f, r, R, C, R, a, f, f, r, R, C, d, r, Mod),
      function(m)
        local sum = {}
        for i = 0, R - 1 do
          sum[i] = 0
          for j = 0, C - 1 do sum[i] = sum[i] + m[a][i * C + j] end
        end
        each(m, d, function(i, j) return sum[i] + j end)
      end
  end

  -- what each of a few threads does by itself
  function ops.elements(d, _, _, lo, hi)
    local n, i, v = random(1, math.min(C, hi - lo)), random(0, R - 1), random(0, 99)
    local from = random(lo, hi - n)
    local text = n == 1 and ("if t == %d then %s[%d, 0] = %d end"):format(from, d, i, v)
      or ("if t >= %d and t < %d then %s[%d, t - %d] = t + %d end"):format(from, from + n, d, i, from, v)
    return text, function(m)
      each(m, d, function(k, j)
        if k ~= i or j >= n or from + j < m.lo or from + j >= m.hi then return m[d][k * C + j] end
        return n == 1 and v or from + j + v
      end)
    end
  end

  -- an element of a tile in registers, by whichever thread
  function ops.owned(d, a, _, lo, hi)
    local f, i, j, t = name "f", random(0, R - 1), random(0, C - 1), random(lo, hi - 1)
    return ([[
local %s = T.alloc_fragment({%d, %d}, T.int32)
T.copy(%s, %s)
if t == %d then %s[0, 1] = %s[%d, %d] end]]):format(f, R, C, a, f, t, d, f, i, j),
      function(m)
        each(m, d, function(k, q)
          local here = k == 0 and q == 1 and t >= m.lo and t < m.hi
          return here and m[a][i * C + j] or m[d][k * C + q]
        end)
      end
  end

  function ops.product(d, a, b)
    local g, h, c, o = name "g", name "h", name "c", name "o"
    local text = [[
local G, H = T.alloc_shared({32, 32}, T.float16), T.alloc_shared({32, 32}, T.float16)
local K, O = T.alloc_fragment({32, 32}, T.float32), T.alloc_shared({32, 32}, T.float32)
for i, j in T.Parallel(32, 32) do
  G[i, j] = T.cast(A[i % RR, j % CC] % 5, "float16")
  H[i, j] = T.cast(B[j % RR, i % CC] % 3, "float16")
end
T.clear(K)
T.gemm(G, H, K)
T.copy(K, O)
for i, j in T.Parallel(RR, CC) do
  D[i, j] = T.cast(O[i, j], "int32")
end]]
    local put = {A = a, B = b, D = d, G = g, H = h, K = c, O = o, RR = R, CC = C}
    text = text:gsub("%f[%w][A-Z]+%f[%W]", function(w) return w ~= "T" and put[w] or nil end)
    return text, function(m)
      local from, with = m[a], m[b]
      each(m, d, function(i, j)
        local sum = 0
        for k = 0, 31 do
          sum = sum + from[i % R * C + k % C] % 5 * (with[j % R * C + k % C] % 3)
        end
        return sum
      end)
    end
  end

  -- A range of the threads lo .. hi - 1: text, which of them (t, warp), width at the least
  local function condition(lo, hi)
    local step = pick {64, 64, 64, 64, 128, 128, 128, 32, 32, 32, random(3) == 1 and 1 or 64}
    local function edge() return lo + random(0, (hi - lo) // step) * step end
    local a, b = edge(), edge()
    if a > b then a, b = b, a end
    local form = random(6)
    if form == 1 then return "t < " .. b, function(t) return t < b end, step end
    if form == 2 then return "t >= " .. a, function(t) return t >= a end, step end
    if form == 3 then
      return ("t >= %d and t < %d"):format(a, b), function(t) return t >= a and t < b end, step
    elseif form == 4 then
      local k = random(lo // 64, (hi - 1) // 64)
      return "t // 64 == " .. k, function(t) return t // 64 == k end, 64
    elseif form == 5 then
      return ("not (t < %d)"):format(a), function(t) return t >= a end, step
    end
    local k = random(0, 3)
    return "T.get_warp_idx() == " .. k, function(t, warp) return t // warp == k end, 32
  end

  local block

  local function branch(bufs, lo, hi, depth, loops)
    local text, yes, step = condition(lo, hi)
    local from, to
    for t = lo, hi - 1 do
      if yes(t, 32) then from, to = from or t, t + 1 end
    end
    if not from then return end
    local uniform, holds
    if #loops > 0 and random(3) == 1 then
      uniform = ("%s %% 2 == %d"):format(loops[#loops], random(0, 1))
      local k, want = loops[#loops], uniform:match "(%d)$" + 0
      holds = function(m) return m[k] % 2 == want end
    end
    local other = random(3) == 1 and #bufs >= 4
    local mine, theirs = bufs, nil
    if other then
      mine, theirs = {}, {}
      for i, s in ipairs(bufs) do
        local to_ = i % 2 == 0 and mine or theirs
        to_[#to_ + 1] = s
      end
    end
    local A = block(mine, from, to, depth + 1, loops, step < 32)
    local B
    if other and (from == lo) ~= (to == hi) and not uniform then
      B = block(theirs, from == lo and to or lo, from == lo and hi or from, depth + 1, loops, step < 32)
    end
    local lines = ("if %s then\n%s%send"):format(uniform and text .. " and " .. uniform or text,
      A.text, B and "else\n" .. B.text or "")
    return lines, function(m)
      local n, rest = 0, 0
      local was_lo, was_hi = m.lo, m.hi
      local s = {lo = nil}
      for t = m.lo, m.hi - 1 do
        if yes(t, m.warp) and (not holds or holds(m)) then
          n = n + 1
          s.lo, s.hi = s.lo or t, t + 1
        else
          rest = rest + 1
        end
      end
      if n > 0 then
        m.lo, m.hi = s.lo, s.hi
        A.run(m)
      end
      m.lo, m.hi = was_lo, was_hi
      if rest > 0 and B then B.run(m) end
    end
  end

  local function loop(bufs, lo, hi, depth, loops, part)
    local v, n = name "k", random(2, 4)
    loops[#loops + 1] = v
    local body = block(bufs, lo, hi, depth + 1, loops, part)
    loops[#loops] = nil
    return ("for %s in T.serial(%d) do\n%send"):format(v, n, body.text), function(m)
      for k = 0, n - 1 do
        m[v] = k
        body.run(m)
      end
    end
  end

  local function statement(bufs, lo, hi, depth, loops, part)
    local kind = random(10)
    if kind <= 4 and depth < 3 and hi - lo > 1 then return branch(bufs, lo, hi, depth, loops) end
    if kind == 5 and depth < 3 then return loop(bufs, lo, hi, depth, loops, part) end
    local ds = {}
    for i, s in ipairs(bufs) do ds[i] = s end
    local d = table.remove(ds, random(#ds))
    local what = pick {"fill", "load", "nest", "nest", "registers", "registers", "rows", "elements", "owned", "product"}
    if #ds == 0 and what ~= "fill" and what ~= "elements" then what = "load" end
    if what == "product" and (part or (hi - lo) % 128 ~= 0) then what = "nest" end
    if what == "rows" and part then what = "nest" end
    return ops[what](d, pick(#ds > 0 and ds or bufs), pick(#ds > 0 and ds or bufs), lo, hi)
  end

  function block(bufs, lo, hi, depth, loops, part)
    local list, text = {}, ""
    for _ = 1, depth == 0 and random(3, 6) or part and 1 or random(1, 3) do
      local lines, run = statement(bufs, lo, hi, depth, loops, part)
      if lines then
        list[#list + 1] = run
        text = text .. lines:gsub("[^\n]+", "  %0") .. "\n"
      end
    end
    if #list == 0 then
      local lines, run = ops.fill(bufs[1])
      list[1], text = run, "  " .. lines .. "\n"
    end
    return {text = text, run = function(m)
      for _, f in ipairs(list) do f(m) end
    end}
  end

  local bufs = {"a", "b", "c", "d"}
  local body = block(bufs, 0, Threads, 0, {}, false)
  local flat = random(4) > 1
  G.text = ([[
return tl.jit(function(X)
  X: T.Tensor({%d, %d}, T.int32)
  local O = T.empty({4, %d, %d}, T.int32)
  for _ in T.Kernel(1, {threads = %s}) do
    local t = %s
]]):format(R, C, R, C, flat and Threads or "{32, 8}",
    flat and "T.get_thread_binding(0)" or "T.get_thread_binding(0) + T.get_thread_binding(1) * 32")
  for _, s in ipairs(bufs) do
    G.text = G.text .. ("    local %s = T.alloc_shared({%d, %d}, T.int32)\n"):format(s, R, C)
  end
  for i, s in ipairs(bufs) do G.text = G.text .. ("    T.fill(%s, %d)\n"):format(s, i) end
  G.text = G.text .. body.text:gsub("[^\n]+", "  %0")
  for i, s in ipairs(bufs) do G.text = G.text .. ("    T.copy(%s, O[%d, :, :])\n"):format(s, i - 1) end
  G.text = G.text .. "  end\n  return O\nend)\n"
  G.want = function(X, warp)
    local m = {lo = 0, hi = Threads, warp = warp, X = X}
    for i, s in ipairs(bufs) do each(m, s, function() return i end) end
    body.run(m)
    local out = {}
    for i, s in ipairs(bufs) do
      for k = 0, R * C - 1 do out[(i - 1) * R * C + k + 1] = m[s][k] end
    end
    return out
  end
  return G
end

local wrong, ran, refused = 0, 0, 0
for seed = first, first + seeds - 1 do
  local g = generator(seed)
  tl.manual_seed(seed)
  local x = tl.randint(0, Mod, {g.R, g.C}, "int32")
  local X = {}
  for i = 0, g.R - 1 do
    for j = 0, g.C - 1 do X[i * g.C + j] = x:item(i, j) end
  end
  local shown = false
  for _, target in ipairs(targets) do
    local wide = target:find "c500" or target:find "gfx942"
    local ok, why = pcall(function()
      tl.set_target(target)
      local f = assert(load(g.text, "=seed" .. seed))()
      local got = f(x):astype "float64"
      local want = tl.from_table(g.want(X, wide and 64 or 32), "float64"):reshape {4, g.R, g.C}
      assert(tl.allclose(got, want, 0, 0), "another result")
    end)
    if ok then
      ran = ran + 1
    elseif may_refuse[tostring(why):match "error%[(E%d+)%]"] then
      refused = refused + 1
      if os.getenv "REFUSED" then print(seed, target, (tostring(why):match "[^\n]*")) end
    else
      wrong = wrong + 1
      print(seed, target, why)
      if os.getenv "SHOW" and not shown then
        print(g.text)
        shown = true
      end
    end
  end
end
if os.getenv "SEEDS" then print(ran, "ran", refused, "refused") end
assert(ran > refused, "most programs are refused")
print(wrong, "wrong")
