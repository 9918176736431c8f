-- Kernels in TileLang's styles.








local relu = T.macro(function(x, n)
  for i in T.Parallel(n) do
    x[i] = T.max(x[i], 0)
  end
end)
-- the lazy style: a function that makes the kernel






local doubled = tl.jit(function(N, block, dtype) if block == nil then block = 128 end if dtype == nil then dtype = T.float32 end
  local shape = {N}


  local main = T.prim_func(function(A, B)
    A: T.Tensor(shape, dtype)
    B: T.Tensor({N}, dtype)

    for bx in T.Kernel(T.ceildiv(N, block), {threads = 128}) do
      local local_ = T.alloc_fragment({block}, dtype)
      T.copy(A[bx * block : (bx + 1) * block], local_)
      for i in T.Parallel(block) do
        local_[i] *= 2 end
      relu(local_, block)
      T.copy(local_, B[bx * block]) end
  end)
  return main
end, {out_idx = {-1}, pass_configs = {[tl.PassConfigKey.TL_ENABLE_FAST_MATH] = true}})

local function get_configs()
  local space = {block = {64, 128}, threads = {128}}
  local t = {} for _, block in ipairs(space.block) do for _, threads in ipairs(space.threads) do t[#t + 1] = {block = block, threads = threads} end end return t
end

-- the eager style


local masked = tl.autotune(tl.jit(function(A, block, threads, causal) if block == nil then block = 64 end if threads == nil then threads = 128 end if causal == nil then causal = true end
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for by in T.Kernel(T.ceildiv(M, block), {threads = threads}) do
    local total = T.alloc_var(T.int32)
    total = 0
    for j in T.serial(N) do
      for i in T.Parallel(block) do
        local row = by * block + i
        if causal and j > row then
          B[row, j] = 0
        else
          B[row, j] = 0 <= row and row < M and A[row, j] or -1 end end
      total += 1 end end
  return B
end), {configs = get_configs(), warmup = 1, rep = 2})

local kernel = doubled(1024)
print(kernel:get_kernel_source())


-- stores to a variable of the kernel's in blocks of its own; signs and comparisons that Lua has not

local counted = T.prim_func(function(A) A: T.Tensor({4}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local count = T.alloc_var(T.int32, {init = 0})
    count += 1
    if count == bx then
      A[0] = -(-1.5) end
    if bx == 0 then
      count = 0
      while count < 4 do
        count += 1 end
    else
      count = 5
      A[1] = count end
    for i in T.Parallel(4) do
      if 1 <= T.max(i, bx) and T.max(i, bx) < T.min(i, 4) then
        A[i] = count end end
  end
end)
local counting = tl.compile(counted)
