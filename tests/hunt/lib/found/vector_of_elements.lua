-- Refused as a bug of ours: T.vectorized around elements of a fragment that other threads hold, of
-- which copies were made inside of the vector loop.
local kernel = tl.jit(function(A, I)
  A: T.Tensor({32, 32}, "float32")
  I: T.Tensor({32}, "int32")
  local O, P, Q = T.empty({32, 32}, "float32"), T.empty({64}, "float32"), T.empty({8}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local f = T.alloc_fragment({32, 32}, "float32")
    local v = T.alloc_local({4}, "float32")
    T.copy(A, f)
    for i in T.vectorized(4) do v[i] = f[tx // 2, (tx % 2) * 4 + i] + i end
    P[tx] = v[0] + v[3]
    for i in T.vectorized(4) do Q[i] = f[3, I[i]] end
    for i in T.vectorized(4) do Q[4 + i] = f[i, 2] * 2 end
    for q in T.unroll(2) do
      for i in T.vectorized(4) do f[tx % 32, I[tx // 32 * 4 + i]] = q + i end
    end
    T.copy(f, O)
  end
  return O, P, Q
end)
local a, index, o, p = {}, {}, {}, {}
for i = 1, 32 do
  a[i], o[i], index[i] = {}, {}, i * 7 % 32
  for j = 1, 32 do a[i][j], o[i][j] = i * 64 + j, i * 64 + j end
end
for t = 0, 63 do
  local row, at = a[t // 2 + 1], t % 2 * 4
  p[t + 1] = row[at + 1] + row[at + 4] + 3
  for i = 0, 3 do o[t % 32 + 1][index[t // 32 * 4 + i + 1] + 1] = 1 + i end
end
local q = {}
for i = 1, 4 do q[i], q[4 + i] = a[4][index[i] + 1], a[i][3] * 2 end
local O, P, Q = kernel(tl.from_table(a, "float32"), tl.from_table(index, "int32"))
tl.testing.assert_close(O, tl.from_table(o, "float32"), {rtol = 0, atol = 0})
tl.testing.assert_close(P, tl.from_table(p, "float32"), {rtol = 0, atol = 0})
tl.testing.assert_close(Q, tl.from_table(q, "float32"), {rtol = 0, atol = 0})
print "right"
