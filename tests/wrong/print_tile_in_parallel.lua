-- A whole tile in the midst of an elementwise loop: what would it show of what the others write?
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local x = T.alloc_fragment({N}, T.float32)
    T.copy(A, x)
    for i in T.Parallel(N) do
      x[i] = x[i] + 1
      T.print(x)
    end
    T.copy(x, A)
  end
end)
f:compile{N = 4}
