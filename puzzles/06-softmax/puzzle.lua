-- 06-softmax: the softmax of each row, while the row streams by in pieces.

-- Rows of six kinds, one after the other; which comes first depends on the sizes.  All but
-- the first two kinds break a softmax that is right on normal numbers only:
--   0  normal numbers
--   1  whole numbers -3 .. 3, with -0.0: several elements share the maximum
--   2  100 higher: exp() overflows float32 (beyond 88.7) unless the maximum is subtracted
--   3  120 lower: every exp() is 0, and what is read behind a row's end, 0, is the greatest
--   4  falls by 120 in the middle: the maximum of the last tile is not that of the row
--   5  climbs by 120 in the middle: what was summed before must fade to nothing
-- 120, since exp(-120 + 11) is 0 in float32: a result is either normal or 0, never one of
-- the numbers in between that some machines flush to 0.
local function rows(shape, size, tl)
  local M, N = shape[1], shape[2]
  local kind = tl.arange(M, "float32"):reshape {M, 1}:add((M + N) % 6)
  kind = kind:sub(kind:div(6):floor():mul(6))
  local function is(k) -- {M, 1}: 1 where a row is of kind k, else 0
    return kind:eq(k):float()
  end
  local half = tl.arange(N, "float32"):ge(N // 2):float():mul(120):sub(60):reshape {1, N}
  local x = tl.randn({M, N}, "float32")
  x = x:add(is(1):mul(x:round():sub(x)))
  x = x:add(is(2):mul(100)):sub(is(3):mul(120))
  return x:add(is(5):sub(is(4)):mul(half))
end

-- n numbers added up in float32: the factor that the judge itself uses.
local function additions(n)
  return math.min(n, 6 + 4 * math.sqrt(n))
end

return {
  name = "softmax",
  title = {en = "Softmax", zh = "Softmax"},
  level = "medium",
  minutes = 45,
  teaches = {
    en = "a running maximum and a running log-sum-exp: softmax of a row that does not fit",
    zh = "边走边更新最大值与 log-sum-exp：一行放不下时也能算 softmax",
  },
  names = {"T.fill", "T.infinity", "T.reduce_max", "T.exp2", "T.log2"},
  parts = {
    {
      name = "softmax",
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32", fill = rows}},
      outputs = {{name = "B", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"BLOCK_M", 16}, {"BLOCK_N", 256}},
      -- two tiles wide; ragged in both directions, two tiles; one tile; one element
      visible = {{M = 16, N = 512}, {M = 17, N = 300}, {M = 16, N = 256}, {M = 1, N = 1}},
      hidden = {M = {6, 20}, N = {769, 1100}},
      beyond = {M = 77, N = 3317},
      large = {M = 4096, N = 16384},
      -- The second result counts roundings: u, half an ulp of float32, times it bounds the
      -- error of an element.  y = 2^(c x - L), with c = log2(e) and L the base-2 logarithm of
      -- the row's sum.  A rounding of an exponent z moves 2^z by the part ln(2) |z| u, so one
      -- of c x costs |x|, one of L costs |lse|, the logarithm to base e:
      --   c x    c itself and the product, in both passes, and the difference: 5 |x|
      --   L      once for every tile, and around it: (tiles + 3) |lse|, with tiles of 128;
      --          a GPU's log2 of a number near 1 is off by 2^-22: 4 more each time
      --   exp2   2 ulp, in the sum and at the end: 8
      --   sum    of N terms: additions(N)
      -- Outputs are about 1 / N: the limit is a part of each, never one number for all.
      reference = function(x, size)
        local y = ref.softmax(x.A, 1)
        local lse = ref.abs(ref.sub(x.A, ref.log_softmax(x.A, 1)))
        local tiles = math.ceil(size.N / 128)
        local count = ref.mul(ref.add(lse, 4), tiles + 3)
        count = ref.add(count, ref.mul(ref.abs(x.A), 5))
        count = ref.add(count, 8 + additions(size.N))
        return {B = y}, {B = ref.mul(y, count)}
      end,
      precision = {acc = "float32", steps = function() return 1 end}, -- all counted above
      explain = {
        {code = "E609",
          en = "A part of B was never written: the grid takes T.ceildiv(M, BLOCK_M) blocks, and "
            .. "each of the two loops T.ceildiv(N, BLOCK_N) tiles.",
          zh = "B 有一部分从未写过：网格要有 T.ceildiv(M, BLOCK_M) 个线程块，两个循环都要走 " ..
            "T.ceildiv(N, BLOCK_N) 个分块。"},
        {outcome = "unwritten",
          en = "Is every fragment given a value before it is read (T.fill, T.copy), and is the " ..
            "tile copied to B?",
          zh = "每个 fragment 在读之前都有值了吗（T.fill、T.copy）？分块复制到 B 了吗？"},
        {outcome = "wrong", cause = "nan",
          en = "NaN: inf / inf, 0 / 0 or inf - inf. An exponential of 100 overflows and " ..
            "one of -120 is 0: subtract the row's maximum before T.exp2, never after.",
          zh = "出现 NaN，来自 inf / inf、0 / 0 或 inf - inf。exp(100) 会溢出，exp(-120) 为" ..
            " 0：应先减去该行的最大值，再做 T.exp2。"},
        {outcome = "wrong", cause = "zeros", pattern = "all",
          en = "Zeros everywhere: the second pass has yet to compute the values.",
          zh = "结果全为 0：第二遍还没有算出值。"},
        {outcome = "wrong", cause = "zeros",
          en = "Zeros in some rows: their sum became infinite. In these rows the numbers " ..
            "fall or climb by 120; is `top` the maximum so far, or only that of the last " ..
            "tile?",
          zh = "有些行为 0：它们的和成了无穷大。这些行的数中途下降或上升 120；`top` 是目前" ..
            "为止的最大值，还是只是最后一个分块的最大值？"},
        {outcome = "wrong", cause = "factor",
          en = "A row that adds up to more or less than 1: is something summed twice, or " ..
            "not divided by the sum?",
          zh = "一行之和不是 1：是不是有的项加了两次，或者忘了除以总和？"},
        {outcome = "wrong", stage = "hidden",
          en = "Right for the sizes that are shown: do both loops compute their number of "
            .. "iterations from N?",
          zh = "显示出来的尺寸都对：两个循环的次数都是由 N 算出来的吗？"},
        {outcome = "wrong", pattern = "all",
          en = "Every row is wrong: does T.exp2 take x * LOG2E in both passes, and are the " ..
            "values of the second pass relative to the sum of the whole row?",
          zh = "每一行都错：两遍里 T.exp2 的参数都是 x * LOG2E 吗？第二遍的值是相对于整行之" ..
            "和的吗？"},
        {outcome = "wrong",
          en = "Look at which sizes are wrong. Only N = 300 or 1: the columns past the end read "
            .. "as 0, and exp(0) is 1; mask them. N = 512 too, in some rows: when the " ..
            "maximum grows, the old sum belongs to the old one, and must fade by 2^(old - " ..
            "new).",
          zh = "看看是哪些尺寸错。只有 N = 300 或 1 时错：N 之后的列读到 0，而 exp(0) 是 " ..
            "1，要加掩码。N = 512 时也有几行错：最大值变大时，旧的和属于旧的最大值，要乘以 " ..
            "2^(旧 - 新)。"},
        {outcome = "weak",
          en = "Keep every fragment in T.float32, and write log2(e) with all its digits.",
          zh = "所有 fragment 都用 T.float32，log2(e) 要写全。"},
      },
    },
  },
}
