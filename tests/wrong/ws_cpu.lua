local f = tl.jit(function(A)
  A: T.Tensor({256, 256}, T.float16)
  local C = T.empty({256, 256}, T.float32)
  for bx, by in T.Kernel(2, 2, {threads = 256}) do
    local As = T.alloc_shared({64, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    for _ in T.ws(0) do T.clear(Cl) end
    for _ in T.ws(0) do T.copy(Cl, C[by * 64, bx * 64]) end
  end
  return C
end)
f:compile()
