-- -exact: the arithmetic of the machine or the plain one.  Hopper's sums of 8-bit floats keep 13
-- binary places behind the greatest term; a * b - c is one FMA.
local product = tl.jit(function(A, B)
  A: T.Tensor({64, 32}, T.float8_e4m3fn)
  B: T.Tensor({64, 32}, T.float8_e4m3fn)
  local C = T.empty({64, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    local As, Bs = T.alloc_shared({64, 32}, T.float8_e4m3fn), T.alloc_shared({64, 32}, T.float8_e4m3fn)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.copy(A, As)
    T.copy(B, Bs)
    T.clear(Cl)
    T.gemm(As, Bs, Cl, {transpose_B = true})
    T.copy(Cl, C)
  end
  return C
end)

local square = tl.jit(function(X)
  X: T.Tensor({32}, T.float32)
  local Y = T.empty({32}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(32) do
      Y[i] = X[i] * X[i] - (1 + 2^-11)
    end
  end
  return Y
end)

local a, b = tl.zeros({64, 32}, "float32"), tl.ones({64, 32}, "float32")
a[0][0], a[0][5] = 256, 2^-6 -- the second is half a unit of the first
a[1][0], a[1][5] = 256, 2^-5
local x = tl.full({32}, 1 + 2^-12, "float32")
for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_90a -exact=off", "sim -arch=sm_89",
  "sim -arch=sm_80", "sim -arch=c500"} do
  if target ~= "sim -arch=sm_80" and target ~= "sim -arch=c500" then
    product.opts.target = target
    local c = product(a:astype "float8_e4m3fn", b:astype "float8_e4m3fn")
    print(target, c[{0, 0}], c[{1, 0}])
  end
  square.opts.target = target
  print(target, square(x)[0] * 2^24)
end
