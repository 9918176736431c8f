-- ops/transpose.lua: the axes of a matrix exchanged.
--
-- A tile goes through shared memory: rows of A in, rows of B out, both in
-- accesses of 16 bytes.  Its rows are 128 bytes of B and its pieces of 16 bytes
-- are exchanged from row to row, so that neither side meets one bank twice: the
-- eight lanes that read a piece of a column each read another group of banks.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- bytes of a tile's rows of B, elements of its rows of A, threads
M.rows = {
  gpu = {bytes = 256, across = 128, threads = 512},
  cpu = {bytes = 256, across = 64, threads = 256},
}

local turn = tl.jit(function(A, dtype, BM, BN, VEC, THREADS)
  local R, N = T.const "R, N"
  A: T.Tensor({R, N}, dtype)
  local B = T.empty({N, R}, dtype)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(R, BM), {threads = THREADS}) do
    local tile = T.alloc_shared({BM, BN}, dtype)
    T.annotate_layout {[tile] = T.Layout({BM, BN}, function(i, j)
      return i * BN + (j ~ i // VEC % 8 * VEC)
    end)}
    T.copy(A[by * BM, bx * BN], tile)
    for j, i in T.Parallel(BN, BM) do
      B[bx * BN + j, by * BM + i] = tile[i, j]
    end
  end
  return B
end)

-- The compiled kernel for r rows of n.
function M.kernel(r, n, dtype)
  local c = config.pick(M.rows)
  return turn:compile {R = r, N = n, dtype = dtype, BM = c.bytes // config.size(dtype),
    BN = c.across, VEC = config.vector(dtype), THREADS = c.threads}
end

function M.transpose(a)
  return M.kernel(a.shape[1], a.shape[2], a.dtype)(a)
end

return M
