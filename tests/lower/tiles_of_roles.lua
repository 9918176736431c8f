-- Tiles that one thread or one warp loads or stores by TMA, one after the other, take the bytes of those that are done where
-- there are too few: such a role waits for nobody, so a barrier can stand behind it.  What is never waited for keeps its bytes.
local F, n = "float32", 8
local order, bodies = {}, {}
local function add(name, body)
  order[#order + 1], bodies[name] = name, body
end

add("one thread loads", T.macro(function(X, C, tx)
  local b = T.alloc_barrier(1)
  for k = 0, n - 1 do
    local s = T.alloc_shared({64, 128}, F)
    if tx == 0 then
      T.tma_copy(X[k, 0:64, 0:128], s, {barrier = b})
      T.barrier_arrive(b)
    end
    T.mbarrier_wait_parity(b, k % 2)
    for i, j in T.Parallel(64, 128) do C[k, i, j] = s[i, j] * 2 end
  end
end))
add("one warp loads", T.macro(function(X, C, tx)
  local b, t = T.alloc_barrier({32, 32, 32, 32, 32, 32, 32, 32}), {}
  for k = 0, n - 1 do t[k] = T.alloc_shared({64, 128}, F) end
  for k = 0, n - 1 do
    if tx < 32 then
      T.tma_copy(X[k, 0:64, 0:128], t[k], {barrier = b[k]})
      T.barrier_arrive(b[k])
    end
    T.mbarrier_wait_parity(b[k], 0)
    for i, j in T.Parallel(64, 128) do C[k, i, j] = t[k][i, j] * 2 end
  end
end))
add("one thread stores and waits", T.macro(function(X, C, tx)
  for k = 0, n - 1 do
    local s = T.alloc_shared({64, 128}, F)
    for i, j in T.Parallel(64, 128) do s[i, j] = X[k, i, j] * 2 end
    T.fence_proxy_async()
    T.sync_threads()
    if tx == 0 then
      T.tma_copy(s, C[k, 0:64, 0:128])
      T.tma_store_wait(0)
    end
  end
end))
add("one thread stores, all wait", T.macro(function(X, C, tx)
  for k = 0, n - 1 do
    local s = T.alloc_shared({64, 128}, F)
    for i, j in T.Parallel(64, 128) do s[i, j] = X[k, i, j] * 2 end
    T.fence_proxy_async()
    T.sync_threads()
    if tx == 0 then
      T.tma_copy(s, C[k, 0:64, 0:128])
    end
    T.tma_store_wait(0)
  end
end))
add("the wait at the end", T.macro(function(X, C, tx)
  for k = 0, n - 1 do
    local s = T.alloc_shared({64, 128}, F)
    for i, j in T.Parallel(64, 128) do s[i, j] = X[k, i, j] * 2 end
    T.tma_copy(s, C[k, 0:64, 0:128])
  end
  T.tma_store_wait(0)
end))

local x = tl.randn({n, 64, 128}, F)
for _, name in ipairs(order) do
  local body = bodies[name]
  for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_90a -seed=3", "sim -arch=sm_90a -seed=8"} do
    local f = tl.jit(function(X)
      X: T.Tensor({n, 64, 128}, F)
      local C = T.empty({n, 64, 128}, F)
      for bx in T.Kernel(1, {threads = 128}) do
        body(X, C, T.get_thread_binding())
      end
      return C
    end, {target = target})
    local ok, e = pcall(function() return (f(x) - x * 2):abs():max() end)
    print(name, target, e)
    if not ok then break end
  end
end
