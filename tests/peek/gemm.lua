-- A product's accumulator after iteration i is the product of the first i + 1 tiles of K.
local matmul = tl.jit(function(A, B, BM, BN, BK, stages)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = stages}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

tl.manual_seed(11)
local cases = { -- M, N, K, tiles, stages
  {100, 70, 90, 64, 64, 32, 3}, {64, 128, 64, 64, 64, 16, 2}, {33, 40, 200, 32, 32, 64, 0},
}
local checked = 0
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500"} do
  tl.set_target(target)
  for _, c in ipairs(cases) do
    local M, N, K, BM, BN, BK, stages = table.unpack(c)
    local a, b = tl.randn({M, K}, "float16"), tl.randn({K, N}, "float16")
    local k = matmul:compile(a, b, BM, BN, BK, stages)
    local trips = (K + BK - 1) // BK
    local bx, by = (N + BN - 1) // BN - 1, (M + BM - 1) // BM - 1 -- the last block: an edge
    for i = 0, trips - 1 do
      local got, info = k:peek("Cl", {inputs = {a, b}, block = {bx, by}, iteration = i})
      local upto = math.min(K, (i + 1) * BK)
      local want = tl.ref.matmul(a:double()[:, 0:upto], b:double()[0:upto, :])
      local rows, cols = math.min(M - by * BM, BM), math.min(N - bx * BN, BN)
      tl.testing.assert_close(got[0:rows, 0:cols]:double(),
        want[by * BM:by * BM + rows, bx * BN:bx * BN + cols], {rtol = 1e-5, atol = 1e-4})
      assert(info.loops.ko == i and info.undefined == 0)
      checked = checked + 1
    end
    -- the tile of A that was multiplied last, zeros beyond the edge
    local as = k:peek("As", {inputs = {a, b}, block = {bx, by}, iteration = -1})
    local from = (trips - 1) * BK
    local part = a[by * BM:M, from:K]
    assert(tl.equal(as[0:part.shape[1], 0:part.shape[2]], part))
    assert(as:float():abs():sum() == part:float():abs():sum())
  end
end
print(checked, "partial products agree")
