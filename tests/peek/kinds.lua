-- k:peek of every kind of tile, on the cpu and on simulated machines: the same values.
local targets = {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500"}

-- The same values, NaN at the same places?
local function same(a, b)
  local n = a:numel()
  local x, y = a:contiguous():reshape {n}:totable(), b:contiguous():reshape {n}:totable()
  for i = 1, n do
    if x[i] ~= y[i] and (x[i] == x[i] or y[i] == y[i]) then
      return false
    end
  end
  return true
end

-- Prints what a target says of a tile, and which other targets say the same.
local function show(name, f, inputs, buffer, opts, list)
  local first, text
  for _, target in ipairs(list or targets) do
    local o = {target = target, inputs = inputs}
    for key, v in pairs(opts or {}) do
      o[key] = v
    end
    tl.set_target(target)
    local ok, t, info = pcall(function()
      local k = f:compile(table.unpack(inputs))
      return k:peek(buffer, o)
    end)
    if not ok then
      print(name, target, (tostring(t):gsub("^[^\n]*error", "error")))
    elseif not first then
      first, text = t, info.heading
      print(("%s: %s%s"):format(name, info.heading, info.undefined > 0 and
        (", %d undefined"):format(info.undefined) or (", sum %.6g"):format(t:float():sum())))
    elseif text ~= info.heading or not same(t, first) then
      print(name, target, "differs", info.heading)
    end
  end
end

tl.manual_seed(7)
-- small integers: sums are exact in any order
local A = tl.randint(-4, 5, {96, 64}, "int32"):astype "float16"
local B = tl.randint(-4, 5, {64, 96}, "int32"):astype "float16"

-- Rings, stages, a view, a condition, an unrolled loop.
local gemm = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = 128}) do
    local As = T.alloc_shared({64, 16}, T.float16)
    local Bs = T.alloc_shared({16, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, 16), {num_stages = 3}) do
      T.copy(A[by * 64, ko * 16], As)
      T.copy(B[ko * 16, bx * 64], Bs)
      T.gemm(As, Bs, Cl)
    end
    if bx == 0 then
      for i, j in T.Parallel(64, 64) do
        Cl[i, j] = T.max(Cl[i, j], 0)
      end
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end)
show("last", gemm, {A, B}, "As")
show("first iteration", gemm, {A, B}, "Bs", {iteration = 0, block = {1, 1}})
show("before the last", gemm, {A, B}, "Cl", {iteration = {ko = -2}, block = {bx = 1}})
show("behind the loop", gemm, {A, B}, "Cl", {line = 63})
show("condition", gemm, {A, B}, "Cl", {block = 1})
show("in the loop, before its copy", gemm, {A, B}, "Bs", {iteration = 0, line = 58})
show("corner", gemm, {A, B}, "Cl", {rows = {4, 5}, cols = 63})

-- A user's order and stages; no instruction moves what is 3 columns wide.
local listed = tl.jit(function(A)
  local M, K = T.const "M, K"
  A: T.Tensor({M, K}, T.float16)
  local C = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, 32), {threads = 64}) do
    local As = T.alloc_shared({32, 16}, T.float16)
    local Af = T.alloc_fragment({32, 16}, T.float32)
    local s = T.alloc_fragment({32}, T.float32)
    T.clear(Af)
    for k in T.Pipelined(K // 16, {order = {0, 1}, stage = {0, 1}}) do
      T.copy(A[bx * 32, k * 16], As)
      for i, j in T.Parallel(32, 16) do
        Af[i, j] = Af[i, j] + As[i, j]
      end
    end
    T.reduce_sum(Af, s, {dim = 1})
    T.copy(s, C[bx * 32])
  end
  return C
end)
show("order and stages", listed, {A}, "As", {iteration = 1, block = {2}})
show("order and stages, behind the copy", listed, {A}, "As", {iteration = 2, line = 90})
show("order and stages, behind both", listed, {A}, "Af", {iteration = 1})

