-- How many blocks of a product work on a multiprocessor side by side, and what follows from it: bounds of the
-- launch, loops over tiles, pairs of blocks, registers of roles.  What users say of these comes first.
tl.set_target "cuda -arch=sm_90a"

local function product(o)
  return tl.jit(function(A, B)
    local M, N, K = 4096, 4096, o.K or 4096
    A: T.Tensor({M, K}, o.dtype or T.float16)
    B: T.Tensor({N, K}, o.dtype or T.float16)
    local C = T.empty({M, N}, T.float16)
    for bx, by in T.Kernel(N // o.BN, M // o.BM, {threads = o.threads}) do
      local As = T.alloc_shared({o.BM, o.BK}, o.dtype or T.float16)
      local Bs = T.alloc_shared({o.BN, o.BK}, o.dtype or T.float16)
      local Cl = T.alloc_fragment({o.BM, o.BN}, T.float32)
      if o.says then o.says() end
      T.clear(Cl)
      for ko in T.Pipelined(K // o.BK, {num_stages = o.stages or 3}) do
        T.copy(A[by * o.BM, ko * o.BK], As)
        T.copy(B[bx * o.BN, ko * o.BK], Bs)
        T.gemm(As, Bs, Cl, {transpose_B = true})
      end
      T.copy(Cl, C[by * o.BM, bx * o.BN])
    end
    return C
  end)
end

local function show(name, o)
  local k = product(o):compile()
  local text = k:get_kernel_source()
  local regs = {}
  for what, n in text:gmatch "    setmaxnreg_(%a+)<(%d+)>" do regs[#regs + 1] = what .. " " .. n end
  print(("%-26s %-30s %s%s%s"):format(name, text:match "__launch_bounds__%b()",
    text:find "wave" and "tiles in turn" or "one tile",
    text:find "__cluster_dims__" and ", pairs" or "", #regs > 0 and ", " .. table.concat(regs, " ") or ""))
  local _, notes = k:ir "thread"
  for _, n in ipairs(notes) do
    if n.id == "launch_hint" then print("    " .. n.en) end
  end
end

show("128x256x64", {BM = 128, BN = 256, BK = 64, threads = 256})
show("128x128x64", {BM = 128, BN = 128, BK = 64, threads = 256})
show("128x128x32", {BM = 128, BN = 128, BK = 32, threads = 256})
show("128x128x32 in 128 threads", {BM = 128, BN = 128, BK = 32, threads = 128})
show("64x128x32", {BM = 64, BN = 128, BK = 32, threads = 128})
show("64x64x32", {BM = 64, BN = 64, BK = 32, threads = 128})
show("64x64x128, 6 stages", {BM = 64, BN = 64, BK = 128, threads = 128, stages = 6})
show("128x128x64 in 128 threads", {BM = 128, BN = 128, BK = 64, threads = 128})
show("64x256x64", {BM = 64, BN = 256, BK = 64, threads = 128})
show("64x128x64 of 8 bits", {BM = 64, BN = 128, BK = 64, threads = 128, dtype = T.float8_e4m3fn})

print "-- as users say"
local function said(name, o, says)
  show(name, {BM = o[1], BN = o[2], BK = o[3], threads = o[4], stages = o[5], says = says})
end
said("one", {64, 64, 32, 128}, T.macro(function() T.annotate_min_blocks_per_sm(1) end))
said("five", {64, 64, 32, 128}, T.macro(function() T.annotate_min_blocks_per_sm(5) end))
said("two", {128, 256, 64, 256}, T.macro(function() T.annotate_min_blocks_per_sm(2) end))
said("as they are", {128, 256, 64, 256}, T.macro(function() T.disable_warp_group_reg_alloc() end))
said("none", {128, 256, 64, 256}, T.macro(function() T.no_set_max_nreg() end))
said("232 and 40", {128, 256, 64, 256}, T.macro(function()
  T.annotate_consumer_reg_alloc(232)
  T.annotate_producer_reg_dealloc(40)
end))
said("too many", {128, 256, 64, 256}, T.macro(function()
  T.annotate_consumer_reg_alloc(240)
  T.annotate_producer_reg_dealloc(32)
end))
said("one group", {128, 128, 64, 128}, T.macro(function() T.annotate_consumer_reg_alloc(240) end))
said("no pipeline", {64, 64, 32, 128, 0}, T.macro(function() T.annotate_producer_reg_dealloc(24) end))
tl.set_target "cuda -arch=sm_80"
said("sm_80", {64, 64, 32, 128}, T.macro(function()
  T.annotate_min_blocks_per_sm(2)
  T.annotate_consumer_reg_alloc(240)
end))
tl.set_target "hip -arch=gfx942"
said("gfx942", {64, 64, 32, 256}, T.macro(function() T.annotate_min_blocks_per_sm(2) end))
