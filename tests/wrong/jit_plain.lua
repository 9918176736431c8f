local function made(n)
  return function(A)
    if n > 0 then
      A: T.Tensor({64}, T.float32)
    end
    for _ in T.Kernel(1) do
      T.fill(A, n)
    end
  end
end
tl.jit(made(3))(tl.zeros({64}, "float32"))
