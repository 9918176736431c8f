-- Wrong: a fragment that gets its values turn by turn and goes to another layout through shuffles: those of slots
-- that had none yet were taken for a use of them (E641).
local N = 128
local k = tl.jit(function(X, dtype)
  X: T.Tensor({N}, dtype)
  local Y = T.empty({N}, dtype)
  for bx in T.Kernel(1, {threads = 64}) do
    local f = T.alloc_fragment({N}, dtype)
    local g = T.alloc_fragment({N}, dtype)
    T.annotate_layout({
      [f] = T.Fragment({N}, function(i) return i % 64, i // 64 end),
      [g] = T.Fragment({N}, function(i) return i // 2, i % 2 end),
    })
    for q in T.serial(2) do
      for j in T.Parallel(N) do
        if j % 2 == q then f[j] = X[j] end
      end
      for j in T.Parallel(N) do
        if j % 2 == q then g[j] = f[j] end
      end
    end
    T.copy(g, Y)
  end
  return Y
end)
for _, dtype in ipairs {"int32", "float16", "int8", "int64"} do
  local x = (tl.arange(N, "int32") % 100):to(dtype)
  tl.testing.assert_close(k(x, dtype), x, {rtol = 0, atol = 0})
end
print "right"
