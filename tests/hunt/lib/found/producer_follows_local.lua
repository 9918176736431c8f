-- Wrong: E999 on sm_90a. A loop whose copies do not run ahead sets what a later pipeline's condition reads: its producer
-- follows it, and took the loop's pipeline along. Where the loop's copies do run ahead, the producer did not set it at all.
local function kernel(ahead)
  return tl.jit(function(X, Y)
    X: T.Tensor({64, 64}, "float32")
    Y: T.Tensor({32, 32}, "float32")
    local C = T.empty({2, 32, 32}, "float32")
    for bx in T.Kernel(2, {threads = 128}) do
      local s = T.alloc_shared({4, 32}, "float32")
      local l = T.alloc_local({4}, "int32")
      local t = T.alloc_shared({32, 32}, "float32")
      local f = T.alloc_fragment({32, 32}, "float32")
      local g = T.alloc_fragment({4, 32}, "float32")
      T.fill(f, 1)
      T.clear(g)
      for k in T.Pipelined(4, {num_stages = 2}) do
        T.copy(X[k * 4, 0], s)
        if ahead then
          for i, j in T.Parallel(4, 32) do g[i, j] += s[i, j] end
        end
        for q in T.unroll(4) do l[q] = k - q end
      end
      if l[bx + 2] <= 0 then
        for _ in T.Pipelined(1, {num_stages = 2}) do
          T.copy(Y, t)
          for i, j in T.Parallel(32, 32) do f[i, j] += t[i, j] + g[i % 4, j] end
        end
      end
      T.copy(f, C[bx, 0:32, 0:32])
    end
    return C
  end)
end
for _, ahead in ipairs {false, true} do
  local c = kernel(ahead)(tl.ones({64, 64}, "float32"), tl.ones({32, 32}, "float32"))
  for i = 0, 31 do
    for j = 0, 31 do
      assert(c:item(0, i, j) == 1 and c:item(1, i, j) == (ahead and 6 or 2))
    end
  end
end
print "right"
