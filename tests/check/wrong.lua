-- Wrong kernels, one of each kind.
local function show(what, k, opts)
  print("-- " .. what)
  local r = k:check(opts)
  local last = r.runs[#r.runs]
  print(r.ok, last.verdict, last.error.code)
end

tl.set_target "sim"
local function made(f)
  return tl.compile(T.prim_func(f))
end

local twice = tl.jit(function(A)
  A: T.Tensor({32, 32}, T.float32)
  local C = T.empty({32, 32}, T.float32)
  for bx in T.Kernel(2, {threads = 64}) do
    for i, j in T.Parallel(16, 32) do
      C[bx * 16 + i, j] = A[bx * 16 + i, j] * 2
    end
    T.sync_threads()
    if T.get_thread_binding() == 7 then
      C[bx * 16 + 3, 5] = 100
    end
  end
  return C
end)
show("a wrong value, and who wrote it", twice:compile(tl.zeros {32, 32}),
  {ref = function(a) return a * 2 end})

show("several threads write one element", made(function(A, C)
  A: T.Tensor({64}, T.float32)
  C: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx // 2] = A[tx]
  end
end))

local short = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(N // BLOCK, {threads = 64}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i]
    end
  end
  return C
end)
show("a grid without the last tile", short:compile {N = 1024, BLOCK = 128})

show("shared memory read before it is written", made(function(A, C)
  A: T.Tensor({64}, T.float32)
  C: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local S = T.alloc_shared({64}, T.float32)
    for i in T.Parallel(32) do
      S[i] = A[i]
    end
    T.copy(S, C)
  end
end))

show("two blocks write one element", made(function(A, C)
  A: T.Tensor({128}, T.float32)
  C: T.Tensor({64}, T.float32)
  for bx in T.Kernel(2, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx] = A[bx * 64 + tx]
  end
end))

local big = tl.jit(function(A)
  A: T.Tensor({4096, 4096}, T.float32)
  local C = T.empty({4096, 4096}, T.float32)
  for bx in T.Kernel(4096, {threads = 128}) do
    for i in T.Parallel(4096) do
      C[bx, i] = A[bx, i]
    end
  end
  return C
end)
show("too large", big:compile())
