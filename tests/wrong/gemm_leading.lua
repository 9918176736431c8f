local f = tl.jit(function(A)
  A: T.Tensor({2, 32, 32}, T.float16)
  local C = T.empty({32, 32}, T.float32)
  for bx in T.Kernel(1) do
    local As = T.alloc_shared({2, 32, 32}, T.float16)
    local Bs = T.alloc_shared({32, 32}, T.float16)
    local Cl = T.alloc_fragment({32, 32}, T.float32)
    T.copy(A, As)
    T.copy(A[0, 0, 0], Bs)
    T.clear(Cl)
    T.gemm(As, Bs, Cl)
    T.copy(Cl, C)
  end
  return C
end)
f(tl.zeros({2, 32, 32}, "float16"))
