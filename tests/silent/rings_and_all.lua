-- Pipelined loops of more rounds than the checker of barriers looks at, which also read a tile that
-- has an element for each round: the rounds that it leaves out are a whole number of turns of the ring.
-- No warning, and as many barriers for every number of rounds.
local f16, f32 = T.float16, T.float32
local k = tl.jit(function(X, S, C)
  local N = T.const "N"
  X: T.Tensor({N, 64}, f32)
  S: T.Tensor({N}, f32)
  C: T.Tensor({64}, f32)
  for _ in T.Kernel(1, {threads = 64}) do
    local s, x = T.alloc_shared({N}, f32), T.alloc_shared({64}, f32)
    local acc = T.alloc_fragment({64}, f32)
    T.copy(S, s)
    T.clear(acc)
    for ko in T.Pipelined(N, {num_stages = 4}) do
      T.copy(X[ko, 0], x)
      for i in T.Parallel(64) do
        acc[i] += x[63 - i] * s[ko]
      end
    end
    T.copy(acc, C)
  end
end)
for _, machine in ipairs {"sm_80", "sm_90a", "sm_75", "c500"} do
  tl.set_target("sim -arch=" .. machine)
  local counts = {}
  for _, n in ipairs {64, 65, 66, 67, 68, 71, 79, 127, 130} do
    local _, bars = k:compile {N = n}:ir "thread":gsub("bar_sync", "")
    counts[#counts + 1] = bars
    local x, s, c = tl.randn({n, 64}, f32), tl.randn({n}, f32), tl.zeros({64}, f32)
    k(x, s, c)
  end
  print(machine, table.concat(counts, " "))
end
