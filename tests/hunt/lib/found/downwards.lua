-- Wrong: a loop that counts downwards in a T.Parallel, at whose variable a fragment is read: all its turns read
-- the element of the first.
local kernel = tl.jit(function(X)
  X: T.Tensor({16, 16}, "int64")
  local O = T.empty({16, 16}, "int64")
  for bx in T.Kernel(1, {threads = 256}) do
    local f = T.alloc_fragment({16, 16}, "int64")
    local g = T.alloc_fragment({16, 32}, "int64")
    for i, j in T.Parallel(16, 6) do
      for k in T.serial(3) do
        if j * 3 + k < 16 then f[15 - i, j * 3 + k] = X[k, j] end
      end
    end
    for i, j in T.Parallel(16, 32) do
      g[i, j] = 0
      for q in T.serial(8, -1, -3) do g[i, j] = g[i, j] * 10 + f[1, q] end
    end
    for i, j in T.Parallel(16, 16) do f[i, j] = g[1, 1] end
    T.copy(f, O)
  end
  return O
end)
local x, want = {}, {}
for i = 1, 16 do
  x[i], want[i] = {}, {}
  for j = 1, 16 do x[i][j], want[i][j] = i * 2 + j, 987 end
end
tl.testing.assert_close(kernel(tl.from_table(x, "int64")), tl.from_table(want, "int64"), {rtol = 0, atol = 0})
print "right"
