-- 03-outer-add: C[i, j] = A[i] + B[j]: tiles with two directions.

local missing = {
  en = "Some elements of C were never written. The grid needs T.ceildiv(N, BLOCK_N) blocks " ..
    "along the columns (bx) and T.ceildiv(M, BLOCK_M) along the rows (by), in this order: " ..
    "for bx, by in T.Kernel(columns, rows, ..). And the tile of block (bx, by) begins at row " ..
    "by * BLOCK_M and column bx * BLOCK_N.",
  zh = "C 中有元素从未写入。沿列（bx）需要 T.ceildiv(N, BLOCK_N) 个线程块，沿行（by）需要 " ..
    "T.ceildiv(M, BLOCK_M) 个，先列后行：for bx, by in T.Kernel(列, 行, ..)。" ..
    "线程块 (bx, by) 的分块从第 by * BLOCK_M 行、第 bx * BLOCK_N 列开始。",
}

return {
  name = "outer-add",
  title = {en = "Outer add", zh = "外加"},
  level = "easy",
  minutes = 20,
  teaches = {
    en = "grids and tiles with two directions; one value for a whole row or column",
    zh = "二维的网格与分块；一个值用于一整行或一整列",
  },
  names = {"T.Kernel", "T.Parallel", "T.alloc_fragment"},
  parts = {
    {
      name = "outer_add",
      inputs = {
        {name = "A", shape = {"M"}, dtype = "float16"},
        {name = "B", shape = {"N"}, dtype = "float16"},
      },
      outputs = {{name = "C", shape = {"M", "N"}, dtype = "float16"}},
      config = {{"BLOCK_M", 32}, {"BLOCK_N", 64}},
      visible = {{M = 40, N = 160}, {M = 32, N = 64}, {M = 67, N = 129}, {M = 1, N = 1}},
      hidden = {M = {1, 100}, N = {1, 200}},
      beyond = {M = 317, N = 617},
      large = {M = 8192, N = 8192},
      reference = function(x, size)
        local column = x.A:reshape {size.M, 1}
        return {C = ref.add(column, x.B)}
      end,
      precision = {acc = "float16", steps = 1, lower = "bfloat16"},
      explain = {
        {
          code = "E500",
          en = "A fragment is indexed from 0: a[i], b[j], c[i, j]. by * BLOCK_M and bx * BLOCK_N " ..
            "belong to the tensors.",
          zh = "片段的下标从 0 开始：a[i]、b[j]、c[i, j]。by * BLOCK_M 与 bx * BLOCK_N 只用于张量。",
        },
        {
          cause = "transposed",
          en = "C came out transposed, or A and B are swapped: A has an element for each row " ..
            "of C, B one for each column.",
          zh = "C 被转置了，或 A 与 B 用反了：A 的元素对应 C 的行，B 的元素对应 C 的列。",
        },
        {
          outcome = "race",
          en = "Two blocks write the same elements. The tile of block (bx, by) begins at row " ..
            "by * BLOCK_M and column bx * BLOCK_N.",
          zh = "两个线程块写了相同的元素。线程块 (bx, by) 的分块从第 by * BLOCK_M 行、" ..
            "第 bx * BLOCK_N 列开始。",
        },
        {outcome = "unwritten", en = missing.en, zh = missing.zh},
        {
          pattern = "rows",
          en = "Whole rows are wrong: look at the index of A, by * BLOCK_M + i.",
          zh = "整行出错：请检查 A 的下标 by * BLOCK_M + i。",
        },
        {
          pattern = "cols",
          en = "Whole columns are wrong: look at the index of B, bx * BLOCK_N + j.",
          zh = "整列出错：请检查 B 的下标 bx * BLOCK_N + j。",
        },
        {
          pattern = "outside",
          en = "The first tile is right, the others are not: A is read from by * BLOCK_M on, B from " ..
            "bx * BLOCK_N on.",
          zh = "第一个分块正确，其余不对：A 要从 by * BLOCK_M 处读起，B 要从 bx * BLOCK_N 处读起。",
        },
        {
          outcome = "wrong",
          en = "Each element is a sum, the number of its row (A) plus that of its column (B). Rows " ..
            "belong to A, i, by and BLOCK_M; columns to B, j, bx and BLOCK_N: check the four of " ..
            "each side.",
          zh = "每个元素是一个和：它所在行的数（A）加上所在列的数（B）。行对应 A、i、by、BLOCK_M；" ..
            "列对应 B、j、bx、BLOCK_N：请逐一核对这两组。",
        },
      },
    },
  },
}
