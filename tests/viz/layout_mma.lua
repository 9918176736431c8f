-- Matrix instructions: A left, B above, C in the middle; and T.gemm of a kernel.
plot("mma.m16n8k8")
plot(tl.layout.mma("m16n8k16"), {width = 120})
plot(tl.layout.wgmma(16), {width = 120})
plot(tl.layout.mfma("16x16x4"), {width = 72})
print(tl.layout.mma("m16n8k16", {dtype = "bfloat16"}))

local gemm = tl.jit(function(A, B)
  A: T.Tensor({128, 64}, "float16")
  B: T.Tensor({64, 128}, "float16")
  local C = T.empty({128, 128}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local As, Bs = T.alloc_shared({128, 64}, "float16"), T.alloc_shared({64, 128}, "float16")
    local Cl = T.alloc_fragment({128, 128}, "float32")
    T.clear(Cl)
    T.copy(A, As)
    T.copy(B, Bs)
    T.gemm(As, Bs, Cl)
    T.copy(Cl, C)
  end
  return C
end)
local k = gemm:compile()
for _, target in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
  local s = require("moontile.layout_viz.plot").figure(k, {gemm = 18, target = target}):render {
    format = "text", width = 100, colour = 0, unicode = true}
  print(s:match "^[^\n]*", s:match "\nCl %(.*$")
end
plot(k, {gemm = true, target = "c500", width = 100})
