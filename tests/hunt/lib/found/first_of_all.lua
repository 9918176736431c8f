-- A bug of ours (E999): the old value of an atomic of the whole block, when that is what a kernel does first.
-- E606: T.atomic_store to memory that nothing has written yet was taken for a read of it.
local kernel = tl.jit(function(X)
  X: T.Tensor({8}, "int32")
  local O = T.empty({8}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    local old = T.atomic_add(X[3], 5, {return_prev = true})
    local s = T.alloc_shared({8}, "int32")
    for i in T.Parallel(8) do T.atomic_store(s[i], i) end
    for i in T.Parallel(8) do O[i] = s[i] * 100 + old end
  end
  return O
end)
local x = tl.from_table({0, 1, 2, 3, 4, 5, 6, 7}, "int32")
tl.testing.assert_close(kernel(x), tl.from_table({3, 103, 203, 303, 403, 503, 603, 703}, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(x, tl.from_table({0, 1, 2, 8, 4, 5, 6, 7}, "int32"), {rtol = 0, atol = 0})
print "right"
