-- sync_run.lua: barriers that stand only because an index or a condition was
-- understood as the machine computes it: casts that wrap, divisions by negative
-- numbers, selects on a loop's variable, continue.  The simulator says where one lacks.
local N = 128

-- t[f(i)] is written, t[N - 1 - i] read.
local maps = {
  {"cast", function(i) return T.cast(i + 256, "uint8"):astype("int32") end},
  {"narrow", function(i) return T.cast(i + 128, "int8"):astype("int32") + 128 end},
  {"truncdiv", function(i) return N - 1 + T.truncdiv(i, -1) end},
  {"floordiv", function(i) return i // -1 + N - 1 end},
  {"xor", function(i) return i ~ 32 end},
}
for _, m in ipairs(maps) do
  local k = tl.jit(function(X)
    X: T.Tensor({N}, "int32")
    local Y = T.empty({N}, "int32")
    for _ in T.Kernel(1, {threads = N}) do
      local t = T.alloc_shared({N}, "int32")
      for i in T.Parallel(N) do t[m[2](i)] = X[i] end
      for i in T.Parallel(N) do Y[i] = t[N - 1 - i] end
    end
    return Y
  end)
  for _, arch in ipairs{"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
    tl.set_target("sim -arch=" .. arch)
    local x = tl.arange(N, "int32")
    local y = k(x)
    print(m[1], arch, y[0])
  end
end

-- Who reads `row` is said by a condition that does not repeat with the loop: in its first
-- and last rounds one warp alone does.  n: rounds; its end is known beforehand, or not.
local function rows(n, known)
  return tl.jit(function(X, L)
    X: T.Tensor({n, 16}, "float32")
    L: T.Tensor({1}, "int32")
    local Y = T.empty({16, 16}, "float32")
    for _ in T.Kernel(1, {threads = 64}) do
      local d, row = T.alloc_shared({16, 16}, "float32"), T.alloc_shared({16}, "float32")
      T.clear(d)
      for i in T.serial(known and n or L[0]) do
        for c in T.Parallel(16) do row[c] = X[i, c] end
        for a, b in T.Parallel(16, 16) do
          d[a, b] = T.if_then_else(a == T.min(i, n - 1 - i) % 8 * 2, row[b], d[a, b])
        end
      end
      T.copy(d, Y)
    end
    return Y
  end)
end
for _, n in ipairs{16, 100} do
  for _, known in ipairs{true, false} do
    local k = rows(n, known)
    for _, arch in ipairs{"sm_75", "sm_80", "sm_90a"} do
      tl.set_target("sim -arch=" .. arch)
      local x, l = tl.arange(n * 16, "float32"):reshape(n, 16), tl.full({1}, n, "int32")
      local y = k(x, l)
      print("rows", n, known, arch, y[2][3])
    end
  end
end

-- What stands behind a continue does not order the next round.
local skips = tl.jit(function(X, L)
  X: T.Tensor({8, N}, "float32")
  L: T.Tensor({8}, "int32")
  local Y = T.empty({8, N}, "float32")
  for _ in T.Kernel(1, {threads = N}) do
    local t = T.alloc_shared({N}, "float32")
    for i in T.serial(8) do
      for c in T.Parallel(N) do Y[i, c] = X[i, c]; t[c] = X[i, c] end
      for c in T.Parallel(N) do Y[i, c] = Y[i, c] + t[N - 1 - c] end
      if L[i] % 3 == 0 then goto continue end
      for c in T.Parallel(N) do t[c] = t[c] + 1 end
      for c in T.Parallel(N) do Y[i, c] = t[N - 1 - c] end
      ::continue::
    end
  end
  return Y
end)
for _, arch in ipairs{"sm_75", "sm_80", "sm_90a"} do
  tl.set_target("sim -arch=" .. arch)
  local y = skips(tl.arange(8 * N, "float32"):reshape(8, N), tl.arange(8, "int32"))
  print("continue", arch, y[7][0])
end

-- What the first loop leaves becomes alike at the barrier in front of the second, whose
-- rounds meet each other: as much is pending behind its first round as before, not the same.
local alike = tl.jit(function(X, L)
  X: T.Tensor({256}, "int32")
  L: T.Tensor({1}, "int32")
  local Y = T.empty({256}, "int32")
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({256}, "int32")
    local a = T.alloc_fragment({256}, "int32")
    T.clear(s) T.clear(a)
    for k in T.serial(70) do
      for i in T.Parallel(256) do a[i] = a[i] + s[i // 12] end
      for i in T.Parallel(256) do s[255 - i] = X[i] + k end
    end
    for k in T.serial(L[0]) do
      for i in T.Parallel(256) do s[(i + k) % 256] = X[i] end
    end
    for i in T.Parallel(256) do Y[i] = a[i] + s[i // 2] end
  end
  return Y
end)
for _, arch in ipairs{"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
  tl.set_target("sim -arch=" .. arch)
  local y = alike(tl.arange(256, "int32"), tl.full({1}, 3, "int32"))
  print("alike", arch, y[7])
end

-- Scattered writes: the iterations of T.Parallel are in no order, the rounds of a loop
-- around are, unrolled or not, in shared and in global memory.
local function scatter(loop, shared)
  return tl.jit(function(P)
    P: T.Tensor({4, N}, "int32")
    local Y = T.empty({N}, "int32")
    for _ in T.Kernel(1, {threads = N}) do
      if shared then
        local s = T.alloc_shared({N}, "int32")
        for k in loop(4) do
          for i in T.Parallel(N) do s[P[k, i]] = k * N + i end
        end
        T.copy(s, Y)
      else
        for k in loop(4) do
          for i in T.Parallel(N) do Y[P[k, i]] = k * N + i end
        end
      end
    end
    return Y
  end)
end
local places = tl.empty({4, N}, "int32")
for k = 0, 3 do
  for i = 0, N - 1 do places[k][i] = (i * (2 * k + 1) + 37 * k) % N end
end
for _, loop in ipairs{"serial", "unroll"} do
  for _, shared in ipairs{true, false} do
    for _, arch in ipairs{"sm_75", "sm_90a", "c500", "gfx942"} do
      tl.set_target("sim -arch=" .. arch)
      local y = scatter(T[loop], shared)(places)
      print("scatter", loop, shared, arch, y[7])
    end
  end
end

-- Threads from within a warp on, of which each row of a tile belongs to two warps.
for _, from in ipairs {1, 5, 31, 40} do
  local ragged = tl.jit(function(X)
    X: T.Tensor({8, 32}, "int32")
    local Y = T.empty({8, 32}, "int32")
    for _ in T.Kernel(1, {threads = 256}) do
      local s = T.alloc_shared({8, 32}, "int32")
      T.fill(s, 0)
      if T.get_thread_binding() >= from then T.copy(X[0:4, :], s[4:8, :]) end
      T.copy(s, Y)
    end
    return Y
  end)
  for _, arch in ipairs {"sm_75", "sm_90a", "c500", "gfx942"} do
    tl.set_target("sim -arch=" .. arch)
    print("from within a warp", from, arch, ragged(tl.arange(256, "int32"):reshape {8, 32})[7][31])
  end
end

-- A condition on a loop's variable that one role knows, the others have another truth of; false in the first
-- round.
for _, cond in ipairs {"tx // 64 < k", "tx // 64 + k > 1", "tx // 64 < k and X[0, 0] < 3"} do
  local text = [[
    return tl.jit(function(X)
      X: T.Tensor({8, 64}, "int32")
      local Y = T.empty({64}, "int32")
      for _ in T.Kernel(1, {threads = 128}) do
        local tx = T.get_thread_binding()
        local s, h, f = T.alloc_shared({64}, "int32"), T.alloc_shared({64}, "int32"), T.alloc_fragment({64}, "int32")
        T.copy(X[7, :], h)
        for k in T.serial(3) do
          if tx < 64 then
            if ]] .. cond .. [[ then
              for i in T.Parallel(64) do s[i] = X[k, i] end
              for i in T.Parallel(64) do h[i] = s[63 - i] end
            end
          end
        end
        T.copy(h, Y)
      end
      return Y
    end)
  ]]
  for _, arch in ipairs {"sm_75", "sm_90a", "c500", "gfx942"} do
    tl.set_target("sim -arch=" .. arch)
    print("truth of a role", cond, arch, load(text)()(tl.arange(512, "int32"):reshape {8, 64})[3])
  end
end

-- Ranges of one warp, one after the other, round by round.
for _, ab in ipairs {{"tx < 26", "tx >= 48 and tx < 51"}, {"tx == 3", "tx == 50"}, {"tx < 5", "tx >= 20 and tx < 23"}} do
  local text = [[
    return tl.jit(function(X)
      X: T.Tensor({8, 64}, "int32")
      local Y = T.empty({64}, "int32")
      for _ in T.Kernel(1, {threads = 128}) do
        local s, h = T.alloc_shared({64}, "int32"), T.alloc_shared({64}, "int32")
        local tx = T.get_thread_binding()
        T.copy(X[0, :], s)
        T.copy(X[1, :], h)
        for k in T.serial(2) do
          if ]] .. ab[1] .. [[ then for i in T.Parallel(64) do h[i] += X[2, i] end end
          if ]] .. ab[2] .. [[ then T.copy(h, s) end
        end
        T.copy(s, Y)
      end
      return Y
    end)
  ]]
  for _, arch in ipairs {"sm_75", "sm_90a", "c500", "gfx942"} do
    tl.set_target("sim -arch=" .. arch)
    print("of one warp", ab[1], ab[2], arch, load(text)()(tl.arange(512, "int32"):reshape {8, 64})[1])
  end
end
