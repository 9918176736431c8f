-- 17-flash-attention: softmax(Q K^T / sqrt(D)) V without the matrix of scores.

-- Softmax of the scaled scores, in float64.  The mask is a number so low that its exponential
-- is 0.
local function weights(x, size, causal)
  local k = x.K:to "float64"
  local s = ref.mul(ref.matmul(x.Q, k, {trans_b = true}), 1 / math.sqrt(size.D))
  if causal then
    local place = tl.arange(size.S, "float64")
    local behind = ref.sub(place:reshape {1, size.S}, place:reshape {size.S, 1})
    s = ref.add(s, ref.mul(ref.clamp(behind, 0, 1), -1e30))
  end
  return ref.softmax(s, -1)
end

-- O, and the square root of the sum of the squared terms w v that an element adds up.
local function reference(causal)
  return function(x, size)
    local w = weights(x, size, causal)
    local squares = ref.matmul(ref.mul(w, w), ref.mul(x.V, x.V))
    return {O = ref.matmul(w, x.V)}, {O = ref.sqrt(squares)}
  end
end

-- The second product takes its weights in float16.  So each term w v carries one rounding of
-- at most u = 2^-11 of itself; all else is float32 and 2^13 times finer.  Those roundings are
-- independent: their sum has a deviation below u sqrt(sum (w v)^2 / 3), and 4 u sqrt(..), the 4
-- of `steps`, is seven of these.  The next lower type, bfloat16, rounds 8 times as coarsely; a
-- float16 accumulator rounds once more with every tile, which shows from a few tiles on.
local precision = {acc = "float16", steps = 4, lower = "bfloat16"}

local function tensor(name)
  return {name = name, shape = {"H", "S", "D"}, dtype = "float16"}
end

-- Bytes moved when blocks of BLOCK_M = 64 queries visit all tiles of BLOCK_N = 32 keys, and when
-- they visit only those that hold a key for one of their queries.
local function traffic(size)
  local S, all, needed = size.S, 0, 0
  for first = 0, S - 1, 64 do
    all = all + (S + 31) // 32
    needed = needed + (math.min(S, first + 64) + 31) // 32
  end
  local row = size.H * 2 * size.D
  return row * (2 * S + 64 * all), row * (2 * S + 64 * needed)
end

local nothing_yet = {
  outcome = "wrong", cause = "zeros",
  en = "The accumulator still holds the zeros it was cleared to: inside the loop, the second " ..
    "T.gemm adds the weights times the tile of V to it.",
  zh = "累加器里还是清零时的 0：要在循环里用第二个 T.gemm 把权重乘 V 的分块加进去。",
}

