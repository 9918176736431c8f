-- Kernels that speak of single threads on the cpu target: results, prints, failed
-- assertions, outputs, the text, and times; as `sim` gives them.
local kernels = {
  {"bindings", function()
    return tl.jit(function(X)
      local N = T.const "N"
      X: T.Tensor({N}, T.float32)
      local C = T.empty({N}, T.float32)
      for bx in T.Kernel(T.ceildiv(N, 128), {threads = 128}) do
        local tx = T.get_thread_binding()
        if bx * 128 + tx < N then C[bx * 128 + tx] = X[bx * 128 + tx] * 2 end
      end
      return C
    end)
  end},
  {"shuffles and votes", function()
    return tl.jit(function(X)
      X: T.Tensor({1000}, T.float32)
      local C = T.empty({1000}, T.float32)
      for bx in T.Kernel(8, {threads = 125}) do
        local i = bx * 125 + T.get_thread_binding()
        local any = T.syncthreads_or(X[i] > 2)
        C[i] = X[i] + T.cast(any, "float32")
      end
      return C
    end)
  end},
  {"roles and ranges", function()
    return tl.jit(function(X)
      X: T.Tensor({1000}, T.float32)
      local C = T.empty({1000}, T.float32)
      for _ in T.Kernel(1, {threads = 256}) do
        local s = T.alloc_shared({1000}, T.float32)
        local tx = T.get_thread_binding()
        for _ in T.ws(1) do T.copy(X, s) end
        T.sync_threads()
        if tx < 128 then
          for i in T.Parallel(1000) do C[i] = s[999 - i] end
        end
      end
      return C
    end)
  end},
  {"barriers and bulk copies", function()
    return tl.jit(function(X)
      X: T.Tensor({1000}, T.float32)
      local C = T.empty({1000}, T.float32)
      for _ in T.Kernel(1, {threads = 128}) do
        local s, bar = T.alloc_shared({1000}, T.float32), T.alloc_barrier(1)
        if T.get_thread_binding() == 0 then
          T.tma_copy(X, s, {barrier = bar[0]})
          T.mbarrier_arrive(bar[0])
        end
        T.mbarrier_wait_parity(bar[0], 0)
        T.copy(s, C)
      end
      return C
    end)
  end},
}
local x = tl.randn({1000}, "float32")
for _, k in ipairs(kernels) do
  local ok, why = pcall(function()
    tl.set_target(k[1]:find "bulk" and "sim -arch=sm_90a" or "sim")
    local want = k[2]()(x)
    tl.set_target "cpu"
    assert(tl.allclose(k[2]()(x), want, 0, 0), "another result")
  end)
  print(k[1], ok and "as on sim" or why)
end

tl.set_target "cpu"
local f = tl.jit(function(X)
  X: T.Tensor({64}, T.int32)
  local C = T.empty({64}, T.int32)
  for _ in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    if tx == 3 then T.print(X[tx]) end
    T.device_assert(X[tx] < 64, "large")
    C[tx] = X[tx]
  end
  return C
end)
print(f(tl.arange(64, "int32")):item(63))
print(select(2, pcall(f, tl.arange(64, "int32") + 1)))
print((f:compile():get_kernel_source():match "[^\n]*"))
local time = kernels[1][2]():compile{N = 1000}:get_profiler():do_bench()
print(time > 0 and "timed")
