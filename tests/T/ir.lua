-- The tile program that each construct becomes.
local mixed = tl.jit(function(A, alpha)
  local m = T.dynamic "m"
  local N = T.const "N"
  A: T.Tensor({m, N}, "float16")
  alpha: T.float32
  local B = T.empty({m, N}, "float32")
  for bx, by in T.Kernel(T.ceildiv(N, 32), m, {threads = {32, 4}}) do
    T.use_swizzle(8, {order = "column"})
    local s = T.alloc_shared({1, 32}, "float16")
    T.annotate_layout {[s] = T.make_swizzled_layout(s)}
    T.copy(A[by, bx * 32], s, {coalesced_width = 4, eviction_policy = "evict_first"})
    for _, j in T.Parallel(1, 32) do
      local base = bx * 32 + j
      local v = s[0, j] * alpha
      if base < N and v > 0 then
        B[by, base] = v * v
      elseif v < -1 then
        B[by, base] = -v
      else
        B[by, base] = 0
      end
    end
  end
  return B
end)
print(mixed:compile {N = 64} :ir())

local tiles = tl.jit(function(A)
  A: T.Tensor({128, 64}, "float16")
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1) do
    local a, b = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
    local acc, r = T.alloc_fragment({64, 64}, "float32"), T.alloc_fragment({64}, "float32")
    for k in T.Pipelined(2, {num_stages = 2}) do
      T.copy(A[k * 64 : k * 64 + 64, :], a)
      T.copy(A[0, 0], b)
      T.gemm(a, b, acc, false, true, T.GemmWarpPolicy.FullRow, k == 0)
    end
    T.reduce_max(acc, r, 1, true, {nan_propagate = true})
    T.cumsum(acc, acc, 1, true)
    T.atomic_add(C[0, 0], acc)
    T.atomic_add(C[0, 1], r[0], {memory_order = "acq_rel"})
    T.print(r, "row")
    T.assume(bx < 1)
    for i in T.serial(2, 10, 2) do
      for u in T.unroll(4, {unroll_factor = 2}) do
        r[i] = r[i] + u
        if r[i] > 4 then break end
      end
    end
    for i in T.vectorized(4) do r[i] = 0 end
    T.copy(r, C[0, :])
  end
  return C
end)
print(tiles:compile():ir())
