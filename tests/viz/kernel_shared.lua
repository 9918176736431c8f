-- plot(k, "shared"): addresses by position in the program, the bill, the limit.
local reuse = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local Y = T.empty({64, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local a = T.alloc_shared({64, 64}, T.float32)
    local b = T.alloc_shared({64, 64}, T.float32)
    local c = T.alloc_shared({64, 64}, T.float32)
    local f = T.alloc_fragment({64, 64}, T.float32)
    T.copy(X, a)
    T.copy(a, f)
    T.copy(f, b)
    for i in T.serial(4) do
      for r, s in T.Parallel(64, 64) do
        f[r, s] = f[r, s] + b[s, r]
      end
    end
    T.copy(f, c)
    for r, s in T.Parallel(64, 64) do
      Y[r, s] = c[s, r]
    end
  end
  return Y
end, {target = "cpu"}):compile {}
plot(reuse, "shared")
plot(reuse, "shared", {width = 48, unicode = false, target = "sim -arch=c500"})

local gemm = tl.jit(function(A, B)
  A: T.Tensor({1024, 1024}, T.float16)
  B: T.Tensor({1024, 1024}, T.float16)
  local C = T.empty({1024, 1024}, T.float16)
  for bx, by in T.Kernel(8, 8, {threads = 256}) do
    local As = T.alloc_shared({128, 64}, T.float16)
    local Bs = T.alloc_shared({64, 128}, T.float16)
    local Cl = T.alloc_fragment({128, 128}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(16, {num_stages = 3}) do
      T.copy(A[by * 128, ko * 64], As)
      T.copy(B[ko * 64, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 128, bx * 128])
  end
  return C
end, {target = "cpu"}):compile {}
plot(gemm, "shared", {target = "sim -arch=sm_80"})
plot(gemm, "shared", {target = "sim -arch=sm_90a"})

-- Figures that programs read say the same.
local json = require "moontile.tl.json"
local f = json.decode(plot.figure(gemm, "shared"):render {format = "json"})
print(f.title, #f.panels)
for _, row in ipairs(f.panels[1].rows) do
  print(row.label, #row.spans, #row.marks)
end
