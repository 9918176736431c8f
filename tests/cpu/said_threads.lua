-- The cpu target says which outputs a kernel leaves unwritten, of those that speak of
-- single threads, too; and raises no alarm for what is right.
tl.set_target "cpu"

local function try(what, f, ...)
  local ok, r = pcall(f, ...)
  if not ok then
    print(what, ("%s line %d: %s"):format(r.code or "?", r.line or 0, r.label or tostring(r)))
  else
    print(what, r)
  end
end

-- Thread t writes element t + I[0]; those outside are dropped
local shifted = tl.jit(function(I)
  I: T.Tensor({4}, T.int32)
  local B = T.empty({4}, T.int32)
  for bx in T.Kernel(1, {threads = 4}) do
    local t = T.get_thread_binding(0)
    B[t + I[0]] = I[t]
  end
  return B
end)
try("shifted by 2", shifted, tl.full({4}, 2, "int32"))
try("shifted by 0", shifted, tl.zeros({4}, "int32"))

-- Half of the threads, a count that the call gives, two dimensions, a second output
local half = tl.jit(function(A)
  local M, N = T.dynamic "M, N"
  A: T.Tensor({M, N}, T.float16)
  local B, C = T.empty({M, N}, T.float16), T.empty({M}, T.int8)
  for bx in T.Kernel(M, {threads = 32}) do
    local t = T.get_thread_binding(0)
    if t < 16 then
      B[bx, t] = A[bx, t]
    end
    if t == 0 then C[bx] = 0 end
  end
  return B, C
end)
try("16 of 16", half, tl.zeros({3, 16}, "float16"))
try("16 of 20", half, tl.zeros({3, 20}, "float16"))

-- Only the first warp's leader writes its sum
local sums = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local S = T.empty({N // 32}, T.float32)
  for bx in T.Kernel(N // 64, {threads = 64}) do
    local t = T.get_thread_binding(0)
    local v = T.alloc_var "float32"
    v[0] = A[bx * 64 + t]
    for _, d in ipairs {16, 8, 4, 2, 1} do
      v[0] = v[0] + T.shfl_xor(v[0], d)
    end
    if t == 0 then S[bx * 2] = v[0] end
  end
  return S
end)
try("leaders", sums, tl.ones {128})

-- In place: what the caller gave is no output that this call has to fill
local inplace = tl.jit(function(A)
  A: T.Tensor({8}, T.float32)
  for bx in T.Kernel(1, {threads = 8}) do
    local t = T.get_thread_binding(0)
    if t < 4 then A[t] = A[t] * 2 end
  end
end)
local a = tl.zeros {8}
try("in place", inplace, a)
print(a)

-- In place and an output besides, which is not looked at: a second run would add twice
local both = tl.jit(function(A)
  A: T.Tensor({4}, T.float32)
  local B = T.empty({4}, T.float32)
  for bx in T.Kernel(1, {threads = 4}) do
    local t = T.get_thread_binding(0)
    A[t] = A[t] + 1
    B[t] = A[t] * 0
  end
  return B
end)
local b = tl.zeros {4}
try("both", both, b)
print(b)

-- Tiles, in place
local tiles = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(32) do
      A[i] = A[i] * 2
    end
  end
end)
try("tiles in place", tiles, tl.zeros {64})

-- Through shared memory with a barrier; printed once, though it runs twice
local reverse = tl.jit(function(A)
  A: T.Tensor({32}, T.float32)
  local B = T.empty({32}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    local t = T.get_thread_binding(0)
    local s = T.alloc_shared({32}, "float32")
    s[t] = A[t]
    T.sync_threads()
    B[31 - t] = s[t]
    if t == 0 then T.print(bx, "block") end
  end
  return B
end)
try("reversed", reverse, tl.zeros {32})

-- Counts by atomics: a bin that nobody counts is not written; a cleared one is
local counts = tl.jit(function(A, clear)
  A: T.Tensor({32}, T.int32)
  clear: T.int32
  local H = T.empty({4}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    local t = T.get_thread_binding(0)
    if clear ~= 0 and t < 4 then H[t] = 0 end
    T.sync_threads()
    T.atomic_add(H[A[t]], 1)
  end
  return H
end)
try("counted", counts, tl.zeros({32}, "int32"), 0)
try("cleared", counts, tl.zeros({32}, "int32"), 1)

-- Waits for what another block writes: nothing looks twice, and it ends
local waits = tl.jit(function(A)
  A: T.Tensor({1}, T.int32)
  local F = T.empty({2}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    local t = T.get_thread_binding(0)
    if t == 0 then
      while F[0] ~= 0 do
        T.sync_warp()
      end
      F[1] = A[0]
    end
  end
  return F
end)
try("waits", waits, tl.ones({1}, "int32"))
