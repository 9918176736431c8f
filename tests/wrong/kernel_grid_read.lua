-- The grid is known before anything runs: it cannot be read from a tensor.
local count = tl.jit(function(A)
  A: T.Tensor({256}, T.int32)
  for bx in T.Kernel(A[0] + 1, {threads = 64}) do
    for i in T.Parallel(64) do
      A[bx * 64 + i] = i
    end
  end
end)
count(tl.arange(256, "int32"))
