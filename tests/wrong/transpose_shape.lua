local f = tl.jit(function(A)
  A: T.Tensor({32, 64}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({32, 64}, T.float32)
    local y = T.alloc_shared({32, 64}, T.float32)
    T.copy(A, x)
    T.transpose(x, y)
    T.copy(y, A)
  end
end)
f(tl.zeros({32, 64}))
