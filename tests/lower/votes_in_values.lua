-- A vote of the block inside of a statement is a barrier in front of what the statement stores, and of what it
-- loads beside the vote: another barrier stands behind.
local ways = {
  "s[tx] = T.syncthreads_or(A[tx] > 3) + tx",
  "s[tx] = s[tx] + T.syncthreads_or(A[tx] > 3)",
  "T.atomic_add(s[tx], T.syncthreads_count(A[tx] > 3))",
  "for i in T.unroll(2) do s[tx] = s[tx] + T.syncthreads_and(A[tx] > 3) end",
  "local x = s[tx] + T.syncthreads_count(A[tx] > 3) s[127 - tx] = x",
  "local v = T.alloc_var('int32', 0) v = s[tx] + T.syncthreads_count(A[tx] > 3) s[127 - tx] = v",
  "local x = T.syncthreads_count(A[tx] > 3) s[127 - tx] = x",
  "while T.syncthreads_count(s[tx] < 3) > 0 do s[127 - tx] += 1 end",
}
for _, way in ipairs(ways) do
  local f = load([[return T.prim_func(function(A, B)
    A: T.Tensor({128}, T.int32)
    B: T.Tensor({128}, T.int32)
    for _ in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding(0)
      local s = T.alloc_shared({128}, T.int32)
      T.clear(s)
      ]] .. way .. [[

      B[tx] = s[127 - tx]
    end
  end)]], "=K")()
  for _, m in ipairs {"sm_75", "sm_90a", "gfx942"} do
    local k, b = tl.compile(f, {target = "sim -arch=" .. m}), tl.zeros({128}, "int32")
    k(tl.arange(128, "int32"), b)
    local _, n = k:get_kernel_source():gsub("bar_sync", "")
    print(m, n, b[0], b[127], way)
  end
end

-- a bulk copy of what such a statement stores
local k = tl.compile(T.prim_func(function(B)
  B: T.Tensor({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 128}) do
    local tx = T.get_thread_binding(0)
    local s = T.alloc_shared({64, 64}, T.float32)
    T.clear(s)
    s[2, 58] += T.ballot(s[tx % 64, 23] > 0) + T.syncthreads_or(tx > 3)
    T.tma_copy(s, B)
    T.tma_store_wait()
  end
end), {target = "sim -arch=sm_90a"})
print((k:get_kernel_source():gsub(".-(    s%[2, 58)", "%1")))
