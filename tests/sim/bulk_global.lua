-- Global memory that bulk copies come to: what a store writes is there when the store itself was
-- waited for, not when its tile was read; what a load reads may be overwritten when it is over;
-- what threads wrote is seen behind a fence, which lowering puts in.
tl.set_target "sim -arch=sm_90a"
local x = tl.arange(1024, "float32"):reshape(32, 32)

local function first_line(e) return table.concat({tostring(e):match "error%[(E%d+)%]: ([^\n]*)"}, " ") end
local function says(name, f)
  local ok, e = pcall(f)
  print(name, ok and "nothing" or first_line(e))
end

-- s is on its way to C; body goes on beside it.
local function store(body)
  return tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C, D = T.empty({32, 32}, "float32"), T.empty({128}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({32, 32}, "float32")
      local tx = T.get_thread_binding()
      T.copy(X, s)
      T.fence_proxy_async()
      T.sync_threads()
      if tx == 0 then T.tma_copy(s, C); T.tma_store_arrive() end
      D[tx] = 0
      body(C, D, tx)
      if tx == 0 then T.tma_store_wait() end
    end
    return C, D
  end)
end
local reads = T.macro(function(C, D, tx) D[tx] = C[5, tx % 32] end)
says("read at once", function() store(reads)(x) end)
says("written at once", function() store(T.macro(function(C, D, tx) if tx == 37 then C[5, 5] = 1 end end))(x) end)
says("its tile was read", function()
  store(T.macro(function(C, D, tx)
    if tx == 0 then T.tma_store_wait() end
    T.sync_threads()
    D[tx] = C[5, tx % 32]
  end))(x)
end)
says("waited for by one thread, a barrier is put in", function()
  store(T.macro(function(C, D, tx)
    if tx == 0 then T.tma_store_wait(0, false) end
    D[tx] = C[5, tx % 32]
  end))(x)
end)
says("and met", function()
  local _, d = store(T.macro(function(C, D, tx)
    if tx == 0 then T.tma_store_wait(0, false) end
    T.sync_threads()
    D[tx] = C[5, tx % 32]
  end))(x)
  assert(d:item(5) == 165)
end)
says("read, then waited for", function()
  local _, d = store(T.macro(function(C, D, tx)
    if tx == 0 then T.tma_store_wait(); T.tma_store_wait(0, false) end
    T.sync_threads()
    D[tx] = C[5, tx % 32]
  end))(x)
  assert(d:item(5) == 165)
end)
says("all but the newest two waited for", function()
  store(T.macro(function(C, D, tx)
    if tx == 0 then T.tma_store_wait(2, false) end
    T.sync_threads()
    D[tx] = C[5, tx % 32]
  end))(x)
end)

-- X is on its way to s.
local function load(body, async)
  return tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C = T.empty({32, 32}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s, b = T.alloc_shared({32, 32}, "float32"), T.alloc_barrier(1)
      local tx = T.get_thread_binding()
      if async then
        T.async_copy(X, s)
      elseif tx == 0 then
        T.tma_copy(X, s, {barrier = b})
        T.mbarrier_arrive(b)
      end
      body(X, tx)
      if async then T.ptx_wait_group(0) else T.mbarrier_wait_parity(b, 0) end
      T.sync_threads()
      T.copy(s, C)
    end
    return C
  end)
end
local writes = T.macro(function(X, tx) if tx == 37 then X[5, 5] = 1 end end)
says("loaded", function() load(writes)(x) end)
says("loaded by cp.async", function() load(writes, true)(x) end)

-- Several threads' loads of one thread's place: the one that does not wait is remembered.
says("loaded by several", function()
  tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C, D = T.empty({32}, "float32"), T.empty({32, 32}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s, b = T.alloc_shared({4, 32, 32}, "float32"), T.alloc_barrier({1, 1})
      local tx = T.get_thread_binding()
      C[tx % 32] = X[5, 5]
      if tx == 32 then T.tma_copy(X, s[1, 0, 0], {barrier = b[1]}); T.mbarrier_arrive(b[1]) end
      T.sync_threads()
      if tx == 64 then C[0] = X[5, 5] end
      T.sync_threads()
      if tx == 64 then X[5, 5] = 1 end
      T.mbarrier_wait_parity(b[1], 0)
      T.copy(s[1, 0, 0], D)
    end
    return C, D
  end)(x)
end)

