-- ops/gemm.lua: C = A B, either side as it lies or transposed.
--
--     ops.gemm(a, b)   ops.gemm(x, w, {trans_b = true, out_dtype = "float32"})
--
-- Four forms of one kernel:
--   plain    a block owns a tile of C
--   swapped  few rows of A: C^T = op(B)^T A^T, so that the long side is the one
--            that matrix instructions want to be long
--   split    few tiles: K is cut in pieces, each a block's; a second launch
--            adds the partial tiles up
--   tail     a last wave that fills few multiprocessors: the last columns of
--            tiles are done by split K, so that all end together (stream-K's idea)
-- Which form and tile a shape takes: M.config, from a table and an estimate.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- Configurations --------------------------------------------------------------

-- Tiles to choose from: rows of C, columns, bytes of K in a stage, stages,
-- threads; part: of the peak that the tile reaches in its main loop.
local hopper = {
  {bm = 128, bn = 256, kb = 128, stages = 4, threads = 256, part = 0.80},
  {bm = 256, bn = 128, kb = 128, stages = 4, threads = 256, part = 0.78},
  {bm = 128, bn = 192, kb = 128, stages = 5, threads = 256, part = 0.76},
  {bm = 128, bn = 128, kb = 128, stages = 6, threads = 256, part = 0.70},
  {bm = 128, bn = 96, kb = 128, stages = 7, threads = 256, part = 0.62},
  {bm = 128, bn = 64, kb = 128, stages = 6, threads = 256, part = 0.52},
  {bm = 64, bn = 192, kb = 128, stages = 6, threads = 128, part = 0.58},
  {bm = 64, bn = 256, kb = 128, stages = 5, threads = 128, part = 0.60},
  {bm = 64, bn = 128, kb = 128, stages = 8, threads = 128, part = 0.55},
  {bm = 64, bn = 64, kb = 256, stages = 6, threads = 128, part = 0.40},
  {bm = 64, bn = 32, kb = 256, stages = 8, threads = 128, part = 0.22},
  {bm = 16, bn = 64, kb = 256, stages = 8, threads = 128, part = 0.12, swap = true},
  {bm = 16, bn = 128, kb = 256, stages = 5, threads = 256, part = 0.14, swap = true},
  {bm = 32, bn = 64, kb = 256, stages = 6, threads = 128, part = 0.22, swap = true},
  {bm = 32, bn = 128, kb = 256, stages = 4, threads = 256, part = 0.24, swap = true},
  {bm = 64, bn = 128, kb = 128, stages = 8, threads = 256, part = 0.45, swap = true},
}

-- mma.sync: the same table on every chip that has cp.async.
local ampere = {
  {bm = 128, bn = 128, kb = 64, stages = 3, threads = 128, part = 0.60},
  {bm = 64, bn = 128, kb = 128, stages = 3, threads = 128, part = 0.50},
  {bm = 64, bn = 64, kb = 128, stages = 3, threads = 128, part = 0.40},
  {bm = 32, bn = 64, kb = 128, stages = 4, threads = 128, part = 0.20},
  {bm = 16, bn = 64, kb = 128, stages = 4, threads = 128, part = 0.10},
}

-- sms: multiprocessors; mac: multiply-adds of one in a clock, 16-bit; fill:
-- bytes that reach one in a clock; memory: bytes a clock of all; launch: clocks
-- of a launch, tail: of a tile's beginning and end
M.rows = {
  sm_90a = {tiles = hopper, sms = 132, mac = 2048, fill = 40, memory = 2400, launch = 3500,
    tail = 1500},
  sm_89 = {tiles = ampere, sms = 128, mac = 512, fill = 32, memory = 400, launch = 3500,
    tail = 1000},
  gpu = {tiles = ampere, sms = 108, mac = 1024, fill = 40, memory = 1100, launch = 3500,
    tail = 1000},
  cpu = {tiles = {{bm = 64, bn = 256, kb = 512, stages = 2, threads = 128, part = 1}}, sms = 1,
    mac = 32, fill = 64, memory = 64, launch = 0, tail = 0},
}

-- What was measured to be best for 16-bit operands, by machine and "MxNxK"; nt: B
-- is transposed.  `make bench T=cuda.tune.gemm` prints such rows.
M.measured = {
  sm_90a = { -- an H200
    ["16x4096x4096 nt"] = {bm = 16, bn = 64, kb = 256, stages = 8, threads = 128, swap = true, split = 1},
    ["16x6144x4096 nt"] = {bm = 16, bn = 64, kb = 256, stages = 8, threads = 128, swap = true, split = 1},
    ["16x28672x4096 nt"] = {bm = 16, bn = 64, kb = 256, stages = 8, threads = 128, swap = true, split = 1},
    ["16x4096x14336 nt"] = {bm = 16, bn = 64, kb = 256, stages = 8, threads = 128, swap = true, split = 2},
    ["64x4096x4096 nt"] = {bm = 64, bn = 32, kb = 256, stages = 8, threads = 128, split = 1},
    ["64x4096x14336 nt"] = {bm = 64, bn = 32, kb = 256, stages = 8, threads = 128, split = 1},
    ["64x28672x4096 nt"] = {bm = 64, bn = 256, kb = 128, stages = 5, threads = 128, split = 1},
    ["256x4096x4096 nt"] = {bm = 64, bn = 128, kb = 128, stages = 8, threads = 128, split = 1},
    ["256x6144x4096 nt"] = {bm = 128, bn = 96, kb = 128, stages = 7, threads = 256, split = 1},
    ["256x4096x14336 nt"] = {bm = 64, bn = 128, kb = 128, stages = 8, threads = 128, split = 1},
    ["8192x6144x4096 nt"] = {bm = 128, bn = 256, kb = 128, stages = 4, threads = 256, split = 1},
    ["8192x28672x4096 nt"] = {bm = 128, bn = 256, kb = 128, stages = 4, threads = 256, split = 1},
  },
}

local function ceildiv(a, b)
  return -(-a // b)
end

-- Clocks that a tile configuration takes with K in `split` pieces.
local function estimate(c, t, m, n, k, size, split)
  local bm, bn = t.bm, t.bn
  local tiles = ceildiv(m, bm) * ceildiv(n, bn) * split
  local waves = ceildiv(tiles, c.sms)
  local rate = c.mac * 2 / size * t.part
  local fill = (math.min(bm, m) + bn) * size / c.fill
  local each = k / split * math.max(bm * bn / rate, fill) + c.tail
  local bytes = (m * k + n * k + m * n) * size + (split > 1 and 8 * m * n * split or 0)
  -- a wave that is not full still has the memory for itself
  local busy = math.min(1, tiles / c.sms)
  local compute = waves * each
  return math.max(compute, bytes / (c.memory * math.min(1, busy * 1.5))) +
    (split > 1 and c.launch + 4 * m * n * (split + 1) / c.memory or 0)
end

-- The same when the last `cols` columns of tiles are cut in `split` pieces along K.
local function estimate_tail(c, t, m, n, k, size, cols, split)
  local gx, gy = ceildiv(n, t.bn), ceildiv(m, t.bm)
  local rate = c.mac * 2 / size * t.part
  local step = math.max(t.bm * t.bn / rate, (t.bm + t.bn) * size / c.fill)
  local whole = ceildiv((gx - cols) * gy, c.sms) * (k * step + c.tail)
  local pieces = ceildiv(cols * gy * split, c.sms) * (k / split * step + c.tail)
  return whole + pieces + 2 * c.launch + 4 * m * cols * t.bn * (split + 1) / c.memory
end

local function fits(t, split, k, size)
  local bk = t.kb // size
  return split == 1 or k // split >= 4 * bk and ceildiv(k, bk) % split == 0
end

-- The columns and pieces by which the tile t gains most, as a row; nil: it gains
-- nothing worth two more launches.
local function best_tail(c, t, m, n, k, size, clocks)
  local best
  for cols = 1, c.sms > 1 and not t.swap and math.min(ceildiv(n, t.bn) - 1, 16) or 0 do
    for _, split in ipairs {2, 3, 4} do
      local e = fits(t, split, k, size) and estimate_tail(c, t, m, n, k, size, cols, split)
      if e and e < 0.985 * (best and best.clocks or clocks) then
        best = {tail = cols, split = split, clocks = e}
      end
    end
  end
  return best
end

local wider = {float8_e4m3fn = "float16", float8_e5m2 = "float16"}

-- The dtype of tiles in shared memory: machines that multiply no 8-bit floats get them
-- as float16, which is exact.
function M.held(dtype)
  return wider[dtype] and not config.multiplies(dtype) and wider[dtype] or dtype
end

-- {bm, bn, kb, stages, threads, swap, split, tail} for C of m x n with this K; nt: B
-- is given as N x K.  All candidates, the best first, in M.candidates.
function M.candidates(m, n, k, dtype)
  local c, size = config.pick(M.rows), math.max(1, config.size(M.held(dtype)))
  local list = {}
  for i, t in ipairs(c.tiles) do
    for _, split in ipairs {1, 2, 3, 4, 6, 8} do
      local wide = t.bm <= 64 and c.sms > 1 and m > 4 * t.bm
      if fits(t, split, k, size) and not wide then
        local row = {split = split, order = i}
        for key, v in pairs(t) do
          row[key] = v
        end
        row.clocks = estimate(c, t, m, n, k, size, split)
        list[#list + 1] = row
        local tail = split == 1 and best_tail(c, t, m, n, k, size, row.clocks)
        if tail then
          list[#list + 1] = setmetatable(tail, {__index = row})
        end
      end
    end
  end
  table.sort(list, function(a, b)
    if a.clocks ~= b.clocks then return a.clocks < b.clocks end
    return a.order < b.order or a.order == b.order and a.split < b.split
  end)
  return list
end

function M.config(m, n, k, dtype, nt)
  local key = ("%dx%dx%d%s"):format(m, n, k, nt and " nt" or "")
  local rows = config.size(M.held(dtype)) == 2 and M.measured[config.machine()]
  return rows and rows[key] or M.candidates(m, n, k, dtype)[1]
end

-- Kernels ---------------------------------------------------------------------

local function load_a(A, As, at, k, ta)
  if ta then
    T.copy(A[k, at], As)
  else
    T.copy(A[at, k], As)
  end
end
T.macro(load_a)

local function load_b(B, Bs, k, at, tb)
  if tb then
    T.copy(B[at, k], Bs)
  else
    T.copy(B[k, at], Bs)
  end
end
T.macro(load_b)

-- Cl = the product of BM rows of A from `row` on and BN columns of B from `col` on,
-- over `steps` times BK of K from k on.
local function tile(A, B, Cl, row, col, k, steps, ta, tb, held, BM, BN, BK, STAGES)
  local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, held)
  local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, held)
  T.clear(Cl)
  for ko in T.Pipelined(steps, {num_stages = STAGES}) do
    load_a(A, As, row, k + ko * BK, ta)
    load_b(B, Bs, k + ko * BK, col, tb)
    T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb})
  end
