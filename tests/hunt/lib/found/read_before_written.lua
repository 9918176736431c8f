-- Wrong: a loop that reads elements of a fragment at a running index and writes it behind that: the copy that
-- it reads was made once, in front of it, since the store behind the read went unseen.
local kernel = tl.jit(function()
  local O = T.empty({8, 4}, "int32")
  local N = T.empty({4}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    local f = T.alloc_fragment({8, 4}, "int32")
    local g = T.alloc_fragment({8, 4}, "int32")
    local n = T.alloc_var("int32", 0)
    T.fill(f, 1)
    T.fill(g, 1)
    for k in T.serial(4) do
      if T.all_of(f) then
        f[0, k] = 0
      end
      for i in T.serial(8) do n += g[i, 0] end
      T.clear(g[k, :])
      N[k] = n
    end
    T.copy(f, O)
  end
  return O, N
end)
local o, n = kernel()
local want = {}
for i = 1, 8 do want[i] = {i == 1 and 0 or 1, 1, 1, 1} end
tl.testing.assert_close(o, tl.from_table(want, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(n, tl.from_table({8, 15, 21, 26}, "int32"), {rtol = 0, atol = 0})
print "right"
