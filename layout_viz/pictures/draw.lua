-- draw.lua: the pictures of README.md: `make pictures`.  arg[1]: the folder for the files.
local gemm = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = 128}) do
    local As = T.alloc_shared({64, 32}, T.float16)
    local Bs = T.alloc_shared({32, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, 32), {num_stages = 3}) do
      T.copy(A[by * 64, k * 32], As)
      T.copy(B[k * 32, bx * 64], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end)

local k = gemm:compile{M = 256, N = 256, K = 256}
local folder = arg[1] or "."
for name, buffer in pairs {fragment = "Cl", swizzle = "As"} do
  plot(k, buffer, {svg = ("%s/%s.svg"):format(folder, name), target = "sim -arch=sm_80"})
end
