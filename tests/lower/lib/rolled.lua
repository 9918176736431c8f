-- Serial loops that choose elements of fragments: bodies of a kernel with x [8, 512], of whose columns
-- each thread holds four, o [512] of zeros, w of 64 values in shared memory, y [64, 64], laid out as an
-- operand of a product, and s [64, 8] of zeros.
local cases = {
  {"rows", "for k in T.serial(8) do for i in T.Parallel(512) do o[i] += w[k] * x[k, i] end end"},
  {"parts", "for k in T.serial(2, 8, 2) do for i in T.Parallel(512) do o[i] += w[k] * x[k, i] end end"},
  {"downwards", "for k in T.serial(7, -1, -3) do for i in T.Parallel(512) do o[i] += w[k] * x[k, i] end end"},
  {"writes", "for k in T.serial(8) do for i in T.Parallel(512) do x[k, i] = x[k, i] * k + i end end"},
  {"two rows", "for k in T.serial(7) do for i in T.Parallel(512) do x[k, i] = x[k + 1, i] + w[k] end end"},
  {"nested", "for a in T.serial(2) do for k in T.serial(4) do for i in T.Parallel(512) do " ..
    "o[i] += w[a * 8 + k] * x[a * 4 + k, i] end end end"},
  {"guarded", "for k in T.serial(8) do if k % 3 == 1 then for i in T.Parallel(512) do o[i] += x[k, i] end end end"},
  {"by a value", "for k in T.serial(8) do if w[k] > 3 then for i in T.Parallel(512) do o[i] += x[k, i] end end end"},
  {"added", "for k in T.serial(8) do for i in T.Parallel(512) do T.atomic_add(w[i % 64], x[k, i]) end end"},
  {"left early", "for k in T.serial(8) do if w[k] > 3 then break end " ..
    "for i in T.Parallel(512) do o[i] += x[k, i] end end"},
  {"a sum of each", "for k in T.serial(8) do local t = T.alloc_fragment({1}, T.float32) " ..
    "local r = T.alloc_fragment({512}, T.float32) for i in T.Parallel(512) do r[i] = x[k, i] end " ..
    "T.reduce_sum(r, t, 0) for i in T.Parallel(512) do o[i] += t[0] end end"},
  {"one number", "local q = T.alloc_fragment({8}, T.float32) for k in T.serial(8) do q[k] = w[k] end " ..
    "for i in T.Parallel(512) do o[i] = q[i % 8] end"},
  {"known when it runs", "for k in T.serial(n) do for i in T.Parallel(512) do o[i] += w[k] * x[k, i] end end"},
  {"slices", "for k in T.serial(8) do for i, j in T.Parallel(64, 8) do s[i, j] += y[i, k * 8 + j] * (k + 1) end end"},
  {"slices of other threads",
    "for k in T.serial(16) do for i, j in T.Parallel(64, 4) do s[i, j] += y[i, k * 4 + j] * (k + 1) end end"},
  {"too many statements", "for a in T.serial(64) do for k in T.serial(8) do for i in T.Parallel(512) do " ..
    "o[i] += w[a] * x[k, i] end end end"},
}
local M = {cases = cases}
function M.kernel(body)
  return load(([[return tl.jit(function(X, Y, W, n)
    X: T.Tensor({8, 512}, T.float32)
    Y: T.Tensor({64, 64}, T.float16)
    W: T.Tensor({64}, T.float32)
    n: T.int32
    local B, C = T.empty({8, 512}, T.float32), T.empty({64, 64}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local x, o = T.alloc_fragment({8, 512}, T.float32), T.alloc_fragment({512}, T.float32)
      local w, s = T.alloc_shared({64}, T.float32), T.alloc_fragment({64, 8}, T.float32)
      local y, c = T.alloc_fragment({64, 64}, T.float16), T.alloc_fragment({64, 64}, T.float32)
      local z = T.alloc_shared({64, 64}, T.float16)
      T.copy(X, x)
      T.copy(W, w)
      T.copy(Y, y)
      T.copy(Y, z)
      T.clear(o)
      T.clear(s)
      %s
      T.gemm(y, z, c, {clear_accum = true})
      local u = T.alloc_fragment({64}, T.float32)
      T.reduce_sum(s, u, 1)
      for i, j in T.Parallel(8, 512) do B[i, j] = x[i, j] + o[j] * 2 + w[j %% 64] end
      for i, j in T.Parallel(64, 64) do C[i, j] = c[i, j] + u[i] end
    end
    return B, C
  end)]]):format(body), "=rolled")()
end
return M
