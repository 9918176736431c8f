-- Who started a copy or a product waits for it: a wait by other threads, or by some of them, says nothing.
local simulators = {"sim -arch=sm_90a", "sim -arch=sm_80"}
local function go(name, on_90a_alone, f)
  for n, t in ipairs(simulators) do
    if n == 1 or not on_90a_alone then
      tl.set_target(t)
      local ok, e = pcall(f)
      print(name, t, ok and "right" or tostring(e):match "error%[(E%d+)%]")
    end
  end
end

local function store(who)
  local k = tl.jit(function(X)
    X: T.Tensor({32, 32}, "float32")
    local C, D = T.empty({32, 32}, "float32"), T.empty({128}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({32, 32}, "float32")
      local tx = T.get_thread_binding()
      T.copy(X, s)
      T.fence_proxy_async()
      T.sync_threads()
      if tx == 0 then T.tma_copy(s, C) end
      if tx == who then T.tma_store_wait(0, false) end
      T.sync_threads()
      D[tx] = C[5, tx % 32]
      if tx == 0 then T.tma_store_wait(0, false) end
    end
    return C, D
  end)
  return function() k(tl.arange(1024, "float32"):reshape(32, 32)) end
end
go("a store, its thread", true, store(0))
go("a store, another lane", true, store(1))
go("a store, another warp", true, store(32))

local function async(some)
  local k = tl.jit(function(X, Y)
    X: T.Tensor({64, 64}, "float16")
    Y: T.Tensor({128}, "float16")
    for _ in T.Kernel(1, {threads = 128}) do
      local a, tx = T.alloc_shared({64, 64}, "float16"), T.get_thread_binding()
      T.async_copy(X, a)
      if tx < some then T.ptx_wait_group(0) end
      T.sync_threads()
      Y[tx] = a[tx // 2, 5]
      T.ptx_wait_group(0)
    end
  end)
  return function() k(tl.ones({64, 64}, "float16"), tl.zeros({128}, "float16")) end
end
go("cp.async, all", false, async(128))
go("cp.async, a warp", false, async(32))
