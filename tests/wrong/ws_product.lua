local f = tl.jit(function(A, B)
  A: T.Tensor({64, 64}, T.float16)
  B: T.Tensor({64, 64}, T.float16)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local As = T.alloc_shared({64, 64}, T.float16)
    local Bs = T.alloc_shared({64, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.copy(A, As)
    T.copy(B, Bs)
    T.clear(Cl)
    T.gemm(As, Bs, Cl)
    for _ in T.ws(0) do T.copy(Cl, C) end
  end
  return C
end, {target = "sim -arch=sm_80"})
f:compile()
