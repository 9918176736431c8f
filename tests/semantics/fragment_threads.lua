-- T.Fragment with threads alone: the elements of one follow each other in its registers.
local k = tl.jit(function(A, B)
  A: T.Tensor({64, 8}, T.float32)
  B: T.Tensor({64, 8}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local f = T.alloc_fragment({64, 8}, T.float32)
    T.annotate_layout {[f] = T.Fragment({64, 8}, {forward_thread_fn = function(i, j) return i end})}
    T.copy(A, f)
    for i, j in T.Parallel(64, 8) do f[i, j] = f[i, j] + j end
    T.copy(f, B)
  end
end)
local a, b = tl.ones({64, 8}, "float32"), tl.zeros({64, 8}, "float32")
for _, t in ipairs {"cpu", "sim -arch=sm_90a"} do k.opts.target = t; k(a, b); print(b[3, 0], b[5, 7]) end
k.opts.target = "cuda -arch=sm_90a"
print(k:compile():layout "f")
