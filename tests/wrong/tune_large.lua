local f = tl.jit(function(A, BM, BN)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, BM + BN) end
end)
local many = {}
for i = 1, 100 do many[i] = i end
f:compile {BM = 1, BN = 1}:tune {space = {BM = many, BN = many}}
