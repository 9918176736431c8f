-- Mutants of GEMM kernels: mma.sync with cp.async, wgmma with TMA and rings, a
-- chip with 64 lanes, a plain SIMT machine.
local mutate = dofile "lib/mutate.lua"
tl.manual_seed(5)

local function gemm(target)
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float16)
    for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = 128}) do
      local As = T.alloc_shared({64, 32}, T.float16)
      local Bs = T.alloc_shared({32, 64}, T.float16)
      local Cl = T.alloc_fragment({64, 64}, T.float32)
      T.annotate_min_blocks_per_sm(1) -- and so loops over tiles, with a producer
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, 32), {num_stages = 3}) do
        T.copy(A[by * 64, ko * 32], As)
        T.copy(B[ko * 32, bx * 64], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * 64, bx * 64])
    end
    return C
  end, {target = target})
end

local beyond = "a tile behind the end is guarded element by element, and nobody reads its slot"
local harmless = {simt = {["drop a guard 3"] = beyond, ["drop a guard 5"] = beyond}}

local a, b = tl.randn({100, 200}, "float16"), tl.randn({200, 72}, "float16")
for _, machine in ipairs {"sm_80", "sm_90a", "c500", "simt"} do
  local target = "sim -arch=" .. machine
  local k = gemm(target):compile{M = 100, N = 72, K = 200}
  mutate.run{name = "gemm " .. machine, kernel = k, target = target, args = {a, b},
    skip = harmless[machine]}
end
