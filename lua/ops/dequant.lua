-- ops/dequant.lua: Y = X W^T with 4-bit weights, for few rows of X: the product
-- that decides how fast a quantised language model writes.
--
--     packed = dequant.pack(q)                 q: uint8 [N, K], 0 .. 15
--     y = dequant.matmul(x, packed, scale)     scale: float16 [N, K / 128]
--
-- A weight is (q - 8) * scale of its row and group of 128.  All that matters is
-- that the packed weights stream by without a pause, so:
--   - they are packed in the order in which the matrix instruction wants them:
--     word w of 16 columns by 64 rows holds the eight weights that thread
--     w of the tile multiplies, and a thread decodes what it has copied
--   - decoding is one bit operation and one multiply-add: a nibble put in the
--     mantissa of 2^23 is the number 2^23 + q 2^s, exactly
--   - decoded weights go from registers into the matrix unit, as the side that
--     is 64 long; the rows of X are the short side, padded to 8 or 16
--   - scales meet the float32 sums of a group, not the weights
--   - K is split over blocks, so that all multiprocessors pull, and a second
--     launch adds up
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

local Rows, Cols, Group = 64, 16, 128 -- of a tile of words; of a scale

-- stages of the ring; blocks of a multiprocessor; multiprocessors
M.rows = {
  sm_90a = {stages = 4, blocks = 8, sms = 132},
  gpu = {stages = 4, blocks = 4, sms = 108},
  cpu = {stages = 2, blocks = 1, sms = 1},
}

