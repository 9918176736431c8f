-- Steps that would leave the loop variable's type behind the last round.
local function make(lo, hi, step)
  return load(([[return tl.jit(function(A, n, m)
    A: T.Tensor({24}, T.int32)
    n: T.int32
    m: T.int32
    local B = T.empty({8}, T.int32)
    for bx in T.Kernel(1, {threads = 64}) do
      local S = T.alloc_shared({8}, T.int32)
      T.clear(S)
      for j in T.serial(%s, %s, %s) do S[0] += 1 S[1] = j end
      for o in T.Parallel(8) do
        for j in T.serial(%s, %s - (n %% 2) * o %% 2, %s) do S[o] += 1 end
      end
      for o in T.Parallel(8) do B[o] = S[o] end
    end
    return B
  end)]]):format(lo, hi, step, lo, hi, step), "=k")()
end
local A, most = tl.arange(24, "int32"), 2147483647
local cases = {
  {"n", most, 5, most - 7, 0}, {"n", most, "m", most - 7, 5}, {"n", -most, -6, 8 - most, 0},
  {"n", "m", 7, most - 20, most - 1}, {-most, "n", "m", most, most}, {"n", "m", -9, 40 - most, -most},
  {0, "n", 64, 1000, 0}, {"n", "m", 3, 5, 5},
}
for i, c in ipairs(cases) do
  local k, want = make(c[1], c[2], c[3])
  for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=c500"} do
    tl.set_target(target)
    local got = tostring(k(A, c[4], c[5]))
    want = want or got
    if got ~= want then
      print(i, ("%s: %s instead of %s"):format(target, got, want))
    end
  end
  print(i, (want:gsub("%s+", " ")))
end
