-- Loops whose ends are read from memory, behind and inside of each other: each end has a name
-- of its own in the C text.
local k = tl.jit(function(N)
  N: T.Tensor({3}, "int32")
  local C = T.empty({3}, "int32")
  for _ in T.Kernel(1, {threads = 32}) do
    T.clear(C)
    for i in T.serial(N[0]) do C[0] += i end
    for i in T.serial(N[1]) do
      for j in T.serial(N[2]) do C[1] += j end
      for j in T.serial(0, N[2], 2) do C[1] += j end
    end
    for i in T.serial(0, N[2], 3) do C[2] += i end
    for i in T.serial(N[2]) do C[2] += i end
  end
  return C
end)
for _, target in ipairs{"cpu", "sim -arch=sm_80"} do
  tl.set_target(target)
  print(k(tl.from_table({4, 2, 5}, "int32")))
end
