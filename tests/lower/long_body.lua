-- One loop of very many names, each made of the one before: what it takes to compile grows as
-- they do, so that 8,000 fit into the memory of a compilation with room to spare.
local Names = 8000
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      local v = A[i]
      for q = 1, Names do
        v = v * -0.5 + q % 100
      end
      A[i] = v
    end
  end
end)

for _, target in ipairs {"sim -arch=sm_80", "sim -arch=gfx942"} do
  tl.set_target(target)
  local a, right = tl.arange(64, "float32"), true
  f(a)
  for i = 0, 63 do
    local v = i
    for q = 1, Names do
      v = v * -0.5 + q % 100
    end
    right = right and math.abs(a[i] - v) < 1e-4
  end
  print(target, right)
end
