-- A tile that begins below 0 and reaches into the tensor: zeros below, which TileLang does otherwise.
local f = tl.jit(function(X)
  X: T.Tensor({16}, T.float32)
  local C = T.empty({3, 8}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({8}, T.float32)
    T.copy(X[bx * 4 - 4:bx * 4 + 4], s)
    T.copy(s, C[0, 0:8])
    T.copy(X[-4], s)
    T.copy(s, C[1, 0:8])
    for i in T.serial(4) do
      T.copy(X[i - 11:i - 3], s) -- lies below 0: it counts from the end
      T.copy(s, C[2, 0:8])
    end
  end
  return C
end, {target = "cpu"})
io.stderr:write(tostring(f(tl.arange(16, "float32"))), "\n")
