-- Names of TileLang that only Blackwell has say so, and what machines before it have.
local matmul = tl.jit(function(A)
  A: T.Tensor({64, 64}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    local acc = T.alloc_tmem({128, 64}, T.float32)
  end
end)
matmul:compile()
