-- Refused as a bug of ours: T.assume of what the iterations of a T.Parallel read, in front of a
-- store of several elements at once.
local kernel = tl.jit(function(I)
  I: T.Tensor({128}, "int32")
  local O = T.empty({8, 128}, "int32")
  for bx in T.Kernel(1, {threads = 128}) do
    for i, j in T.Parallel(8, 128) do
      T.assume(I[j] > 12)
      local twice = I[j] * 2
      T.assume(twice < 400)
      O[i, j] = twice + i
    end
  end
  return O
end)
local a, want = {}, {}
for j = 1, 128 do a[j] = 12 + j end
for i = 1, 8 do
  want[i] = {}
  for j = 1, 128 do want[i][j] = a[j] * 2 + i - 1 end
end
tl.testing.assert_close(kernel(tl.from_table(a, "int32")), tl.from_table(want, "int32"), {rtol = 0, atol = 0})
print "right"
