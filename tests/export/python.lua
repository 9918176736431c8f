-- Kernels as TileLang Python: every word that stands there is TileLang's.
local export = require "moontile.export"

local function show(k)
  local text, missing = export.python(k.P)
  print(text)
  print("without a counterpart:", missing)
end

-- Tiles: a pipeline of copies and matrix products
local gemm = tl.jit(function(A, B)
  local M, N, K = T.dynamic "M", 256, 128
  A: T.Tensor({M, K}, "float16")
  B: T.Tensor({N, K}, "float16")
  local C = T.empty({M, N}, "float16")
  for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = 128}) do
    T.use_swizzle(4)
    local As, Bs = T.alloc_shared({64, 32}, "float16"), T.alloc_shared({64, 32}, "float16")
    local Cl = T.alloc_fragment({64, 64}, "float32")
    T.annotate_layout {[Bs] = T.make_swizzled_layout(Bs)}
    T.clear(Cl)
    for ko in T.Pipelined(K // 32, {num_stages = 3}) do
      T.copy(A[by * 64, ko * 32], As, {eviction_policy = "evict_first"})
      T.copy(B[bx * 64, ko * 32], Bs)
      T.gemm(As, Bs, Cl, false, true, T.GemmWarpPolicy.FullRow)
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end)
show(gemm:compile())

-- Rows: reductions, parallel loops, selects, dims known at the launch
local softmax = tl.jit(function(X, scale)
  local M, N = T.dynamic "M, N"
  X: T.Tensor({M, N}, "float32")
  scale: T.float32
  local Y = T.empty({M, N}, "bfloat16")
  for bx in T.Kernel(T.ceildiv(M, 4), {threads = 128}) do
    local x = T.alloc_fragment({4, 1024}, "float32")
    local top, sum = T.alloc_fragment({4}, "float32"), T.alloc_fragment({4}, "float32")
    for i, j in T.Parallel(4, 1024) do
      x[i, j] = T.if_then_else(j < N and bx * 4 + i < M, X[bx * 4 + i, j] * scale, -T.infinity "float32")
    end
    T.reduce_max(x, top, 1, true)
    for i, j in T.Parallel(4, 1024) do
      x[i, j] = T.exp2((x[i, j] - top[i]) * 1.44269504)
    end
    T.reduce_sum(x, sum, {dim = 1})
    for i, j in T.Parallel(4, 1024) do
      if j < N and bx * 4 + i < M then
        Y[bx * 4 + i, j] = T.cast(x[i, j] / T.max(sum[i], 1e-20), "bfloat16")
      end
    end
  end
  return Y
end)
show(softmax:compile())

-- Elements: atomics, variables, loops in each other, prints, a layout of one's own
local elements = tl.jit(function(H, V, n)
  H: T.Tensor({16}, "int32")
  V: T.Tensor({32, 8}, "int32")
  n: T.int32
  for bx in T.Kernel(2, {threads = 32}) do
    local s = T.alloc_shared({32, 8}, "int32")
    local top = T.alloc_var("int32", 0)
    local f = T.alloc_fragment({4, 4}, "float32")
    T.annotate_layout {[s] = T.Layout({32, 8}, function(i, j) return j * 32 + i end)}
    T.copy(V, s)
    for i in T.serial(2, 32, 2) do
      for j in T.unroll(8) do
        if s[i, j] < 0 then
          top = top + 1
        elseif s[i, j] > 100 and n ~= 3 then
          T.atomic_add(H[(s[i, j] >> 2) % 16], 1, {memory_order = "release"})
        else
          T.atomic_max(H[15], -s[i, j] // 3)
        end
      end
    end
    for a, b in T.grid(4, 4) do
      f[a, b] = T.cast(a - b, "float32") + 0.5
    end
    while top < n do
      top = top * 2 + 1
      if top == 7 then break end
    end
    T.print(top, "top \"of\" it")
    T.print(f, "f")
    T.device_assert(top >= 0, "counted")
    H[bx] = top
  end
end)
show(elements:compile())

-- Numbers that the type's nearest short spelling would put beyond its greatest
show(tl.compile(T.prim_func(function(A, H)
  A: T.Tensor({32}, "float32")
  H: T.Tensor({32}, "float16")
  for _ in T.Kernel(1, {threads = 32}) do
    T.fill(A, T.max_value "float32")
    T.fill(H, T.min_value "float16")
  end
end)))
