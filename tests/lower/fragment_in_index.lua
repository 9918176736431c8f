-- An element of a fragment that says which element of a fragment is meant, outside of T.Parallel: on all machines as on the cpu.
local ways = {
  T.macro(function(_, B, f) B[0] = f[f[0]] end),
  T.macro(function(_, B, f) B[f[f[f[1]]]] = f[f[2]] + 1 end),
  T.macro(function(_, B, f) T.atomic_add(B[0], f[f[f[1]]]) end),
  T.macro(function(_, B, f) T.atomic_add(B[f[f[1]]], 2) end),
  T.macro(function(A, B, f) T.atomic_add(B[0], f[A[f[2]]]) end),
  T.macro(function(_, B, f, g) g[f[f[1]]] = f[f[2]] T.copy(g, B) end),
  T.macro(function(_, B, f, g) g[f[f[1]]] += g[f[f[1]]] + f[f[g[0]]] + 1 T.copy(g, B) end),
  T.macro(function(_, B, f, _, h) B[0] = h[f[1], f[f[2]]] end),
  T.macro(function(_, B, f, _, h) for q in T.serial(3) do B[q] = h[f[q], f[f[q + 1]]] end end),
  T.macro(function(_, B, f) for q in T.serial(4) do if f[f[q]] > 1 then T.atomic_add(B[f[f[q]]], f[q]) end end end),
  T.macro(function(_, B, f, g) while g[f[g[0]]] < 3 do for i in T.Parallel(4) do g[i] += 1 end end T.copy(g, B) end),
  T.macro(function(_, _, f) T.print(f[f[1]], "second") end),
  T.macro(function(_, B, f) T.device_assert(f[f[1]] == 3) B[f[f[0]]] = 5 end),
}

local function run(way, target, threads)
  local k = tl.jit(function(A)
    A: T.Tensor({4}, T.int32)
    local B = T.empty({4}, T.int32)
    for _ in T.Kernel(1, {threads = threads}) do
      local f, g = T.alloc_fragment({4}, T.int32), T.alloc_fragment({4}, T.int32)
      local h = T.alloc_fragment({4, 4}, T.int32)
      T.copy(A, f)
      T.clear(g)
      T.clear(B)
      for i, j in T.Parallel(4, 4) do h[i, j] = i * 10 + j end
      way(A, B, f, g, h)
      if g[0] > 100 then B[0] = h[0, 0] end
    end
    return B
  end, {target = target})
  return tostring(k((tl.arange(4, "int32") + 1) % 4))
end

for i, way in ipairs(ways) do
  local want = run(way, "cpu", 32)
  print(i, want)
  for _, m in ipairs {"sm_75", "sm_90a", "c500", "gfx942"} do
    for _, threads in ipairs {32, 128} do
      local got = run(way, "sim -arch=" .. m, threads)
      if got ~= want then print("", m, threads, got) end
    end
  end
end
