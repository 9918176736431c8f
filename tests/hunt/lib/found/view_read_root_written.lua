-- Wrong: what a statement stored to a fragment by its name was lost where the same statement, or iterations of the same
-- T.Parallel, read it by a view of elements of another width: the copy in shared memory was not read back.
local function run(name, body, want)
  local k = tl.jit(function(X)
    X: T.Tensor({16}, T.int32)
    local O = T.empty({16}, T.int32)
    local Q = T.empty({16}, T.int32)
    for bx in T.Kernel(1, {threads = 64}) do
      local F = T.alloc_fragment({16}, T.int32)
      local V = T.view(F, {64}, "int8")
      local W = T.view(F, {8}, "int64")
      T.copy(X, F)
      T.fill(O, 0)
      body(F, V, W, O, X)
      T.copy(F, Q)
    end
    return O, Q
  end)
  local o, q = k(tl.arange(16, "int32"))
  for i = 0, 15 do
    local x, y = want(i)
    assert(o[i] == x and q[i] == y, ("%s: element %d is %d, %d, not %d, %d"):format(name, i, o[i], q[i], x, y))
  end
end

run("own bytes", T.macro(function(F, V, W, O, X)
  for i in T.Parallel(16) do
    O[i] = V[i * 4]
    F[i] = X[i] * 3
  end
end), function(i) return i, i * 3 end)
run("others'", T.macro(function(F, V, W, O, X)
  for i in T.Parallel(16) do
    O[i] = V[11]
    if i >= 8 then F[i] = i + 500 end
  end
end), function(i) return 0, i < 8 and i or i + 500 end)
run("one statement", T.macro(function(F, V, W, O, X)
  for k in T.serial(4) do F[8 + k] = V[k * 4] + 100 end
end), function(i) return 0, i >= 8 and i < 12 and i + 92 or i end)
run("wider", T.macro(function(F, V, W, O, X)
  for i in T.Parallel(8) do F[i * 2] = T.cast(W[i] >> 32, "int32") end
end), function(i) return 0, i | 1 end)
run("an operation", T.macro(function(F, V, W, O, X)
  for i in T.Parallel(16) do O[i] = V[i * 4] end
  T.copy(W[0:4], W[4:8])
  for i in T.Parallel(16) do F[i] = F[i] + V[i * 4] end
end), function(i) return i, 2 * (i % 8) end)
print "right"
