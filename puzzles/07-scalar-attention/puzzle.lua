-- 07-scalar-attention: softmax(Q * K) * V, summed over each row, in a single pass.

-- Scores q k of six kinds of rows, one after the other; which comes first depends on the
-- sizes, the same for Q and K:
--   0  small numbers
--   1  a spread of 2: a few elements have nearly all the weight, so each score counts
--   2  about +110: exp() overflows float32 unless the maximum is subtracted
--   3  about -110: what is read behind a row's end, a score of 0, would win
--   4  falls from +64 to -64 in the middle: the maximum of the last tile is not the row's
--   5  climbs from -64 to +64: what was summed before must fade to nothing
local function kinds(shape, tl)
  local rows, all = shape[1], shape[1] + shape[2]
  local kind = tl.arange(rows, "float32"):reshape {rows, 1}:add(all % 6)
  kind = kind:sub(kind:div(6):floor():mul(6))
  return function(k) -- {rows, 1}: 1 where a row is of kind k, else 0
    return kind:eq(k):float()
  end
end

-- Scales normal numbers of rows 0 and 1, and gives the others a centre.
local function around(shape, tl, spread, centre)
  local is = kinds(shape, tl)
  local scale = is(0):add(is(1):mul(spread)):maximum(0.05)
  return tl.randn(shape, "float32"):mul(scale):add(centre(is))
end

