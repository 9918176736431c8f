-- 16-pipeline: copies that run ahead of the arithmetic, within a budget of shared memory.

local BLOCK_M = 16
local STAGES, BUDGET = 3, 16384

-- Every float16 tensor that comes in must be read by asynchronous copies, and by nothing else.
local function ahead(f)
  for n, b in pairs(program.buffers(f.thread, {scope = "global", dtype = "float16", param = true})) do
    local copies = 0
    for _, s in ipairs(f.thread.statements) do
      if program.among(s.reads, {[n] = true}) then
        copies = copies + 1
        if not s.async then
          return false, ("a read of %s waits for its values"):format(b.name),
            ("有一处读取 %s 时在原地等待"):format(b.name)
        end
      end
    end
    if copies == 0 then
      return false, ("no copy of %s runs ahead"):format(b.name), ("%s 没有任何拷贝提前进行"):format(b.name)
    end
  end
  return true
end

local goals = {
  {id = "stages", en = "a pipeline of at least 3 stages", zh = "至少 3 级的流水线",
    test = function(f)
      if f.stages >= STAGES then
        return true
      end
      return false, ("%d stages"):format(f.stages), ("只有 %d 级"):format(f.stages)
    end},
  {id = "ahead", en = "the copies of both inputs run ahead", zh = "两个输入的拷贝都提前进行",
    test = ahead},
  {id = "budget", en = "at most 16 KB of shared memory per block",
    zh = "每个线程块最多 16 KB 共享内存",
    test = function(f)
      if f.shared <= BUDGET then
        return true
      end
      return false, ("%d bytes, %d too many"):format(f.shared, f.shared - BUDGET),
        ("用了 %d 字节，超出 %d 字节"):format(f.shared, f.shared - BUDGET)
    end},
}

local function explain(list)
  local all = {
    {outcome = "goal", goal = "stages", en = "Right, but every iteration waits for its copies. "
      .. "T.Pipelined with num_stages lets the copies of later iterations start now.",
      zh = "结果正确，但每一轮都在等自己的拷贝。T.Pipelined 加上 num_stages 可以让后面几轮的拷贝现在就开始。"},
    {outcome = "goal", goal = "ahead", en = "A copy runs ahead when nothing but that one copy "
      .. "writes its buffer in the loop, and when every thread that takes part moves 4 bytes or "
      .. "more: a strip of few numbers is too narrow. `:explain` says which one does not, and why.",
      zh = "拷贝要能提前，循环里除了它不能有别人写它的缓冲区，而且参与的每个线程至少要搬 4 字节："
        .. "只有几个数的窄条不行。`:explain` 会说明是哪一次拷贝、为什么。"},
    {outcome = "goal", goal = "budget", en = "Every stage has a copy of the tiles: num_stages "
      .. "times their bytes. A narrower tile leaves room for more stages.",
      zh = "每一级都有一份分块：字节数要乘以 num_stages。分块窄一些，就放得下更多级。"},
    {outcome = "weak", en = "Convert to float32 before you multiply or subtract: products and "
      .. "sums in float16 are too coarse.",
      zh = "请先转换成 float32 再相乘、相减：float16 的积与和太粗。"},
    {outcome = "unwritten", en = "The accumulator must be cleared before the loop, and every row "
      .. "of the result needs a block.", zh = "累加器要在循环之前清零，结果的每一行都要有线程块负责。"},
  }
  for _, row in ipairs(list) do
    all[#all + 1] = row
  end
  return all
end

local tail = {outcome = "wrong", en = "Right for some widths only? Then the last, narrower tile "
  .. "is missing: the loop needs T.ceildiv(N, WIDTH) iterations. Otherwise check whether the sum "
  .. "is cleared once, before the loop, and reduced with {clear = false}.",
  zh = "只有某些宽度正确？那么缺了最后那个较窄的分块：循环要走 T.ceildiv(N, WIDTH) 轮。否则请看"
    .. "和是不是只在循环之前清零一次，归约时是不是 {clear = false}。"}

return {
  name = "pipeline",
  title = {en = "Ask ahead", zh = "提前去要"},
  level = "medium", minutes = 35,
  teaches = {en = "more stages hide a slow memory; each costs a copy of the tiles",
    zh = "级数越多越能遮住慢内存，每一级都要一份分块的空间"},
  names = {"T.Pipelined", "pipelines", ":trace", "kernel:trace", "kernel:explain"},
  parts = {
    {
      name = "filter",
      title = {en = "From waiting to overlapping", zh = "从等待到重叠"},
      inputs = {
        -- not negative, so that a sum which lacks some columns is far from the right one
        {name = "X", shape = {"M", "N"}, dtype = "float16", fill = "uniform"},
        {name = "w", shape = {"N"}, dtype = "float16", fill = "uniform"},
      },
      outputs = {{name = "Y", shape = {"M"}, dtype = "float32"}},
      config = {{"BLOCK_M", BLOCK_M}},
      visible = {{M = 40, N = 696}, {M = 16, N = 512}, {M = 1, N = 8}},
      hidden = {M = {1, 70}, N = {8, 1000, 8}}, -- rows of 16 bytes times n
      beyond = {M = 227, N = 3016},
      large = {M = 16384, N = 8192},
      reference = function(x)
        return {Y = ref.gemv(x.X, x.w)}, {Y = ref.gemv(ref.abs(x.X), ref.abs(x.w))}
      end,
      -- A product of two float16 is exact in float32; N of them are added up, so N roundings.
      -- The scale is |X| |w|.
      precision = {acc = "float32", steps = function(size) return size.N end},
      goals = goals,
      explain = explain {tail},
    },
    {
      name = "compare",
      title = {en = "Two streams, one budget", zh = "两路数据，一份预算"},
      inputs = {
        {name = "X", shape = {"M", "N"}, dtype = "float16"},
        {name = "D", shape = {"M", "N"}, dtype = "float16"},
      },
      outputs = {{name = "E", shape = {"M"}, dtype = "float32"}},
      config = {{"BLOCK_M", BLOCK_M}},
      visible = {{M = 40, N = 696}, {M = 16, N = 512}, {M = 1, N = 8}},
      hidden = {M = {1, 70}, N = {8, 1000, 8}}, -- rows of 16 bytes times n
      beyond = {M = 227, N = 3016},
      large = {M = 16384, N = 8192},
      reference = function(x)
        local d = ref.sub(x.X, x.D)
        local e = ref.sum(ref.mul(d, d), 1)
        return {E = e}, {E = e}
      end,
      -- One rounding each for the difference (two half steps of the square: counted twice) and
      -- for its square, then N additions.  All terms are positive: the scale is the sum itself.
      precision = {acc = "float32", steps = function(size) return size.N + 3 end},
      goals = goals,
      explain = explain {
        {outcome = "wrong", cause = "zeros", en = "All zero: is the sum copied to E?",
          zh = "全是零：和写到 E 了吗？"},
        tail,
      },
    },
  },
}
