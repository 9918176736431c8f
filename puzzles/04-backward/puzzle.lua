-- 04-backward: a product cut at zero, and the way back of its errors.

-- Multiples of 1/512 below 4: distinct enough, and no product of two is so small that
-- float16 makes it 0, so that "greater than 0" has one meaning in every precision.
local function steady(shape, _, tl)
  return (tl.randint(-2047, 2048, shape, "float32") * 0.001953125):to "float16"
end

local function matrix(name)
  return {name = name, shape = {"M", "N"}, dtype = "float16", fill = steady, edge = {0, 1, -1}}
end

local gains = {name = "B", shape = {"N"}, dtype = "float16", fill = steady, edge = {0, 1, -1}}
local sizes = {{M = 40, N = 96}, {M = 32, N = 64}, {M = 67, N = 129}, {M = 1, N = 1}}
local once = {acc = "float16", steps = 1, lower = "bfloat16"} -- one rounded product, and one rounding allowed

local function missing(name)
  return
    ("Some elements of %s were never written. The grid needs T.ceildiv(N, BLOCK_N) blocks " ..
      "along the columns (bx) and T.ceildiv(M, BLOCK_M) along the rows (by); an element whose " ..
      "result is 0 must be written too."):format(name),
    ("%s 中有元素从未写入。沿列（bx）需要 T.ceildiv(N, BLOCK_N) 个线程块，沿行（by）需要 " ..
      "T.ceildiv(M, BLOCK_M) 个；结果为 0 的元素也要写入。"):format(name)
end

local function hints(name, more)
  local en, zh = missing(name)
  local list = {
    {
      code = "E500",
      en = "A fragment is indexed from 0: a[i, j], b[j]. by * BLOCK_M and bx * BLOCK_N belong to " ..
        "the tensors.",
      zh = "片段的下标从 0 开始：a[i, j]、b[j]。by * BLOCK_M 与 bx * BLOCK_N 只用于张量。",
    },
    {
      code = "E030",
      en = "A new name begins with `local`; it is a name for one value and cannot become another value " ..
        "later. Make the choice where the value is made: T.if_then_else(c, x, y).",
      zh = "新名字要以 `local` 开头；它是一个值的名字，之后不能换成别的值。请在产生这个值的地方作选择：" ..
        "T.if_then_else(c, x, y)。",
    },
    {outcome = "unwritten", en = en, zh = zh},
    {
      pattern = "outside",
      en = "The first tile is right, the others are not: a tensor that is read directly, or copied " ..
        "into a fragment, must be read from by * BLOCK_M (rows) and bx * BLOCK_N (columns) on.",
      zh = "第一个分块正确，其余不对：无论直接读取张量还是复制到片段，都要从 by * BLOCK_M（行）、" ..
        "bx * BLOCK_N（列）处读起。",
    },
    {
      outcome = "race",
      en = "Two blocks write the same elements. The tile of block (bx, by) begins at row " ..
        "by * BLOCK_M and column bx * BLOCK_N.",
      zh = "两个线程块写了相同的元素。线程块 (bx, by) 的分块从第 by * BLOCK_M 行、" ..
        "第 bx * BLOCK_N 列开始。",
    },
  }
  for _, h in ipairs(more) do
    list[#list + 1] = h
  end
  return list
end

return {
  name = "backward",
  title = {en = "There and back", zh = "前向与反向"},
  level = "easy",
  minutes = 25,
  teaches = {
    en = "broadcasting a vector over a tile, and a choice by a comparison",
    zh = "把向量广播到整个分块，以及按比较结果作选择",
  },
  names = {"T.if_then_else", "T.max"},
  parts = {
    {
      name = "forward",
      title = {en = "C = max(0, A * B)", zh = "C = max(0, A * B)"},
      inputs = {matrix "A", gains},
      outputs = {{name = "C", shape = {"M", "N"}, dtype = "float16"}},
      config = {{"BLOCK_M", 32}, {"BLOCK_N", 64}},
      visible = sizes,
      hidden = {M = {1, 100}, N = {1, 200}},
      beyond = {M = 317, N = 617},
      large = {M = 8192, N = 8192},
      reference = function(x) return {C = ref.relu(ref.mul(x.A, x.B))} end,
      precision = once,
      explain = hints("C", {
        {
          pattern = "cols",
          en = "Whole columns are wrong: element j of the tile needs B[bx * BLOCK_N + j].",
          zh = "整列出错：分块的第 j 列要用 B[bx * BLOCK_N + j]。",
        },
        {
          outcome = "wrong",
          en = "B has an element for each column: A[i, j] meets B[j], not B[i]. And only a product " ..
            "below zero becomes zero.",
          zh = "B 的元素对应列：与 A[i, j] 相乘的是 B[j]，不是 B[i]。只有小于零的乘积才变为零。",
        },
      }),
    },
    {
      name = "backward",
      title = {en = "dA from dC", zh = "由 dC 求 dA"},
      inputs = {matrix "A", gains, matrix "dC"},
      outputs = {{name = "dA", shape = {"M", "N"}, dtype = "float16"}},
      config = {{"BLOCK_M", 32}, {"BLOCK_N", 64}},
      visible = sizes,
      hidden = {M = {1, 100}, N = {1, 200}},
      beyond = {M = 317, N = 617},
      large = {M = 8192, N = 8192},
      reference = function(x)
        local positive = ref.relu(ref.sign(ref.mul(x.A, x.B))) -- 1 where A * B > 0, else 0
        return {dA = ref.mul(ref.mul(x.dC, x.B), positive)}
      end,
      precision = once,
      explain = hints("dA", {
        {
          outcome = "wrong",
          en = "Two questions for each element: was A * B greater than 0 (not A, not dC)? Then "
            .. "dC * B; otherwise 0. Exactly 0 counts as not greater.",
          zh = "每个元素问两个问题：A * B（不是 A，也不是 dC）大于 0 吗？是则为 dC * B，否则为 0。" ..
            "恰好等于 0 不算大于。",
        },
      }),
    },
  },
}
