local choose = T.if_then_else
local f = tl.jit(function(A)
  A: T.Tensor({128}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(32) do
      A[i] = choose(i < 4, T.atomic_add(A[i + 64], 1, {return_prev = true}) + 1, 0)
    end
  end
end)
f(tl.zeros({128}, "int32"))
