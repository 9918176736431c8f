-- Generated conditions of `and`, `or` and choices over loads, some of places that do not move along with the loop, against
-- plain Lua: what stays right of an `and` says how wide it is evaluated.  (Also: FIRST COUNT as arguments.)
local seed, count = tonumber(arg[1] or 1), tonumber(arg[2] or 60)
local targets = {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"}
local R = math.random
local F, I = "float32", "int32"
for s = seed, seed + count - 1 do
  math.randomseed(s)
  local dt = ({"float32", "int32", "float16", "int8", "uint8"})[R(5)]
  -- places among 8 elements, from i and j of 0 .. 15
  local c = R(0, 7)
  local ix = {
    {T.macro(function(i, j) return T.min(j, 7) end), function(i, j) return math.min(j, 7) end},
    {T.macro(function(i, j) return j % 8 end), function(i, j) return j % 8 end},
    {T.macro(function(i, j) return j // 2 end), function(i, j) return j // 2 end},
    {T.macro(function(i, j) return T.abs(j - 8) % 8 end), function(i, j) return math.abs(j - 8) % 8 end},
    {T.macro(function(i, j) return 7 - j // 2 end), function(i, j) return 7 - j // 2 end},
    {T.macro(function(i, j) return i % 8 end), function(i, j) return i % 8 end},
    {T.macro(function(i, j) return T.max(j - 8, 0) end), function(i, j) return math.max(j - 8, 0) end},
    {T.macro(function(i, j) return (j * 3 + i) % 8 end), function(i, j) return (j * 3 + i) % 8 end},
    {T.macro(function(i, j) return (j + 8) % 8 end), function(i, j) return (j + 8) % 8 end},
  }
  local function leaf()
    local a, b, k = ix[R(#ix)], ix[R(#ix)], R(6)
    if k == 1 then return {T.macro(function(e, i, j) return e.s[a[1](i, j)] <= e.s[b[1](i, j)] end), function(e, i, j) return e.s[a[2](i, j)] <= e.s[b[2](i, j)] end}
    elseif k == 2 then return {T.macro(function(e, i, j) return e.s[a[1](i, j)] > e.g[i, j] end), function(e, i, j) return e.s[a[2](i, j)] > e.g[i * 16 + j] end}
    elseif k == 3 then return {T.macro(function(e, i, j) return j < c + 4 end), function(e, i, j) return j < c + 4 end}
    elseif k == 4 then return {T.macro(function(e, i, j) return e.x[c] > 0 end), function(e, i, j) return e.x[c] > 0 end}
    elseif k == 5 then return {T.macro(function(e, i, j) return e.x[a[1](i, j)] > e.f[i, j] end), function(e, i, j) return e.x[a[2](i, j)] > e.f[i * 16 + j] end}
    else return {T.macro(function(e, i, j) return e.s[T.cast(e.x[a[1](i, j)], I) & 7] > 2 end), function(e, i, j) return e.s[e.x[a[2](i, j)] & 7] > 2 end} end
  end
  local function tree(d)
    if d == 0 or R(5) == 1 then return leaf() end
    local a, b, k = tree(d - 1), tree(d - 1), R(4)
    if k <= 2 then return {T.macro(function(e, i, j) return a[1](e, i, j) and b[1](e, i, j) end), function(e, i, j) return a[2](e, i, j) and b[2](e, i, j) end}
    elseif k == 3 then return {T.macro(function(e, i, j) return a[1](e, i, j) or b[1](e, i, j) end), function(e, i, j) return a[2](e, i, j) or b[2](e, i, j) end}
    else local q = tree(d - 1) return {T.macro(function(e, i, j) return T.if_then_else(q[1](e, i, j), a[1](e, i, j), not b[1](e, i, j)) end), function(e, i, j) if q[2](e, i, j) then return a[2](e, i, j) end return not b[2](e, i, j) end} end
  end
  local t = tree(3)
  local dest, th, inif = R(4), ({32, 64, 128})[R(3)], R(3)
  local P = T.prim_func(function(X, S, G, Y)
    X: T.Tensor({8}, I)
    S: T.Tensor({8}, F)
    G: T.Tensor({16, 16}, F)
    Y: T.Tensor({16, 16}, dt)
    for _ in T.Kernel(1, {threads = th}) do
      local ss, f, o, os = T.alloc_shared({8}, F), T.alloc_fragment({16, 16}, F), T.alloc_fragment({16, 16}, dt), T.alloc_shared({16, 16}, dt)
      T.copy(S, ss)
      T.copy(G, f)
      local e = {s = ss, g = G, x = X, f = f}
      if dest == 1 then for i, j in T.Parallel(16, 16) do o[i, j] = T.cast(t[1](e, i, j), dt) end T.copy(o, Y)
      elseif dest == 2 then for i, j in T.Parallel(16, 16) do os[i, j] = T.cast(t[1](e, i, j), dt) end T.copy(os, Y)
      elseif dest == 3 then for i, j in T.Parallel(16, 16) do Y[i, j] = T.cast(t[1](e, i, j), dt) end
      else
        T.clear(o)
        for i, j in T.Parallel(16, 16) do
          if t[1](e, i, j) then o[i, j] += 1 end
        end
        T.copy(o, Y)
      end
    end
  end)
  local x, sv, g, gf, want = {}, {}, {}, {}, {}
  for i = 0, 7 do x[i] = R(-3, 5); sv[i] = R(-3, 5) end
  for i = 0, 255 do gf[i] = R(-3, 5) end
  for i = 0, 15 do g[i + 1] = {}; for j = 0, 15 do g[i + 1][j + 1] = gf[i * 16 + j] end end
  local ref = {s = sv, g = gf, x = x, f = gf}
  for i = 0, 15 do for j = 0, 15 do want[#want + 1] = t[2](ref, i, j) and 1 or 0 end end
  local xs, ss = {}, {}; for i = 0, 7 do xs[i + 1], ss[i + 1] = x[i], sv[i] end
  for _, tg in ipairs(targets) do
    local ok, err = pcall(function()
      local k = tl.compile(P, {target = tg, out_idx = {3}})
      local y = k(tl.from_table(xs, I), tl.from_table(ss, F), tl.from_table(g, F)):reshape{256}:totable()
      for i = 1, 256 do if y[i] ~= want[i] then error(("Y[%d] is %s, wanted %s"):format(i - 1, y[i], want[i])) end end
    end)
    if not ok then print(s, tg, tostring(err):sub(1, 400)) end
  end
end
print(("%d programs"):format(count))
