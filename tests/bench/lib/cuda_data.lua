-- tests/bench/lib/cuda_data.lua: inputs of the benchmarks, and whether results
-- are right.
--
-- Random numbers are made once and lent out as parts of one long tensor for
-- each dtype: they are generated and sent to the device once.
local M = {}

local pool = {}
local Step = 4096 -- inputs begin at multiples of this: aligned, and not all at one place

-- A tensor of normal(0, 1) numbers; which: 1, 2, 3 .. lie at different places.
function M.normal(shape, dtype, which)
  local n = 1
  for _, d in ipairs(shape) do
    n = n * d
  end
  local at = ((which or 1) - 1) * 37 * Step
  local p = pool[dtype]
  if not p or p.shape[1] < at + n then
    pool[dtype] = nil
    collectgarbage()
    p = tl.randn({at + n + 8 * 37 * Step}, dtype) -- room for the others
    pool[dtype] = p
  end
  return p[{T.slice(at, at + n)}]:reshape(shape)
end

-- The pools go, and with them what they hold on the device.
function M.free()
  pool = {}
  collectgarbage()
end

-- An output that nothing has written yet: NaN, or the greatest integer.
function M.poison(shape, dtype)
  local float = dtype:find "float"
  return tl.full(shape, float and 0 / 0 or 127, dtype)
end

-- Rows and columns that stand for a matrix of so many.
local function picks(n, width)
  local r = {}
  for _, at in ipairs {0, n // 2 + 1, n - width} do
    at = math.max(0, math.min(at, n - width))
    r[#r + 1] = {at, math.min(n, at + width)}
  end
  return r
end

-- c = a b (b as given, or transposed), at a few rows and columns; raises.
function M.check_gemm(c, a, b, trans_b, tolerance)
  local m, n = c.shape[1], c.shape[2]
  local bt = trans_b and tl.ref.transpose
  for _, r in ipairs(picks(m, math.min(m, 3))) do
    for _, s in ipairs(picks(n, math.min(n, 32))) do
      local rows = a[{T.slice(r[1], r[2])}]
      local cols = bt and bt(b[{T.slice(s[1], s[2])}])
        or b[{T.slice(0, b.shape[1]), T.slice(s[1], s[2])}]
      tl.testing.assert_close(c[{T.slice(r[1], r[2]), T.slice(s[1], s[2])}],
        tl.ref.matmul(rows, cols), tolerance)
    end
  end
end

-- y = f(x) at a few rows; more arguments of f go along.
function M.check_rows(y, x, f, tolerance)
  for _, r in ipairs(picks(x.shape[1], 1)) do
    tl.testing.assert_close(y[{T.slice(r[1], r[2])}], f(x[{T.slice(r[1], r[2])}]), tolerance)
  end
end

-- What float32 sums of `terms` products of unit normals, rounded to dtype, may
-- be off: see lua/examples/frame.lua.
-- Products of 8-bit floats are added with 14 bits of mantissa by the matrix units
-- (theirs too): a hundredth or two of the sum's deviation.
local ulp = {float32 = 2 ^ -23, float16 = 2 ^ -10, bfloat16 = 2 ^ -7}
function M.tolerance(dtype, terms, narrow)
  if narrow then
    return {rtol = ulp[dtype], atol = 0.02 * math.sqrt(terms)}
  end
  return {rtol = ulp[dtype] / 2 + 2 ^ -21, atol = terms * 2 ^ -22}
end

return M
