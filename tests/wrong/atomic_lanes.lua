-- what T.atomic_addx2 and x4 do to elements behind the first one, in iterations of a loop
tl.jit(function(A)
  A: T.Tensor({64}, "float32")
  local C = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, "float32")
    local u = T.alloc_shared({64}, "float32")
    local v = T.alloc_shared({64}, "float32")
    T.clear(s)
    T.clear(u)
    T.clear(v)
    for i in T.Parallel(8) do -- right: each has its own
      T.atomic_addx2(s[i * 2], A[2])
      T.atomic_max(s[i * 2 + 1], 3.0)
    end
    for i in T.Parallel(8) do
      T.atomic_max(s[i * 2 + 3], 3.0)
      T.atomic_addx2(s[i * 2], A[2])
    end
    for i in T.Parallel(8) do
      T.atomic_addx4(u[i * i % 8 * 4], A[4])
      u[63 - i] = u[i * 4 + 7]
    end
    for i in T.Parallel(8) do
      v[i * 2 + 3] = 1
      T.atomic_addx2(v[i * 2], A[2])
    end
    for i in T.Parallel(64) do C[i] = s[i] + u[i] + v[i] end
  end
  return C
end)(tl.zeros({64}, "float32"))
