-- Wrong: a constant stored by a wider view of a thread's own array was 0: the name of its bits was taken for a number that
-- is known, and no number was known of it.
local k = tl.jit(function()
  local O = T.empty({8}, T.int64)
  for bx in T.Kernel(1, {threads = 32}) do
    local L = T.alloc_local({4}, "int32")
    local V = T.view(L, {2}, "int64")
    for z in T.unroll(4) do L[z] = z + 1 end
    V[0] = 5
    for z in T.unroll(4) do O[z] = L[z] end
    T.fill(V, 0x0000000700000009)
    for z in T.unroll(4) do O[z + 4] = L[z] end
  end
  return O
end)
local o = k()
for i, v in ipairs {5, 0, 3, 4, 9, 7, 9, 7} do assert(o[i - 1] == v) end
print "right"
