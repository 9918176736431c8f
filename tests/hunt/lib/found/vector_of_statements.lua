-- Wrong: next to a store into a fragment the other statements of T.vectorized ran in its owner alone, and
-- what the block does once ran in every thread next to a store into a thread's own array.
local kernel = tl.jit(function(C)
  C: T.Tensor({16}, "float32")
  local O, P = T.empty({32}, "float32"), T.empty({64, 4}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local f, v = T.alloc_fragment({32}, "float32"), T.alloc_local({4}, "float32")
    T.fill(f, 1)
    for i in T.vectorized(4) do
      f[i] = 3
      v[i] = i * 2
      T.atomic_add(C[i], T.if_then_else(tx < 5, 1.0, 0.0))
    end
    for i in T.vectorized(4) do
      v[i] = v[i] + 1
      T.atomic_add(C[8 + i], 1)
    end
    for i in T.vectorized(4) do P[tx, i] = v[i] end
    T.copy(f, O)
  end
  return O, P
end)
local o, p, c = {}, {}, {5, 5, 5, 5, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}
for i = 1, 32 do o[i] = i < 5 and 3 or 1 end
for t = 1, 64 do p[t] = {1, 3, 5, 7} end
local C = tl.zeros({16}, "float32")
local O, P = kernel(C)
tl.testing.assert_close(O, tl.from_table(o, "float32"), {rtol = 0, atol = 0})
tl.testing.assert_close(P, tl.from_table(p, "float32"), {rtol = 0, atol = 0})
tl.testing.assert_close(C, tl.from_table(c, "float32"), {rtol = 0, atol = 0})
print "right"
