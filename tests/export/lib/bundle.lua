-- Run by bundle.sh: exports two kernels for a GPU into the folder arg[1].
local dir = arg[1]

local gemm = tl.jit(function(A, B)
  local M, N, K = T.dynamic "M", 256, 128
  A: T.Tensor({M, K}, "float16")
  B: T.Tensor({K, N}, "float16")
  local C = T.empty({M, N}, "float16")
  for bx, by in T.Kernel(N // 128, T.ceildiv(M, 128), {threads = 256}) do
    local As, Bs = T.alloc_shared({128, 64}, "float16"), T.alloc_shared({64, 128}, "float16")
    local Cl = T.alloc_fragment({128, 128}, "float32")
    T.clear(Cl)
    for ko in T.Pipelined(K // 64, {num_stages = 3}) do
      T.copy(A[by * 128, ko * 64], As)
      T.copy(B[ko * 64, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 128, bx * 128])
  end
  return C
end)

-- Names that C has for itself get another one
local scale = tl.jit(function(int, factor)
  local i, i_ = T.dynamic "i, i_"
  int: T.StridedTensor({i, i_}, {1024, 1}, "float32")
  factor: T.float32
  local grid = T.empty({i, i_}, "float32")
  for bx, by in T.Kernel(T.ceildiv(i_, 256), i, {threads = 128}) do
    for j in T.Parallel(256) do
      if bx * 256 + j < i_ then
        grid[by, bx * 256 + j] = int[by, bx * 256 + j] * factor
      end
    end
  end
  return grid
end)

-- A number of blocks whose casts drop bits
local cut = tl.jit(function(A)
  local n = T.dynamic "n"
  A: T.Tensor({n}, "float32")
  local B = T.empty({32 * 256}, "float32")
  for bx in T.Kernel(T.cast(T.cast(n, "uint8"), "int32") + 1, {threads = 32}) do
    for i in T.Parallel(32) do
      B[bx * 32 + i] = A[i]
    end
  end
  return B
end)

for _, f in ipairs {gemm, scale, cut} do
  local k = f:compile()
  for _, path in ipairs(k:retarget("cuda -build -arch=sm_90a"):export(dir .. "/" .. k.name)) do
    print((path:sub(#dir + 2)))
  end
end
gemm:compile():export(dir .. "/file/below")
