-- A grid that no card launches: y and z have fewer blocks than x.
local n = 70000
local function rows(across)
  local k = tl.jit(function(A)
    A: T.Tensor({n}, "int32")
    if across then
      for bx in T.Kernel(n, {threads = 32}) do A[bx] = bx end
    else
      for bx, by in T.Kernel(1, n, {threads = 32}) do A[by] = by end
    end
  end, {target = "sim -arch=sm_90a"})
  local A = tl.zeros({n}, "int32")
  k(A)
  return A[n - 1]
end
print(rows(true))
print(select(2, pcall(rows, false)))