local function queries(shape, _, tl)
  local n = shape[2]
  local half = tl.arange(n, "float32"):ge(n // 2):float():mul(16):sub(8):reshape {1, n}
  return around(shape, tl, 2, function(is)
    return is(2):mul(10):sub(is(3):mul(10)):add(is(5):sub(is(4)):mul(half))
  end)
end

local function keys(shape, _, tl)
  return around(shape, tl, 1, function(is)
    return is(2):add(is(3)):mul(11):add(is(4):add(is(5)):mul(8))
  end)
end

-- Around 0 in the first half, around 2 in the second: weight that a kernel puts on the wrong
-- half, or on nothing, moves the result by far more than rounding does.
local function values(shape, _, tl)
  local n = shape[2]
  local half = tl.arange(n, "float32"):ge(n // 2):float():mul(2):reshape {1, n}
  return tl.randn(shape, "float32"):add(half)
end

-- n numbers added up in float32: the factor that the judge itself uses.
local function additions(n)
  return math.min(n, 6 + 4 * math.sqrt(n))
end

return {
  name = "scalar-attention",
  title = {en = "Attention, one number at a time", zh = "标量注意力"},
  level = "medium",
  minutes = 40,
  teaches = {
    en = "three running values, one pass: the idea behind flash attention",
    zh = "三个递推量、只读一遍：flash attention 的核心思想",
  },
  names = {"T.exp2", "T.reduce_max", "T.reduce_sum"},
  parts = {
    {
      name = "attention",
      inputs = {
        {name = "Q", shape = {"B", "S"}, dtype = "float32", fill = queries},
        {name = "K", shape = {"B", "S"}, dtype = "float32", fill = keys},
        {name = "V", shape = {"B", "S"}, dtype = "float32", fill = values, edge = {0, -0.0, 1, -1}},
      },
      outputs = {{name = "O", shape = {"B"}, dtype = "float32"}},
      config = {{"BLOCK_B", 16}, {"BLOCK_S", 128}},
      -- two tiles wide; ragged in both directions, two tiles; one tile; one element
      visible = {{B = 32, S = 256}, {B = 17, S = 200}, {B = 16, S = 128}, {B = 1, S = 1}},
      hidden = {B = {6, 20}, S = {400, 600}},
      beyond = {B = 77, S = 1817},
      large = {B = 256, S = 16384},
      -- The second result counts roundings: u, half an ulp of float32, times it bounds the
      -- error.  O = sum(p v) / sum(p), p = 2^(c s - m), s = q k, c = log2(e); below, p is
      -- divided by the sum.
      --   one p   the product q k, c, the product c s, the difference, once more: 5 |s|;
      --           exp2, rescaling, division: 8.  An error of p moves O by |v - O|; those of
      --           different p are independent, so their squares add up: twice the root
      --   sums    additions(S) of each: that of the p, |O| as a part of O; that of the p v,
      --           on the way no larger than |O| and a random walk, 2 sqrt(sum of squares)
      --   lse     for those who keep a log-sum-exp: once a tile and around it, with tiles
      --           of 128: (tiles + 3) (|lse| + 4), the 4 for a GPU's log2, a part of O
      reference = function(x, size)
        local s = ref.mul(x.Q, x.K)
        local p = ref.softmax(s, 1)
        local pv = ref.mul(p, x.V)
        local out = ref.sum(pv, 1)
        local o = ref.abs(out)
        local function root(t) -- twice the root of the sum of squares, row by row
          return ref.mul(ref.sqrt(ref.sum(ref.mul(t, t), 1)), 2)
        end
        local one = ref.add(ref.mul(ref.abs(s), 5), 8)
        local count = root(ref.mul(ref.mul(p, one), ref.sub(x.V, out:reshape {size.B, 1})))
        count = ref.add(count, ref.mul(ref.add(ref.mul(o, 2), root(pv)), additions(size.S)))
        local lse = ref.max(ref.abs(ref.sub(s, ref.log_softmax(s, 1))), 1)
        local tiles = math.ceil(size.S / 128)
        count = ref.add(count, ref.mul(o, ref.mul(ref.add(lse, 4), tiles + 3)))
        return {O = out}, {O = count}
      end,
      precision = {acc = "float32", steps = function() return 1 end}, -- all counted above
      explain = {
        {outcome = "wrong", cause = "nan",
          en = "NaN: inf / inf, 0 / 0 or inf - inf. Is `top` subtracted before T.exp2? Is " ..
            "it the maximum so far, not only that of the last tile ({clear = false})?",
          zh = "出现 NaN，来自 inf / inf、0 / 0 或 inf - inf。做 T.exp2 之前减去 `top` 了" ..
            "吗？它是目前为止的最大值，而不只是最后一个分块的（{clear = false}）吗？"},
        {outcome = "wrong", cause = "zeros",
          en = "The results are still 0: the loop has yet to add to the weighted sum.",
          zh = "结果仍然是 0：循环里还没有往加权和上累加。"},
        {outcome = "wrong", cause = "factor",
          en = "Every result has the same factor: is something counted twice, or left out " ..
            "of the division?",
          zh = "每个结果都差同一个倍数：是不是有的东西算了两次，或者没有参与除法？"},
        {outcome = "wrong", stage = "hidden",
          en = "Right for the sizes that are shown: does the loop compute its number of "
            .. "iterations from S?",
          zh = "显示出来的尺寸都对：循环次数是由 S 算出来的吗？"},
        {outcome = "wrong", pattern = "all",
          en = "Every row is wrong: does T.exp2 take the score times LOG2E, does each sum " ..
            "go on from its old value ({clear = false}), is `out` divided by `sum` after the " ..
            "loop?",
          zh = "每一行都错：T.exp2 的参数是得分乘 LOG2E 吗？两个和都是接着旧值累加的（" ..
            "{clear = false}）吗？循环之后 `out` 除以 `sum` 了吗？"},
        {outcome = "wrong",
          en = "Look at which sizes are wrong. Only S = 200 or 1: columns from S on have a score "
            .. "of 0, not of minus infinity; mask them. S = 256 too, in some rows: when " ..
            "the maximum grows, both sums are multiplied by 2^(old - new).",
          zh = "看看是哪些尺寸错。只有 S = 200 或 1 时错：S 之后的列得分为 0 而不是负无穷，" ..
            "要加掩码。S = 256 时也有几行错：最大值变大时，两个和都要乘以 2^(旧 - 新)。"},
        {code = "E609",
          en = "Some rows have no block that writes them: T.ceildiv(B, BLOCK_B) blocks cover all.",
          zh = "有些行没有线程块来写：T.ceildiv(B, BLOCK_B) 个线程块才能覆盖所有行。"},
        {outcome = "unwritten",
          en = "Is every fragment set before the loop, and the quotient copied to O after " ..
            "it?",
          zh = "循环之前每个 fragment 都有初值吗？循环之后把商复制到 O 了吗？"},
        {outcome = "weak",
          en = "Keep every fragment in T.float32, and write log2(e) with all its digits.",
          zh = "所有 fragment 都用 T.float32，log2(e) 要写全。"},
      },
    },
  },
}
