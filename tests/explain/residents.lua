-- A launch that is bound to n blocks on a multiprocessor has registers for n: its threads get no more than that when
-- they begin, however many their fragments take (roles change theirs between them).
local function kernel(BM, BN, BK, stages, least, target)
  return tl.jit(function(A, B)
    A: T.Tensor({1024, 1024}, T.float16)
    B: T.Tensor({1024, 1024}, T.float16)
    local C = T.empty({1024, 1024}, T.float16)
    for bx, by in T.Kernel(1024 // BN, 1024 // BM, {threads = 128}) do
      local a, b = T.alloc_shared({BM, BK}, T.float16), T.alloc_shared({BK, BN}, T.float16)
      local c = T.alloc_fragment({BM, BN}, T.float32)
      if least then T.annotate_min_blocks_per_sm(least) end
      T.clear(c)
      for k in T.Pipelined(1024 // BK, {num_stages = stages}) do
        T.copy(A[by * BM, k * BK], a)
        T.copy(B[k * BK, bx * BN], b)
        T.gemm(a, b, c)
      end
      T.copy(c, C[by * BM, bx * BN])
    end
    return C
  end, {target = target}):compile()
end

for _, c in ipairs {{128, 128, 32, 2}, {128, 128, 64, 3}, {64, 64, 32, 2}, {64, 64, 32, 2, 6}, {128, 128, 32, 2, 1}} do
  for _, target in ipairs {"cuda -arch=sm_90a", "cuda -arch=sm_80", "hip -arch=gfx942"} do
    local k = kernel(c[1], c[2], c[3], c[4], c[5], target)
    local f = k:analyze()
    local said = tonumber(k:get_kernel_source():match "__launch_bounds__%(%d+, (%d+)%)")
    print(table.concat(c, " "), target, "bounds", said, "registers", f.per.registers, "blocks", f.blocks_sm,
      said and f.per.registers < said and "WRONG" or "")
  end
end
