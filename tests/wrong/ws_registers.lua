local f = tl.jit(function(A)
  A: T.Tensor({16, 32}, T.float32)
  local B = T.empty({16, 32}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local x = T.alloc_fragment({16, 32}, T.float32)
    local sum = T.alloc_var(T.float32)
    local mine = T.alloc_fragment({16}, T.float32)
    T.clear(mine)
    for k in T.Serial(4) do
      for _ in T.ws(1) do
        T.copy(A, x)
        sum = 1
        T.fill(mine, 2)
      end
    end
    for _ in T.ws(0) do
      T.copy(x, B)
      B[0, 0] = sum
    end
    for i in T.Parallel(16) do B[i, 0] = mine[i] end
  end
  return B
end, {target = "sim -arch=sm_80"})
f:compile()