end
T.macro(tile)

local plain = tl.jit(function(A, B, ta, tb, dtype, held, out, BM, BN, BK, STAGES, THREADS)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor(ta and {K, M} or {M, K}, dtype)
  B: T.Tensor(tb and {N, K} or {K, N}, dtype)
  local C = T.empty({M, N}, out)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = THREADS}) do
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.use_swizzle(8)
    tile(A, B, Cl, by * BM, bx * BN, 0, T.ceildiv(K, BK), ta, tb, held, BM, BN, BK, STAGES)
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

local tailed = tl.jit(function(A, B, part, ta, tb, dtype, held, out, COLS, SPLIT, BM, BN, BK,
                              STAGES, THREADS)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor(ta and {K, M} or {M, K}, dtype)
  B: T.Tensor(tb and {N, K} or {K, N}, dtype)
  part: T.Tensor({SPLIT, M, COLS * BN}, T.float32)  -- sums of a piece of K: scratch
  local C = T.empty({M, N}, out)
  local whole = T.ceildiv(N, BN) - COLS             -- columns of tiles with all of K
  local steps = T.ceildiv(K, BK) // SPLIT
  for bx, by in T.Kernel(whole, T.ceildiv(M, BM), {threads = THREADS}) do
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.use_swizzle(8)
    tile(A, B, Cl, by * BM, bx * BN, 0, T.ceildiv(K, BK), ta, tb, held, BM, BN, BK, STAGES)
    T.copy(Cl, C[by * BM, bx * BN])
  end
  for bx, by, bz in T.Kernel(COLS, T.ceildiv(M, BM), SPLIT, {threads = THREADS}) do
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    tile(A, B, Cl, by * BM, (whole + bx) * BN, bz * steps * BK, steps, ta, tb, held, BM, BN, BK,
      STAGES)
    for i, j in T.Parallel(BM, BN) do
      part[bz, by * BM + i, bx * BN + j] = Cl[i, j]
    end
  end
  for bx, by in T.Kernel(T.ceildiv(COLS * BN, 512), M, {threads = 128}) do
    local sum = T.alloc_fragment({512}, T.float32)
    T.clear(sum)
    for s in T.unroll(SPLIT) do
      for j in T.Parallel(512) do
        sum[j] = sum[j] + part[s, by, bx * 512 + j]
      end
    end
    for j in T.Parallel(512) do
      if bx * 512 + j < COLS * BN then
        C[by, whole * BN + bx * 512 + j] = sum[j]
      end
    end
  end
  return C
end)

