-- T.sync_threads() that some warps skip: those that wait at another barrier then, one of the compiler's too, are
-- reported, in every order; a barrier of the range of threads that a condition selects, and one under a condition
-- that is the same in all threads, are met by all.
local function kernel(target, body)
  return assert(load(([[ local target = ... return tl.jit(function(X)
    X: T.Tensor({128}, "int32")
    local C = T.empty({128}, "int32")
    for bx in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding()
      local s = T.alloc_shared({128}, "int32")
      local v = T.alloc_var("int32", 0)
      s[tx] = X[tx]
      %s
      C[tx] = s[127 - tx] + v
    end
    return C
  end, {target = target}) ]]):format(body), "=k"))(target)
end

local function try(body)
  print(body)
  for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_80 -seed=3", "sim -arch=sm_90a -seed=4", "sim -arch=gfx942", "cpu"} do
    local ok, r = pcall(kernel(target, body), tl.arange(128, "int32"))
    print("  " .. target, ok and ("%d %d"):format(r[0], r[127]) or r.code)
  end
end

try [[
      if X[tx] < 64 then T.sync_threads() end]]
try [[
      if X[tx] < 64 then T.sync_threads() else v = 1; T.sync_threads() end]]
try [[
      for i in T.serial(X[tx] // 64) do T.sync_threads() end
      T.sync_threads()]]
-- right ones
try [[
      if tx < 64 then T.sync_threads() v = s[63 - tx] end]]
try [[
      if X[5] == 5 then T.sync_threads() v = 1 else T.sync_threads() v = 2 end]]
try [[
      for i in T.serial(X[3]) do T.sync_threads() v = v + s[127 - tx] end]]
print(select(2, pcall(kernel("sim -arch=sm_80", [[
      if X[tx] < 64 then T.sync_threads() end]]), tl.arange(128, "int32"))))
