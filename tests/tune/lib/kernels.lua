-- Kernels that the tests tune.
local M = {}

M.gemm = tl.jit(function(A, B, BM, BN, BK, stages, threads)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = threads}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

-- x * factor, in blocks of BN: the factor is part of the problem.
M.scale = tl.jit(function(A, BN, factor)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = 64}) do
    for i in T.Parallel(BN) do
      C[bx * BN + i] = A[bx * BN + i] * factor
    end
  end
  return C
end)

-- Numbers of a report or table, which differ from run to run.
function M.masked(x)
  return (tostring(x):gsub(" on [^:\n]*", " on DEVICE", 1)
    :gsub("%d+%-%d+%-%d+T[%d:]+Z", "DATE")
    :gsub("%d[%d.]*e?[-+]?%d* (%a[%a/]*)", function(unit)
      local known = {us = true, ms = true, s = true, ["GFLOP/s"] = true, ["MFLOP/s"] = true,
        ["TFLOP/s"] = true, ["GB/s"] = true, ["MB/s"] = true, ["TB/s"] = true}
      local per = {us = "T", ms = "T", s = "T"}
      return known[unit] and ("# %s"):format(per[unit] or "R/s") or nil
    end))
end

return M
