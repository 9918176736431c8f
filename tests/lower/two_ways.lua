-- A tile of a pipelined loop that is written in two parts, of which one could go by cp.async and the other not: both
-- stay in one stage.
local parts = {
  {"zeros, then a load", T.macro(function(s, A, ko)
    for i in T.Parallel(32) do s[i] = 0 end
    for i in T.Parallel(32) do s[i + 32] = A[ko * 8 + i] end
  end), function(a, ko, i) return i < 32 and 0 or a[ko * 8 + i - 32] end},
  {"a load, then zeros", T.macro(function(s, A, ko)
    for i in T.Parallel(32) do s[i + 32] = A[ko * 8 + i] end
    for i in T.Parallel(32) do s[i] = 0 end
  end), function(a, ko, i) return i < 32 and 0 or a[ko * 8 + i - 32] end},
  {"two loads, one moved by one", T.macro(function(s, A, ko)
    for i in T.Parallel(32) do s[i + 32] = A[ko * 8 + i] end
    for i in T.Parallel(32) do s[i] = A[ko * 8 + i + 1] end
  end), function(a, ko, i) return i < 32 and a[ko * 8 + i + 1] or a[ko * 8 + i - 32] end},
  {"a copy and one turned around", T.macro(function(s, A, ko)
    T.copy(A[ko * 8:ko * 8 + 32], s[32:64])
    for i in T.Parallel(32) do s[i] = A[31 - i] end
  end), function(a, ko, i) return i < 32 and a[31 - i] or a[ko * 8 + i - 32] end},
  {"two loads of one way", T.macro(function(s, A, ko)
    for i in T.Parallel(32) do s[i + 32] = A[ko * 8 + i] end
    for i in T.Parallel(32) do s[i] = A[ko * 8 + i + 8] end
  end), function(a, ko, i) return i < 32 and a[ko * 8 + i + 8] or a[ko * 8 + i - 32] end},
}

local a = tl.arange(128, "float16")
local numbers = {}
for i = 0, 127 do numbers[i] = i end

for _, part in ipairs(parts) do
  local said = {}
  for _, machine in ipairs {"sm_75", "sm_80", "sm_90a", "c500"} do
    for stages = 0, 4 do
      local f = tl.jit(function(A)
        A: T.Tensor({128}, T.float16)
        local C = T.empty({64}, T.float32)
        for _ in T.Kernel(1, {threads = 32}) do
          local s = T.alloc_shared({64}, T.float16)
          local sum = T.alloc_fragment({64}, T.float32)
          T.clear(sum)
          for ko in T.Pipelined(4, {num_stages = stages}) do
            part[2](s, A, ko)
            for i in T.Parallel(64) do sum[i] += s[i] end
          end
          T.copy(sum, C)
        end
        return C
      end, {target = "sim -arch=" .. machine})
      local got = f(a):totable()
      for i = 0, 63 do
        local want = 0
        for ko = 0, 3 do want = want + part[3](numbers, ko, i) end
        if got[i + 1] ~= want then said[#said + 1] = ("%s %d: [%d]"):format(machine, stages, i) break end
      end
    end
  end
  print(part[1], #said == 0 and "right" or table.concat(said, ", "))
end
