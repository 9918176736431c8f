-- transpose.lua: B = A^T.
--
-- Nothing is computed, and yet the obvious kernel is slow: either its reads or
-- its writes go down a column, and neighbouring threads touch addresses that
-- are a whole row apart.  So a tile goes through shared memory: rows of A in,
-- rows of B out, and only the shared tile is read along its columns.  (There
-- neighbouring threads hit the same bank; a swizzled layout of the tile, or a
-- column of padding, spreads them out.)
--
--     moontile lua/examples/transpose.lua [small]
local ex = require "moontile.examples.frame"

local transpose = tl.jit(function(A, BM, BN)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 256}) do
    local tile = T.alloc_shared({BM, BN}, T.float32)
    T.copy(A[by * BM, bx * BN], tile)
    for j, i in T.Parallel(BN, BM) do
      B[bx * BN + j, by * BM + i] = tile[i, j]
    end
  end
  return B
end)

local function check(M, N)
  local a = tl.randn({M, N}, "float32")
  local what = ("%dx%d"):format(M, N)
  ex.close(what, transpose(a, 64, 64), tl.ref.transpose(a), {rtol = 0, atol = 0})
  ex.time(what, {byte = 2 * 4 * M * N}, transpose:compile(a, 64, 64), a)
end

tl.manual_seed(9)
if ex.small then
  check(65, 31)
else
  check(4096, 4096)
  check(3001, 4099)
end
