-- A scatter, called with a permutation, and a histogram that loses counts, called with anything.
local scatter = tl.jit(function(X, J)
  local n = T.dynamic "n"
  X: T.Tensor({n}, T.float32)
  J: T.Tensor({n}, T.int64)
  local O = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 64), {threads = 64}) do
    for i in T.Parallel(64) do
      local g = bx * 64 + i
      if g < n then O[J[g]] = X[g] end
    end
  end
  return O
end)
local histogram = tl.jit(function(J, H)
  local n = T.dynamic "n"
  J: T.Tensor({n}, T.int32)
  H: T.Tensor({16}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(n) do
      if J[i] >= 0 and J[i] < 16 then H[J[i]] = H[J[i]] + 1 end
    end
  end
end)
scatter(tl.ones({100}, "float32"), tl.arange(100, "int64"))
histogram(tl.randint(0, 16, {100}, "int32"), tl.zeros({16}, "int32"))
