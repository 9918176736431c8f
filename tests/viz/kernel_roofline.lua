-- plot(k, "roofline"): the roofs of a card, what a kernel could reach, what it reached.
local gemm = tl.jit(function(A, B, N)
  A: T.Tensor({N, N}, T.float16)
  B: T.Tensor({N, N}, T.float16)
  local C = T.empty({N, N}, T.float16)
  for bx, by in T.Kernel(N // 64, N // 64, {threads = 128}) do
    local As = T.alloc_shared({64, 64}, T.float16)
    local Bs = T.alloc_shared({64, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(N // 64, {num_stages = 2}) do
      T.copy(A[by * 64, ko * 64], As)
      T.copy(B[ko * 64, bx * 64], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end, {target = "cpu"})

plot(gemm:compile {N = 1024}, "roofline")
plot(gemm:compile {N = 64}, "roofline", {target = "sim -arch=sm_90a", card = "H100", bench = 0.01})
plot(gemm:compile {N = 1024}, "roofline", {width = 44, unicode = false, bench = {ms = 0.1}})

local scale = tl.jit(function(X)
  local N = T.dynamic "N"
  X: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      X[bx * 256 + i] *= 2
    end
  end
end, {target = "cpu"}):compile {}
for _, o in ipairs {
  {}, {dims = {N = 1 << 20}, card = "none"}, {dims = {N = 1 << 20}, bench = "fast"},
} do
  print(select(2, pcall(plot, scale, "roofline", o)))
end
plot(scale, "roofline", {dims = {N = 1 << 20}})
plot(scale, "roofline", {dims = {N = 1 << 20}, target = "sim -arch=c500"})
