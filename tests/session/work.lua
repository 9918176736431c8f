-- A kernel that is stopped while it does what its text declares is not said to loop for ever: the
-- message counts the work, at the sizes of the call.
require("moontile.tl.device").session("cpu"):limit(0.05)
local function stopped(text, k, ...)
  local _, err = pcall(k, ...)
  print(("%-32s"):format(text), (tostring(err):match "[^\n]*\n?[^\n]*declare.-operations" or tostring(err))
    :match "declare.*" or tostring(err):match "error[^\n]*")
end

local jit = function(f) return tl.jit(f, {target = "cpu"}) end
stopped("a product, 2 * 8192^3", jit(function(A, C)
  A: T.Tensor({8192, 8192}, T.float16)
  C: T.Tensor({8192, 8192}, T.float32)
  for bx, by in T.Kernel(64, 64, {threads = 128}) do
    local As = T.alloc_shared({128, 32}, T.float16)
    local Bs = T.alloc_shared({32, 128}, T.float16)
    local Cl = T.alloc_fragment({128, 128}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(256, {num_stages = 2}) do
      T.copy(A[{by * 128, k * 32}], As)
      T.copy(A[{k * 32, bx * 128}], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[{by * 128, bx * 128}])
  end
end), tl.zeros({8192, 8192}, "float16"), tl.empty({8192, 8192}, "float32"))

local sums = jit(function(A, n)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  n: T.int32
  for bx in T.Kernel(N, {threads = 32}) do
    for i in T.serial(n) do
      for j in T.serial(i) do
        A[bx] = A[bx] * 0.5 + 1
      end
    end
  end
end)
stopped("a triangle of half a million^2", sums, tl.zeros({16}), 1000000)
stopped("another, twice as wide", sums, tl.zeros({32}), 1000000)
stopped("each of 64 threads", jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    for i in T.serial(2000000000) do
      A[tx] = A[tx] * 0.5 + 1
    end
  end
end), tl.zeros({64}))
stopped("a while, beside a little", jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(64) do A[i] = 1 end
    while A[0] > 0 do
      A[0] = A[0] + 1
    end
  end
end), tl.zeros({64}))
