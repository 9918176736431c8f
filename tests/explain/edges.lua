-- Edges, by hand: totals over ragged blocks, sizes that are not known, several
-- launches, one path of two.
local add = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 64}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i] + 1
    end
  end
  return C
end)
-- 4 blocks of 256; the last has 232 elements, 29 sectors
local f = add:compile {N = 1000, BLOCK = 256}:analyze()
print("ragged", f.flops, f.bytes, f.blocks, f.total_bytes, f.once_bytes, f.sampled)

local dyn = tl.compile(T.prim_func(function(A, C)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.float32)
  C: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 64}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = A[bx * 256 + i] + 1
    end
  end
end))
f = dyn:analyze()
print("unknown", f.bytes, f.blocks, f.total_bytes, f.assumed, f.counted)
f = dyn:analyze {dims = {N = 1024}}
print("known", f.bytes, f.blocks, f.total_bytes, f.assumed, f.counted)
f = dyn:analyze {dims = {N = 100}}
print("short", f.bytes, f.blocks, f.total_bytes, f.assumed, f.counted)

local two = tl.compile(T.prim_func(function(A, B, C)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  C: T.Tensor({256}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(256) do
      B[i] = A[i] * 2 + 1
    end
  end
  for bx in T.Kernel(2, {threads = 128}) do
    for i in T.Parallel(128) do
      C[bx * 128 + i] = B[bx * 128 + i] * 3
    end
  end
end))
f = two:analyze()
print("launches", #f.launches, f.threads)
for _, l in ipairs(f.launches) do
  print("", l.threads, l.blocks, l.flops, l.total_flops, l.total_bytes)
end

-- a causal loop: block b does b + 1 steps of 64
local tri = tl.jit(function(A)
  A: T.Tensor({8, 512}, T.float32)
  local C = T.empty({8, 64}, T.float32)
  for bx in T.Kernel(8, {threads = 64}) do
    local s = T.alloc_fragment({64}, T.float32)
    T.clear(s)
    for k in T.serial(bx + 1) do
      for i in T.Parallel(64) do
        s[i] += A[bx, k * 64 + i]
      end
    end
    T.copy(s, C[bx, 0])
  end
  return C
end)
f = tri:compile(tl.zeros {8, 512}):analyze()
print("causal", f.flops, f.total_flops, f.sampled, f.counted)
local n = 0
for _, l in ipairs(f.access) do
  n = n + (l.fixed and 1 or 0)
end
print("fixed", n, #f.access)
