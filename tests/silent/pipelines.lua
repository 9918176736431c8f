-- Products under three seeds: pipelines of every depth, and of lengths around it.
local silent = dofile "lib/silent.lua"
local f16, f32 = T.float16, T.float32
tl.manual_seed(32)

local function gemm(M, N, K, stages, threads)
  return tl.jit(function(A, B)
    A: T.Tensor({M, K}, f16)
    B: T.Tensor({K, N}, f16)
    local C = T.empty({M, N}, f32)
    for bx, by in T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 64), {threads = threads}) do
      local As, Bs = T.alloc_shared({64, 32}, f16), T.alloc_shared({32, 32}, f16)
      local Cl = T.alloc_fragment({64, 32}, f32)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, 32), {num_stages = stages}) do
        T.copy(A[by * 64, ko * 32], As)
        T.copy(B[ko * 32, bx * 32], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * 64, bx * 32])
    end
    return C
  end)
end
for stages = 0, 5 do
  for _, trips in ipairs {1, 2, 3, 4, 5, 6, 11} do
    local K = trips * 32 - (trips % 2) * 8
    silent.case(("gemm, %d stages, %d steps"):format(stages, trips), nil,
      gemm(64, 40, K, stages, 128), {tl.randn({64, K}, f16), tl.randn({K, 40}, f16)})
  end
end

silent.done()
