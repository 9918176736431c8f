-- fp8_quant.lua: rows of float16 numbers to float8 (e4m3) with a scale a row.
--
-- e4m3 has four bits of precision and ends at 448, so each token (row) is
-- scaled until its largest magnitude sits exactly there:
--     scale = max |x| / 448,   q = x / scale
-- A GPU multiplies float8 at twice the rate of float16 and moves half the
-- bytes; the scales are multiplied back in behind the product.
--
--     moontile lua/examples/fp8_quant.lua [small]
local ex = require "moontile.examples.frame"

local quantise = tl.jit(function(X, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  local Q = T.empty({M, N}, T.float8_e4m3fn)
  local S = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local q = T.alloc_fragment({BM, BN}, T.float8_e4m3fn)
    local s = T.alloc_fragment({BM}, T.float32)
    T.copy(X[bx * BM, 0], x)
    T.reduce_absmax(x, s, 1)
    for i in T.Parallel(BM) do
      s[i] = T.max(s[i], 1e-4) / 448       -- a row of zeros has a scale too
    end
    for i, j in T.Parallel(BM, BN) do
      q[i, j] = T.clamp(x[i, j] / s[i], -448, 448)
    end
    T.copy(q, Q[bx * BM, 0])
    T.copy(s, S[bx * BM])
  end
  return Q, S
end)

local function check(M, N)
  local x = tl.randn({M, N}, "float16")
  local BN = ex.power_of_two(N)
  local q, s = quantise(x, 4, BN)
  local want_q, want_s = tl.ref.quantize_fp8(x)
  local what = ("%dx%d"):format(M, N)
  -- one float32 division
  ex.close(what .. ", scales", s, want_s, {rtol = 2^-23, atol = 0})
  -- x / scale is rounded in float32 first, which can move a tie: one step of
  -- e4m3 is 1/8 of a number, and 2^-9 below its smallest normal
  ex.close(what .. ", values", q, want_q, {rtol = 1/8, atol = 2^-9})
  ex.time(what, {byte = (2 + 1) * M * N}, quantise:compile(x, 4, BN), x)
end

tl.manual_seed(15)
if ex.small then
  check(5, 130)
  check(8, 64)
else
  check(4096, 4096)
  check(1001, 5000)
end
