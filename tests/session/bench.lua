-- s:bench: kernels interleaved, with rotated arguments; what a device knows.
local device = require "moontile.tl.device"

local function make(target)
  return tl.jit(function(A, x)
    local N = T.const "N"
    A: T.Tensor({N}, "int32")
    x: T.int32
    for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
      for i in T.Parallel(256) do
        A[bx * 256 + i] = A[bx * 256 + i] + x
      end
    end
  end, {target = target})
end

for _, target in ipairs {"cpu", "cpu -devcopy", "sim"} do
  local s = device.session(target)
  local k = make(target):compile {N = 300}
  local m1, m2 = s:load(k.info.path, "one"), s:load(k.info.path, "two", nil, {true, false})
  local sets = {}
  for i = 1, 3 do
    sets[i] = {{tl.zeros({300}, "int32"), 1}, {tl.zeros({300}, "int32"), 100}}
  end
  local ms, mhz = s:bench({m1, m2}, sets, {warmup = 2, rounds = 5, batch = 2})
  print(target, #ms, #ms[1], #ms[2], #mhz, ms[1][1] > 0 and ms[2][5] > 0, mhz[1] == 0)
  local counts = {}
  for i = 1, 3 do -- the first set is warmed up with; rounds 1 4, 2 5, 3
    counts[i] = sets[i][1][1][0] .. " " .. sets[i][2][1][299]
  end
  print(table.concat(counts, ", "))
  -- a flush goes through the machine's last cache, which may be large: few of them
  s:bench({m1}, {{sets[1][1]}}, {rounds = 3, flush = target == "cpu"})
  ms = s:bench({m1}, {{sets[1][1]}}, {rounds = 997})
  print(#ms[1], sets[1][1][1][7])
  print(s:options())
  local facts, n = s:prepare(m1), 0
  for _ in pairs(facts) do
    n = n + 1
  end
  print("facts", n)
  local ok, e = pcall(s.text, s, m1, "ptx")
  print(ok, (tostring(e):gsub("^.-error", "error")))
  ok, e = pcall(s.bench, s, {m1, m2}, {{sets[1][1]}})
  print(ok, (tostring(e):gsub("^.-bad", "bad")))
end
