local half = math.floor
local f = tl.jit(function(A, n)
  A: T.Tensor({16}, T.float32)
  n: T.int32
  for bx in T.Kernel(2) do
    A[half(n) // 2] = 1
  end
end)
f(tl.zeros({16}), 3)
