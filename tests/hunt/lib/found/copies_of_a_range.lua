-- A missing barrier: warps beyond those of a fragment's layout (a range of threads that uses it
-- has fewer) run copies of a loop that changes shared memory which it reads.
local kernel = tl.jit(function(X)
  X: T.Tensor({16, 8}, "int32")
  local Y = T.empty({16, 8}, "int32")
  for bx in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    local s = T.alloc_shared({16, 8}, "int32")
    local f = T.alloc_fragment({16, 8}, "int32")
    T.copy(X, s)
    for i, j in T.Parallel(16, 8) do
      f[i, j] = s[i, j] - 2
      if f[i, j] ~= s[i, j] then
        s[i, j] = 4
      end
    end
    T.copy(s, Y)
    if tx >= 64 then
      for i, j in T.Parallel(16, 8) do
        s[i, j] = T.max(f[i, j], 5)
      end
    end
    T.copy(s, X)
  end
  return Y
end)
local x = tl.full({16, 8}, 9, "int32")
tl.testing.assert_close(kernel(x), tl.full({16, 8}, 4, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(x, tl.full({16, 8}, 7, "int32"), {rtol = 0, atol = 0})
print "right"
