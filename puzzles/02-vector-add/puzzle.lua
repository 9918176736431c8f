-- 02-vector-add: arithmetic on vectors, and values that go through registers.

-- What a kernel is tried on: a ragged size, one tile, several, a single element.
local sizes = {{N = 2500}, {N = 1024}, {N = 5000}, {N = 1}}

local function vectors()
  return {
    {name = "A", shape = {"N"}, dtype = "float16"},
    {name = "B", shape = {"N"}, dtype = "float16"},
  }
end

-- Each result is one operation on float16 numbers, rounded once; a second rounding is allowed.
local once = {acc = "float16", steps = 1, lower = "bfloat16"}

local function product(x)
  return {C = ref.relu(ref.mul(x.A, x.B))}
end

-- Do all values take the way through fragments?  A `let` that reads a tensor does not.
local function through_registers(f)
  if #program.find(f.tile, {kind = "alloc"}) == 0 or
    not next(program.buffers(f.tile, {scope = "fragment"})) then
    return false, "no fragment is allocated", "没有申请任何片段"
  end
  local global = program.buffers(f.tile, {scope = "global"})
  for _, s in ipairs(f.tile.statements) do
    local from, to = program.among(s.reads, global), program.among(s.writes, global)
    if from and to then
      return false, ("`%s` goes to `%s` without a fragment"):format(global[from].name,
        global[to].name), ("`%s` 绕过寄存器写到了 `%s`"):format(global[from].name, global[to].name)
    elseif from and s.kind == "let" then
      return false, ("a value of `%s` is never in a fragment"):format(global[from].name),
        ("`%s` 的值没有放进片段"):format(global[from].name)
    end
  end
  return true
end

local missing = {
  en = "Some elements of C were never written. How many blocks are there: is it " ..
    "T.ceildiv(N, BLOCK)? And does each of them write all BLOCK elements of its tile?",
  zh = "C 中有元素从未写入。线程块数是 T.ceildiv(N, BLOCK) 吗？每块是否写了分块的全部 BLOCK 个元素？",
}

local function hints(more)
  local list = {
    {
      code = "E174",
      en = "math.max and the like are for numbers that Lua knows now; these are known when the "
        .. "kernel runs. Use T.max in a kernel.",
      zh = "math.max 等用于 Lua 现在就知道的数；这里的值要到内核运行时才知道。内核里用 T.max。",
    },
    {
      code = "E030",
      en = "A new name begins with `local`; it is a name for one value and cannot become another value " ..
        "later. Make the choice where the value is made: T.max(x, 0), or T.if_then_else.",
      zh = "新名字要以 `local` 开头；它是一个值的名字，之后不能换成别的值。请在产生这个值的地方作选择：" ..
        "T.max(x, 0) 或 T.if_then_else。",
    },
    {
      code = "E500",
      en = "A fragment has BLOCK elements, counted from 0: inside it the index is i. bx * BLOCK " ..
        "belongs to the tensors.",
      zh = "片段有 BLOCK 个元素，从 0 数起：在片段里下标是 i，bx * BLOCK 只用于张量。",
    },
    {outcome = "unwritten", en = missing.en, zh = missing.zh},
    {
      outcome = "race",
      en = "Two blocks write the same element. In block bx element i of the tile is element " ..
        "bx * BLOCK + i of the tensor.",
      zh = "两个线程块写了同一个元素。在线程块 bx 中，分块的第 i 个元素是张量的第 bx * BLOCK + i 个。",
    },
    {
      cause = "zeros",
      en = "Everything is zero. Is the product ever computed, and is it A times B that is " ..
        "compared with 0?",
      zh = "结果全为零。乘积算了吗？与 0 比较的是 A 与 B 的乘积吗？",
    },
    {
      cause = "shifted",
      en = "The values are right but in the wrong place: the same bx * BLOCK + i must " ..
        "index A, B and C.",
      zh = "数值正确但位置不对：A、B、C 要用同一个下标 bx * BLOCK + i。",
    },
    {
      pattern = "outside",
      en = "The first tile is right, the others are not: bx * BLOCK must be in the index of A, "
        .. "of B and of C.",
      zh = "第一个分块正确，其余不对：A、B、C 的下标里都要有 bx * BLOCK。",
    },
    {
      outcome = "wrong",
      en = "Only results below zero become zero: max(0, A * B), one product, then the cut. " ..
        "Two negative factors have a positive product.",
      zh = "只有小于零的结果才变为零：先求一个乘积，再截断，即 max(0, A * B)。两个负数的乘积是正数。",
    },
  }
  for i, h in ipairs(more or {}) do
    table.insert(list, i, h)
  end
  return list
end

return {
  name = "vector-add",
  title = {en = "Vector add", zh = "向量加法"},
  level = "easy",
  minutes = 20,
  teaches = {
    en = "arithmetic in T.Parallel, and a tile in registers",
    zh = "T.Parallel 中的运算，以及放在寄存器中的分块",
  },
  names = {"T.max", "T.if_then_else", "T.alloc_fragment"},
  parts = {
    {
      name = "add",
      title = {en = "C = A + B", zh = "C = A + B"},
      given = true,
      inputs = vectors(),
      outputs = {{name = "C", shape = {"N"}, dtype = "float16"}},
      config = {{"BLOCK", 1024}},
      visible = sizes,
      hidden = {N = {1, 6000}},
      beyond = {N = 18017},
      large = {N = 1 << 26},
      reference = function(x) return {C = ref.add(x.A, x.B)} end,
      precision = once,
    },
    {
      name = "mul_relu",
      title = {en = "C = max(0, A * B)", zh = "C = max(0, A * B)"},
      inputs = vectors(),
      outputs = {{name = "C", shape = {"N"}, dtype = "float16"}},
      config = {{"BLOCK", 1024}},
      visible = sizes,
      hidden = {N = {1, 6000}},
      beyond = {N = 18017},
      large = {N = 1 << 26},
      reference = product,
      precision = once,
      explain = hints(),
    },
    {
      name = "mul_relu_registers",
      title = {en = "the same through registers", zh = "同样的计算，经过寄存器"},
      inputs = vectors(),
      outputs = {{name = "C", shape = {"N"}, dtype = "float16"}},
      config = {{"BLOCK", 1024}},
      visible = sizes,
      hidden = {N = {1, 6000}},
      beyond = {N = 18017},
      large = {N = 1 << 26},
      reference = product,
      precision = once,
      goals = {
        {
          id = "registers",
          en = "values go from the tensors to fragments and from a fragment to the result",
          zh = "数值从张量读入片段，再从片段写到结果",
          test = through_registers,
        },
      },
      explain = hints {
        {
          goal = "registers",
          en = "The result is right. Now bring a tile of A and one of B into fragments with " ..
            "T.copy, compute on the fragments, and copy the result out.",
          zh = "结果正确。现在用 T.copy 把 A、B 的分块读入片段，在片段上计算，再把结果复制出去。",
        },
        {
          outcome = "wrong",
          pattern = "scattered",
          en = "C must be max(0, a * b) of the two tiles: is B copied into a fragment of its own (`local " ..
            "b = a` would be a second name for the same one), and is what you copy to C the "
              .. "result?",
          zh = "C 应为两个分块的 max(0, a * b)：B 复制到了它自己的片段里吗（`local b = a` 只是同一个片段的" ..
            "另一个名字）？写到 C 的是结果吗？",
        },
      },
    },
  },
}
