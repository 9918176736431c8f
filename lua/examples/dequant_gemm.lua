-- dequant_gemm.lua: C = A W with float16 activations and 4-bit weights, the
-- product at the heart of a quantised language model.
--
-- A weight is a number q of 0 to 15 that stands for (q - 8) * scale of its
-- column; two lie in a byte, the even column in the low half.  The weights
-- stay packed as far as shared memory, so they take a quarter of the
-- bandwidth of float16, and are unpacked there, just in front of the matrix
-- unit.  The scales belong to columns, so they wait for the very end.
--
--     moontile lua/examples/dequant_gemm.lua [small]
local ex = require "moontile.examples.frame"

local matmul = tl.jit(function(A, Wq, scale, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  Wq: T.Tensor({K, N // 2}, T.uint8)
  scale: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Ws = T.alloc_shared({BK, BN // 2}, T.uint8)
    local Wh = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    local sl = T.alloc_fragment({BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(Wq[ko * BK, bx * (BN // 2)], Ws)
      for i, j in T.Parallel(BK, BN // 2) do
        Wh[i, 2 * j] = T.cast(Ws[i, j] & 0xf, T.float16) - 8
        Wh[i, 2 * j + 1] = T.cast(Ws[i, j] >> 4, T.float16) - 8
      end
      T.gemm(As, Wh, Cl)
    end
    T.copy(scale[bx * BN], sl)
    for i, j in T.Parallel(BM, BN) do
      Cl[i, j] *= sl[j]
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

local function check(M, N, K)
  local a = tl.randn({M, K}, "float16")
  local packed = tl.randint(0, 256, {K, N // 2}, "uint8")
  local scale = tl.rand({N}, "float16")
  local w = tl.ref.dequantize_int4(packed) * scale
  local c = matmul(a, packed, scale, 128, 128, 64)
  local what = ("%dx%dx%d"):format(M, N, K)
  -- the weights are up to 8 and exact: 8 times the error of unit normals
  ex.close(what, c, tl.ref.matmul(a, w), ex.tolerance("float16", 8 * K))
  local kernel = matmul:compile(a, packed, scale, 128, 128, 64)
  ex.time(what, {flop = 2 * M * N * K}, kernel, a, packed, scale)
end

tl.manual_seed(13)
if ex.small then
  check(33, 130, 70)
else
  check(1024, 1024, 1024)
  check(17, 1030, 2049)
end