-- Behind the grid's barrier races are races still.
says("behind the grid's barrier", function()
  tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C = T.empty({32}, "float32")
    for bx in T.Kernel(4, {threads = 32}) do
      local tx = T.get_thread_binding()
      if bx == 0 then C[tx] = X[0, tx] end
      T.sync_grid()
      if tx == bx then C[5] = X[0, tx] + bx end
    end
    return C
  end)(x)
end)

-- Written by threads, then loaded by TMA: behind a barrier, behind the grid's, behind a flag.
local function fences(k)
  local n = 0
  for line in k:compile():ir "fences":gmatch "[^\n]+" do
    n = n + (line:match "fence_async global=1" and 1 or 0)
  end
  return n
end
local wait = T.macro(function(C, D, s, b, tx)
  if tx == 0 then T.tma_copy(C, s, {barrier = b}); T.mbarrier_arrive(b) end
  T.mbarrier_wait_parity(b, 0)
  T.copy(s, D)
end)
local function written(order)
  return tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C, D = T.empty({32, 32}, "float32"), T.empty({32, 32}, "float32")
    local F = T.empty({1}, "int32")
    for bx in T.Kernel(2, {threads = 128}) do
      local s, b = T.alloc_shared({32, 32}, "float32"), T.alloc_barrier(1)
      local tx = T.get_thread_binding()
      if order == "grid" then
        if bx == 0 then for i, j in T.Parallel(32, 32) do C[i, j] = X[i, j] * 2 end end
        T.sync_grid()
        if bx == 1 then wait(C, D, s, b, tx) end
        if bx == 0 and tx == 0 then F[0] = 0 end
      elseif bx == 0 then
        for i, j in T.Parallel(32, 32) do C[i, j] = X[i, j] * 2 end
        T.sync_threads()
        if order == "flag" then
          if tx == 0 then T.atomic_store(F[0], 7, {memory_order = "release"}) end
        else
          wait(C, D, s, b, tx)
          if tx == 0 then F[0] = 0 end
        end
      elseif order == "flag" then
        if tx == 0 then
          local v = T.alloc_var("int32", 0)
          while v ~= 7 do v = T.atomic_load(F[0], {memory_order = "acquire"}) end
        end
        T.sync_threads()
        wait(C, D, s, b, tx)
      end
    end
    return C, D, F
  end)
end
for _, order in ipairs {"block", "grid", "flag"} do
  local k = written(order)
  says(order, function()
    local _, d = k(x)
    assert(d:item(5, 3) == 326)
    print(order, "fences", fences(k))
  end)
end

-- A pipeline with a producer does not see what the kernel itself has written: it has none then.
local function piped(way)
  return tl.jit(function(X)
    X: T.Tensor({320, 64}, "float32")
    local D = T.empty({64, 64}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({64, 64}, "float32")
      local a = T.alloc_fragment({64, 64}, "float32")
      if way == "before" then for i, j in T.Parallel(320, 64) do X[i, j] = X[i, j] * 2 end end
      for r in T.serial(2) do
        T.clear(a)
        for k in T.Pipelined(4, {num_stages = 2}) do
          T.copy(X[k * 64, 0], s)
          for i, j in T.Parallel(64, 64) do a[i, j] = a[i, j] + s[i, j] end
          if way == "in it" then T.copy(a, X[64 * k + 64, 0]) end
        end
        if way == "around" then T.copy(a, X[64 * r, 0]) end
      end
      T.copy(a, D)
    end
    return D
  end)
end
for _, way in ipairs {"before", "in it", "around", "nowhere"} do
  local y = tl.arange(320 * 64, "float32"):reshape(320, 64) % 13
  says(way, function()
    local k = piped(way)
    local sum = k(y:copy()):sum()
    print(way, "producer", k:compile():ir("thread"):match '"producer"' ~= nil)
    tl.set_target "cpu"
    assert(sum == piped(way)(y:copy()):sum())
    tl.set_target "sim -arch=sm_90a"
  end)
end
