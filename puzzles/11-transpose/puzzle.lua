-- 11-transpose: a matrix turned over, with both of its sides moved in whole sectors.

return {
  name = "transpose",
  title = {en = "Transpose", zh = "转置"},
  level = "medium",
  minutes = 25,
  teaches = {
    en = "global memory moves whole sectors: let a tile change its direction in shared memory",
    zh = "全局内存按整个扇区搬运：让数据块在共享内存里换方向",
  },
  names = {"T.alloc_shared", "kernel:explain", "plot"},
  parts = {
    {
      name = "transpose",
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"N", "M"}, dtype = "float32"}},
      config = {{"BLOCK_M", 32}, {"BLOCK_N", 64}},
      -- four tiles, where sectors are counted: every row begins at one; ragged in both
      -- directions; one tile; a row
      visible = {{M = 64, N = 128}, {M = 70, N = 150}, {M = 32, N = 64}, {M = 1, N = 90}},
      hidden = {M = {1, 100}, N = {1, 150}},
      beyond = {M = 317, N = 467},
      asked = {M = {32, 96, 32}, N = {32, 160, 32}}, -- rows that begin with a sector
      large = {M = 8192, N = 8192},
      reference = function(x)
        return {B = ref.transpose(x.A)}
      end,
      precision = "exact",
      goals = {
        {id = "sectors", en = "no more than 1.1 times the sectors that the data fills",
          zh = "搬运的扇区数不超过数据本身所占扇区的 1.1 倍",
          test = function(f)
            return f.sectors <= 1.1 * f.ideal_sectors,
              ("a block moves %.0f sectors where %.0f would do"):format(f.sectors, f.ideal_sectors),
              ("一个线程块搬运 %.0f 个扇区，其实 %.0f 个就够"):format(f.sectors, f.ideal_sectors)
          end},
      },
      explain = {
        {goal = "sectors",
          en = "The values are right. But on one side the lanes of a warp go down a column, and "
            .. "each uses a piece of a sector and wastes the rest. Which memory of the block has" ..
            " no sectors?",
          zh = "数值是对的。但有一侧，warp 的各通道沿着列走，每个扇区只取一小块，其余白白搬运。" ..
            "线程块的哪种内存没有扇区？"},
        {code = "E123",
          en = "A matrix that is smaller than a tile needs a block, too: T.ceildiv rounds up.",
          zh = "比一个块还小的矩阵也需要一个线程块：T.ceildiv 向上取整。"},
        {code = "E500",
          en = "The tile has BLOCK_M rows and BLOCK_N columns, as in A: tile[i, j] with i below" ..
            " BLOCK_M and j below BLOCK_N.",
          zh = "tile 与 A 一样，有 BLOCK_M 行、BLOCK_N 列：tile[i, j] 中 i 小于 BLOCK_M，j 小于" ..
            " BLOCK_N。"},
        {outcome = "unwritten",
          en = "Nobody wrote there. The first number of the grid counts tiles along N, the " ..
            "second along M, and T.ceildiv counts the tile that is not full, too.",
          zh = "那里没有人写。网格的第一个数沿 N 数块，第二个沿 M；T.ceildiv 会把不满的块也算进" ..
            "去。"},
        {outcome = "wrong", cause = "transposed",
          en = "The tiles are in the right places, but their inside is not transposed: B[.. " ..
            "+ j, .. + i] takes tile[i, j].",
          zh = "各块的位置对了，块内却没有转置：B[.. + j, .. + i] 应取 tile[i, j]。"},
        {outcome = "wrong",
          en = "Tile (by, bx) of A becomes tile (bx, by) of B: its corner in B is [bx * " ..
            "BLOCK_N, by * BLOCK_M].",
          zh = "A 的第 (by, bx) 块变成 B 的第 (bx, by) 块，它在 B 中的角是 [bx * BLOCK_N, by * " ..
            "BLOCK_M]。"},
      },
    },
  },
}