-- C^T: the columns of C are the rows of the tile.
local swapped = tl.jit(function(A, B, ta, tb, dtype, held, out, BM, BN, BK, STAGES, THREADS)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor(ta and {K, M} or {M, K}, dtype)
  B: T.Tensor(tb and {N, K} or {K, N}, dtype)
  local C = T.empty({M, N}, out)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = THREADS}) do
    local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, held)
    local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, held)
    local Ct = T.alloc_fragment({BN, BM}, T.float32)
    T.clear(Ct)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = STAGES}) do
      load_a(A, As, by * BM, ko * BK, ta)
      load_b(B, Bs, ko * BK, bx * BN, tb)
      T.gemm(Bs, As, Ct, {transpose_A = not tb, transpose_B = not ta})
    end
    for j, i in T.Parallel(BN, BM) do
      C[by * BM + i, bx * BN + j] = Ct[j, i]
    end
  end
  return C
end)

local split_k = tl.jit(function(A, B, part, ta, tb, dtype, held, out, swap, SPLIT, BM, BN, BK,
                               STAGES, THREADS)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor(ta and {K, M} or {M, K}, dtype)
  B: T.Tensor(tb and {N, K} or {K, N}, dtype)
  part: T.Tensor({SPLIT, M, N}, T.float32)  -- sums of a piece of K: scratch
  local C = T.empty({M, N}, out)
  local steps = T.ceildiv(K, BK) // SPLIT
  for bx, by, bz in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), SPLIT, {threads = THREADS}) do
    local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, held)
    local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, held)
    local Cl = T.alloc_fragment(swap and {BN, BM} or {BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(steps, {num_stages = STAGES}) do
      local k = (bz * steps + ko) * BK
      load_a(A, As, by * BM, k, ta)
      load_b(B, Bs, k, bx * BN, tb)
      if swap then
        T.gemm(Bs, As, Cl, {transpose_A = not tb, transpose_B = not ta})
      else
        T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb})
      end
    end
    if swap then
      for j, i in T.Parallel(BN, BM) do
        part[bz, by * BM + i, bx * BN + j] = Cl[j, i]
      end
    else
      for i, j in T.Parallel(BM, BN) do
        part[bz, by * BM + i, bx * BN + j] = Cl[i, j]
      end
    end
  end
  for bx, by in T.Kernel(T.ceildiv(N, 1024), M, {threads = 128}) do
    local sum = T.alloc_fragment({1024}, T.float32)
    T.clear(sum)
    for s in T.unroll(SPLIT) do
      for j in T.Parallel(1024) do
        sum[j] = sum[j] + part[s, by, bx * 1024 + j]
      end
    end
    T.copy(sum, C[by, bx * 1024])
  end
  return C
