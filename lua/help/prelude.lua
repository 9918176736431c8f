-- help/prelude.lua: what the examples of the reference start from: a kernel k, the
-- function f that made it, tensors.  `:help examples` shows it, the tests run it.

return [[
f = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)
a, b = tl.randn({64, 64}, "float16"), tl.randn({64, 64}, "float16")
c = f(a, b, 32, 32, 32)          -- a call compiles a kernel for these sizes and runs it
k = f.last                       -- that kernel
want = tl.ref.matmul(a, b)       -- what it should give
x, w = tl.randn({4, 8}), tl.randn({8})
t = tl.arange(0, 12):reshape {3, 4}
l = tl.layout.mma("m16n8k16", "C")                          -- a fragment
s = tl.layout.swizzle {rows = 8, bytes = 128, mode = 128}   -- a layout of memory
]]
