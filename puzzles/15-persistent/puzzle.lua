-- 15-persistent: a fixed number of blocks that walk over all tiles, and in which order.

local BLOCKS, PANEL = 6, 2
local BLOCK_M, BLOCK_N, BLOCK_K = 16, 32, 32

local fixed = {
  id = "blocks", en = "BLOCKS blocks, whatever the size", zh = "无论尺寸如何，恰好 BLOCKS 个线程块",
  test = function(f)
    if f.blocks == BLOCKS then
      return true
    end
    return false, ("%d blocks, and %d are asked for"):format(f.blocks, BLOCKS),
      ("有 %d 个线程块，要求恰好 %d 个"):format(f.blocks, BLOCKS)
  end,
}

-- The fields of an R x C grid in the order of their numbers: panels of PANEL rows from the
-- top down, a panel column by column, a column from the top down.
local function walk(R, C)
  local order = {}
  for top = 0, R - 1, PANEL do
    for col = 0, C - 1 do
      for row = top, math.min(top + PANEL, R) - 1 do
        order[#order + 1] = {row, col}
      end
    end
  end
  return order
end

local function finished(A, R, C)
  local done, clock = {}, {}
  for row = 1, R do
    done[row] = {}
  end
  for i, field in ipairs(walk(R, C)) do
    local p = (i - 1) % BLOCKS
    clock[p] = (clock[p] or 0) + A[field[1]][field[2]]
    done[field[1] + 1][field[2] + 1] = clock[p]
  end
  return tl.from_table(done, "float64")
end

return {
  name = "persistent",
  title = {en = "A few workers, many tiles", zh = "人手有限，分块很多"},
  level = "medium", minutes = 35,
  teaches = {en = "persistent blocks: a loop over tiles with the stride of the grid, and its order",
    zh = "常驻线程块：以线程块数为步长循环处理分块，以及分块的次序"},
  names = {"T.Persistent", "T.use_swizzle", "T.alloc_var"},
  parts = {
    {
      name = "night",
      title = {en = "Who takes which tile, and when", zh = "哪个线程块何时处理哪个分块"},
      inputs = {{name = "A", shape = {"R", "C"}, dtype = "int32", fill = {"int", 1, 99}}},
      outputs = {{name = "Done", shape = {"R", "C"}, dtype = "int32"}},
      config = {{"BLOCKS", BLOCKS}, {"PANEL", PANEL}},
      visible = {{R = 5, C = 7}, {R = 4, C = 6}, {R = 1, C = 1}},
      hidden = {R = {1, 20}, C = {1, 20}},
      beyond = {R = 77, C = 77},
      large = {R = 512, C = 512},
      reference = function(x, size)
        return {Done = finished(x.A, size.R, size.C)}
      end,
      precision = "exact", -- sums of small integers
      goals = {fixed},
      explain = {
        {outcome = "unwritten", pattern = "rows", en = "The last panel has fewer than PANEL rows "
          .. "when PANEL does not divide R: inside it, u is split by the rows that it has.",
          zh = "PANEL 不整除 R 时，最后一个条带不足 PANEL 行：在其中要按它实际的行数来拆分 u。"},
        {outcome = "unwritten", en = "Some fields are never visited. How many iterations does a "
          .. "block run when BLOCKS does not divide R * C? And into how many rows is u split in "
          .. "the last panel, which may have fewer than PANEL?",
          zh = "有的天区没有人去。BLOCKS 不整除 R * C 时一个线程块要走几轮？最后一个条带可能不足 PANEL 行，"
            .. "在其中 u 按几行来拆分？"},
        {outcome = "wrong", pattern = "rows", en = "Only some rows are wrong: look at the panel "
          .. "that they belong to, and at its height.",
          zh = "只有某些行不对：看看它们属于哪个条带，这个条带有几行。"},
        {outcome = "wrong", en = "A time is right when the order is right and the clock keeps "
          .. "running. Draw the numbers of the tiles for R = 5, C = 7 and compare with the "
          .. "picture; then see where the clock is set to 0.",
          zh = "次序正确而且时钟不中断，时间才会正确。请对 R = 5、C = 7 画出分块的编号，与题目里的图比较；"
            .. "再看时钟在哪里被清零。"},
        {outcome = "goal", en = "Right, but the grid is not BLOCKS blocks: T.Kernel(BLOCKS), and a "
          .. "loop inside.", zh = "结果正确，但网格不是 BLOCKS 个线程块：应为 T.Kernel(BLOCKS)，循环写在里面。"},
      },
    },
    {
      name = "matmul",
      title = {en = "A product by six blocks", zh = "六个线程块做矩阵乘"},
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "B", shape = {"K", "N"}, dtype = "float16"},
      },
      outputs = {{name = "C", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"BLOCKS", BLOCKS}, {"PANEL", PANEL}, {"BLOCK_M", BLOCK_M}, {"BLOCK_N", BLOCK_N},
        {"BLOCK_K", BLOCK_K}},
      visible = {{M = 70, N = 70, K = 45}, {M = 16, N = 32, K = 64}},
      hidden = {M = {1, 120}, N = {1, 120}, K = {1, 100}},
      beyond = {M = 377, N = 377, K = 317},
      large = {M = 4096, N = 4096, K = 1024},
      large_config = {BLOCKS = 264, BLOCK_M = 128, BLOCK_N = 128, BLOCK_K = 32},
      reference = function(x)
        return {C = ref.matmul(x.A, x.B)}, {C = ref.matmul(ref.abs(x.A), ref.abs(x.B))}
      end,
      -- A product of two float16 is exact in float32; K of them are added up, so K roundings.
      -- The scale is |A| |B|.
      precision = {acc = "float32", steps = function(size) return size.K end},
      goals = {fixed},
      explain = {
        {outcome = "unwritten", en = "Some tiles are never computed. The grid of tiles is ceil(M / "
          .. "BLOCK_M) rows by ceil(N / BLOCK_N) columns, rows first.",
          zh = "有的分块没有算。分块网格是 ceil(M / BLOCK_M) 行、ceil(N / BLOCK_N) 列，先行后列。"},
        {outcome = "wrong", en = "The first tile of every block is right and later ones are not? "
          .. "Then something of the previous tile is still in Cl.",
          zh = "是不是每个线程块的第一个分块对，后面的不对？那么 Cl 里还留着上一个分块的东西。"},
        {outcome = "weak", en = "The accumulator must be float32.", zh = "累加器必须是 float32。"},
        {outcome = "goal", en = "Right, but the grid is not BLOCKS blocks: a block must take "
          .. "several tiles, one after another.",
          zh = "结果正确，但网格不是 BLOCKS 个线程块：一个线程块要依次处理多个分块。"},
      },
    },
  },
}
