-- softmax.lua: softmax of the rows of a matrix, in three forms.
--
--   rows     a block holds whole rows in registers: one read, one write, the
--            least traffic there can be, as long as a row fits
--   online   a row streams by in pieces; a running maximum m and a running sum
--            l (of exponentials relative to m) are kept, and when m grows, l is
--            rescaled by exp(m_old - m).  A second pass writes.  Any length.
--   ragged   online with a length for each row, as in a padded batch
--
-- Exponentials are taken to base 2, for which GPUs have an instruction:
-- exp(x) = exp2(x * log2(e)).
--
--     moontile lua/examples/softmax.lua [small]
local ex = require "moontile.examples.frame"

local LOG2E = 1.4426950408889634

local rows = tl.jit(function(X, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local Y = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 256}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local m = T.alloc_fragment({BM}, T.float32)
    local l = T.alloc_fragment({BM}, T.float32)
    -- what a copy reads behind the end of a row must not win the maximum
    T.annotate_safe_value{[X] = -T.infinity(T.float32)}
    T.copy(X[bx * BM, 0], x)
    T.reduce_max(x, m, 1)
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E)
    end
    T.reduce_sum(x, l, 1)
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = x[i, j] / l[i]
    end
    T.copy(x, Y[bx * BM, 0])
  end
  return Y
end)

local online = tl.jit(function(X, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local Y = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local m = T.alloc_fragment({BM}, T.float32)
    local m_old = T.alloc_fragment({BM}, T.float32)
    local l = T.alloc_fragment({BM}, T.float32)
    local sum = T.alloc_fragment({BM}, T.float32)
    T.annotate_safe_value{[X] = -T.infinity(T.float32)}
    T.fill(m, -T.infinity(T.float32))
    T.clear(l)
    for k in T.Pipelined(T.ceildiv(N, BN), {num_stages = 2}) do
      T.copy(X[bx * BM, k * BN], x)
      T.copy(m, m_old)
      T.reduce_max(x, m, 1, false)        -- m = max(m, maximum of this piece)
      for i, j in T.Parallel(BM, BN) do
        x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E)
      end
      T.reduce_sum(x, sum, 1)
      for i in T.Parallel(BM) do
        l[i] = l[i] * T.exp2((m_old[i] - m[i]) * LOG2E) + sum[i]
      end
    end
    for k in T.Pipelined(T.ceildiv(N, BN), {num_stages = 2}) do
      T.copy(X[bx * BM, k * BN], x)
      for i, j in T.Parallel(BM, BN) do
        x[i, j] = T.exp2((x[i, j] - m[i]) * LOG2E) / l[i]
      end
      T.copy(x, Y[bx * BM, k * BN])
    end
  end
  return Y
end)

local ragged = tl.jit(function(X, Len, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  Len: T.Tensor({M}, T.int32)
  local Y = T.empty({M, N}, T.float32)
  for row in T.Kernel(M, {threads = 128}) do
    local x = T.alloc_fragment({BN}, T.float32)
    local m = T.alloc_fragment({1}, T.float32)
    local m_old = T.alloc_fragment({1}, T.float32)
    local l = T.alloc_fragment({1}, T.float32)
    local sum = T.alloc_fragment({1}, T.float32)
    local len = Len[row]
    T.fill(m, -T.infinity(T.float32))
    T.clear(l)
    for k in T.serial(T.ceildiv(len, BN)) do  -- a bound known when it runs
      for j in T.Parallel(BN) do
        local at = k * BN + j
        x[j] = T.if_then_else(at < len, X[row, at], -T.infinity(T.float32))
      end
      T.copy(m, m_old)
      T.reduce_max(x, m, 0, false)
      for j in T.Parallel(BN) do
        x[j] = T.exp2((x[j] - m[0]) * LOG2E)
      end
      T.reduce_sum(x, sum, 0)
      for i in T.Parallel(1) do
        l[i] = l[i] * T.exp2((m_old[i] - m[i]) * LOG2E) + sum[i]
      end
    end
    for k in T.serial(T.ceildiv(N, BN)) do
      for j in T.Parallel(BN) do
        local at = k * BN + j
        Y[row, at] = T.if_then_else(at < len,
                                    T.exp2((X[row, at] - m[0]) * LOG2E) / l[0], 0)
      end
    end
  end
  return Y
end)

-- An exponent x - m is off by half an ulp of its size, up to 16 here: 2^-20 of
-- the result; the sum and the two products add a few 2^-24.
local tolerance = {rtol = 2^-19, atol = 2^-40}

local function check(M, N)
  local x = tl.randn({M, N}, "float32")
  local want = tl.ref.softmax(x)
  local BN = ex.power_of_two(N)
  local what = ("%dx%d"):format(M, N)
  ex.close("rows   " .. what, rows(x, 1, BN), want, tolerance)
  ex.close("online " .. what, online(x, 4, 1024), want, tolerance)
  ex.time("rows   " .. what, {byte = 2 * 4 * M * N}, rows:compile(x, 1, BN), x)
  ex.time("online " .. what, {byte = 3 * 4 * M * N}, online:compile(x, 4, 1024), x)
end

local function check_ragged(M, N)
  local x = tl.randn({M, N}, "float32")
  local len = tl.randint(1, N + 1, {M}, "int32")
  local masked = x:copy()
  for i = 0, M - 1 do
    for j = len:item(i), N - 1 do
      masked[i, j] = -math.huge
    end
  end
  local what = ("%dx%d"):format(M, N)
  ex.close("ragged " .. what, ragged(x, len, 1024), tl.ref.softmax(masked), tolerance)
  ex.time("ragged " .. what, {byte = 3 * 4 * M * N}, ragged:compile(x, len, 1024), x, len)
end

tl.manual_seed(4)
if ex.small then
  check(5, 1030)
  check_ragged(7, 1100)
else
  check(4096, 16384)
  check(1021, 16001)
  check_ragged(256, 16384)
end
