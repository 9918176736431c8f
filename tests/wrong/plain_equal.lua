local function weight(v)
  local w = 1
  if w == 1 and v == 3 then return 2 end
  return w
end
local f = tl.jit(function(A)
  A: T.Tensor({8}, T.int32)
  for _ in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(8) do A[i] = weight(i) end
  end
end)
f:compile()