return {
  name = "flash-attention",
  title = {en = "Flash attention", zh = "Flash attention"},
  level = "hard",
  minutes = 60,
  teaches = {
    en = "two products with a softmax between them, and the matrix of scores never leaves the chip",
    zh = "两次矩阵乘之间夹着在线 softmax，分数矩阵始终不离开芯片",
  },
  names = {"T.GemmWarpPolicy", "T.min"},
  parts = {
    {
      name = "attention",
      title = {en = "All keys", zh = "看到全部键"},
      inputs = {tensor "Q", tensor "K", tensor "V"},
      outputs = {tensor "O"},
      config = {{"BLOCK_M", 64}, {"BLOCK_N", 32}},
      -- whole tiles; ragged, four tiles of keys
      visible = {{H = 1, S = 256, D = 32}, {H = 2, S = 101, D = 16}},
      hidden = {H = {1, 3}, S = {1, 300}, D = {16, 64, 16}},
      beyond = {H = 26, S = 917},
      grows = {S = 2}, -- each tile of queries meets all of the keys
      large = {H = 32, S = 4096, D = 64},
      reference = reference(false),
      precision = precision,
      explain = {
        nothing_yet,
        {outcome = "wrong", cause = "nan",
          en = "Not a number: 0 / 0 where sum stayed 0, or -inf - (-inf) where the maximum of a row " ..
            "was never raised. Both come when the loop does not yet update top and sum.",
          zh = "出现 NaN：sum 仍为 0 时得到 0 / 0，或某行最大值从未更新时得到 -inf - (-inf)。" ..
            "循环里更新 top 和 sum 了吗？"},
        {outcome = "wrong", cause = "factor",
          en = "All elements are off by one factor: is the output divided by the sum of the weights?",
          zh = "所有元素差同一个倍数：输出除以权重之和了吗？"},
        {outcome = "compile", code = "E141",
          en = "K is stored by keys, one per row: T.gemm needs {transpose_B = true} to multiply "
            .. "by K^T.",
          zh = "K 按键存放，每行一个键：要乘 K^T，T.gemm 需要 {transpose_B = true}。"},
        {outcome = "wrong",
          en = "Four things that are easily forgotten: the factor log2(e) / sqrt(D) inside exp2; "
            .. "clearing P before each first product; scaling sum and out when the maximum "
            .. "grows; keys past the end, which must have weight 0 (their score is -inf, not 0).",
          zh = "最容易漏掉的四处：exp2 里的系数 log2(e) / sqrt(D)；每次做第一个乘积之前清空 P；最大值" ..
            "变大时同时缩小 sum 和 out；越过末尾的键权重必须为 0（分数是 -inf 而不是 0）。"},
        {outcome = "weak",
          en = "out, top and sum live through all tiles: keep them in T.float32. Only the weights become " ..
            "float16, for the second product.",
          zh = "out、top、sum 贯穿所有分块，应保持 T.float32；只有送入第二个乘积的权重才转成 float16。"},
      },
    },
    {
      name = "causal",
      title = {en = "No look into the future", zh = "不看未来"},
      inputs = {tensor "Q", tensor "K", tensor "V"},
      outputs = {tensor "O"},
      config = {{"BLOCK_M", 64}, {"BLOCK_N", 32}},
      visible = {{H = 1, S = 256, D = 32}, {H = 2, S = 101, D = 16}},
      hidden = {H = {1, 3}, S = {1, 300}, D = {16, 64, 16}},
      beyond = {H = 26, S = 917},
      grows = {S = 2}, -- each tile of queries meets all of the keys
      asked = {H = {1, 3}, S = {192, 320, 64}, D = {16, 64, 16}}, -- tiles that are whole
      large = {H = 32, S = 4096, D = 64},
      reference = reference(true),
      precision = precision,
      goals = {
        {
          id = "future",
          en = "tiles of keys that are entirely in the future are not visited",
          zh = "完全位于未来的键分块不访问",
          -- With 256 keys 20 of 32 tiles are needed; a copy that is started ahead and not
          -- needed in the end is counted, too.
          test = function(f)
            local all, needed = traffic(f.size)
            return f.bytes <= 0.9 * all,
              ("about %.0f bytes are moved; %d suffice"):format(f.bytes, needed),
              ("移动了约 %.0f 字节，只需 %d 字节"):format(f.bytes, needed)
          end,
        },
      },
      explain = {
        nothing_yet,
        {goal = "future",
          en = "The last query of the block is at (bx + 1) * BLOCK_M - 1; no key after it "
            .. "counts. End the loop there, or at S if that comes first: T.min gives the "
            .. "smaller.",
          zh = "本块最后一个查询位于 (bx + 1) * BLOCK_M - 1，其后的键都不计。循环到那里结束；" ..
            "若 S 更小则到 S 结束：用 T.min 取较小者。"},
        {outcome = "wrong", cause = "nan",
          en = "A row with no key at all has no maximum: -inf - (-inf) is not a number. Each query sees " ..
            "at least itself: key <= query.",
          zh = "某一行一个键都没有，就没有最大值：-inf - (-inf) 是 NaN。每个查询至少看到自己：key <= query。"},
        {outcome = "wrong",
          en = "Compare positions in the whole sequence: key k * BLOCK_N + j against query bx * "
            .. "BLOCK_M + i, " ..
            "and let the loop reach the tile that holds the block's last query.",
          zh = "要比较整个序列中的位置：键 k * BLOCK_N + j 与查询 bx * BLOCK_M + i；" ..
            "并让循环覆盖到本块最后一个查询所在的分块。"},
      },
    },
  },
}
