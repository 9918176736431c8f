-- 18-grouped-gemm: many products of different heights in one launch.

local BLOCK_M, BLOCK_N, BLOCK_K = 16, 32, 32

local function ceildiv(a, b)
  return -(-a // b)
end

-- first[g]: where the rows of group g begin, first[G] = M.  Uneven, and with three groups or
-- more at least one of them is empty.
local function offsets(shape, size, lib)
  local G, M = shape[1] - 1, size.M
  local cuts = {}
  local drawn = lib.randint(0, M + 1, {G}, "int64")
  for i = 1, G - 1 do
    cuts[i] = drawn[i - 1]
  end
  table.sort(cuts)
  if G >= 3 then
    local i = 1 + drawn[G - 1] % (G - 2)
    cuts[i + 1] = cuts[i]
  end
  table.insert(cuts, 1, 0)
  cuts[G + 1] = M
  return lib.from_table(cuts, "int32")
end

-- A column of M numbers: value(g) in the rows of group g.
local function column(first, size, value)
  local rows = {}
  for g = 0, size.G - 1 do
    for row = first[g], first[g + 1] - 1 do
      rows[row + 1] = {value(g)}
    end
  end
  return tl.from_table(rows, "float64")
end

-- The rows of group g of a times b[g].
local function products(a, b, first, size)
  local sum = tl.zeros({size.M, size.N}, "float64")
  for g = 0, size.G - 1 do
    local mine = column(first, size, function(i) return i == g and 1 or 0 end)
    sum = ref.add(sum, ref.mul(ref.matmul(a, b[g]), mine))
  end
  return sum
end

local few = {
  id = "blocks", en = "no more than ceil(M / BLOCK_M) + G blocks for a column of tiles",
  zh = "每一列分块不超过 ceil(M / BLOCK_M) + G 个线程块",
  test = function(f)
    local s = f.size
    local most = ceildiv(s.N, BLOCK_N) * (ceildiv(s.M, BLOCK_M) + s.G)
    if f.blocks <= most then
      return true
    end
    return false, ("%d blocks, and at most %d are allowed"):format(f.blocks, most),
      ("用了 %d 个线程块，最多允许 %d 个"):format(f.blocks, most)
  end,
}

local spill = {outcome = "race", en = "Two blocks write one row. The last tile of a group reaches "
  .. "beyond its end, into rows of the next group: those must not be written.",
  zh = "两个线程块写了同一行。一组的最后一个分块会伸到组尾之后，那是下一组的行，不能写。"}
local missing = {outcome = "unwritten", en = "Some rows are never written. A group of n rows has "
  .. "ceil(n / BLOCK_M) tiles, an empty one has none, and every tile needs its block.",
  zh = "有的行没有人写。n 行的组有 ceil(n / BLOCK_M) 个分块，空组没有，每个分块都要有一个线程块。"}
local many = {outcome = "goal", goal = "blocks", en = "Right, but a grid with room for the tallest "
  .. "possible group in every group starts mostly blocks that find nothing to do.",
  zh = "结果正确，但给每一组都留出最高可能的行数，启动的线程块大多无事可做。"}

local offsets_input = {name = "first", shape = {"G+1"}, dtype = "int32", fill = offsets}

return {
  name = "grouped-gemm",
  title = {en = "Uneven nights", zh = "长短不一的夜晚"},
  level = "hard", minutes = 45,
  teaches = {en = "tiles of ragged groups in one launch: each block finds its own",
    zh = "一次启动处理长短不一的组：每个线程块自己找到分块"},
  names = {"T.alloc_var", "T.serial", "T.ceildiv"},
  parts = {
    {
      name = "calibrate",
      title = {en = "Find the group", zh = "找到所属的组"},
      inputs = {
        {name = "A", shape = {"M", "N"}, dtype = "float32"},
        {name = "s", shape = {"G"}, dtype = "float32"},
        offsets_input,
      },
      outputs = {{name = "B", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"BLOCK_M", BLOCK_M}, {"BLOCK_N", BLOCK_N}},
      visible = {{M = 70, N = 40, G = 5}, {M = 16, N = 32, G = 1}, {M = 1, N = 1, G = 3}},
      hidden = {M = {1, 120}, N = {1, 70}, G = {1, 9}},
      beyond = {M = 377, N = 227},
      large = {M = 16384, N = 4096, G = 32},
      reference = function(x, size)
        local factor = column(x.first, size, function(g) return x.s[g] end)
        return {B = ref.mul(x.A, factor)}
      end,
      -- One product, one rounding: to the float32 that is stored.
      precision = {acc = "float32", steps = function() return 1 end},
      goals = {few},
      explain = {
        spill, missing, many,
        {outcome = "wrong", en = "A row got the factor of another group. Walk over the groups "
          .. "and subtract their tiles from the block's number; empty groups subtract nothing.",
          zh = "有的行用了别组的系数。请逐组走过去，从线程块的编号里减去各组的分块数；空组什么也不减。"},
      },
    },
    {
      name = "grouped",
      title = {en = "A product for every group", zh = "每组一个矩阵乘"},
      inputs = {
        {name = "A", shape = {"M", "K"}, dtype = "float16"},
        {name = "B", shape = {"G", "K", "N"}, dtype = "float16"},
        offsets_input,
      },
      outputs = {{name = "C", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"BLOCK_M", BLOCK_M}, {"BLOCK_N", BLOCK_N}, {"BLOCK_K", BLOCK_K}},
      visible = {{M = 70, N = 40, K = 45, G = 5}, {M = 16, N = 32, K = 32, G = 1}},
      hidden = {M = {1, 120}, N = {1, 70}, K = {1, 100}, G = {1, 9}},
      beyond = {M = 377, N = 227, K = 317},
      large = {M = 4096, N = 1024, K = 512, G = 16},
      reference = function(x, size)
        return {C = products(x.A, x.B, x.first, size)},
          {C = products(ref.abs(x.A), ref.abs(x.B), x.first, size)}
      end,
      -- A product of two float16 is exact in float32; K of them are added up, so K roundings.
      -- The scale is |A| |B of the group|.
      precision = {acc = "float32", steps = function(size) return size.K end},
      goals = {few},
      explain = {
        spill, missing, many,
        {outcome = "weak", en = "The accumulator must be float32.", zh = "累加器必须是 float32。"},
        {outcome = "wrong", en = "Which matrix does a tile multiply with? B[g, k, n] of its own "
          .. "group, and the rows of A from the tile's first row on.",
          zh = "一个分块和哪个矩阵相乘？是它所属组的 B[g, k, n]，A 的行从分块的第一行开始。"},
      },
    },
  },
}
