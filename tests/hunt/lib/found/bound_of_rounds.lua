-- Wrong: a pipelined loop whose number of rounds is in memory, which the loop itself changes: it was read again in each round.
local k = tl.jit(function(X, Q)
  X: T.Tensor({64, 64}, "float32")
  Q: T.Tensor({2}, "int32")
  local D = T.empty({64, 64}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({16, 64}, "float32")
    T.clear(D)
    for k in T.Pipelined(T.min(Q[0], 4), {num_stages = 3}) do
      Q[0] = Q[1]
      T.copy(X[k * 16, 0], s)
      T.copy(s, D[k * 16, 0])
    end
  end
  return D
end)
local x = tl.arange(4096, "float32"):reshape(64, 64)
for _, c in ipairs {{2, 4}, {3, 0}, {4, 1}} do
  local d = k(x, tl.from_table(c, "int32"))
  for i = 0, 63, 15 do assert(d:item(i, 7) == (i < c[1] * 16 and i * 64 + 7 or 0)) end
end
print "right"
