-- A loop in front of the pipelined one whose count is made of the same value of the tile: on a
-- small machine, where blocks loop over tiles, each role counts them by itself.
local F, H = "float32", "bfloat16"
local f = tl.jit(function(X, Z, Y)
  X: T.Tensor({64, 80}, H)
  Z: T.Tensor({80, 16}, H)
  Y: T.Tensor({16, 8}, F)
  local C = T.empty({4, 64, 16}, F)
  local D = T.empty({4, 8}, F)
  for bx, by, bz in T.Kernel(1, 2, 2, {threads = 128}) do
    local s, z = T.alloc_shared({64, 16}, H), T.alloc_shared({16, 16}, H)
    local y, c = T.alloc_fragment({8}, F), T.alloc_fragment({64, 16}, F)
    T.clear(c)
    T.clear(y)
    for k in T.serial(2, bz + 4) do
      for j in T.Parallel(8) do y[j] = y[j] + Y[k, j] end
    end
    for k in T.Pipelined(bz, {num_stages = 1}) do
      T.copy(X[0, k * 16], s)
      T.copy(Z[k * 16, bx * 16], z)
      T.gemm(s, z, c)
    end
    T.copy(c, C[by * 2 + bz, 0, 0])
    T.copy(y, D[by * 2 + bz, 0])
  end
  return C, D
end)
local x, z = tl.arange(64 * 80, F):reshape {64, 80} % 7, tl.arange(80 * 16, F):reshape {80, 16} % 5
local y = tl.arange(128, F):reshape {16, 8} % 5
x, z = x:to(H), z:to(H)
f.opts.target = "cpu"
local c, d = f(x, z, y)
local exact = {rtol = 0, atol = 0}
for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_90a -sms=2", "sim -arch=sm_90a -sms=3"} do
  f.opts.target = target
  local k = f:compile()
  local e, g = k(x, z, y)
  print(target, k:ir("thread"):match "producer" and "roles" or "-",
    tl.allclose(e, c, exact) and tl.allclose(g, d, exact) and "right" or "WRONG")
end
