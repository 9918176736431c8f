-- 13-race: threads that read each other's cells, and the barriers between them.

-- After so many rounds, in each of which an inner cell becomes the mean of its neighbours.
local function relax(x, size, times)
  local rods = x:to("float64"):reshape {size.M * size.N}
  for _ = 1, times do
    local before = rods:copy()
    for i = 0, size.M * size.N - 1 do
      local t = i % size.N
      if t > 0 and t < size.N - 1 then
        rods[i] = (before[i - 1] + before[i + 1]) / 2
      end
    end
  end
  return rods:reshape {size.M, size.N}
end

local Rounds, Threads = 5, 128

-- Said of both parts.
local function explain(list)
  for _, e in ipairs {
    {code = "E637",
      en = "One statement reads a neighbour's cell and writes its own: no barrier fits inside a" ..
        " statement. Read into a variable of the thread (T.alloc_var), let all threads meet, " ..
        "then write.",
      zh = "同一条语句既读邻居的格子又写自己的格子，语句内部放不下屏障。请先读进线程自己的变量" ..
        "（T.alloc_var），所有线程会合之后再写。"},
    {code = "E602",
      en = "The read and the write are two statements now, but the `if` contains both, and not "
        .. "all threads enter it. End the `if` after the read, put T.sync_threads() there, and " ..
        "open another one for the write.",
      zh = "读和写已经分成两条语句，但都在同一个 `if` 里，并非所有线程都会进去。请在读之后结束 " ..
        "`if`，放上 T.sync_threads()，再另开一个 `if` 来写。"},
    {code = "E645",
      en = "A barrier is for all threads of the block; those that the `if` keeps out never reach "
        .. "it. Move T.sync_threads() before the `if`, or after its `end`.",
      zh = "屏障要求块内所有线程都到达；被 `if` 挡在外面的线程永远不会来。请把 T.sync_threads()" ..
        " 移到 `if` 之前，或它的 `end` 之后。"},
    {outcome = "race",
      en = "Look at the two lines of the message: one writes the cell, the other reads it, and "
        .. "nothing makes either one wait. All threads must pass a T.sync_threads() between "
        .. "them.",
      zh = "请看消息里的两行：一行写这个格子，另一行读它，谁也不等谁。两者之间必须有一个所有线" ..
        "程都经过的 T.sync_threads()。"},
    {outcome = "bounds",
      en = "Which threads have a left neighbour (t > 0), a right one (t < N - 1), a cell at all" ..
        " (t < N)? The others must not touch one.",
      zh = "哪些线程有左邻居（t > 0）、右邻居（t < N - 1）、自己的格子（t < N）？其余线程不能去" ..
        "碰。"},
    {outcome = "unwritten",
      en = "Does every thread t below N store its cell?",
      zh = "t 小于 N 的每个线程都写出自己的格子了吗？"},
  } do
    list[#list + 1] = e
  end
  return list
end

return {
  name = "race",
  title = {en = "A race", zh = "数据竞争"},
  level = "medium",
  minutes = 40,
  teaches = {
    en = "a kernel for single threads: who reads what another writes, and the barrier between",
    zh = "为单个线程编写内核：谁读取别人写的东西，以及两者之间的屏障",
  },
  names = {"T.get_thread_binding", "T.sync_threads", "T.alloc_var"},
  parts = {
    {
      name = "relaxed",
      title = {en = "Neighbours", zh = "邻居"},
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"ROUNDS", Rounds}, {"THREADS", Threads}},
      -- a cell for each thread; fewer; two inner cells; one (without any, `new` would be unused)
      visible = {{M = 3, N = 128}, {M = 2, N = 77}, {M = 2, N = 4}, {M = 1, N = 3}},
      hidden = {M = {1, 5}, N = {3, 128}},
      beyond = {M = 32},
      large = {M = 65536, N = 128},
      reference = function(x, size)
        return {B = relax(x.A, size, Rounds)}, {B = relax(ref.abs(x.A), size, Rounds)}
      end,
      -- A round adds two numbers, and halves the sum, which is exact.
      precision = {acc = "float32", steps = Rounds},
      cpu = false,
      explain = explain {
        {outcome = "wrong", pattern = "cols",
          en = "The ends of the rod, t = 0 and t = N - 1, keep their values; N may be less than" ..
            " THREADS.",
          zh = "杆的两端 t = 0 与 t = N - 1 保持原值；N 可能小于 THREADS。"},
        {outcome = "wrong",
          en = "Every round, all inner cells take the mean of the values their two neighbours " ..
            "had before that round. There are ROUNDS rounds.",
          zh = "每一轮，所有内部格子都取两个邻居在这一轮之前的值的平均。共 ROUNDS 轮。"},
      },
    },
    {
      name = "running",
      title = {en = "Running sums", zh = "前缀和"},
      inputs = {{name = "A", shape = {"M", "N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"M", "N"}, dtype = "float32"}},
      config = {{"THREADS", Threads}},
      visible = {{M = 3, N = 128}, {M = 2, N = 77}, {M = 1, N = 2}, {M = 1, N = 1}},
      hidden = {M = {1, 5}, N = {1, 128}},
      beyond = {M = 32},
      large = {M = 65536, N = 128},
      -- The second result: what is rounded on the way are sums of the same terms, at most about
      -- twice the root of the sum of their squares large, as a walk of random steps is.
      reference = function(x)
        local walk = ref.sqrt(ref.cumsum(ref.mul(x.A, x.A), 1))
        return {B = ref.cumsum(x.A, 1)}, {B = ref.mul(walk, 2)}
      end,
      precision = {acc = "float32", steps = function(size) return size.N end},
      cpu = false,
      explain = explain {
        {outcome = "wrong", cause = "shifted",
          en = "B[t] holds A[t] as well: the sum runs from 0 to t, both included.",
          zh = "B[t] 也包含 A[t]：从 0 加到 t，两端都算。"},
        {outcome = "wrong",
          en = "After the rounds with distances 1, 2, 4, .. d, cell t holds the sum of the last" ..
            " 2 d cells up to t. With N = 128 the last distance is 64.",
          zh = "距离为 1、2、4……d 的各轮之后，格子 t 存有截至 t 的最近 2 d 个格子之和。N = 128 " ..
            "时最后的距离是 64。"},
      },
    },
  },
}
