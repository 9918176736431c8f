-- 08-matmul: matrix times vector, matrix times matrix, and the same with copies that run ahead.

-- What a C = A B with K terms an element may miss:
--   steps     A product of two float16 numbers has 22 bits and is exact in float32.  What
--             rounds are the additions: K of them, in float32.
--   scale     they are measured against sum |a| |b|, what the K terms add up without signs.
--   factor    the result is rounded once more, to float16: half an ulp, and the best kernel
--             uses all of it (0.92 to 1.0, in the simulator and on the cpu).  So a whole ulp is
--             allowed, and the plain kernel stays at half of the limit.
--   lower     float16.  Where terms cancel, the limit is small and the errors are not: over 40
--             seeds of the first sizes below, sums in float16 exceed it 13 times and more in a
--             T.gemm, which rounds once in 16 terms, and float16 products 2.5 times and more in
--             gemv, which has fewer elements to find.
local function steps(size)
  return size.K
end

local clear_first = {code = "E520",
  en = "The accumulator must start at 0: one T.clear before the loop.",
  zh = "被累加的缓冲区必须从 0 开始：在循环之前 T.clear 一次。"}

-- Terms with signs: a sum without some of its tiles is not far from the right one.
-- Said of both products of matrices.
local function explain_gemm(more)
  local list = {
    clear_first,
    {outcome = "weak",
      en = "The accumulator must be float32: T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32). "
        .. "Only the last T.copy, into C, rounds to float16.",
      zh = "累加器必须是 float32：T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)。"
        .. "只有最后写入 C 的 T.copy 才舍入为 float16。"},
    {outcome = "wrong", cause = "zeros",
      en = "C is 0 there: is T.gemm called, and does the block copy its tile to its own corner "
        .. "of C, C[by * BLOCK_M, bx * BLOCK_N]?",
      zh = "那里的 C 为 0：是否调用了 T.gemm？每个线程块是否把自己的分块写到 C 中自己的位置 "
        .. "C[by * BLOCK_M, bx * BLOCK_N]？"},
    {outcome = "unwritten",
      en = "Nobody wrote part of C. The first number of the grid counts tiles along N, the "
        .. "second along M; bx belongs to columns, by to rows.",
      zh = "C 有一部分没有人写。网格的第一个数是沿 N 的分块数，第二个沿 M；bx 对应列，by 对应行。"},
    {outcome = "wrong", stage = "hidden",
      en = "It holds for the visible sizes. What if K is not a multiple of BLOCK_K, or M is 1? "
        .. "T.ceildiv counts a partial tile as a tile.",
      zh = "可见的尺寸都对。K 不是 BLOCK_K 的倍数，或者 M 为 1 时呢？T.ceildiv 把不满的分块也算一个。"},
    {outcome = "wrong",
      en = "For each step ko: A's corner is [by * BLOCK_M, ko * BLOCK_K], B's is [ko * BLOCK_K, "
        .. "bx * BLOCK_N]. T.clear comes before the loop, and the loop takes T.ceildiv(K, "
        .. "BLOCK_K) steps.",
      zh = "第 ko 步：A 的分块从 [by * BLOCK_M, ko * BLOCK_K] 开始，"
        .. "B 的从 [ko * BLOCK_K, bx * BLOCK_N] 开始。T.clear 在循环之前，循环共 "
        .. "T.ceildiv(K, BLOCK_K) 步。"},
  }
  for i, e in ipairs(more or {}) do
    table.insert(list, i, e)
  end
  return list
end

-- A part for each product of matrices.  Building a kernel for the cpu takes 70 to 110 ms a
-- size, and a save shall be judged within 300: few visible sizes, the ragged ones first seen
-- in gemm_naive.
local function gemm(name, title, visible, goals, more)
  return {
    name = name,
    title = title,
    inputs = {
      {name = "A", shape = {"M", "K"}, dtype = "float16"},
      {name = "B", shape = {"K", "N"}, dtype = "float16"},
    },
    outputs = {{name = "C", shape = {"M", "N"}, dtype = "float16"}},
    config = {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 32}},
    visible = visible,
    hidden = {M = {1, 150}, N = {1, 150}, K = {1, 300}},
    beyond = {M = 467, N = 467, K = 917},
    large = {M = 4096, N = 4096, K = 4096},
    large_config = {BLOCK_M = 128, BLOCK_N = 128, BLOCK_K = 64},
    reference = function(x)
      return {C = ref.matmul(x.A, x.B)}, {C = ref.matmul(ref.abs(x.A), ref.abs(x.B))}
    end,
    precision = {acc = "float32", steps = steps, factor = 2},
    goals = goals,
    explain = explain_gemm(more),
  }
