-- Sums over iterations of T.Parallel: TileLang's reducers in both forms, in a pipeline, under a condition, of elements that
-- loops name in several ways; each iteration counts once on every machine.
local old = tl.jit(function(A, X, O, M)
  A: T.Tensor({128, 96}, T.float16)
  X: T.Tensor({96}, T.float16)
  O: T.Tensor({128}, T.float32)
  M: T.Tensor({128}, T.float32)
  for b in T.Kernel(2, {threads = 128}) do
    local r = T.alloc_reducer({64}, T.float32, {replication = "all"})
    local m = T.alloc_reducer({64}, T.float32, {op = "max"})
    local d = T.alloc_fragment({64}, T.float32)
    T.clear(r)
    T.reducer_init(m, 1)
    for k in T.Pipelined(3, {num_stages = 2}) do
      local a, x = T.alloc_shared({64, 32}, T.float16), T.alloc_shared({32}, T.float16)
      T.copy(A[b * 64, k * 32], a)
      T.copy(X[k * 32], x)
      for i, j in T.Parallel(64, 32) do
        r[i] += a[i, j] * x[j]
        if j > 3 then T.reducer_update(m[i], a[i, j]) end
      end
    end
    T.finalize_reducer(r)
    T.finalize_reducer(m, d)
    T.copy(r, O[b * 64])
    T.copy(d, M[b * 64])
  end
end)
tl.manual_seed(1)
local small = function(shape) return tl.randint(-3, 4, shape, "int32"):astype("float16") end
local a, x, o, m = small {128, 96}, small {96}, tl.zeros({128}, "float32"), tl.zeros({128}, "float32")
for _, target in ipairs {"cpu", "sim -arch=sm_90a", "sim -arch=sm_75"} do
  old.opts.target = target
  old(a, x, o, m)
  local ok = true
  for i = 0, 127 do
    local s, g = 0, 1
    for j = 0, 95 do
      s = s + a[i, j] * x[j]
      if j % 32 > 3 then g = math.max(g, a[i, j]) end
    end
    ok = ok and o[i] == s and m[i] == g
  end
  print(target, ok and "right" or "WRONG")
end

local forms = tl.jit(function(A, S, N, E, B)
  A: T.Tensor({16, 8, 4}, T.int32)
  S: T.Tensor({16}, T.int32)
  N: T.Tensor({8, 4}, T.int32)
  E: T.Tensor({16, 8, 4}, T.int32)
  B: T.Tensor({16}, T.int32)
  for _ in T.Kernel(1, {threads = 64}) do
    local a = T.alloc_fragment({16, 8, 4}, T.int32)
    local s, n = T.alloc_reducer({16}, T.int32, {replication = "none"}), T.alloc_reducer({8, 4}, T.int32, {op = "min"})
    local e, b = T.alloc_reducer({16, 8, 4}, T.int32), T.alloc_reducer({16}, T.int32, {op = "bitxor"})
    local nd, ed, bd = T.alloc_fragment({8, 4}, T.int32), T.alloc_fragment({16, 8, 4}, T.int32), T.alloc_fragment({16}, T.int32)
    T.copy(A, a)
    T.clear(s)
    T.reducer_init(n)
    T.reducer_init(e, 100)
    T.reducer_init(b)
    for i, j, k in T.Parallel(16, 8, 4) do
      s[i] += a[i, j, k]
      s[i] += 1
      T.reducer_update(n[j, k], a[i, j, k])
      T.reducer_update(e[i, j, k], a[i, j, k])
      T.reducer_update(b[i], a[i, j, k])
    end
    T.finalize_reducer(s)
    T.finalize_reducer(n, nd)
    T.finalize_reducer(e, ed)
    T.finalize_reducer(b, bd)
    for i in T.Parallel(16) do S[i] = s[i] * 2 end
    T.copy(nd, N)
    T.copy(ed, E)
    T.copy(bd, B)
  end
end)
local v = tl.randint(-50, 50, {16, 8, 4}, "int32")
local s, n, e, b = tl.zeros({16}, "int32"), tl.zeros({8, 4}, "int32"), tl.zeros({16, 8, 4}, "int32"), tl.zeros({16}, "int32")
for _, target in ipairs {"cpu", "sim -arch=sm_90a", "sim -arch=gfx942"} do
  forms.opts.target = target
  forms(v, s, n, e, b)
  local ok = true
  for i = 0, 15 do
    local sum, xor = 0, 0
    for j = 0, 7 do
      for k = 0, 3 do
        sum, xor = sum + v[i, j, k] + 1, xor ~ v[i, j, k]
        ok = ok and e[i, j, k] == v[i, j, k] + 100
      end
    end
    ok = ok and s[i] == 2 * sum and b[i] == xor
  end
  for j = 0, 7 do
    for k = 0, 3 do
      local least = 1 << 30
      for i = 0, 15 do least = math.min(least, v[i, j, k]) end
      ok = ok and n[j, k] == least
    end
  end
  print("forms", target, ok and "right" or "WRONG")
end
