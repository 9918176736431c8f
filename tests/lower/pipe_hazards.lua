-- Copies that must not run ahead as far as stages would let them: of what the iteration before has written to global
-- memory, from a place that the iteration before found out, of a part of a tile that keeps the rest, under a condition,
-- into a tile that is read first, and in a loop within a pipelined one.  Each with 0 to 4 stages, on four machines and
-- the cpu, with no, one and several rounds: all agree with the statements one after the other.
local R, C, K = 16, 32, 8

-- name, statements: of the tile program, and of plain tables (s: tile, d: the tensor in rows, at: the place)
local cases = {
  {"what was written last", T.macro(function(g, s, at, k) T.copy(g.D[0, k * C], s) g.add()
    T.copy(s, g.D[0, (k + 1) % K * C]) end),
    function(e, k) e.load(e.D, k) e.add() e.store((k + 1) % K) end},
  {"written two rounds ago", T.macro(function(g, s, at, k) T.copy(g.D[0, k * C], s) g.add()
    for i, j in T.Parallel(R, C) do g.D[i, (k + 2) % K * C + j] = s[i, j] end end),
    function(e, k) e.load(e.D, k) e.add() e.store((k + 2) % K) end},
  {"from place to place", T.macro(function(g, s, at, k) T.copy(g.A[0, at[0] * C], s) at[0] = g.P[at[0]] g.add() end),
    function(e, k) e.load(e.A, e.at) e.at = e.P[e.at] e.add() end},
  {"half of a tile", T.macro(function(g, s, at, k) T.copy(g.A[0:R // 2, k * C:k * C + C], s[0:R // 2, :]) g.add() end),
    function(e, k) e.load(e.A, k, R // 2) e.add() end},
  {"every other round", T.macro(function(g, s, at, k) if k % 2 == 1 then T.copy(g.A[0, k * C], s) end g.add() end),
    function(e, k) if k % 2 == 1 then e.load(e.A, k) end e.add() end},
  {"read first", T.macro(function(g, s, at, k) g.add() T.copy(g.A[0, k * C], s) end), function(e, k) e.add() e.load(e.A, k) end},
  {"a loop within", T.macro(function(g, s, at, k) T.copy(g.A[0, k * C], s)
    for q in T.Pipelined(k % 3, {num_stages = g.stages}) do T.copy(g.A[0, q * C], g.inner) g.add(g.inner) end g.add() end),
    function(e, k) for q = 0, k % 3 - 1 do e.load(e.A, q) e.add() end e.load(e.A, k) e.add() end},
}

local function kernel(body, stages, within)
  return tl.jit(function(A, P, D, n)
    A: T.Tensor({R, K * C}, T.float16)
    P: T.Tensor({K}, T.int32)
    D: T.Tensor({R, K * C}, T.float16)
    n: T.int32
    local O = T.empty({R, C}, T.float32)
    for _ in T.Kernel(1, {threads = 64}) do
      local s, inner = T.alloc_shared({R, C}, T.float16), within and T.alloc_shared({R, C}, T.float16)
      local sum, at = T.alloc_fragment({R, C}, T.float32), T.alloc_local({1}, T.int32)
      at[0] = 0
      T.clear(sum)
      T.fill(s, 1)
      local g = {A = A, P = P, D = D, inner = inner, stages = stages}
      function g.add(of)
        for i, j in T.Parallel(R, C) do sum[i, j] += T.cast((of or s)[i, C - 1 - j], T.float32) end
      end
      for k in T.Pipelined(n, {num_stages = stages}) do
        body(g, s, at, k)
      end
      for i, j in T.Parallel(R, C) do O[i, j] = sum[i, j] + T.cast(s[i, j], T.float32) * 64 + T.cast(at[0], T.float32) end
    end
    return O
  end)
end

local function expected(body, A, P, n)
  local e, s, D, sum = {A = A, P = P, at = 0}, {}, {}, {}
  for i = 1, R do
    s[i], D[i], sum[i] = {}, {}, {}
    for j = 1, K * C do D[i][j] = 0 end
    for j = 1, C do s[i][j], sum[i][j] = 1, 0 end
  end
  e.D = D
  function e.load(from, k, rows) for i = 1, rows or R do for j = 1, C do s[i][j] = from[i][k * C + j] end end end
  function e.add() for i = 1, R do for j = 1, C do sum[i][j] = sum[i][j] + s[i][C + 1 - j] end end end
  function e.store(k) for i = 1, R do for j = 1, C do D[i][k * C + j] = s[i][j] end end end
  for k = 0, n - 1 do body(e, k) end
  for i = 1, R do for j = 1, C do sum[i][j] = sum[i][j] + s[i][j] * 64 + e.at end end
  return tl.from_table(sum, "float32")
end

local a, p = {}, {1, 5, 0, 2, 7, 3, 4, 6}
for i = 1, R do
  a[i] = {}
  for j = 1, K * C do a[i][j] = (i * 7 + j * 13) % 9 - 4 end
end
local P = {}
for i, v in ipairs(p) do P[i - 1] = v end
local A, PT = tl.from_table(a, "float16"), tl.from_table(p, "int32")
for _, c in ipairs(cases) do
  local wrong = {}
  for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_80", "sim -arch=sm_75", "sim -arch=gfx942", "cpu"} do
    tl.set_target(target)
    for stages = 0, 4 do
      local k = kernel(c[2], stages, c[1] == "a loop within")
      for _, n in ipairs {0, 1, 2, 5, 7} do
        local ok, got = pcall(k, A, PT, tl.zeros({R, K * C}, "float16"), n)
        if not ok or not tl.allclose(got, expected(c[3], a, P, n), {rtol = 0, atol = 0}) then
          wrong[#wrong + 1] = ("%s %d stages %d rounds: %s"):format(target, stages, n, ok and "wrong" or got)
        end
      end
    end
  end
  print(c[1], #wrong == 0 and "right" or wrong[1])
end