end

return {
  name = "matmul",
  title = {en = "Matrix products", zh = "矩阵乘"},
  level = "medium",
  minutes = 45,
  teaches = {
    en = "tiles in shared memory, T.gemm on them, and copies that run ahead of it",
    zh = "共享内存中的分块、作用于分块的 T.gemm，以及提前进行的复制",
  },
  names = {"T.gemm", "T.alloc_shared", "T.Pipelined", "T.cast", "T.ceildiv"},
  parts = {
    {
      name = "gemv",
      title = {en = "one frame", zh = "一帧"},
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "b", shape = {"K"}, dtype = "float16"},
      },
      outputs = {{name = "C", shape = {"M"}, dtype = "float16"}},
      config = {{"BLOCK_M", 16}, {"BLOCK_K", 64}},
      visible = {{M = 160, K = 128}, {M = 37, K = 150}},
      hidden = {M = {1, 150}, K = {1, 600}},
      beyond = {M = 467, K = 1817},
      large = {M = 8192, K = 8192},
      reference = function(x)
        return {C = ref.gemv(x.A, x.b)}, {C = ref.gemv(ref.abs(x.A), ref.abs(x.b))}
      end,
      precision = {acc = "float32", steps = steps, factor = 2},
      explain = {
        clear_first,
            {outcome = "weak",
          en = "Somewhere float16 numbers are multiplied or added. A product of two float16 "
            .. "numbers is a float16 again: convert both with :astype(T.float32) first, and "
            .. "let what holds sums be float32.",
          zh = "某处在以 float16 相乘或相加。两个 float16 的乘积还是 float16："
            .. "先用 :astype(T.float32) 转换两个因子，保存和的缓冲区也用 float32。"},
        {outcome = "wrong", cause = "zeros",
          en = "C is 0: nothing was added to the sums before they were copied out.",
          zh = "C 为 0：把和写出去之前没有累加任何东西。"},
        {outcome = "unwritten",
          en = "Nobody wrote part of C: T.ceildiv(M, BLOCK_M) blocks, each copies its BLOCK_M "
            .. "sums to C[bx * BLOCK_M].",
          zh = "C 有一部分没有人写：共 T.ceildiv(M, BLOCK_M) 个线程块，"
            .. "每个把自己的 BLOCK_M 个和复制到 C[bx * BLOCK_M]。"},
        {outcome = "wrong",
          en = "Are all of the tiles along K in the sum? T.reduce_sum clears its output first, "
            .. "unless {clear = false}, and a partial tile is a tile, too: T.ceildiv.",
          zh = "沿 K 的每个分块都加进去了吗？T.reduce_sum 会先清零结果，除非写 {clear = false}；"
            .. "最后不满的分块也算一个：T.ceildiv。"},
      },
    },
    gemm("gemm_naive", {en = "a night of frames", zh = "一夜的帧"},
      {{M = 128, N = 64, K = 96}, {M = 67, N = 70, K = 75}}),
    gemm("gemm_pipelined", {en = "copies that run ahead", zh = "提前进行的复制"},
      {{M = 128, N = 64, K = 96}}, {
      {id = "stages", en = "copies run ahead: two stages or more",
        zh = "复制提前进行：流水线至少两级",
        test = function(f)
          if f.stages == 0 then
            return false, "no loop says how far copies run ahead", "没有循环说明复制提前几步"
          end
          return f.stages >= 2, ("the deepest pipeline has %d stages"):format(f.stages),
            ("最深的流水线有 %d 级"):format(f.stages)
        end},
    }, {
      {outcome = "goal", goal = "stages",
        en = "Right, but no copy runs ahead: T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = "
          .. "3}). 0, the default, and 1 copy and wait in each step.",
        zh = "结果正确，但没有复制提前进行：T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = 3})。"
          .. "默认的 0 和 1 都是复制完再算、依次进行。"},
    }),
  },
}
