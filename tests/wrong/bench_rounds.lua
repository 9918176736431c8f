-- An option of the wrong kind.
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    T.fill(A, 1)
  end
end)
local k = f:compile()
k:bench {rounds = "many"}
