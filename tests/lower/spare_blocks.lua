-- The spare stage takes no block from a multiprocessor: bytes and blocks by shared memory of kernels with it and
-- without (tl.disable_spare_stage), and how many blocks their registers would allow.
local function product(how, own)
  local dt, BM, BN, BK = how.dtype, how[1], how[2], how[3]
  local acc = dt == "int8" and "int32" or "float32"
  return tl.jit(function(A, B)
    A: T.Tensor({4096, 4096}, dt)
    B: T.Tensor({4096, 4096}, dt)
    local C = T.empty({4096, 4096}, acc)
    for bx, by in T.Kernel(4096 // BN, 4096 // BM, {threads = how.threads}) do
      local a, b = T.alloc_shared({BM, BK}, dt), T.alloc_shared({BK, BN}, dt)
      local c = T.alloc_fragment({BM, BN}, acc)
      T.clear(c)
      for k in T.Pipelined(4096 // BK, {num_stages = how.stages}) do
        T.copy(A[by * BM, k * BK], a)
        T.copy(B[k * BK, bx * BN], b)
        if how.element then
          for i, j in T.Parallel(BM, BN) do
            c[i, j] += T.cast(a[i, j % BK], acc) * T.cast(b[i % BK, j], acc)
          end
        else
          T.gemm(a, b, c)
        end
      end
      if how.twice then
        for k in T.Pipelined(2, {num_stages = how.stages}) do
          T.copy(A[by * BM, k * BK], a)
          T.copy(B[k * BK, bx * BN], b)
          T.gemm(a, b, c)
        end
      end
      if how.through then
        local s = T.alloc_shared({BM, BN}, acc)
        T.copy(c, s)
        T.copy(s, C[by * BM, bx * BN])
      else
        T.copy(c, C[by * BM, bx * BN])
      end
    end
    return C
  end, {target = "cuda -arch=" .. how.arch, pass_configs = {["tl.disable_spare_stage"] = own}}):compile{}
end

local function show(what, how)
  local with, without = product(how, false):analyze(), product(how, true):analyze()
  local now, was, regs = with.per["shared memory"], without.per["shared memory"], with.per.registers
  print(("%-34s %7d B %2d   without %7d B %2d   by registers %2d  %s"):format(what, with.shared, now, without.shared, was,
    regs, now >= math.min(was, regs) and "as many" or "FEWER"))
end

show("two loops over the same tiles", {128, 64, 32, arch = "sm_90a", dtype = "float16", threads = 128, stages = 2, twice = true})
show("the same with 256 threads", {256, 64, 32, arch = "sm_90a", dtype = "bfloat16", threads = 256, stages = 1, twice = true})
show("small ones", {32, 32, 128, arch = "sm_90a", dtype = "float16", threads = 256, stages = 1, twice = true})
show("element by element", {128, 64, 32, arch = "sm_86", dtype = "int8", threads = 128, stages = 3, element = true})
show("a result through shared memory", {32, 256, 64, arch = "sm_90a", dtype = "int8", threads = 128, stages = 4, through = true})
show("128 x 128 x 32, 2 stages", {128, 128, 32, arch = "sm_90a", dtype = "float16", threads = 128, stages = 2})
show("128 x 128 x 32, 3 stages", {128, 128, 32, arch = "sm_90a", dtype = "float16", threads = 128, stages = 3})
show("128 x 128 x 32, 4 stages", {128, 128, 32, arch = "sm_90a", dtype = "float16", threads = 128, stages = 4})
show("128 x 128 x 32 on sm_80", {128, 128, 32, arch = "sm_80", dtype = "float16", threads = 128, stages = 2})
show("64 x 64 x 32 on sm_80", {64, 64, 32, arch = "sm_80", dtype = "float16", threads = 128, stages = 2})