-- Variables, arrays, a while loop, a loop with a step, an inner loop over a bound of the block.
local flow = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    local x = T.alloc_fragment({32}, T.float32)
    local v = T.alloc_var(T.float32, 1)
    local n = T.alloc_var(T.int32, 0)
    local a = T.alloc_local({4}, T.int32)
    T.copy(X[bx * 32], x)
    for i in T.serial(2, 9, 3) do
      v = v * 2 + i
      a[i % 4] = i
      for j in T.serial(bx + 1) do
        for t in T.Parallel(32) do
          x[t] = x[t] * 0.5 + j
        end
      end
    end
    while n < 5 do
      n = n + 2
    end
    for t in T.Parallel(32) do
      x[t] = x[t] + v + a[0] + n
    end
    T.copy(x, C[bx * 32])
  end
  return C
end)
local X = tl.arange(0, 96):astype "float32"
show("variable", flow, {X}, "v", {iteration = {i = 5}})
show("variable, last", flow, {X}, "v")
show("counter", flow, {X}, "n")
show("array", flow, {X}, "a", {iteration = 1})
show("inner loop", flow, {X}, "x", {block = 2, iteration = {i = 5, j = -1}})
show("innermost by number", flow, {X}, "x", {block = 1, iteration = 1})

-- Types of few bits, booleans; a part that is never written; a buffer of a loop's body.
local types = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.int8)
  local C = T.empty({N}, T.int8)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 32}) do
    local b = T.alloc_shared({64}, T.bool)
    local w = T.alloc_fragment({64}, T.int32)
    local h = T.alloc_shared({64}, T.bfloat16)
    local f = T.alloc_fragment({64}, T.float8_e4m3fn)
    for i in T.Parallel(64) do
      b[i] = X[bx * 64 + i] > 3
      w[i] = X[bx * 64 + i] * 1000000
    end
    for i in T.Parallel(32) do
      h[i + 8] = X[bx * 64 + i]
    end
    for i in T.Parallel(64) do
      f[i] = X[bx * 64 + i] * 0.25
    end
    for step in T.serial(3) do
      local inner = T.alloc_fragment({64}, T.int32)
      for i in T.Parallel(64) do
        inner[i] = w[i] + step
      end
      for i in T.Parallel(64) do
        w[i] = inner[i]
      end
    end
    for i in T.Parallel(64) do
      C[bx * 64 + i] = T.if_then_else(b[i], w[i] % 7, h[i % 32 + 8] + f[i])
    end
  end
  return C
end)
local I = tl.randint(-8, 8, {128}, "int8")
show("bool", types, {I}, "b", {block = 1})
show("int32", types, {I}, "w")
show("partly written", types, {I}, "h")
show("float8", types, {I}, "f")
show("of a loop's body", types, {I}, "inner", {iteration = 1})

-- Sizes at run time, scalars, two launches.
local two = tl.jit(function(X, scale)
  local N = T.dynamic "N"
  X: T.Tensor({N}, T.float32)
  scale: T.float32
  local W = T.empty({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    local x = T.alloc_fragment({32}, T.float32)
    T.copy(X[bx * 32], x)
    for i in T.Parallel(32) do
      x[i] = x[i] * scale
    end
    T.copy(x, W[bx * 32])
  end
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    local y = T.alloc_shared({32}, T.float32)
    T.copy(W[bx * 32], y)
    T.copy(y, C[bx * 32])
  end
  return W, C
end)
show("first launch", two, {X, 2.5}, "x", {block = 2})
show("second launch", two, {X, 2.5}, "y", {block = 1})

-- Threads by name: a row a thread.
local threads = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    local tx = T.get_thread_binding()
    local s = T.alloc_shared({32}, T.float32)
    local r = T.alloc_local({2}, T.float32)
    r[0] = X[bx * 32 + tx]
    r[1] = tx
    if tx < 16 then
      s[tx] = r[0]
    end
    T.sync_threads()
    C[bx * 32 + tx] = s[tx % 16] + r[1]
  end
  return C
end)
show("threads", threads, {X}, "r", {block = 1}, {"sim -arch=sm_80", "sim -arch=c500"})
show("half of the threads", threads, {X}, "s", {block = 2}, {"sim -arch=sm_80", "sim -arch=sm_90a"})
