-- 01-copy: B = A by one thread, by the threads of a block, by many blocks.

-- Blocks that a kernel with tiles of 1024 starts for n elements.
local function tiles(n)
  return (n + 1023) // 1024
end

local function copied(x)
  return {B = ref.add(x.A, 0)}
end

-- What a kernel is tried on: a ragged size, one tile, several, a single element.
local sizes = {{N = 2500}, {N = 1024}, {N = 5000}, {N = 1}}

-- Is there an assignment to global memory that more than one thread makes?  What thread 0
-- makes alone stands behind a question of its own.
local function shared_work(p)
  local global = program.buffers(p, {scope = "global"})
  for _, s in ipairs(p.statements) do
    if program.among(s.writes, global) and not program.within(p, s, {kind = "if", lone = true}) then
      return true
    end
  end
  return false
end

-- Do the threads of the block share the work?
local threads = {
  id = "threads",
  en = "at least 32 threads do the copying",
  zh = "至少 32 个线程参与复制",
  test = function(f)
    if f.threads < 32 then
      return false, ("the block has %d"):format(f.threads),
        ("线程块只有 %d 个线程"):format(f.threads)
    end
    return shared_work(f.thread), "thread 0 does all the work, the others wait",
      "所有的工作都由线程 0 完成，其余线程在等待"
  end,
}

