-- 09-conv1d: a filter along a signal: with its halo, with many filters, and as one product of
-- matrices.

-- What an element may miss:
--   steps     a product of two float16 numbers is exact in float32; the KL additions round.
--   scale     sum |X| |W| over the KL terms of the element.
--   factor    the result is rounded once more, to float16: half an ulp, all of which the best
--             kernel uses.  A whole ulp is allowed, so the plain kernel stays at half of it.
--   lower     float16.  Over 40 seeds of the first sizes below, products or sums in float16
--             exceed the limit 22 times and more where the terms cancel.  A T.gemm rounds once in
--             16 terms, so its first size has 27 taps (5.6 times and more); nine would be exact.
local precision = {
  acc = "float32",
  steps = function(size) return size.KL end,
  factor = 2,
}

-- O[n, j, f] = sum_k X[n, j + k] W[k, f], with zeros behind the end of X.  ref.conv1d with
-- KL - 1 zeros on both sides has KL - 1 positions in front that do not belong to it.
local function convolve(X, W, size)
  local both = ref.conv1d(X:unsqueeze(2), W:unsqueeze(1), {padding = size.KL - 1, layout = "nwc"})
  local rows = both:permute {1, 0, 2}
  local O = tl.empty({size.L, size.N, W.shape[2]}, "float64")
  for j = 0, size.L - 1 do
    O[j] = rows[j + size.KL - 1]
  end
  return O:permute {1, 0, 2}:contiguous()
end

local function reference_channels(x, size)
  return {O = convolve(x.X, x.W, size)}, {O = convolve(ref.abs(x.X), ref.abs(x.W), size)}
end

local function reference_naive(x, size)
  local function one(X, W)
    return convolve(X, W:unsqueeze(1), size):reshape {size.N, size.L}
  end
  return {O = one(x.X, x.W)}, {O = one(ref.abs(x.X), ref.abs(x.W))}
end

local X = {name = "X", shape = {"N", "L"}, dtype = "float16"}

local weak = {outcome = "weak",
  en = "Products or sums are made in float16: convert both factors with :astype(T.float32) "
    .. "before they are multiplied, and add up in a float32 fragment.",
  zh = "乘积或求和用了 float16：相乘之前先用 :astype(T.float32) 转换两个因子，并在 float32 的片段中累加。"}

local clear_first = {code = "E520",
  en = "The accumulator must start at 0: T.clear(sum) once, before the loop or T.gemm.",
  zh = "被累加的缓冲区必须从 0 开始：在循环或 T.gemm 之前 T.clear(sum) 一次。"}

local zeros = {outcome = "wrong", cause = "zeros",
  en = "O is 0 there: was anything added to `sum` before it was copied out?",
  zh = "那里的 O 为 0：写出之前，`sum` 里累加过东西吗？"}

local unwritten = {outcome = "unwritten",
  en = "Nobody wrote part of O. Count the blocks with T.ceildiv, in each direction, and copy each "
    .. "block's sums to its own corner.",
  zh = "O 有一部分没有人写。每个方向的线程块数都用 T.ceildiv 计算，"
    .. "每个线程块把和复制到自己的位置。"}

local halo = {outcome = "wrong",
  en = "Output j needs X[j] .. X[j + KL - 1]. The last outputs of a block reach into the next "
    .. "block's part of X: the tile of X must be KL - 1 wider than the tile of O.",
  zh = "输出 j 需要 X[j] .. X[j + KL - 1]。一个分块最后的几个输出要看到下一分块的 X："
    .. "X 的分块必须比 O 的分块宽 KL - 1。"}

