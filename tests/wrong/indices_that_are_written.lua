-- The tensor of indices is also the one that is written.
tl.set_target("cpu")
local scatter = tl.jit(function(I, B)
  I: T.Tensor({16}, T.int32)
  B: T.Tensor({16}, T.int32)
  for bx in T.Kernel(1) do
    for i in T.serial(16) do
      B[I[i]] = i
    end
  end
end)
local x = tl.arange(16, "int32")
scatter(x, tl.zeros({16}, "int32"))
scatter(x, x)