end)

-- Calls -----------------------------------------------------------------------

-- The compiled kernel, called with what M.arguments makes of a and b.  opts:
-- trans_a, trans_b, out_dtype, config (as M.config).
function M.kernel(m, n, k, dtype, opts)
  opts = opts or {}
  local c = opts.config or M.config(m, n, k, dtype, opts.trans_b)
  local held = M.held(dtype)
  local named = {M = m, N = n, K = k, ta = opts.trans_a or false, tb = opts.trans_b or false,
    dtype = dtype, held = held, out = opts.out_dtype or wider[dtype] or dtype, BM = c.bm, BN = c.bn,
    BK = c.kb // config.size(held), STAGES = c.stages, THREADS = c.threads}
  if c.tail then
    named.COLS, named.SPLIT = c.tail, c.split
    return tailed:compile(named)
  elseif (c.split or 1) > 1 then
    named.swap, named.SPLIT = c.swap or false, c.split
    return split_k:compile(named)
  end
  return (c.swap and swapped or plain):compile(named)
end

-- Rows, columns and depth of the product.
local function sizes(a, b, opts)
  local s, z = a.shape, b.shape
  return s[opts.trans_a and 2 or 1], z[opts.trans_b and 1 or 2], s[opts.trans_a and 1 or 2]
end

function M.arguments(a, b, opts)
  opts = opts or {}
  local m, n, k = sizes(a, b, opts)
  local c = opts.config or M.config(m, n, k, a.dtype, opts.trans_b)
  local split = c.split or 1
  local width = c.tail and c.tail * c.bn or n
  return {a, b, split > 1 and tl.empty({split, m, width}, "float32") or nil}
end

function M.gemm(a, b, opts)
  opts = opts or {}
  local m, n, k = sizes(a, b, opts)
  return M.kernel(m, n, k, a.dtype, opts)(table.unpack(M.arguments(a, b, opts)))
end

return M
