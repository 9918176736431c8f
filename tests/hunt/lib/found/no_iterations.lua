-- Refused as a bug of ours: a T.Parallel that has no iteration in any block, which follows from the
-- range of the block's index alone.
local kernel = tl.jit(function(I)
  I: T.Tensor({32}, "int32")
  local O = T.empty({4, 32}, "float32")
  for bx in T.Kernel(4, {threads = 32}) do
    local f, g = T.alloc_fragment({32}, "float32"), T.alloc_fragment({32}, "float32")
    T.fill(f, 1)
    T.fill(g, 2)
    for i, j in T.Parallel(bx >> 2, 4) do f[I[j]] = f[I[j]] + g[I[i]] end
    for i, j in T.Parallel(bx >> 1, 4) do f[I[j]] = f[I[j]] + g[I[i]] end
    T.copy(f, O[bx, 0])
  end
  return O
end)
local index, want = {}, {}
for i = 1, 32 do index[i] = i * 7 % 32 end
for b = 1, 4 do
  want[b] = {}
  for i = 1, 32 do want[b][i] = 1 end
  for i = 1, b > 2 and 4 or 0 do want[b][index[i] + 1] = 3 end
end
tl.testing.assert_close(kernel(tl.from_table(index, "int32")), tl.from_table(want, "float32"), {rtol = 0, atol = 0})
print "right"
