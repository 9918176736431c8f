-- Lanes and banks: of a layout, and of the lines of a lowered kernel.
local plain = tl.layout.linear {64, 64}
local s = tl.layout.swizzle {rows = 64, bytes = 128, mode = 128, dtype = "float16"}
plot(plain, {access = "ldmatrix"})
plot(s, {access = "ldmatrix"})
plot(plain, {access = "columns", vector = 2, lanes = 16})
plot(plain, {access = function(lane) return lane % 4, 5 end, vector = 1, dtype = "float32"})
plot(plain, {access = "rows", vector = 1, dtype = "float32", width = 120})
plot(plain, {access = tl.layout.mma("m16n8k16", "C"), vector = 2})

local transpose = tl.jit(function(A)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, "float32")
  local B = T.empty({N, M}, "float32")
  for bx, by in T.Kernel(T.ceildiv(M, 32), T.ceildiv(N, 32), {threads = 128}) do
    local s = T.alloc_shared({32, 32}, "float32")
    T.copy(A[bx * 32, by * 32], s)
    for i, j in T.Parallel(32, 32) do
      B[by * 32 + i, bx * 32 + j] = s[j, i]
    end
  end
  return B
end)
local k = transpose:compile {M = 64, N = 64}
plot(k, {line = 19, target = "sm_80"})
plot(k, "s", {access = true, target = "sm_80", warp = 2})
plot(k, "s", {access = 19, target = "c500"})

-- one word in four: three quarters of what is moved are thrown away
local strided = tl.jit(function(A)
  A: T.Tensor({1024}, "float32")
  local B = T.empty({256}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(256) do
      B[i] = A[i * 4]
    end
  end
  return B
end)
plot(strided:compile(), {line = 35, target = "sm_80"})
