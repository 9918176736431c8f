-- quickstart.lua: C = max(0, A B), a matrix product with its ReLU fused in.
--
-- Every block of the grid owns one BM x BN tile of C.  It walks along K, brings
-- a tile of A and one of B into shared memory and multiplies them into
-- registers.  T.Pipelined lets the copies of the next step run while this one
-- is being multiplied.  The ReLU costs nothing: the tile is in registers
-- already, so it saves writing C and reading it again.
--
--     moontile lua/examples/quickstart.lua          an odd size and 1024^3, on a GPU 4096^3 too
--     moontile lua/examples/quickstart.lua small    small and odd sizes
local ex = require "moontile.examples.frame"

local matmul = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 256}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3}) do
      T.copy(A[by * BM, ko * BK], As)   -- outside A: zeros
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    for i, j in T.Parallel(BM, BN) do
      Cl[i, j] = T.max(Cl[i, j], 0)
    end
    T.copy(Cl, C[by * BM, bx * BN])     -- to float16; outside C: dropped
  end
  return C
end)

local function check(M, N, K)
  local a = tl.randn({M, K}, "float16")
  local b = tl.randn({K, N}, "float16")
  local BN = M * N >= 1 << 22 and 256 or 128  -- wide tiles where there are many
  local c = matmul(a, b, 128, BN, 64)
  local R = math.min(M, (1 << 30) // (N * K))  -- rows that the slow reference looks at
  local want = tl.ref.relu(tl.ref.matmul(a[0:R, :], b))
  local what = ("%dx%dx%d"):format(M, N, K)
  ex.close(what, c[0:R, :], want, ex.tolerance("float16", K))
  ex.time(what, {flop = 2 * M * N * K, cublas = true}, matmul:compile(a, b, 128, BN, 64), a, b)
end

tl.manual_seed(1)
if ex.small then
  check(129, 65, 33)
  check(1, 200, 7)
else
  check(1000, 777, 515)
  check(1024, 1024, 1024)
  if ex.cuda() then
    check(4096, 4096, 4096)
  end
end
