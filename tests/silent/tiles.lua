-- Tile kernels of many shapes under three seeds: copies through shared memory,
-- reductions over either axis, elements that neighbours use.
local silent = dofile "lib/silent.lua"
local f32 = T.float32
tl.manual_seed(31)

local function mirror(M, N, threads, dtype)
  return tl.jit(function(X)
    X: T.Tensor({2 * M, N}, dtype)
    local Y = T.empty({2 * M, N}, dtype)
    for bx in T.Kernel(2, {threads = threads}) do
      local s = T.alloc_shared({M, N}, dtype)
      T.copy(X[bx * M, 0], s)
      for i, j in T.Parallel(M, N) do
        Y[bx * M + i, j] = s[M - 1 - i, N - 1 - j]
      end
    end
    return Y
  end)
end
for _, c in ipairs {{16, 16, 32}, {8, 64, 64}, {32, 32, 128}, {7, 33, 96}, {1, 256, 128}, {64, 5, 64},
  {24, 40, 256}, {3, 3, 32}} do
  for _, dtype in ipairs {"float32", "float16", "int8"} do
    local M, N = c[1], c[2]
    local x = dtype == "int8" and tl.randint(0, 100, {2 * M, N}, dtype) or tl.randn({2 * M, N}, dtype)
    silent.case(("mirror %dx%d %s"):format(M, N, dtype), nil, mirror(M, N, c[3], dtype), {x})
  end
end

local function reduce(M, N, axis, threads)
  return tl.jit(function(X)
    X: T.Tensor({M, N}, f32)
    local Y = T.empty({axis == 1 and M or N}, f32)
    for _ in T.Kernel(1, {threads = threads}) do
      local x = T.alloc_fragment({M, N}, f32)
      local s = T.alloc_fragment({axis == 1 and M or N}, f32)
      T.copy(X, x)
      T.reduce_sum(x, s, axis)
      T.reduce_max(x, s, axis, false)
      T.copy(s, Y)
    end
    return Y
  end)
end
for _, c in ipairs {{1, 128}, {2, 512}, {16, 32}, {64, 8}, {5, 77}, {128, 3}, {32, 32}, {100, 10}} do
  for axis = 0, 1 do
    silent.case(("reduce %dx%d axis %d"):format(c[1], c[2], axis), nil,
      reduce(c[1], c[2], axis, 128), {tl.randn({c[1], c[2]}, f32)})
  end
end

-- elements that are used before and behind by others, again and again
local function smooth(N, steps, threads)
  return tl.jit(function(X)
    X: T.Tensor({N}, f32)
    local Y = T.empty({N}, f32)
    for _ in T.Kernel(1, {threads = threads}) do
      local a, b = T.alloc_shared({N}, f32), T.alloc_shared({N}, f32)
      T.copy(X, a)
      for _ in T.serial(steps) do
        for i in T.Parallel(N) do
          b[i] = (a[(i + 1) % N] + a[(i + N - 1) % N]) / 2
        end
        for i in T.Parallel(N) do
          a[i] = b[N - 1 - i]
        end
      end
      T.copy(a, Y)
    end
    return Y
  end)
end
for _, N in ipairs {32, 100, 128, 500} do
  for steps = 0, 3 do
    silent.case(("smooth %d, %d steps"):format(N, steps), nil, smooth(N, steps, 128),
      {tl.randn({N}, f32)})
  end
end
silent.done()
