-- Died: an index of a fragment that steps over all of it, in iterations of which one alone runs.
local kernel = tl.jit(function(I)
  I: T.Tensor({2}, "int32")
  local O = T.empty({32}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local f = T.alloc_fragment({32}, "float32")
    T.fill(f, 1)
    if I[1] > 2 then
      for i in T.Parallel(32) do
        if i < I[0] then f[T.max(36, i) * i] = 2.5 end
      end
    end
    T.copy(f, O)
  end
  return O
end)
local want = {2.5}
for i = 2, 32 do want[i] = 1 end
tl.testing.assert_close(kernel(tl.from_table({1, 3}, "int32")), tl.from_table(want, "float32"), {rtol = 0, atol = 0})
print "right"