-- Which nibble of which word weight (i, k) is: word thread(i, k) of tile
-- (i // 64, k // 16), bits shift(i, k) ..+4.
local function thread(i, k)
  return (i % Rows) // 16 * 32 + i % 8 * 4 + k % 8 // 2
end

local function shift(i, k)
  return 16 * (k % 2) + 4 * (i % 16 // 8) + 8 * (k % 16 // 8)
end

local pack = tl.jit(function(Q)
  local N, K = T.const "N, K"
  Q: T.Tensor({N, K}, T.uint8)
  local P = T.empty({N // Rows, K // Cols, 128}, T.uint32)
  for bx, by in T.Kernel(K // Cols, N // Rows, {threads = 128}) do
    for t in T.Parallel(128) do
      local row, col = by * Rows + t // 32 * 16 + t % 32 // 4, bx * Cols + t % 4 * 2
      local word = T.uint32(0)
      for h = 0, 1 do
        for g = 0, 1 do
          for p = 0, 1 do
            local q = T.cast(Q[row + 8 * h, col + 8 * g + p], T.uint32)
            word = word | q << (16 * p + 4 * h + 8 * g)
          end
        end
      end
      P[by, bx, t] = word
    end
  end
  return P
end)

function M.pack(q)
  return pack(q)
end

-- One value of the packed weights: (q - 8) as a Lua number, for tests.
function M.item(packed, i, k)
  local word = packed:item(i // Rows, k // Cols, thread(i, k))
  return (word >> shift(i, k) & 0xf) - 8
end

-- The nibble at bit `at` of a word, less 8, exactly.  The word is shifted by 0, 12
-- or 24, so that the nibble stands at bit 0, 4 or 8; with the exponent of 2^23
-- over it, that is the number 2^23 + q 2^low.  exponent is Exponent, which a kernel
-- gets when it runs: a compiler that knows both constants of `a & b | c` makes two
-- operations of what the machine does in one.
local Exponent = 0x4b000000
local function decode(word, at, exponent)
  local low = at % 12
  local bits = word >> (at - low) & 0xf << low | exponent
  local scale = T.reinterpret(T.uint32(127 - low) << 23, T.float32)  -- 2^-low
  return T.reinterpret(bits, T.float32) * scale - (8388608.0 * scale + 8)
end

local matmul = tl.jit(function(X, P, S, part, exponent, dtype, BM, BK, SPLIT, STAGES)
  local R, K, NT, KT, G = T.const "R, K, NT, KT, G"
  X: T.Tensor({R, K}, dtype)
  P: T.Tensor({NT, KT, 128}, T.uint32)
  S: T.Tensor({NT * Rows, G}, dtype)
  part: T.Tensor({SPLIT, R, NT * Rows}, T.float32)  -- sums of a piece of K: scratch
  exponent: T.uint32
  local Y = T.empty({R, NT * Rows}, dtype)
  local steps = K // BK // SPLIT
  for bx, bz in T.Kernel(NT, SPLIT, {threads = 128}) do
    local Xs = T.alloc_shared({BM, BK}, dtype)
    local Ws = T.alloc_shared({BK // Cols, 128}, T.uint32)
    local W = T.alloc_fragment({Rows, BK}, dtype)
    local sum = T.alloc_fragment({Rows, BM}, T.float32)  -- of a group
    local acc = T.alloc_fragment({Rows, BM}, T.float32)
    local Ss = T.alloc_shared({Rows, steps}, dtype)      -- the scales of these rows
    local s = T.alloc_fragment({Rows}, T.float32)
    T.copy(S[bx * Rows, bz * steps], Ss)
    T.clear(acc)
    for ko in T.Pipelined(steps, {num_stages = STAGES}) do
      local k0 = (bz * steps + ko) * BK
      T.copy(X[0, k0], Xs, {disable_tma = true})
      T.copy(P[bx, k0 // Cols, 0], Ws, {disable_tma = true})
      for i in T.Parallel(Rows) do
        s[i] = Ss[i, ko]
      end
      for i, k in T.Parallel(Rows, BK) do
        local word = Ws[k // Cols, thread(i, k)]
        W[i, k] = decode(word, shift(i, k), exponent)
      end
      T.gemm(W, Xs, sum, {transpose_B = true, clear_accum = true})
      for i, j in T.Parallel(Rows, BM) do
        acc[i, j] += sum[i, j] * s[i]
      end
    end
    for i, j in T.Parallel(Rows, BM) do
      part[bz, j, bx * Rows + i] = acc[i, j]
    end
  end
  for bx, by in T.Kernel(T.ceildiv(NT * Rows, 512), R, {threads = 128}) do
    local y = T.alloc_fragment({512}, T.float32)
    T.clear(y)
    for z in T.unroll(SPLIT) do
      for j in T.Parallel(512) do
        y[j] = y[j] + part[z, by, bx * 512 + j]
      end
    end
    T.copy(y, Y[by, bx * 512])
  end
  return Y
end)

-- Pieces of K: as many as fill the machine and divide its groups.
local function pieces(c, nt, groups)
  local best = 1
  for split = 1, 16 do
    if groups % split == 0 and nt * split <= c.blocks * c.sms then
      best = split
    end
  end
  return best
end

-- Pieces of K of the kernel for n rows of weights.
local function pieces_for(n, k, opts)
  return opts and opts.split or pieces(config.pick(M.rows), n // Rows, k // Group)
end

-- The compiled kernel for r rows of X, n rows of weights; called with what
-- M.arguments makes of its operands.  opts: split, stages.
function M.kernel(r, n, k, dtype, opts)
  local c = config.pick(M.rows)
  return matmul:compile {R = r, K = k, NT = n // Rows, KT = k // Cols, G = k // Group,
    dtype = dtype, BM = r <= 8 and 8 or 16, BK = Group, SPLIT = pieces_for(n, k, opts),
    STAGES = opts and opts.stages or c.stages}
end

function M.arguments(x, packed, scale, opts)
  local n, k = packed.shape[1] * Rows, x.shape[2]
  local part = tl.empty({pieces_for(n, k, opts), x.shape[1], n}, "float32")
  return {x, packed, scale, part, Exponent}
end

function M.matmul(x, packed, scale)
  local kernel = M.kernel(x.shape[1], packed.shape[1] * Rows, x.shape[2], x.dtype)
  return kernel(table.unpack(M.arguments(x, packed, scale)))
end

return M
