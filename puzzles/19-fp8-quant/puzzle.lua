-- 19-fp8-quant: float16 numbers in one byte each, with a scale for a row or for a group.

-- Rows of all sizes, from 2^-8 to 2^8, so that a scale of one row does not do for another; one
-- row of zeros, one that holds float16's greatest number.
local function rows(shape)
  local M, N = shape[1], shape[2]
  local size = ref.exp2(tl.randint(-8, 9, {M, 1}, "int32"))
  if M > 2 then
    size[{M // 2, 0}] = 0
  end
  local x = ref.mul(tl.randn(shape, "float32"), size):to "float16"
  if M > 3 then
    x[{M - 1, N // 3}] = -65504
  end
  return x
end

-- x with 0 for the numbers whose quotient by their scale lies within 2^-20 of the middle
-- between two neighbours of float8.  There, and nowhere else, x / s, x * (1 / s) and
-- x * 448 / most may round to different neighbours: each is some roundings in float32, of
-- 2^-24 each, away from the true quotient.
local function without_middles(x, scale)
  local q = ref.div(x, scale)
  local below = ref.mul(q, 1 - 2^-20, {dtype = "float8_e4m3fn"})
  local above = ref.mul(q, 1 + 2^-20, {dtype = "float8_e4m3fn"})
  local apart = ref.minimum(ref.mul(ref.abs(ref.sub(above, below)), 1e6), 1)
  return ref.mul(x, ref.sub(1, apart), {dtype = "float16"})
end

-- The scales in float64 for groups of `group` columns, [M, G]; the last group may be short.
local function scales(x, group)
  local list = {}
  for i, row in ipairs(x:totable()) do
    list[i] = {}
    for n = 1, #row, group do
      local most = 1e-4
      for k = n, math.min(n + group - 1, #row) do
        most = math.max(most, math.abs(row[k]))
      end
      table.insert(list[i], most / 448)
    end
  end
  return tl.from_table(list, "float64")
end

-- s [M, G] spread over N columns, each value `group` times.
local function spread(s, N, group)
  local list = {}
  for i, row in ipairs(s:totable()) do
    list[i] = {}
    for n = 1, N do
      list[i][n] = row[(n - 1) // group + 1]
    end
  end
  return tl.from_table(list, "float64")
end

local Group = 64

-- The inputs of a part whose scales hold for `group` columns, or for all.  What is only timed
-- is too large for lists, and needs no care.
local function fill(group)
  return function(shape)
    local x, N = rows(shape), shape[2]
    if shape[1] * N > 2^20 then
      return x
    end
    local g = group or N
    return without_middles(x, spread(scales(x, g), N, g))
  end
end

local function reference(group)
  return function(x, size)
    local s = scales(x.X, group or size.N)
    local q = ref.div(x.X, spread(s, size.N, group or size.N), {dtype = "float8_e4m3fn"})
    return {Q = q, S = group and s or s:squeeze(1)}
  end
end

-- S: the greatest magnitude is exact; one division by 448, or one by it and one
-- multiplication, in float32.  GPUs have a quick division that is off by up to 2 ulp, which is
-- 4 roundings.  A scale that was ever bfloat16 is 2^16 times as far off, one that was ever
-- float16 2^13 times, and below float16's numbers where a row is 0.
-- Q: exact.  The inputs hold no quotient near the middle of two float8 numbers, so that every
-- way of computing in float32 rounds to the same one, and float16 on the way does not.
local precision = {S = {acc = "float32", steps = 4, lower = "bfloat16"}, Q = "exact"}

local scale_hint = {
  outcome = "wrong", cause = "nan",
  en = "NaN comes from 0 / 0: a row of zeros has no magnitude to divide by. No scale may fall " ..
    "below 1e-4 / 448.",
  zh = "NaN 来自 0 / 0：全零的行没有可用来除的幅值。比例不得小于 1e-4 / 448。",
}
local exact_hint = {
  outcome = "wrong", pattern = "scattered",
  en = "A few elements off, by one step of float8: something on the way from x to x / s was "
    .. "rounded " ..
    "before the last conversion; divide in T.float32, convert once. Many off: x is not divided yet, " ..
    "or its scale is not the largest magnitude / 448.",
  zh = "少数元素差一个 float8 步长：从 x 到 x / s 的途中多舍入了一次，请用 T.float32 做除法，只在最后转换" ..
    "一次。多数元素有误：x 还没有除，或者比例不是最大幅值 / 448。",
}

return {
  name = "fp8-quant",
  title = {en = "A byte for a number", zh = "一个数一个字节"},
  level = "medium",
  minutes = 35,
  teaches = {
    en = "float8 is all about the scale: find the largest magnitude, divide, convert once, "
      .. "return both",
    zh = "float8 的关键在比例：求最大幅值、相除、只转换一次，并返回两个结果",
  },
  names = {"T.reduce_absmax", "T.float8_e4m3fn"},
  parts = {
    {
      name = "row_scales",
      title = {en = "A scale for each row", zh = "每行一个比例"},
      inputs = {{name = "X", shape = {"M", "N"}, dtype = "float16", fill = fill()}},
      outputs = {
        {name = "Q", shape = {"M", "N"}, dtype = "float8_e4m3fn"},
        {name = "S", shape = {"M"}, dtype = "float32"},
      },
      config = {{"BLOCK_M", 16}, {"BLOCK_N", 64}},
      visible = {{M = 16, N = 128}, {M = 19, N = 150}},
      hidden = {M = {1, 50}, N = {1, 300}},
      beyond = {M = 167, N = 917},
      large = {M = 4096, N = 4096},
      reference = reference(),
      precision = precision,
      explain = {
        scale_hint,
        {outcome = "unwritten",
          en = "Two results, and both must be completely written: a tile of Q in each iteration "
            .. "of the second loop, the scales of the block's rows once.",
          zh = "两个结果都要写满：第二个循环每次写 Q 的一个分块，本块各行的比例写一次。"},
        exact_hint,
        {outcome = "wrong",
          en = "The scale of a row is known only when the whole row has been seen: one loop over "
            .. "the tiles for the largest magnitude, a second one to divide. The first must keep "
            .. "what it has: " ..
            "T.reduce_absmax(x, s, 1, false).",
          zh = "看完整行才知道该行的比例：先用一个循环求最大幅值，再用第二个循环相除。第一个循环要保留已有的" ..
            "结果：T.reduce_absmax(x, s, 1, false)。"},
        {outcome = "weak",
          en = "Keep the scales in T.float32 until they are stored: shorter types leave them "
            .. "only 8 or 11 bits.",
          zh = "比例直到写出都应保持 T.float32：更短的类型只给它 8 或 11 位精度。"},
      },
    },
    {
      name = "group_scales",
      title = {en = "A scale for each group", zh = "每组一个比例"},
      inputs = {{name = "X", shape = {"M", "N"}, dtype = "float16", fill = fill(Group)}},
      outputs = {
        {name = "Q", shape = {"M", "N"}, dtype = "float8_e4m3fn"},
        {name = "S", shape = {"M", "(N+63)//64"}, dtype = "float32"},
      },
      config = {{"BLOCK_M", 16}, {"GROUP", Group}},
      visible = {{M = 16, N = 128}, {M = 19, N = 150}},
      hidden = {M = {1, 50}, N = {1, 300}},
      beyond = {M = 167, N = 917},
      asked = {M = {16, 48, 16}, N = {128, 384, 128}}, -- tiles that are whole
      large = {M = 4096, N = 4096},
      reference = reference(Group),
      precision = precision,
      goals = {
        {
          id = "once",
          en = "every number is read once",
          zh = "每个数只读一次",
          test = function(f)
            return f.bytes <= 1.25 * f.least,
              ("%.0f bytes are moved; %d suffice"):format(f.bytes, f.least),
              ("移动了 %.0f 字节，只需 %d 字节"):format(f.bytes, f.least)
          end,
        },
      },
      explain = {
        scale_hint,
        {goal = "once",
          en = "A tile of BLOCK_M rows and GROUP columns stays in its fragment: what was copied "
            .. "in for the largest magnitude is still there for the division.",
          zh = "BLOCK_M 行、GROUP 列的分块一直在 fragment 中：为求最大幅值而复制进来的数，相除时仍然在那里。"},
        {outcome = "unwritten",
          en = "The grid is two-dimensional here: T.ceildiv(N, GROUP) groups along the columns, " ..
            "T.ceildiv(M, BLOCK_M) tiles along the rows. The last group may be short.",
          zh = "这里的网格是二维的：列方向 T.ceildiv(N, GROUP) 个组，行方向 T.ceildiv(M, BLOCK_M) 个分块；" ..
            "最后一组可能不满。"},
        exact_hint,
        {outcome = "weak",
          en = "Keep the scales in T.float32 until they are stored: shorter types leave them "
            .. "only 8 or 11 bits.",
          zh = "比例直到写出都应保持 T.float32：更短的类型只给它 8 或 11 位精度。"},
      },
    },
  },
}
