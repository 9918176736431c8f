-- Votes of a block count those that reach the same one: warps that wait at different barriers of the
-- block, one of them a vote, are reported, in every order; none is taken for one of the other.
local function kernel(target, body)
  return assert(load(([[ local target = ... return tl.jit(function(X)
    X: T.Tensor({64}, "int32")
    local C = T.empty({64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local v = T.alloc_var("int32", 0)
      %s
      C[tx] = v
    end
    return C
  end, {target = target}) ]]):format(body), "=k"))(target)
end

local function try(body)
  print(body)
  for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_80 -seed=3", "sim -arch=sm_80 -seed=4", "cpu"} do
    local ok, r = pcall(kernel(target, body), tl.arange(64, "int32"))
    print("  " .. target, ok and ("%d %d"):format(r[0], r[63]) or r.code)
  end
end

try [[
      if tx < 32 then
        v = T.syncthreads_and(X[tx] < 100)
      else
        v = T.syncthreads_or(X[tx] > 100)
      end]]
try [[
      if tx < 32 then
        v = T.syncthreads_count(X[tx] < 100)
      else
        v = T.syncthreads_count(X[tx] > 100)
      end]]
try [[
      if X[tx] < 32 then T.sync_threads() else v = T.syncthreads_or(X[tx] > 40) end]]
try [[
      for k in T.serial(3) do
        if tx < 32 then break end
        v = T.syncthreads_or(X[tx] > 40)
      end
      T.sync_threads()]]
try [[
      for k in T.serial(3) do
        if tx >= 32 then break end
        v = v + T.syncthreads_count(X[tx] > k)
      end]]
try [[
      if tx < 32 then v = 5 end
      v = v + T.syncthreads_count(X[tx] > 10)
      if T.syncthreads_and(X[tx] >= 0) ~= 0 then v = v + T.syncthreads_count(tx < 40) end
      T.sync_threads()
      v = v + T.syncthreads_or(X[tx] > 62)]]
print(select(2, pcall(kernel("sim -arch=sm_80 -seed=3", [[
      if tx < 32 then
        v = T.syncthreads_and(X[tx] < 100)
      else
        v = T.syncthreads_count(X[tx] > 100)
      end]]), tl.arange(64, "int32"))))
