local f = tl.jit(function(A)
  A: T.Tensor({32, 32}, T.float16)
  for bx in T.Kernel(1) do
    local As = T.alloc_shared({32, 32}, T.float16)
    local Cl = T.alloc_fragment({32, 32}, T.float32)
    T.copy(A, As)
    T.clear(Cl)
    T.gemm(As, As, Cl, {policy = T.GemmWarpPolicy.FullRows})
    T.copy(Cl, A)
  end
end)
f(tl.zeros({32, 32}, "float16"))
