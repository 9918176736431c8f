-- Kernels whose copies of fragments are too large for shared memory: `rounds`, `again`, and `scan`,
-- which is refused.  `banks`: one that fits; how it lies there.
local name = ...
local small = name == "again" or name == "banks"
local M, N = small and 64 or 256, small and 64 or 128
local bodies = {
  rounds = T.macro(function(f, g)
    for i, j in T.Parallel(N, M) do g[i, j] = f[j, i] + f[(j * 2) % M, i] end
  end),
  again = T.macro(function(f, g)
    local h = T.alloc_fragment({64, 64}, "float32")
    local x, y = T.alloc_fragment({64, 64}, "float32"), T.alloc_fragment({64, 64}, "float32")
    for i, j in T.Parallel(64, 64) do
      x[i, j] = i
      y[i, j] = j
    end
    T.clear(h)
    for k in T.serial(3) do
      for i, j in T.Parallel(64, 64) do
        for q in T.serial(2) do h[i, j] = h[i, j] + x[(j + q) % 64, (i + q * k) % 64] end
      end
      for i, j in T.Parallel(64, 64) do
        for q in T.serial(2) do h[i, j] = h[i, j] - y[(j + q) % 64, (i + q + k) % 64] end
      end
    end
    for i, j in T.Parallel(N, M) do g[i, j] = h[i % 64, j % 64] end
  end),
  banks = T.macro(function(f, g)
    local x, c = T.alloc_shared({64, 64}, "float16"), T.alloc_fragment({64, 64}, "float32")
    T.copy(f, x)
    T.gemm(x, x, c, {clear_accum = true})
    for i, j in T.Parallel(64, 64) do g[i, j] = c[(i + j) % 64, j] end
  end),
  scan = T.macro(function(f, g)
    T.cumsum(f, f, {dim = 1})
    for i, j in T.Parallel(N, M) do g[i, j] = f[j, i] end
  end),
}

local k = tl.jit(function(A)
  A: T.Tensor({M, N}, "float32")
  local O = T.empty({N, M}, "float32")
  for bx in T.Kernel(1, {threads = 512}) do
    local f, g = T.alloc_fragment({M, N}, "float32"), T.alloc_fragment({N, M}, "float32")
    T.copy(A, f)
    bodies[name](f, g)
    T.copy(g, O)
  end
  return O
end)
if name == "banks" then
  for line in k:compile {}:ir("thread"):gmatch "[^\n]*shared float32[^\n]*" do print((line:gsub("^ +", ""))) end
else
  print(k:compile {}:explain())
end
