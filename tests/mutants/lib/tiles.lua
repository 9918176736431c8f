-- tiles.lua: correct tile kernels whose lowering needs an order between threads:
-- {name, function, arguments}.
local f16, f32, i32 = T.float16, T.float32, T.int32
local M = {}

local function case(name, f, ...)
  M[#M + 1] = {name = name, f = f, args = {...}}
end

tl.manual_seed(22)
local rows = tl.randn({6, 512}, f32)

case("softmax", tl.jit(function(X)
  X: T.Tensor({6, 512}, f32)
  local Y = T.empty({6, 512}, f32)
  for bx in T.Kernel(6, {threads = 128}) do
    local x = T.alloc_fragment({512}, f32)
    local m, s = T.alloc_fragment({1}, f32), T.alloc_fragment({1}, f32)
    T.copy(X[bx, 0], x)
    T.reduce_max(x, m, 0)
    for j in T.Parallel(512) do
      x[j] = T.exp(x[j] - m[0])
    end
    T.reduce_sum(x, s, 0)
    for j in T.Parallel(512) do
      x[j] = x[j] / s[0]
    end
    T.copy(x, Y[bx, 0])
  end
  return Y
end), rows)

case("scan", tl.jit(function(X)
  X: T.Tensor({6, 512}, f32)
  local Y = T.empty({6, 512}, f32)
  for bx in T.Kernel(6, {threads = 128}) do
    local x = T.alloc_shared({512}, f32)
    T.copy(X[bx, 0], x)
    T.cumsum(x)
    T.copy(x, Y[bx, 0])
  end
  return Y
end), rows)

case("layernorm", tl.jit(function(X)
  X: T.Tensor({6, 512}, f32)
  local Y = T.empty({6, 512}, f32)
  for bx in T.Kernel(6, {threads = 128}) do
    local x, d = T.alloc_fragment({512}, f32), T.alloc_fragment({512}, f32)
    local mean, var = T.alloc_fragment({1}, f32), T.alloc_fragment({1}, f32)
    T.copy(X[bx, 0], x)
    T.reduce_sum(x, mean, 0)
    for j in T.Parallel(512) do
      x[j] = x[j] - mean[0] / 512
      d[j] = x[j] * x[j]
    end
    T.reduce_sum(d, var, 0)
    for j in T.Parallel(512) do
      x[j] = x[j] * T.rsqrt(var[0] / 512 + 1e-5)
    end
    T.copy(x, Y[bx, 0])
  end
  return Y
end), rows)

case("transpose", tl.jit(function(X)
  X: T.Tensor({96, 64}, f32)
  local Y = T.empty({64, 96}, f32)
  for bx, by in T.Kernel(2, 3, {threads = 128}) do
    local s, t = T.alloc_shared({32, 32}, f32), T.alloc_shared({32, 32}, f32)
    T.copy(X[by * 32, bx * 32], s)
    T.transpose(s, t)
    T.copy(t, Y[bx * 32, by * 32])
  end
  return Y
end), tl.randn({96, 64}, f32))

-- the product's rows are wanted otherwise than the matrix unit leaves them
case("conversion", tl.jit(function(A, B)
  A: T.Tensor({64, 32}, f16)
  B: T.Tensor({32, 64}, f16)
  local C = T.empty({64, 64}, f32)
  for _ in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_shared({64, 32}, f16), T.alloc_shared({32, 64}, f16)
    local c, s = T.alloc_fragment({64, 64}, f32), T.alloc_shared({64, 64}, f32)
    T.copy(A, a)
    T.copy(B, b)
    T.clear(c)
    T.gemm(a, b, c)
    T.copy(c, s)
    for i, j in T.Parallel(64, 64) do
      C[i, j] = s[63 - i, j] + s[i, 63 - j]
    end
  end
  return C
end), tl.randn({64, 32}, f16), tl.randn({32, 64}, f16))

case("split-k", tl.jit(function(A, B, C)
  A: T.Tensor({32, 128}, f16)
  B: T.Tensor({128, 32}, f16)
  C: T.Tensor({32, 32}, f32)
  for bz in T.Kernel(2, {threads = 64}) do
    local a, b = T.alloc_shared({32, 32}, f16), T.alloc_shared({32, 32}, f16)
    local c = T.alloc_fragment({32, 32}, f32)
    T.clear(c)
    for k in T.Pipelined(2, {num_stages = 2}) do
      T.copy(A[0, bz * 64 + k * 32], a)
      T.copy(B[bz * 64 + k * 32, 0], b)
      T.gemm(a, b, c)
    end
    T.atomic_add(C[0, 0], c)
  end
end), tl.randn({32, 128}, f16), tl.randn({128, 32}, f16), tl.zeros({32, 32}, f32))

-- one shared tile is used again and again
case("reuse", tl.jit(function(X)
  X: T.Tensor({256, 64}, f32)
  local Y = T.empty({256, 64}, f32)
  for bx in T.Kernel(2, {threads = 128}) do
    local s = T.alloc_shared({32, 64}, f32)
    for k in T.serial(4) do
      T.copy(X[bx * 128 + k * 32, 0], s)
      for i, j in T.Parallel(32, 64) do
        Y[bx * 128 + k * 32 + i, j] = s[31 - i, 63 - j] * 2
      end
    end
  end
  return Y
end), tl.randn({256, 64}, f32))

return M
