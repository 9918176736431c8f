-- k:buffers() and k:layout(): what the passes decided, on each machine.
local gemm = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, "float16")
  B: T.Tensor({K, N}, "float16")
  local C = T.empty({M, N}, "float16")
  for bx, by in T.Kernel(T.ceildiv(N, 128), T.ceildiv(M, 128), {threads = 256}) do
    local As, Bs = T.alloc_shared({128, 64}, "float16"), T.alloc_shared({64, 128}, "float16")
    local Cl, sum = T.alloc_fragment({128, 128}, "float32"), T.alloc_fragment({128}, "float32")
    local own = T.alloc_fragment({128, 16}, "float32")
    T.annotate_layout {[own] = T.Fragment({128, 16}, {thread = function(i) return i end,
      index = function(_, j) return j end})}
    T.clear(Cl)
    T.clear(own)
    for ko in T.Pipelined(T.ceildiv(K, 64), {num_stages = 3}) do
      T.copy(A[by * 128, ko * 64], As)
      T.copy(B[ko * 64, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.reduce_sum(Cl, sum, {dim = 1})
    for i, j in T.Parallel(128, 128) do
      Cl[i, j] = Cl[i, j] / sum[i]
    end
    for i, j in T.Parallel(128, 16) do
      own[i, j] = own[i, j] + 1
      C[by * 128 + i, bx * 128 + j] = own[i, j]
    end
    T.copy(Cl, C[by * 128, bx * 128])
  end
  return C
end)
local k = gemm:compile {M = 1024, N = 1024, K = 1024}
for _, target in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
  print("-- " .. target)
  for _, r in ipairs(k:buffers {target = target}) do
    if not r.made then
      print(tostring(r) .. (r.map and r.scope ~= "global" and "\n    " .. r.map:text() or ""))
    end
  end
end
local l = k:layout("Cl", {target = "sm_80"})
print(l, l.dtype, l.scope, l.bytes, l.machine, l.cause, l.fixed_line, l.copies, l.why)
print(k:layout("sum", {target = "sm_80"}).why)
local s = k:layout("As", {target = "sm_80"})
print(s, s.address, s.bits, s.stages, s:cute())
-- a last warp that is not full
local ragged = tl.jit(function(A)
  A: T.Tensor({48, 16}, "float32")
  local S = T.empty({48}, "float32")
  for bx in T.Kernel(1, {threads = 48}) do
    local x, s = T.alloc_fragment({48, 16}, "float32"), T.alloc_fragment({48}, "float32")
    T.copy(A, x)
    T.reduce_sum(x, s, {dim = 1})
    T.copy(s, S)
  end
  return S
end):compile()
plot(ragged, "x", {rows = {0, 4}, owner = {4, 9}, target = "sm_80"})
plot(ragged, "s", {target = "sm_80"})
plot(ragged, "x", {view = "warps", target = "sm_80"})

require("moontile.diag").setlang "zh"
print(k:layout("Cl", {target = "sm_80"}).why, k:layout("own", {target = "sm_80"}).why)
plot(k, "Cl", {target = "sm_80", rows = {0, 3}, owner = {2, 5}})
plot(k, "As", {target = "sm_80", rows = {0, 3}, owner = {2, 5}})
plot(k, "As", {access = 18, target = "sm_80"})
