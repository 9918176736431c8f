-- 05-row-sum: the sum of each row, a piece of the columns at a time.
return {
  name = "row-sum",
  title = {en = "Row sums", zh = "按行求和"},
  level = "easy",
  minutes = 20,
  teaches = {
    en = "a block walks along its rows tile by tile and keeps one running value per row",
    zh = "一个线程块沿着自己的行逐个分块前进，每行只保留一个累加值",
  },
  names = {"T.reduce_sum", "T.clear"},
  parts = {
    {
      name = "row_sum",
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"M"}, dtype = "float32"}},
      config = {{"BLOCK_M", 16}, {"BLOCK_N", 128}},
      -- two tiles wide; ragged in both directions; one tile; one element
      visible = {{M = 32, N = 256}, {M = 17, N = 130}, {M = 16, N = 128}, {M = 1, N = 1}},
      hidden = {M = {1, 70}, N = {257, 600}},
      beyond = {M = 227, N = 1817},
      large = {M = 4096, N = 16384},
      -- The second result: what an addition may round.  Terms of both signs add up like a
      -- random walk, so sums on the way, in whichever order, are about sqrt(sum of squares)
      -- large and hardly ever twice that.  (The sum of the magnitudes is 0.4 sqrt(N) times
      -- as much: a limit made of it would call a missing tile a want of precision.)
      reference = function(x)
        local walk = ref.sqrt(ref.sum(ref.mul(x.A, x.A), 1))
        return {B = ref.sum(x.A, 1)}, {B = ref.mul(walk, 2)}
      end,
      -- N - 1 additions of two terms, and one to the value that the sum starts from.
      precision = {acc = "float32", steps = function(size) return size.N end},
      explain = {
        {code = "E513",
          en = "In T.Parallel all iterations happen at once, so they cannot add to one element: " ..
            "that is what T.reduce_sum is for.",
          zh = "T.Parallel 的各次迭代同时进行，不能往同一个元素上累加；跨线程求和要用 " ..
            "T.reduce_sum。"},
        {code = "E609",
          en = "Some rows have no block that writes them: T.ceildiv(M, BLOCK_M) blocks cover "
            .. "all, including the last M % BLOCK_M.",
          zh = "有些行没有线程块来写：T.ceildiv(M, BLOCK_M) 个线程块才能覆盖所有行，包括最后的 " ..
            "M % BLOCK_M 行。"},
        {code = "E604",
          en = "Two blocks write the same elements of B: those of block bx begin at bx * BLOCK_M.",
          zh = "两个线程块写了 B 的同一些元素：线程块 bx 的元素从 bx * BLOCK_M 开始。"},
        {outcome = "unwritten",
          en = "Was the running sum set to 0 before the loop, and is it copied to B after " ..
            "it?",
          zh = "循环之前累加值清零了吗？循环之后把它复制到 B 了吗？"},
        {outcome = "wrong", cause = "zeros",
          en = "The sums are still 0: the loop over the tiles of columns has yet to add to " ..
            "them.",
          zh = "和仍然是 0：还没有在列方向的循环里把每个分块加上去。"},
        {outcome = "wrong", stage = "hidden",
          en = "Right for the sizes that are shown: does the loop compute its number of "
            .. "iterations from N?",
          zh = "显示出来的尺寸都对：循环次数是由 N 算出来的吗？"},
        {outcome = "wrong",
          en = "Look at which sizes are wrong. N = 256: T.reduce_sum starts from 0 each " ..
            "time unless its fourth argument is `false`; does tile k begin at column k * " ..
            "BLOCK_N of the block's own rows? Only N = 130 or 1: T.ceildiv counts the tile " ..
            "that is not full, too.",
          zh = "看看是哪些尺寸错。N = 256 时错：T.reduce_sum 默认每次从 0 开始，第四个参数" ..
            "为 `false` 才会接着累加；第 k 个分块是从本线程块那几行的第 k * BLOCK_N 列开始的" ..
            "吗？只有 N = 130 或 1 时错：T.ceildiv 会把最后那个不满的分块也算进去。"},
        {outcome = "weak",
          en = "Keep the tile and the sums in T.float32, from the first copy to the last.",
          zh = "从第一次复制到最后一次复制，分块与累加值都应保持 T.float32。"},
      },
    },
  },
}
