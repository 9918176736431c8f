-- Sums by two names of a tensor, with a sign and without, are one kind of update: no order, no message.
local one = tl.jit(function(C)
  C: T.Tensor({1}, "int32")
  for bx in T.Kernel(2, {threads = 64}) do
    local u = T.view(C, {1}, "uint32")
    for i in T.Parallel(64) do
      if i < 32 then
        T.atomic_add(C[0], 1)
      else
        T.atomic_add(u[0], 1)
      end
    end
  end
end)
local two = tl.jit(function(C)
  C: T.Tensor({1}, "int32")
  for bx in T.Kernel(2, {threads = 64}) do
    local u = T.view(C, {1}, "uint32")
    for i in T.Parallel(64) do T.atomic_or(C[0], 1) end
    for i in T.Parallel(64) do T.atomic_or(u[0], 2) end
  end
end)
for _, target in ipairs {"cpu", "sim", "sim -seed=2", "sim -arch=sm_90a", "sim -arch=c500"} do
  tl.set_target(target)
  local C, D = tl.zeros({1}, "int32"), tl.zeros({1}, "int32")
  one(C)
  two(D)
  print(target, C, D)
end
