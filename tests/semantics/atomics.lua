-- How often an atomic outside of T.Parallel happens: once a block, or once for each thread
-- where something differs between threads.
local A = "float32"
local k = tl.jit(function(C, X)
  C: T.Tensor({8}, A)
  X: T.Tensor({128}, A)
  for bx in T.Kernel(2, {threads = 128}) do
    local tx = T.get_thread_binding()
    if tx < 64 then T.atomic_add(C[1], 1) end
    T.atomic_add(C[2], X[tx])
    T.atomic_add(C[3 + tx % 2], 1)
    T.atomic_add(C[5], 1)
    if tx % 32 == 0 then T.atomic_add(C[6], 1) end
    local l = T.alloc_local({1}, A) l[0] = 1
    T.atomic_add(C[7], l[0])
  end
end)

for _, t in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"} do
  local c = tl.zeros({8}, A)
  tl.set_target(t)
  k(c, tl.ones({128}, A))
  print(t, c)
end
