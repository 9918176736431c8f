-- A kernel's head says how many blocks share a multiprocessor where its grid or its shared memory
-- leaves room for few, so that registers are not saved for more; tensor maps, which lie in memory, are
-- fetched before who needs them comes to them.
local function lines(kernel, ...)
  for line in kernel:get_kernel_source():gmatch "[^\n]+" do
    for _, word in ipairs {...} do
      if line:find(word, 1, true) then
        print((line:gsub("^ +", "  ")))
      end
    end
  end
end

local sums = tl.jit(function(A, BLOCKS, THREADS, WIDE)
  A: T.Tensor({BLOCKS, 4096}, "float32")
  local C = T.empty({BLOCKS}, "float32")
  for bx in T.Kernel(BLOCKS, {threads = THREADS}) do
    local s = T.alloc_shared({WIDE}, "float32")
    local f, sum = T.alloc_fragment({WIDE}, "float32"), T.alloc_fragment({1}, "float32")
    T.copy(A[bx, 0], s)
    T.copy(s, f)
    T.reduce_sum(f, sum)
    C[bx] = sum[0]
  end
  return C
end, {target = "cuda -arch=sm_90a"})
for _, k in ipairs {{16, 256, 1024}, {132, 1024, 1024}, {264, 128, 1024}, {264, 256, 1024}, {265, 128, 1024},
  {1000, 256, 1024}} do
  local f = sums:compile {BLOCKS = k[1], THREADS = k[2], WIDE = k[3]}
  print(("%d blocks of %d threads"):format(k[1], k[2]))
  lines(f, "__launch_bounds__")
end

local held = tl.jit(function(A, C, BYTES)
  local N = T.dynamic "N"
  A: T.Tensor({N, BYTES // 4}, "float32")
  C: T.Tensor({N, BYTES // 4}, "float32")
  for bx in T.Kernel(N, {threads = 128}) do
    local s = T.alloc_shared({BYTES // 4}, "float32")
    T.copy(A[bx, 0], s)
    for i in T.Parallel(BYTES // 4) do
      C[bx, i] = s[BYTES // 4 - 1 - i]
    end
  end
end, {target = "cuda -arch=sm_90a"})
for _, bytes in ipairs {32768, 65536, 102400, 131072} do
  print(("a grid that the launch knows, %d bytes of shared memory"):format(bytes))
  lines(held:compile {BYTES = bytes}, "__launch_bounds__")
end
