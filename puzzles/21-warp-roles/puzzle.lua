-- 21-warp-roles: column sums by two roles: one group of threads fetches, the other adds.

-- M additions of two terms each, one after the other, in float32; measured against twice
-- sqrt(sum of squares), what the partial sums of terms of both signs are about as large as (the
-- sum of magnitudes is 0.4 sqrt(M) times that, too wide a limit for a missing row).
local function reference(x)
  local walk = ref.sqrt(ref.sum(ref.mul(x.A, x.A), 0))
  return {B = ref.sum(x.A, 0)}, {B = ref.mul(walk, 2)}
end
local precision = {acc = "float32", steps = function(size) return size.M end}

local weak = {
  outcome = "weak",
  en = "Keep the stages and the sum in T.float32: sums of float16 lose a digit every few rows.",
  zh = "各级与累加值都用 T.float32：float16 的累加每隔几行就丢一位。",
}
local nothing_yet = {
  outcome = "wrong", cause = "zeros",
  en = "The sums are still 0: group 0 has yet to add the rows of each tile, stages[s, r, t], to "
    .. "sum.",
  zh = "和仍然是 0：第 0 组还没有把每一块的各行 stages[s, r, t] 加到 sum 上。",
}
local last_columns = {
  outcome = "bounds",
  en = "The last block has fewer columns than threads: only threads of a column that exists " ..
    "may write, bx * 128 + t < N.",
  zh = "最后一个线程块的列数少于线程数：只有列存在的线程才可写入，即 bx * 128 + t < N。",
}

local inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}}
local outputs = {{name = "B", shape = {"N"}, dtype = "float32"}}
local config = {{"ROWS", 8}}

return {
  name = "warp-roles",
  title = {en = "Two roles", zh = "两种角色"},
  level = "hard",
  minutes = 50,
  teaches = {
    en = "a group that fetches and a group that computes, and two barriers per stage that keep "
      .. "order",
    zh = "一组线程取数、一组线程计算，每级两个屏障维持先后",
  },
  names = {"T.ws", "T.alloc_barrier", "T.barrier_wait", "T.barrier_arrive", "T.alloc_var"},
  parts = {
    {
      name = "turns",
      title = {en = "In turns", zh = "步调一致"},
      inputs = inputs, outputs = outputs, config = config,
      -- eight tiles of rows; ragged both ways; less than a tile
      visible = {{M = 64, N = 128}, {M = 43, N = 200}, {M = 5, N = 3}},
      hidden = {M = {1, 100}, N = {1, 300}},
      beyond = {M = 317, N = 917},
      large = {M = 8192, N = 16384},
      reference = reference,
      precision = precision,
      cpu = false,
      warps = {32, 64}, -- T.ws, shared memory and one barrier: any machine has these
      explain = {
        weak, last_columns, nothing_yet,
        {outcome = "race",
          en = "Group 1 fills a stage while group 0 reads it. In one iteration they must be at "
            .. "different stages: tile k is fetched, tile k - 1 added. And both T.ws belong in "
            .. "one loop.",
          zh = "第 0 组还在读某一级时，第 1 组就在填它。同一轮里两组必须在不同的级：取第 k 块，加第 k - 1 " ..
            "块。两个 T.ws 都要写在同一个按轮次的循环里。"},
        {outcome = "unwritten",
          en = "A stage was read before it was filled. Within an iteration nobody waits for the "
            .. "other group: in iteration k add what iteration k - 1 fetched, and nothing in "
            .. "iteration 0. And B needs a value for each column.",
          zh = "某一级还没填就被读了。同一轮之内两组互不等待：第 k 轮加第 k - 1 轮取来的块，第 0 轮什么也不加。" ..
            "另外，B 的每一列都要有值。"},
        {outcome = "wrong",
          en = "Adding lags one iteration behind fetching: T.ceildiv(M, ROWS) tiles take one "
            .. "more iteration. And a T.sync_threads() inside a T.ws keeps no order: half of the "
            .. "threads never reach it.",
          zh = "相加比取数晚一轮：T.ceildiv(M, ROWS) 块需要多一轮。另外，写在 T.ws 里面的 T.sync_threads() 维持不了" ..
            "先后：有一半线程不会到那里。"},
      },
    },
    {
      name = "roles",
      title = {en = "At their own pace", zh = "各按各的节奏"},
      inputs = inputs, outputs = outputs, config = config,
      visible = {{M = 64, N = 128}, {M = 43, N = 200}, {M = 5, N = 3}},
      hidden = {M = {1, 100}, N = {1, 300}},
      beyond = {M = 317, N = 917},
      large = {M = 8192, N = 16384},
      reference = reference,
      precision = precision,
      cpu = false,
      warps = {32}, -- barrier objects: no machine with 64 lanes has them
      goals = {
        {
          id = "pace",
          en = "the groups meet at barrier objects, never all at once",
          zh = "两组只通过屏障对象会合，不做全体同步",
          test = function(f)
            local barriers = #program.find(f.thread, {op = "bar_sync"})
            local own = program.calls(f.tile, "sync_threads")
            return not own and barriers <= 1 and #program.find(f.tile, {op = "mbar_wait"}) > 0,
              own and "T.sync_threads stops all threads" or "all threads meet in every iteration",
              own and "T.sync_threads 会让所有线程停下" or "所有线程每一轮都要会合"
          end,
        },
        {
          id = "stages",
          en = "shared memory holds three tiles, however many rows there are",
          zh = "无论有多少行，共享内存只放三级",
          test = function(f)
            local most = 3 * 8 * 128 * 4 + 64
            return f.shared <= most, ("%d bytes of shared memory; %d suffice"):format(f.shared, most),
              ("用了 %d 字节共享内存，只需 %d 字节"):format(f.shared, most)
          end,
        },
      },
      explain = {
        weak, last_columns, nothing_yet,
        {outcome = "race",
          en = "One of the four signs is missing or comes too early. Group 1: wait for empty, fill, " ..
            "arrive at full. Group 0: wait for full, add, arrive at empty.",
          zh = "四个信号中缺了一个，或给得太早。第 1 组：等 empty、填入、到达 full。第 0 组：等 full、相加、" ..
            "到达 empty。"},
        {outcome = "hang",
          en = "A thread waits for a phase that never ends: count the arrivals (128 threads "
            .. "arrive, so " ..
            "the barrier must be made for 128) and the parities (full: k // 3 % 2; empty: one " ..
            "ahead, (k // 3 + 1) % 2).",
          zh = "有线程在等一个永远不结束的阶段：请核对到达次数（128 个线程到达，屏障就要按 128 建立）和奇偶" ..
            "（full 用 k // 3 % 2；empty 早一拍，用 (k // 3 + 1) % 2）。"},
        {goal = "pace",
          en = "One loop for each group now, each inside its own T.ws; they meet only at full "
            .. "and empty.",
          zh = "现在每组各有自己的循环，写在各自的 T.ws 之内，两组只在 full 和 empty 处会合。"},
        {goal = "stages",
          en = "Tile k goes to stage k % 3.",
          zh = "第 k 块放入第 k % 3 级。"},
        {outcome = "unwritten",
          en = "A stage was read before it was filled: wait for full[k % 3] first, with parity " ..
            "k // 3 % 2.",
          zh = "某一级还没填就被读了：请先以奇偶 k // 3 % 2 等待 full[k % 3]。"},
        {outcome = "wrong",
          en = "Both groups must walk over the same tiles, 0 .. T.ceildiv(M, ROWS) - 1.",
          zh = "两组必须走过同样的块：0 .. T.ceildiv(M, ROWS) - 1。"},
      },
    },
  },
}
