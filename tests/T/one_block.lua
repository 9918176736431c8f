-- T.Kernel without a grid is one block; indices below 0 count from the end; narrow steps.
for _, target in ipairs{"cpu", "sim -arch=sm_80"} do
  tl.set_target(target)
  local count = tl.jit(function()
    local C = T.empty({32}, "int32")
    for bx in T.Kernel({threads = 32}) do
      for i in T.Parallel(32) do C[i] = i + bx end
    end
    return C
  end)
  print(target, count())
  local back = tl.jit(function(X)
    X: T.Tensor({16}, "float32")
    local C, D, E = T.empty({16}, "float32"), T.empty({4}, "float32"), T.empty({16}, "float32")
    for _ in T.Kernel() do
      for i in T.serial(16) do
        C[i] = X[-i - 1]
        E[-i - 1] = i
        T.atomic_add(E[-1], 1)
      end
      T.copy(X[-4:], D)
    end
    return C, D, E
  end)
  print(back(tl.arange(16, "float32")))
  for _, d in ipairs{"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"} do
    local step = tl.jit(function(X, Y)
      local N = T.const "N"
      X: T.Tensor({N}, d)
      Y: T.Tensor({N}, d)
      local C = T.empty({N}, d)
      for _ in T.Kernel() do
        for i in T.Parallel(N) do C[i] = T.nextafter(X[i], Y[i]) end
      end
      return C
    end)
    local nan = 0 / 0
    print(d, step(tl.from_table({0.5, 0.5, -0.5, -0.5, 0, 0, 1, nan, 2, -1}, d),
      tl.from_table({1, 0, 0, -1, 1, -1, 1, 1, nan, 1}, d)))
  end
  local power = tl.jit(function(X)
    X: T.Tensor({3}, "float32")
    local C = T.empty({3}, "float32")
    for _ in T.Kernel() do
      for i in T.Parallel(3) do C[i] = T.exp2(X[i]) end
    end
    return C
  end)
  print(power(tl.from_table({-126, -130, -149}, "float32")))
end
