-- Plain stores in front of what the asynchronous proxy reads or overwrites: every order,
-- through views, across rounds, between roles.  Each kernel is right and silent, and
-- without one of its fences the simulator and the checker of barriers find it.
local f16, f32 = T.float16, T.float32
local ir, irtext = require "moontile.ir", require "moontile.irtext"
local mutate = dofile "../mutants/lib/mutate.lua"
tl.set_target "sim -arch=sm_90a"
tl.manual_seed(4)
local a = tl.randn({64, 256}, f16)

local function judge(name, lines, what)
  local text = table.concat(lines, "\n")
  local found, whole = ir.audit(irtext.parse(text, "=ir"), "sm_90a")
  print(("%-16s %-10s checker %-7s simulator %s"):format(name, what,
    #found > 0 and "finds" or whole and "silent" or "part",
    mutate.verdict(text, "sim -arch=sm_90a", {a}):gsub("MISSED", "silent")))
end

local function case(name, dtype, shape, body)
  local k = tl.jit(function(A)
    A: T.Tensor({64, 256}, f16)
    local C = T.empty(shape, dtype)
    for _ in T.Kernel(1, {threads = 256}) do
      body(A, C)
    end
    return C
  end)
  local lines = mutate.split(tostring(k:compile(a):ir "thread"))
  judge(name, lines, "whole")
  for i, line in ipairs(lines) do
    if line:match "^%s*fence_async" then
      lines[i] = ""
      judge(name, lines, "no fence")
      lines[i] = line
    end
  end
end

-- A tile of A by TMA, by the first thread.
local load = T.macro(function(A, s, full, t, k)
  if t == 0 then
    T.tma_copy(A[0, k * 64], s, {barrier = full[0]})
    T.mbarrier_arrive(full[0])
  end
end)

local function double(A, s, k)
  for i, j in T.Parallel(64, 64) do s[i, j] = A[i, k * 64 + j] * 2 end
end

case("store", f16, {64, 256}, function(A, C)
  local s = T.alloc_shared({64, 64}, f16)
  for k in T.serial(4) do
    double(A, s, k)
    T.copy(s, C[0, k * 64])
  end
end)

case("product", f32, {64, 64}, function(A, C)
  local s = T.alloc_shared({64, 64}, f16)
  local c = T.alloc_fragment({64, 64}, f32)
  T.clear(c)
  for k in T.serial(4) do
    double(A, s, k)
    T.gemm(s, s, c)
  end
  T.copy(c, C)
end)

case("load", f16, {64, 256}, function(A, C)
  local s, full = T.alloc_shared({64, 64}, f16), T.alloc_barrier {1}
  local t = T.get_thread_binding(0)
  for k in T.serial(4) do
    T.sync_threads()
    load(A, s, full, t, k)
    T.mbarrier_wait_parity(full[0], k % 2)
    for i, j in T.Parallel(64, 64) do C[i, k * 64 + j] = s[i, 63 - j] end
    double(A, s, k)
  end
end)

case("read, load", f16, {64, 256}, function(A, C)
  local s, full = T.alloc_shared({64, 64}, f16), T.alloc_barrier {1}
  local t = T.get_thread_binding(0)
  for k in T.serial(4) do
    T.sync_threads()
    load(A, s, full, t, k)
    T.mbarrier_wait_parity(full[0], k % 2)
    for i, j in T.Parallel(64, 64) do C[i, k * 64 + j] = s[i, 63 - j] end
  end
end)

case("view", f16, {64, 256}, function(A, C)
  local s, full = T.alloc_shared({64, 64}, f16), T.alloc_barrier {1}
  local v, t = T.reshape(s, {4096}), T.get_thread_binding(0)
  for k in T.serial(4) do
    for i in T.Parallel(4096) do v[i] = A[i // 64, k * 64 + i % 64] * 2 end
    for i, j in T.Parallel(64, 64) do C[i, k * 64 + j] = s[i, 63 - j] end
    load(A, s, full, t, k)
    T.mbarrier_wait_parity(full[0], k % 2)
    for i, j in T.Parallel(64, 64) do C[i, k * 64 + j] = s[i, 63 - j] + C[i, k * 64 + j] end
  end
end)

case("roles: store", f16, {64, 256}, function(A, C)
  local s = T.alloc_shared({64, 64}, f16)
  local full, empty = T.alloc_barrier {128}, T.alloc_barrier {128}
  for _ in T.ws(0) do
    for k in T.serial(4) do
      T.mbarrier_wait_parity(empty[0], (k + 1) % 2)
      double(A, s, k)
      T.mbarrier_arrive(full[0])
    end
  end
  for _ in T.ws(1) do
    for k in T.serial(4) do
      T.mbarrier_wait_parity(full[0], k % 2)
      T.copy(s, C[0, k * 64])
      T.mbarrier_arrive(empty[0])
    end
  end
end)

case("roles: load", f16, {64, 256}, function(A, C)
  local s = T.alloc_shared({64, 64}, f16)
  local full, empty = T.alloc_barrier {1}, T.alloc_barrier {128}
  for _ in T.ws(0) do
    for k in T.serial(4) do
      T.mbarrier_wait_parity(full[0], k % 2)
      for i, j in T.Parallel(64, 64) do C[i, k * 64 + j] = s[i, 63 - j] end
      for i, j in T.Parallel(64, 64) do s[i, j] = 0 end
      T.mbarrier_arrive(empty[0])
    end
  end
  for t in T.ws(1) do
    for k in T.serial(4) do
      T.mbarrier_wait_parity(empty[0], (k + 1) % 2)
      load(A, s, full, t, k)
    end
  end
end)

-- What a role stored in front of a barrier in a branch, and one warp issues: the fence comes
-- behind that barrier.
case("role, branch", f16, {2, 4, 32}, T.macro(function(A, C)
  local s = T.alloc_shared({2, 4, 32}, f16)
  T.fill(s, 0)
  for _ in T.ws(0) do
    if A[0, 0] < 9 then
      local f = T.alloc_fragment({32}, f16)
      for i in T.Parallel(32) do f[i] = s[0, 1, 31 - i] + A[1, i] end
      for i in T.Parallel(32) do s[0, 1, i] += f[i] end
      if A[0, 1] < 9 then
        local g = T.alloc_fragment({32}, f16)
        for i in T.Parallel(32) do g[i] = s[1, 1, 31 - i] + A[2, i] end
        for i in T.Parallel(32) do s[1, 1, i] += g[i] end
      end
    end
  end
  T.copy(s, C)
end))
