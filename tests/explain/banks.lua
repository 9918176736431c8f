-- A copy out of shared memory by columns of 16 bytes: rows of 128 bytes put the 8
-- lanes of a group on the same banks (asked for: left
-- alone, the tile gets an XOR).  The fix that is printed is applied, and works.
local copy = tl.jit(function(A, FIX)
  A: T.Tensor({256, 64}, T.float16)
  local B = T.empty({256, 64}, T.float16)
  for bx in T.Kernel(4, {threads = 128}) do
    local S = T.alloc_shared({64, 64}, T.float16)
    if FIX then
      T.annotate_layout {[S] = T.make_full_bank_swizzled_layout(S)}
    else
      T.annotate_layout {[S] = T.make_linear_layout(S)}
    end
    T.copy(A[bx * 64, 0], S)
    for j, i in T.Parallel(8, 64) do
      for v in T.vectorized(8) do
        B[bx * 64 + i, j * 8 + v] = S[i, j * 8 + v]
      end
    end
  end
  return B
end)
local a = tl.randn({256, 64}, "float16")
for _, fix in ipairs {false, true} do
  copy:compile(a, fix):explain {target = "sim -arch=sm_80", card = "A100"}
end
