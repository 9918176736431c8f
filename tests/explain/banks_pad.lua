-- Columns of float32 in rows of 256 bytes: a 128-byte swizzle moves chunks of 4
-- elements and cannot part them; one element of padding can.
local transpose = tl.jit(function(A, FIX)
  A: T.Tensor({32, 33}, T.float32)
  local B = T.empty({33, 32}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local S = T.alloc_shared({32, 64}, T.float32)
    if FIX then
      T.annotate_layout {[S] = T.Layout({32, 64}, function(i, j) return i * 65 + j end)}
    else
      T.annotate_layout {[S] = T.make_linear_layout(S)}
    end
    for i, j in T.Parallel(32, 33) do
      S[i, j] = A[i, j]
    end
    for j, i in T.Parallel(33, 32) do
      B[j, i] = S[i, j]
    end
  end
  return B
end)
for _, fix in ipairs {false, true} do
  local k = transpose:compile(tl.zeros {32, 33}, fix)
  for _, r in ipairs(k:analyze().access) do
    if r.space == "shared" then
      print(r.line, r.what, r.bytes, r.ways, r.waves, r.ideal, r.fix, r.fix_ways)
    end
  end
end
