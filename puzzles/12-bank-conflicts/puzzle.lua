-- 12-bank-conflicts: the transpose of puzzle 11, whose tile is read without waiting for banks.

local goals = {
  conflicts = {id = "conflicts", everywhere = true, en = "no bank conflict in any access to "
    .. "shared memory",
    zh = "共享内存的每次访问都没有 bank 冲突",
    test = function(f)
      return f.ways <= 1, ("the worst access to shared memory is %d-way"):format(f.ways),
        ("最坏的一次共享内存访问是 %d 路冲突"):format(f.ways)
    end},
  sectors = {id = "sectors", en = "no more than 1.1 times the sectors that the data fills",
    zh = "搬运的扇区数不超过数据本身所占扇区的 1.1 倍",
    test = function(f)
      return f.sectors <= 1.1 * f.ideal_sectors,
        ("a block moves %.0f sectors where %.0f would do"):format(f.sectors, f.ideal_sectors),
        ("一个线程块搬运 %.0f 个扇区，其实 %.0f 个就够"):format(f.sectors, f.ideal_sectors)
    end},
  memory = {id = "memory", everywhere = true, en = "no more shared memory than the tile's 4096 bytes",
    zh = "共享内存不超过这个块本身的 4096 字节",
    test = function(f)
      return f.shared <= 4096, ("a block takes %d bytes"):format(f.shared),
        ("一个线程块用了 %d 字节"):format(f.shared)
    end},
}

-- Said of both parts, behind what is said of one.
local function explain(list)
  for _, e in ipairs {
    {goal = "sectors",
      en = "That avoids the banks by avoiding shared memory. Keep the tile there: T.copy brings" ..
        " its rows in, and the loop reads its columns.",
      zh = "不用共享内存自然没有 bank 冲突，但全局内存又多搬了扇区。请保留共享内存里的块：" ..
        "T.copy 按行搬入，循环按列读出。"},
    {code = "E123",
      en = "A matrix that is smaller than a tile needs a block, too: T.ceildiv rounds up.",
      zh = "比一个块还小的矩阵也需要一个线程块：T.ceildiv 向上取整。"},
    {outcome = "unwritten", code = "E606",
      en = "A cell of the tile was read that no copy fills: is it one of the padding column?",
      zh = "读到了块中没有填过的格子：是不是填充用的那一列？"},
    {outcome = "unwritten",
      en = "Nobody wrote there. T.ceildiv counts the tile that is not full, too; the first " ..
        "number of the grid counts tiles along N.",
      zh = "那里没有人写。T.ceildiv 会把不满的块也算进去；网格的第一个数沿 N 数块。"},
    {outcome = "wrong",
      en = "How a tile is stored in shared memory never changes what is in it: as before, "
        .. "element [j, i] of the transposed tile is tile[i, j].",
      zh = "块在共享内存里怎么摆放，不影响它的内容：转置后块的 [j, i] 仍然是 tile[i, j]。"},
  } do
    list[#list + 1] = e
  end
  return list
end

local function part(name, title, goal_list, list)
  return {
    name = name,
    title = title,
    inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
    outputs = {{name = "B", shape = {"N", "M"}, dtype = "float32"}},
    config = {{"BLOCK_M", 32}, {"BLOCK_N", 32}},
    -- six tiles, where conflicts are counted; ragged in both directions; a row
    visible = {{M = 64, N = 96}, {M = 70, N = 101}, {M = 1, N = 32}},
    hidden = {M = {1, 100}, N = {1, 100}},
    beyond = {M = 317, N = 317},
    asked = {M = {32, 96, 32}, N = {32, 160, 32}}, -- rows that begin with a sector
    large = {M = 8192, N = 8192},
    reference = function(x)
      return {B = ref.transpose(x.A)}
    end,
    precision = "exact",
    goals = goal_list,
    explain = explain(list),
  }
end

return {
  name = "bank-conflicts",
  title = {en = "Bank conflicts", zh = "Bank 冲突"},
  level = "medium",
  minutes = 40,
  teaches = {
    en = "shared memory is 32 banks wide: pad or swizzle a tile that is read by columns",
    zh = "共享内存有 32 个 bank：按列读的块要么填充，要么 swizzle",
  },
  names = {"T.annotate_layout", "T.Layout"},
  parts = {
    part("padded", {en = "A column of padding", zh = "填充一列"}, {goals.conflicts,
      goals.sectors}, {
      {goal = "conflicts",
        en = "The cells of a column are a row's length apart, and so are their banks. Which " ..
          "length takes eight lanes, four rows apart, to banks that differ?",
        zh = "同一列的相邻格子相隔一行的长度，它们的 bank 也是。行长取多少，才能让相隔四行的八" ..
          "个通道落在不同的 bank？"},
    }),
    part("swizzled", {en = "A swizzle", zh = "Swizzle"},
      {goals.conflicts, goals.sectors, goals.memory}, {
        {goal = "conflicts",
          en = "In one column, every row must meet a different bank. The bank of a cell is its " ..
            "place % 32, so the row has to take part in those 32, and still give each cell its "
              .. "own.",
          zh = "同一列中，每一行都应落在不同的 bank。格子的 bank 是它的位置 % 32：行号要参与决" ..
            "定这 32 种位置，又不能让两个格子重合。"},
        {goal = "memory",
          en = "The tile has its 32 x 32 cells and no more; only their places change. That is " ..
            "what T.annotate_layout says.",
          zh = "块只有 32 x 32 个格子，改变的只是它们的位置：这正是 T.annotate_layout 的用途。"},
        {outcome = "compile",
          en = "A layout gives every cell of the tile its own place, by adding multiples " ..
            "of the digits of i and j, and at most one XOR ( ~ in Lua).",
          zh = "布局要给块中的每个格子一个独有的位置：由 i、j 各位数字的倍数相加，最多再加一次" ..
            "异或（Lua 中写作 ~）。"},
      }),
  },
}
