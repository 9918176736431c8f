-- scale_relu_gemm.lua: C = max(0, scale * A B) in the lazy style: a function
-- of the sizes builds a T.prim_func, tl.compile makes a kernel of it.
--
-- `scale` is an argument of the kernel, not of the function that builds it: a
-- new value costs no compilation.  What fixes shapes and tiles (M, BM, dtype)
-- is compiled in, what only changes numbers is passed to every launch.
--
--     moontile lua/examples/scale_relu_gemm.lua [small]
local ex = require "moontile.examples.frame"

local function matmul(M, N, K, BM, BN, BK, dtype, accum)
  return T.prim_func(function(A, B, scale, C)
    A: T.Tensor({M, K}, dtype)
    B: T.Tensor({K, N}, dtype)
    scale: T.float32
    C: T.Tensor({M, N}, dtype)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
      local As = T.alloc_shared({BM, BK}, dtype)
      local Bs = T.alloc_shared({BK, BN}, dtype)
      local Cl = T.alloc_fragment({BM, BN}, accum)
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      for i, j in T.Parallel(BM, BN) do
        Cl[i, j] = T.max(Cl[i, j] * scale, 0)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
  end)
end

local function check(M, N, K)
  local program = matmul(M, N, K, 128, 128, 64, "float16", "float32")
  local kernel = tl.compile(program, {out_idx = {-1}}) -- C: made by the call
  local a = tl.randn({M, K}, "float16")
  local b = tl.randn({K, N}, "float16")
  local product = tl.ref.matmul(a, b)
  local what = ("%dx%dx%d"):format(M, N, K)
  for _, scale in ipairs {0.5, -0.0625} do
    local want = tl.ref.relu(product * scale)
    ex.close(what .. ", scale " .. scale, kernel(a, b, scale), want,
             ex.tolerance("float16", K))
  end
  ex.time(what, {flop = 2 * M * N * K}, kernel, a, b, 0.5)
end

tl.manual_seed(2)
if ex.small then
  check(65, 129, 40)
else
  check(1024, 1024, 1024)
  check(999, 1001, 513)
end
