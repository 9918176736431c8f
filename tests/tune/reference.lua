-- ref_prog: one tensor for each of the kernel's results, or what it writes to its arguments.
local two = tl.jit(function(A, BN)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B, C = T.empty({N}, T.float32), T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = 32}) do
    for i in T.Parallel(BN) do
      B[bx * BN + i] = A[bx * BN + i] * 2
      C[bx * BN + i] = A[bx * BN + i] + 1
    end
  end
  return B, C
end)
local place = tl.jit(function(A, B, BN)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = 32}) do
    for i in T.Parallel(BN) do B[bx * BN + i] = A[bx * BN + i] * 2 end
  end
end)

local function try(name, k, ref)
  local ok, e = pcall(k.tune, k, {ref_prog = ref, space = {BN = {32}}, cache = false, rep = 1})
  print(name, ok, ok and "" or (tostring(e):gsub("^.-first one failed here: ", ""):gsub("\n +%d+ |[^\n]*", ""):gsub("\n +|", "\n"):gsub("%-?%d+%.%d+", "X")))
end

local k, p = two:compile {N = 64, BN = 64}, place:compile {N = 64, BN = 64}
try("both", k, function(a) return a * 2, a + 1 end)
try("a list", k, function(a) return {a * 2, a + 1} end)
try("one of two", k, function(a) return a * 2 end)
try("nothing", k, function() end)
try("three", k, function(a) return a * 2, a + 1, a end)
try("a number", k, function() return 3, 4 end)
try("second wrong", k, function(a) return a * 2, a end)
try("returns", p, function(a) return a * 2 end)
try("writes", p, function(a, b) for i = 0, 63 do b[i] = a[i] * 2 end end)
try("writes wrong", p, function(_, b) b[3] = 1e9 b[4] = 1e9 end)
for _, budget in ipairs {-5, "-1s"} do
  print(pcall(k.tune, k, {budget = budget, cache = false}))
end
