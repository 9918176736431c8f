-- Below 0 where the condition lets it come, and there alone: it does not count from the end.
local f = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  local B, C = T.empty({16}, T.float32), T.empty({16}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(16) do
      if i > 0 then
        B[i] = A[-i]
      else
        B[i] = 0
      end
      C[i] = T.if_then_else(i >= 8, A[7 - i], 1)
      if i > 3 then
        C[i] = C[i] + A[i - 8]
      end
    end
  end
  return B, C
end, {target = "cpu"})
f:compile()
