-- Sums and products of narrow floats by instructions, in pairs where elements lie side by side; loops
-- whose few loads are to be under way before they are needed.
local function lines(k, arch, args)
  tl.set_target("cuda -arch=" .. arch)
  print("-- " .. arch)
  for line in k:compile(args):get_kernel_source():gmatch "[^\n]+" do
    if line:find "^ .*[admu][dul][dlb]_b?f16" or line:find "unroll %d" or line:find "^ .*load_stream%(" then
      print((line:gsub("^ +", "")))
    end
  end
end
local pairs_of = tl.jit(function(A, B, dt)
  A: T.Tensor({1024}, dt)
  B: T.Tensor({1024}, dt)
  local C = T.empty({1024}, dt)
  for bx in T.Kernel(4, {threads = 32}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = A[bx * 256 + i] * B[bx * 256 + i] - T.max(A[bx * 256 + i], B[0])
    end
  end
  return C
end)
lines(pairs_of, "sm_80", {dt = "float16"})
lines(pairs_of, "sm_80", {dt = "bfloat16"})
lines(pairs_of, "sm_90a", {dt = "bfloat16"})
-- One row for all blocks and warps, and a row of each warp's own.
local dots = tl.jit(function(X, W)
  X: T.Tensor({1024}, "float16")
  W: T.Tensor({256, 1024}, "float16")
  local Y = T.empty({256}, "float16")
  for bx in T.Kernel(64, {threads = 128}) do
    local t = T.get_thread_binding(0)
    local x, w = T.alloc_local({8}, "float16"), T.alloc_local({8}, "float16")
    local acc = T.alloc_local({1}, "float16")
    acc[0] = 0
    for k in T.serial(4) do
      for v in T.vectorized(8) do x[v] = X[k * 256 + t % 32 * 8 + v] end
      for v in T.vectorized(8) do w[v] = W[bx * 4 + t // 32, k * 256 + t % 32 * 8 + v] end
      for v in T.serial(8) do acc[0] = acc[0] + x[v] * w[v] end
    end
    T.atomic_add(Y[bx * 4 + t // 32], acc[0])
  end
  return Y
end)
lines(dots, "sm_90a", {})
-- Bytes of shared memory taken apart: eight rounds are all under way, of more four.
local apart = tl.jit(function(B)
  B: T.Tensor({64, 4096}, "uint8")
  local C = T.empty({64, 8192}, "float16")
  for bx in T.Kernel(64, {threads = 128}) do
    local t = T.get_thread_binding(0)
    local s = T.alloc_shared({4096}, "uint8")
    local d = T.alloc_shared({8192}, "float16")
    local b, x = T.alloc_local({4}, "uint8"), T.alloc_local({8}, "float16")
    T.copy(B[bx, 0], s)
    for i in T.serial(8) do
      for v in T.vectorized(4) do b[v] = s[i * 512 + t * 4 + v] end
      for v in T.serial(8) do x[v] = b[v // 2] >> v % 2 * 4 & 15 end
      for v in T.vectorized(8) do d[i * 1024 + t * 8 + v] = x[v] end
    end
    for i in T.serial(16) do
      for v in T.vectorized(4) do b[v] = s[i % 8 * 512 + t * 4 + v] end
      for v in T.vectorized(4) do d[i * 512 + t * 4 + v] = b[v] end
    end
    T.copy(d, C[bx, 0])
  end
  return C
end)
lines(apart, "sm_90a", {})