return {
  name = "conv1d",
  title = {en = "Convolution", zh = "卷积"},
  level = "medium",
  minutes = 50,
  teaches = {
    en = "a tile with a halo, a tile of three dimensions, and a convolution as one T.gemm",
    zh = "带 halo 的分块、三维分块，以及把卷积变成一次 T.gemm",
  },
  names = {"T.copy", "T.Parallel", "T.alloc_shared", "T.reshape", "T.gemm"},
  parts = {
    {
      name = "conv_naive",
      title = {en = "one filter", zh = "一个滤波器"},
      inputs = {X, {name = "W", shape = {"KL"}, dtype = "float16"}},
      outputs = {{name = "O", shape = {"N", "L"}, dtype = "float16"}},
      config = {{"BLOCK_N", 8}, {"BLOCK_L", 32}},
      visible = {{N = 16, L = 64, KL = 9}, {N = 5, L = 75, KL = 16}},
      hidden = {N = {1, 40}, L = {1, 150}, KL = {1, 32}},
      beyond = {N = 137, L = 467},
      large = {N = 4096, L = 8192, KL = 32},
      reference = reference_naive,
      precision = precision,
      explain = {clear_first, weak, zeros, unwritten, halo},
    },
    {
      name = "conv_channels",
      title = {en = "a bank of filters", zh = "一组滤波器"},
      inputs = {X, {name = "W", shape = {"KL", "F"}, dtype = "float16"}},
      outputs = {{name = "O", shape = {"N", "L", "F"}, dtype = "float16"}},
      config = {{"BLOCK_N", 2}, {"BLOCK_L", 32}, {"BLOCK_F", 32}},
      visible = {{N = 4, L = 64, KL = 9, F = 64}, {N = 3, L = 75, KL = 12, F = 37}},
      hidden = {N = {1, 8}, L = {1, 100}, KL = {1, 32}, F = {1, 70}},
      beyond = {N = 41, L = 317, F = 227},
      large = {N = 512, L = 2048, KL = 32, F = 32},
      reference = reference_channels,
      precision = precision,
      explain = {clear_first, weak, zeros, unwritten,
        {outcome = "wrong", pattern = "cols",
          en = "Only some filters are right: W's tile begins at W[0, bx * BLOCK_F], and filter f "
            .. "of the block is its column f.",
          zh = "只有一部分滤波器正确：W 的分块从 W[0, bx * BLOCK_F] 开始，"
            .. "分块内第 f 个滤波器是它的第 f 列。"},
        halo},
    },
    {
      name = "conv_im2col",
      title = {en = "one product of matrices", zh = "一次矩阵乘"},
      inputs = {X, {name = "W", shape = {"KL", "F"}, dtype = "float16"}},
      outputs = {{name = "O", shape = {"N", "L", "F"}, dtype = "float16"}},
      config = {{"BLOCK_P", 64}, {"BLOCK_K", 32}, {"BLOCK_F", 32}},
      -- one size, since building for the cpu takes its time; ragged ones are among the hidden
      visible = {{N = 4, L = 32, KL = 27, F = 32}},
      hidden = {N = {1, 8}, L = {1, 100}, KL = {1, 32}, F = {1, 70}},
      beyond = {N = 41, L = 317, F = 227},
      large = {N = 512, L = 2048, KL = 32, F = 32},
      reference = reference_channels,
      precision = precision,
      goals = {
        {id = "gemm", en = "the products are computed by T.gemm", zh = "乘积由 T.gemm 完成",
          test = function(f)
            return #program.find(f.tile, {op = "gemm"}) > 0, "the kernel has no T.gemm",
              "内核里没有 T.gemm"
          end},
      },
      explain = {
        {outcome = "goal", goal = "gemm",
          en = "Right, but not as a product of matrices: gather the windows into a shared tile of "
            .. "{BLOCK_P, BLOCK_K} and give it to T.gemm with the tile of W.",
          zh = "结果正确，但没有写成矩阵乘：把窗口收集到 {BLOCK_P, BLOCK_K} 的共享内存分块里，"
            .. "与 W 的分块一起交给 T.gemm。"},
        clear_first,
        {outcome = "weak",
          en = "The accumulator of T.gemm must be a float32 fragment.",
          zh = "T.gemm 用来累加的必须是 float32 片段。"},
        zeros,
        {outcome = "unwritten",
          en = "Nobody wrote part of O. There are N * L rows: T.ceildiv(N * L, BLOCK_P) blocks of "
            .. "them, and T.ceildiv(F, BLOCK_F) of columns.",
          zh = "O 有一部分没有人写。共有 N * L 行：T.ceildiv(N * L, BLOCK_P) 个行块，"
            .. "T.ceildiv(F, BLOCK_F) 个列块。"},
        {outcome = "wrong",
          en = "Row p of the matrix of windows is signal p // L at position p % L, its column k "
            .. "is X[p // L, p % L + k]. If the two are not separated, windows run on into the "
            .. "next signal.",
          zh = "窗口矩阵的第 p 行是第 p // L 个信号的位置 p % L，其第 k 列是 X[p // L, p % L + k]。"
            .. "不把两者拆开，窗口会伸进下一个信号。"},
      },
    },
  },
}
