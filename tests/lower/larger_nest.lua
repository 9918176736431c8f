-- A loop larger than the fragment that it touches under a condition: the fragment's layout
-- follows the loop's, with threads and slots that hold nothing.
local function build(M, N, P, Q)
  return tl.jit(function(A)
    A: T.Tensor({M, N}, T.float32)
    local B, R, S = T.empty({M, N}, T.float32), T.empty({M}, T.float32), T.empty({M, N}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local F = T.alloc_fragment({M, N}, T.float32)
      local r = T.alloc_fragment({M}, T.float32)
      T.copy(A, F)
      for i, j in T.Parallel(P, Q) do
        if i < M and j < N then F[i, j] = F[i, j] * 2 end
      end
      T.copy(F, B)
      T.reduce_sum(F, r, 1)
      T.copy(r, R)
      T.reduce_max(F, r, 1)
      for i, j in T.Parallel(M, N) do
        S[i, j] = F[i, j] - r[i]
      end
    end
    return B, R, S
  end)
end

local function run(target, s)
  local M, N = s[1], s[2]
  tl.set_target(target)
  tl.manual_seed(1)
  local a = tl.randn({M, N}, "float32")
  return build(table.unpack(s))(a)
end

for _, s in ipairs{{1, 64, 1, 65}, {1, 64, 1, 129}, {1, 64, 1, 1000}, {4, 16, 5, 17}, {4, 16, 4, 1000}, {3, 5, 130, 7},
                   {16, 16, 64, 64}, {8, 30, 9, 257}, {2, 32, 300, 32}} do
  local b, r, m = run("cpu", s)
  local line = {}
  for _, target in ipairs{"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"} do
    local b1, r1, m1 = run(target, s)
    local same = tl.allclose(b1, b) and tl.allclose(r1, r, {atol = 1e-4}) and tl.allclose(m1, m)
    line[#line + 1] = same and "same" or target
  end
  print(("%d, %d in %d, %d: "):format(table.unpack(s)) .. table.concat(line, " "))
end
