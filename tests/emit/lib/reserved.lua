-- Names that the text, the compiler or the prelude has already; k:bench{} where kernels
-- are only written.
local f = tl.jit(function(mma, bar_x, BM)
  local atomicity, expf = T.const "atomicity, expf"
  mma: T.Tensor({atomicity, expf}, T.float16)
  bar_x: T.Tensor({atomicity, expf}, T.float16)
  local tma_out = T.empty({atomicity, expf}, T.float16)
  for bx in T.Kernel(T.ceildiv(atomicity, BM), {threads = 128}) do
    local mma_s = T.alloc_shared({BM, 64}, T.float16)
    local atomic_f = T.alloc_fragment({BM, 64}, T.float32)
    T.copy(mma[bx * BM, 0], mma_s)
    for i, wgmma_j in T.Parallel(BM, 64) do
      atomic_f[i, wgmma_j] = T.exp(mma_s[i, wgmma_j] + bar_x[bx * BM + i, wgmma_j])
    end
    T.copy(atomic_f, tma_out[bx * BM, 0])
  end
  return tma_out
end)
local r = f:compile{atomicity = 256, expf = 64, BM = 64}:bench{}
print("bench", r.ms, r < 1, tostring(r) ~= "")


local float4 = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = T.exp(A[bx * 256 + i])
    end
  end
  return C
end)
float4:compile{N = 1024}

local expf = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = T.exp(A[bx * 256 + i])
    end
  end
  return C
end)
expf:compile{N = 1024}

local linux = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = T.exp(A[bx * 256 + i])
    end
  end
  return C
end)
linux:compile{N = 1024}

local clock64 = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      C[bx * 256 + i] = T.exp(A[bx * 256 + i])
    end
  end
  return C
end)
clock64:compile{N = 1024}

-- Names of helpers that this text has.
local f32_i64 = tl.jit(function(A, sigmoid_f32)
  A: T.Tensor({64}, "float32")
  sigmoid_f32: T.Tensor({64}, "float32")
  local C = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local is_nan = T.alloc_var("bool", false)
    is_nan = T.isnan(A[tx])
    if T.isnan(sigmoid_f32[tx]) then is_nan = true end
    C[tx] = T.Select(is_nan, 0, T.sigmoid(A[tx]))
  end
  return C
end)
f32_i64:compile {}
