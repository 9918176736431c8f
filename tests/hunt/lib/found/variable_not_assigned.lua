-- A bug of ours (E999): a variable of an iteration whose first value differs from one to the next, and that
-- nothing assigns, in a T.Parallel that moves vectors.
local kernel = tl.jit(function(X)
  X: T.Tensor({16, 8}, "float32")
  local O = T.empty({16, 8}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({16, 8}, "float32")
    T.copy(X, s)
    for i, j in T.Parallel(16, 8) do
      local a = T.alloc_var("float32", s[i, j] * 2)
      O[i, j] = a + 1
    end
  end
  return O
end)
local x, want = {}, {}
for i = 1, 16 do
  x[i], want[i] = {}, {}
  for j = 1, 8 do x[i][j], want[i][j] = i * 10 + j, (i * 10 + j) * 2 + 1 end
end
tl.testing.assert_close(kernel(tl.from_table(x, "float32")), tl.from_table(want, "float32"), {rtol = 0, atol = 0})
print "right"
