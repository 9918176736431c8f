-- 22-wave64: lanes add up what they hold by shuffles, on warps of 32 lanes and of 64.

-- The lanes hand their values to each other: nothing but shuffles, and for whole blocks one
-- number a group of lanes through shared memory.
local function exchange(bytes)
  return {id = "exchange",
    en = ("the lanes exchange their values by shuffles, with at most %d bytes of shared memory " ..
      "and no atomics"):format(bytes),
    zh = ("各通道 用 shuffle 交换数值，共享内存至多 %d 字节，不用原子操作"):format(bytes),
    test = function(f)
      local shuffles = program.calls(f.thread, "shfl_") or program.calls(f.thread, "warp_reduce_")
      return shuffles and f.shared <= bytes and f.atomics == 0,
        ("%s, %d bytes of shared memory, %d atomics"):format(shuffles and "shuffles" or
          "no shuffles", f.shared, f.atomics),
        ("%s，共享内存 %d 字节，原子操作 %d 处"):format(shuffles and "有 shuffle" or "没有 shuffle",
          f.shared, f.atomics)
    end}
end

-- Said of both parts, behind what is said of one.
local function explain(list)
  for _, e in ipairs {
    {code = "E644",
      en = "A shuffle reads the register of another lane, and that lane must be at the shuffle," ..
        " too. Take it out of the `if`; lanes without an element contribute a 0.",
      zh = "shuffle 读取另一个通道 的寄存器，那个通道 也必须执行到这条 shuffle。请把它移到 `if`" ..
        " 之外；没有元素的通道 带一个 0 来。"},
    {code = "E829",
      en = "A warp of 32 lanes has no group of 64: groups of 32, five steps, are there on both" ..
        " machines. What two groups of a warp of 64 hold, they hand on through shared memory.",
      zh = "32 个通道的 warp 中没有 64 个通道的组：32 个一组、走五步，在两种机器上都成立。" ..
        "64 通道的 warp 中两组各自的和，经共享内存传递。"},
    {goal = "exchange",
      en = "Right, but not by shuffles alone: v += T.shfl_xor(v, 16 >> r), r from 0 to 4, " ..
        "leaves the sum of 32 lanes in each of them.",
      zh = "结果正确，但不是只靠 shuffle：v += T.shfl_xor(v, 16 >> r)，r 从 0 到 4，之后 32 个" ..
        "通道 中的每一个都持有总和。"},
    {outcome = "race",
      en = "Several lanes store to one place. One lane of a group is enough: t % 32 == 0.",
      zh = "多个通道 写到同一处。一组里有一个通道 来写就够了：t % 32 == 0。"},
  } do
    list[#list + 1] = e
  end
  return list
end

return {
  name = "wave64",
  title = {en = "Thirty-two or sixty-four", zh = "三十二还是六十四"},
  level = "hard",
  minutes = 40,
  teaches = {
    en = "shuffles: a sum without shared memory that holds for warps of 32 and of 64 lanes",
    zh = "shuffle：不用共享内存求和，而且在 32 与 64 个通道 的 warp 上都成立",
  },
  names = {"T.shfl_xor", "T.get_lane_idx", "T.get_warp_idx", "T.warp_reduce_sum"},
  parts = {
    {
      name = "group_sum",
      title = {en = "Groups of 32", zh = "32 个一组"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"(N+31)//32"}, dtype = "float32"}},
      config = {{"THREADS", 128}},
      -- two blocks; a group that is not full; one block; one element
      visible = {{N = 256}, {N = 333}, {N = 128}, {N = 1}},
      hidden = {N = {1, 700}},
      beyond = {N = 2117},
      large = {N = 16777216},
      reference = function(x, size)
        local groups = (size.N + 31) // 32
        local rows = tl.zeros({groups * 32}, "float64")
        for i = 0, size.N - 1 do
          rows[i] = x.A[i]
        end
        rows = rows:reshape {groups, 32}
        -- as in puzzle 5: sums on the way are as large as a walk of random steps
        return {B = ref.sum(rows, 1)}, {B = ref.mul(ref.sqrt(ref.sum(ref.mul(rows, rows), 1)), 2)}
      end,
      precision = {acc = "float32", steps = 31},
      cpu = false,
      warps = {32, 64},
      goals = {exchange(0)},
      explain = explain {
        {outcome = "unwritten",
          en = "On a machine of 64 lanes a warp holds two groups: T.get_lane_idx() runs to 63 " ..
            "and T.get_warp_idx() counts half as far. Count groups of 32 by the thread: t % 32," ..
            " t // 32.",
          zh = "在 64 个通道 的机器上，一个 warp 装着两组：T.get_lane_idx() 数到 63，" ..
            "T.get_warp_idx() 只数到一半。请用线程号按 32 分组：t % 32、t // 32。"},
        {outcome = "wrong",
          en = "Which 32 lanes does each value come from? A shuffle of width 32, the default, " ..
            "stays inside its group of 32; T.warp_reduce_sum takes the whole warp, 64 lanes "
              .. "where it has that many.",
          zh = "每个和来自哪 32 个通道？width 为 32（默认值）的 shuffle 只在 32 个一组之内交" ..
            "换；T.warp_reduce_sum 则取整个 warp，可能有 64 个通道。"},
      },
    },
    {
      name = "row_sum",
      title = {en = "A block for a row", zh = "一个块求一行之和"},
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"M"}, dtype = "float32"}},
      config = {{"THREADS", 128}},
      visible = {{M = 8, N = 256}, {M = 2, N = 300}, {M = 1, N = 128}, {M = 2, N = 1}},
      hidden = {M = {1, 6}, N = {1, 600}},
      beyond = {M = 35, N = 1817},
      large = {M = 16384, N = 4096},
      reference = function(x)
        local walk = ref.sqrt(ref.sum(ref.mul(x.A, x.A), 1))
        return {B = ref.sum(x.A, 1)}, {B = ref.mul(walk, 2)}
      end,
      precision = {acc = "float32", steps = function(size) return size.N end},
      cpu = false,
      warps = {32, 64},
      stars = false, -- the goal limits what else could be spared: eight turns of shared memory
      goals = {exchange(16)},
      explain = explain {
        {outcome = "unwritten", code = "E606",
          en = "A warp of 64 lanes stores one number, so fewer places of shared memory are " ..
            "filled. Either use one number for each 32 lanes, or clear what no warp fills.",
          zh = "64 个通道 的 warp 只写一个数，共享内存里填上的位置就少了。要么每 32 个通道 一个" ..
            "数，要么先把没有 warp 来填的位置清零。"},
        {outcome = "wrong", cause = "factor",
          en = "All sums are doubled, or halved: some value is counted twice, or a group of " ..
            "lanes is left out, on machines of one width.",
          zh = "所有的和都加倍或减半：在某一种宽度的机器上，有的值算了两次，或者漏了一组通道。"},
        {outcome = "wrong",
          en = "Do the numbers of all groups reach thread 0? With 128 threads there are four " ..
            "groups of 32, whatever a warp is on this machine.",
          zh = "各组的数都到了线程 0 吗？128 个线程有四个 32 个一组，不论这台机器的 warp 有多" ..
            "宽。"},
      },
    },
  },
}
