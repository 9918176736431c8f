-- What random numbers have no known order with, each alone.
local function try(body)
  local ok, err = pcall(function()
    return T.prim_func(function(A)
      A: T.Tensor({1024}, T.float32)
      for bx in T.Kernel(4, {threads = 32}) do
        local F = T.alloc_fragment({256}, T.float32)
        T.rng_init(1)
        body(A, F, bx)
      end
    end)
  end)
  io.stderr:write(ok and "no error" or tostring(err), "\n")
end
try(function(_, F)
  for i in T.Parallel(256) do F[i] = T.rng_rand_float() end
end)
try(function(A, _, bx)
  for i in T.Parallel(256) do A[bx * 256 + i] = A[i] * T.rng_rand_float() + T.rng_rand_float() end
end)
try(function(A, _, bx)
  for i in T.Parallel(256) do T.atomic_add(A[bx * 256 + i], T.rng_rand_float()) end
end)
try(function(A)
  for i in T.Parallel(4) do
    for j in T.serial(64) do A[i * 64 + j] = T.rng_rand_float() end
  end
end)
try(function(A)
  for i in T.parallel(4, 256) do A[i] = T.rng_rand_float() end
end)
try(function(A)
  for i, j in T.Parallel(65536, 65536) do A[j % 1024] = T.rng_rand_float() end
end)
local _, err = pcall(T.prim_func, function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(4, {threads = 32}) do
    T.rng_init(1)
    for i in T.Parallel(256) do
      local v = T.rng_rand()
      A[bx * 256 + i] = v
    end
  end
end)
io.stderr:write(tostring(err), "\n")
T.prim_func(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(4, {threads = 32}) do
    A[bx] = T.rng_rand_float()
  end
end)
