-- Results leave through shared memory that the loop's stages are in before, where there is no other; a
-- producer, whose stages live beside them, is worth more.
local target = {target = "sim -arch=sm_90a"}
local gathered = tl.jit(function(A, I)
  A: T.Tensor({256, 896}, "float16")
  I: T.Tensor({256}, "int32")
  local C = T.empty({2, 64, 64}, "float32")
  for bx in T.Kernel(2, {threads = 128}) do
    local a, sum = T.alloc_shared({64, 896}, "float16"), T.alloc_fragment({64, 64}, "float32")
    T.clear(sum)
    for k in T.Pipelined(3, {num_stages = 2}) do
      for i, j in T.Parallel(64, 896) do
        a[i, j] = A[I[k * 64 + i + bx * 64], j]
      end
      T.gemm(a, a, sum, {transpose_B = true})
    end
    T.copy(sum, C[bx, 0, 0])
  end
  return C
end, target)

local produced = tl.jit(function(A, I)
  A: T.Tensor({256, 896}, "float16")
  I: T.Tensor({256}, "int32")
  local C = T.empty({2, 64, 64}, "float32")
  for bx in T.Kernel(2, {threads = 128}) do
    local all, a = T.alloc_shared({64, 1280}, "float16"), T.alloc_shared({64, 256}, "float16")
    local sum = T.alloc_fragment({64, 64}, "float32")
    T.clear(sum)
    for c in T.unroll(3) do
      T.copy(A[bx * 64, c * 256], all[0:64, c * 256:c * 256 + 256])
    end
    for k in T.Pipelined(3, {num_stages = 2}) do
      T.copy(A[(k + bx) * 64, 0], a)
      T.gemm(all[0:64, 0:256], a, sum, {transpose_B = true})
    end
    T.copy(sum, C[bx, 0, 0])
  end
  return C
end, target)

local a = (tl.arange(0, 256 * 896):reshape {256, 896} * 7 % 5 - 2):astype "float16"
local function rows(at, n) return a[{T.slice(at * 64, at * 64 + 64), T.slice(0, n)}] end
for _, of in ipairs {{"gathered", gathered, 896}, {"by a producer", produced, 256}} do
  local k = of[2]:compile()
  local c = k(a, tl.arange(0, 256):astype "int32")
  for bx = 0, 1 do
    local want = tl.zeros({64, 64}, "float32")
    for step = bx, bx + 2 do
      want = want + tl.ref.matmul(rows(of[3] == 896 and step or bx, of[3]), rows(step, of[3]),
        {trans_b = true}):astype "float32"
    end
    tl.testing.assert_close(c[bx], want)
  end
  local _, boxes = k:ir("tma"):gsub("tma_store C_box", "")
  local _, loads = k:ir("tma"):gsub("tma_load A", "")
  print(of[1], loads > 0 and "TMA loads" or "threads load", boxes > 0 and "in boxes" or "from registers")
end
