-- Layouts that the user writes out: those that are one of TMA's own are loaded by it, the others by the
-- threads; the results are the same.
local target = "sim -arch=sm_90a"
local function kernel(cols, layout)
  return tl.jit(function(A, B)
    A: T.Tensor({128, 4 * cols}, "float16")
    B: T.Tensor({64, 4 * cols}, "float16")
    local C = T.empty({128, 64}, "float32")
    for bx in T.Kernel(2, {threads = 128}) do
      local s, b = T.alloc_shared({64, cols}, "float16"), T.alloc_shared({64, cols}, "float16")
      local f = T.alloc_fragment({64, cols}, "float16")
      local sum = T.alloc_fragment({64, 64}, "float32")
      T.annotate_layout {[s] = layout(s, cols)}
      T.clear(sum)
      for k in T.Pipelined(4, {num_stages = 2}) do
        T.copy(A[bx * 64, k * cols], s)
        T.copy(B[0, k * cols], b)
        T.copy(s, f)
        T.gemm(f, b, sum, {transpose_B = true})
      end
      T.copy(sum, C[bx * 64, 0])
    end
    return C
  end, {target = target})
end

local written = {
  swizzled = function(s) return T.make_swizzled_layout(s) end,
  linear = function(s) return T.make_linear_layout(s) end,
  ["row-major formula"] = function(_, cols) return T.Layout({64, cols}, function(i, j) return i * cols + j end) end,
  ["column-major"] = function(_, cols) return T.Layout({64, cols}, function(i, j) return j * 64 + i end) end,
  padded = function(_, cols) return T.Layout({64, cols}, function(i, j) return i * (cols + 8) + j end) end,
}
local names = {}
for name in pairs(written) do names[#names + 1] = name end
table.sort(names)
for _, cols in ipairs {16, 32, 64, 256} do
  local a = (tl.arange(0, 128 * 4 * cols):reshape {128, 4 * cols} * 7 % 5 - 2):astype "float16"
  local b = (tl.arange(0, 64 * 4 * cols):reshape {64, 4 * cols} * 3 % 7 - 3):astype "float16"
  for _, name in ipairs(names) do
    local k = kernel(cols, written[name]):compile()
    tl.testing.assert_close(k(a, b), tl.ref.matmul(a, b, {trans_b = true}):astype "float32")
    local _, n = k:ir("tma"):gsub("tma_load A", "")
    print(cols, name, n > 0 and "TMA" or "threads")
  end
end