-- Hints for failures that both parts share; they come first.
local function hints(more)
  local list = {
    {
      goal = "threads",
      en = "A serial loop is done by one thread, however many there are. T.Parallel spreads its "
        .. "iterations over all of them; {threads = 128} says how many there are.",
      zh = "串行循环总由一个线程完成，无论线程有多少。T.Parallel 把各次迭代分给所有线程；" ..
        "{threads = 128} 给出线程数。",
    },
    {
      code = "E126",
      en = "The number of iterations is a whole number, and counts for the block, not for each "
        .. "thread: the compiler deals them out.",
      zh = "迭代次数是整数，而且按整个线程块来数，不是按每个线程；分给各线程是编译器的事。",
    },
    {
      code = "E512",
      en = "Two iterations of one block write the same element: the index must grow by one from "
        .. "iteration to iteration. For tile bx it is bx * BLOCK + i.",
      zh = "同一线程块的两次迭代写了同一个元素：下标应随迭代逐一增加。第 bx 个分块的下标是 " ..
        "bx * BLOCK + i。",
    },
    {
      outcome = "unwritten",
      pattern = "one",
      en = "A single element is missing: everything is counted from 0, to N - 1.",
      zh = "只缺一个元素：一律从 0 数到 N - 1。",
    },
  }
  return table.move(more, 1, #more, #list + 1, list)
end

return {
  name = "copy",
  title = {en = "Copy", zh = "复制"},
  level = "easy",
  minutes = 15,
  teaches = {
    en = "blocks, threads and tiles: who does which part",
    zh = "线程块、线程与分块：谁做哪一部分",
  },
  names = {"tl.jit", "T.Tensor", "T.const", "T.empty", "T.Kernel", "T.Serial", "T.Parallel",
    "T.ceildiv", "T.copy"},
  parts = {
    {
      name = "copy_serial",
      title = {en = "by one thread", zh = "一个线程"},
      given = true,
      inputs = {{name = "A", shape = {"N"}, dtype = "float16"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float16"}},
      visible = {{N = 1000}, {N = 1}},
      hidden = {N = {1, 1500}},
      beyond = {N = 4517},
      reference = copied,
      precision = "exact",
    },
    {
      name = "copy_threads",
      title = {en = "by the threads of one block", zh = "一个线程块的所有线程"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float16"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float16"}},
      visible = sizes,
      hidden = {N = {1, 6000}},
      beyond = {N = 18017},
      asked = {N = {64, 6000}}, -- fewer elements are no work to share
      large = {N = 1 << 20},
      reference = copied,
      precision = "exact",
      goals = {
        threads,
      },
      explain = hints {
        {
          outcome = "unwritten",
          en = "Some elements of B were never written. The loop must have N iterations, not one "
            .. "per thread: T.Parallel(N) may be larger than the number of threads.",
          zh = "B 中有元素从未写入。循环要有 N 次迭代，而不是每个线程一次：T.Parallel(N) " ..
            "可以比线程数更长。",
        },
        {
          outcome = "wrong",
          en = "Element i of B must come from element i of A: the same index on both sides.",
          zh = "B 的第 i 个元素来自 A 的第 i 个元素：两边用同一个下标。",
        },
      },
    },
    {
      name = "copy_blocks",
      title = {en = "by many blocks", zh = "许多线程块"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float16"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float16"}},
      config = {{"BLOCK", 1024}},
      visible = sizes,
      hidden = {N = {1, 6000}},
      beyond = {N = 18017},
      asked = {N = {1000, 6000, 8}}, -- tiles that are mostly whole, rows that begin with a sector
      large = {N = 1 << 26},
      reference = copied,
      precision = "exact",
      goals = {
        threads,
        {
          id = "blocks",
          en = "one block for every BLOCK elements",
          zh = "每 BLOCK 个元素一个线程块",
          test = function(f)
            return f.blocks == tiles(f.size.N),
              ("%d blocks for %d elements"):format(f.blocks, f.size.N),
              ("%d 个元素用了 %d 个线程块"):format(f.size.N, f.blocks)
          end,
        },
        {
          id = "once",
          en = "each block copies its own tile, and nothing else",
          zh = "每个线程块只复制自己的分块",
          test = function(f)
            local times = f.bytes / f.least -- an `if` for each element costs up to twice as much
            return times < 2.5, ("%.0f times as many bytes move as needed"):format(times),
              ("搬运的字节数是所需的 %.0f 倍"):format(times)
          end,
        },
      },
      explain = hints {
        {
          outcome = "race",
          en = "Two blocks write the same elements. The tile of block bx begins at bx * BLOCK " ..
            "and ends before (bx + 1) * BLOCK, in A and in B.",
          zh = "两个线程块写了相同的元素。线程块 bx 的分块从 bx * BLOCK 开始，到 (bx + 1) * BLOCK " ..
            "之前结束，A 与 B 都是如此。",
        },
        {
          outcome = "unwritten",
          pattern = "tail",
          en = "The end of B is missing. Is there a block for it? N // BLOCK rounds down, " ..
            "T.ceildiv(N, BLOCK) rounds up, and a 1 in T.Kernel(1, ..) is one block. And does block " ..
            "bx work on its own tile, from bx * BLOCK up to (bx + 1) * BLOCK?",
          zh = "B 的末尾没有写入。有负责它的线程块吗？N // BLOCK 向下取整，T.ceildiv(N, BLOCK) 向上取整；" ..
            "T.Kernel(1, ..) 中的 1 表示只有一个线程块。线程块 bx 处理的是自己的分块吗，即从 bx * BLOCK " ..
            "到 (bx + 1) * BLOCK 之前？",
        },
        {
          outcome = "unwritten",
          pattern = "every",
          en = "A piece of every tile is missing: does a block copy all BLOCK elements? A[lo] is one " ..
            "element; a slice A[lo:hi] ends before hi.",
          zh = "每个分块都缺了一段：线程块复制了全部 BLOCK 个元素吗？A[lo] 只是一个元素；切片 A[lo:hi] " ..
            "在 hi 之前结束。",
        },
        {
          outcome = "unwritten",
          en = "Some elements of B were never written. There must be a block for each tile, " ..
            "T.ceildiv(N, BLOCK) of them, and each must copy all BLOCK elements of its own: from " ..
            "bx * BLOCK up to (bx + 1) * BLOCK.",
          zh = "B 中有元素从未写入。每个分块都要有一个线程块，共 T.ceildiv(N, BLOCK) 个；每块复制自己的 " ..
            "全部 BLOCK 个元素：从 bx * BLOCK 到 (bx + 1) * BLOCK 之前。",
        },
        {
          goal = "blocks",
          en = "The result is right. Now let T.Kernel start T.ceildiv(N, BLOCK) blocks, and each " ..
            "of them copy only the BLOCK elements of its own tile.",
          zh = "结果正确。现在让 T.Kernel 启动 T.ceildiv(N, BLOCK) 个线程块，每块只复制自己分块的 " ..
            "BLOCK 个元素。",
        },
        {
          goal = "once",
          en = "The result is right, but every block copies more than its tile: slice A and B " ..
            "from bx * BLOCK to (bx + 1) * BLOCK.",
          zh = "结果正确，但线程块复制的内容超出了自己的分块：A 与 B 都应取 bx * BLOCK 到 " ..
            "(bx + 1) * BLOCK 的切片。",
        },
        {
          outcome = "wrong",
          en = "The tile must begin at the same place in A and in B: bx * BLOCK.",
          zh = "分块在 A 与 B 中的起点相同，都是 bx * BLOCK。",
        },
      },
    },
  },
}
