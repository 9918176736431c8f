-- What is said where the barriers of a kernel could be checked only in part.
local f32, i32 = T.float32, T.int32
local function page(k, ...)
  k = k:compile(...)
  local text = require "moontile.tl.explain".text(k:analyze())
  print(text:match "\nnotes\n.*" or text)
end

-- too much of it
page(tl.jit(function(A)
  A: T.Tensor({1000, 4096}, f32)
  local C = T.empty({1000, 4096}, f32)
  for bx in T.Kernel(1, {threads = 1024}) do
    local s = T.alloc_shared({32 * 1024}, f32)
    for i in T.serial(1000) do
      for j in T.serial(1000) do
        for k in T.Parallel(32 * 1024) do s[k] = A[i, (j * 37 + k) % 4096] end
        for k in T.Parallel(4096) do C[i, k] = s[(k * 5 + i * j) % (32 * 1024)] end
      end
    end
  end
  return C
end, {target = "sim -arch=sm_90a"}), tl.empty({1000, 4096}, "float32"))

-- which mbarrier
page(tl.jit(function(A, N)
  A: T.Tensor({1024}, f32)
  N: T.Tensor({8}, i32)
  local C = T.empty({1024}, f32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({8, 128}, f32)
    local full = T.alloc_barrier {128, 128, 128, 128, 128, 128, 128, 128}
    for t in T.ws(0) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(full[N[i]], 0)
        C[i * 128 + t] = s[N[i], 127 - t] * 2
      end
    end
    for t in T.ws(1) do
      for i in T.serial(8) do
        s[i, t] = A[i * 128 + t]
        T.mbarrier_arrive(full[i])
      end
    end
  end
  return C
end, {target = "sim -arch=sm_90a"}), tl.empty({1024}, "float32"), tl.empty({8}, "int32"))

-- how often the one and the other go round
page(tl.jit(function(A, N)
  A: T.Tensor({1024}, f32)
  N: T.Tensor({2}, i32)
  local C = T.empty({128}, f32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({8, 128}, f32)
    local full = T.alloc_barrier {128}
    for t in T.ws(0) do
      if N[0] > 2 then
        T.mbarrier_wait_parity(full[0], 0)
        C[t] = s[0, 127 - t] * 2
      end
    end
    for t in T.ws(1) do
      if N[1] < 2 then
        T.mbarrier_wait_parity(full[0], 0)
      else
        s[0, t] = A[t]
        T.mbarrier_arrive(full[0])
      end
    end
  end
  return C
end, {target = "sim -arch=sm_90a"}), tl.empty({1024}, "float32"), tl.empty({2}, "int32"))
