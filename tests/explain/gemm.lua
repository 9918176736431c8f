-- A product on every kind of machine: what is exact of it.
local matmul = tl.jit(function(A, B)
  A: T.Tensor({256, 256}, T.float16)
  B: T.Tensor({256, 256}, T.float16)
  local C = T.empty({256, 256}, T.float32)
  for bx, by in T.Kernel(2, 2, {threads = 128}) do
    local As, Bs = T.alloc_shared({128, 32}, T.float16), T.alloc_shared({32, 128}, T.float16)
    local Cl = T.alloc_fragment({128, 128}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(8, {num_stages = 3}) do
      T.copy(A[by * 128, k * 32], As)
      T.copy(B[k * 32, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 128, bx * 128])
  end
  return C
end)
local k = matmul:compile()
for _, arch in ipairs {"sm_80", "sm_90a", "gfx942", "c500", "simt"} do
  local f = k:analyze {target = "sim -arch=" .. arch}
  local ways, mma, times = 1, "none", 0
  for _, r in ipairs(f.access) do
    ways = r.waves and r.waves > r.ideal and math.max(ways, r.ways) or ways
  end
  for _, o in ipairs(f.ops) do
    if o.name:find "%.f16" then
      mma, times = o.name, o.times
    end
  end
  -- 4 blocks: 2 * 256^3 operations; each reads 128 x 256 of A and of B
  print(arch, f.mma_flops, f.total_flops >= 2 * 256 ^ 3, f.once_bytes, mma, times,
    ways > 1 and ways .. "-way" or "no conflict")
end
