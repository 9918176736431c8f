-- Loads under a condition, several beside each other in a round of the loop: gcc's vectors of them had the mask of the
-- first, or the order of memory.
local f = tl.jit(function(A, B)
  A: T.Tensor({64, 4}, T.int8)
  B: T.Tensor({64, 4}, T.float64)
  local as_it_stands = T.empty({64, 4}, T.float64)
  local turned = T.empty({64, 4}, T.float64)
  local both = T.empty({64, 4}, T.int64)
  local branch = T.empty({64, 4}, T.float64)
  local swapped = T.empty({64, 4}, T.float64)
  local behind = T.empty({64, 4}, T.float64)
  for _ in T.Kernel(1) do
    for i, j in T.Parallel(64, 4) do
      as_it_stands[i, j] = T.if_then_else(A[i, j] > 0, B[i, j], 0)
    end
    for i, j in T.Parallel(64, 4) do
      turned[i, j] = T.if_then_else(A[i, j] > 0, B[i, 3 - j], 0)
    end
    for i, j in T.Parallel(64, 4) do
      both[i, j] = T.And(A[i, j] > 0, B[i, j] <= 40):astype "int64" << 8
    end
    for i in T.Parallel(64) do
      for j in T.unroll(4) do
        local x = T.alloc_var(T.float64)
        x = 0
        if A[i, j] > 0 then x = B[i, j] end
        branch[i, j] = x
      end
    end
    for i in T.Parallel(64) do
      swapped[i, 0] = T.if_then_else(A[i, 0] > 0, B[i, 1], 0)
      swapped[i, 1] = T.if_then_else(A[i, 1] > 0, B[i, 0], 0)
      swapped[i, 2] = T.if_then_else(A[i, 2] > 0, B[i, 3], 0)
      swapped[i, 3] = T.if_then_else(A[i, 3] > 0, B[i, 2], 0)
    end
    for i, j in T.Parallel(64, 4) do
      behind[i, j] = B[i + 1, j]
    end
  end
  return as_it_stands, turned, both, branch, swapped, behind
end, {target = "cpu"})

local a, b = {}, {}
for i = 1, 64 do
  a[i], b[i] = {}, {}
  for j = 1, 4 do a[i][j], b[i][j] = (i * 7 + j * j * 5) % 9 - 4, (i * 31 + j * 17) % 97 end
end
local function masked(i, j, k) return a[i][j] > 0 and b[i][k] or 0 end
local wanted = {
  {"as it stands", function(i, j) return masked(i, j, j) end},
  {"turned", function(i, j) return masked(i, j, 5 - j) end},
  {"both", function(i, j) return a[i][j] > 0 and b[i][j] <= 40 and 256 or 0 end},
  {"branch", function(i, j) return masked(i, j, j) end},
  {"swapped", function(i, j) return masked(i, j, ((j - 1) ~ 1) + 1) end},
  {"behind", function(i, j) return b[i + 1] and b[i + 1][j] or 0 end},
}
local got = {f(tl.from_table(a, "int8"), tl.from_table(b, "float64"))}
for k, w in ipairs(wanted) do
  local wrong, t = 0, got[k]:totable()
  for i = 1, 64 do
    for j = 1, 4 do wrong = wrong + (t[i][j] == w[2](i, j) and 0 or 1) end
  end
  print(w[1], wrong)
end
