-- Loads of one address under two conditions, the narrower first: the array between load and use begins
-- as zeros.  With registers that are undefined where the first did not load, ptxas 13.0 takes the second
-- for done (found on a card by a generated program).
local k = tl.jit(function(X)
  X: T.Tensor({12}, "float32")
  local O = T.empty({16, 32}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    for j, i in T.Parallel(32, 16) do
      O[i, j] = T.if_then_else(i > 6, X[j], -7.0)
    end
  end
  return O
end, {target = "cuda -arch=sm_90a"}):compile()
local text = k:get_kernel_source()
print((text:match "\n( *for .-)\n}\n"))
