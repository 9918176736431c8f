-- Wrong: values of less than a word from other lanes were the lane's own on HIP: a fragment's elements on their way to
-- another layout.  By name (T.shfl_sync), and where the two layouts are given.
local function kernel(dtype)
  return tl.jit(function(X)
    X: T.Tensor({64}, dtype)
    local Y = T.empty({3, 64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local v, f, g = T.alloc_var(dtype), T.alloc_fragment({64}, dtype), T.alloc_fragment({64}, dtype)
      T.annotate_layout {
        [f] = T.Fragment({64}, {thread = function(i) return i end, index = function() return 0 end}),
        [g] = T.Fragment({64}, {thread = function(i) return i // 32 * 32 + i % 4 * 8 + i // 4 % 8 end,
          index = function() return 0 end}),
      }
      v = X[tx]
      Y[0, tx] = T.cast(T.shfl_sync(v, 5), "int32")
      Y[1, tx] = T.cast(T.shfl_xor(v, 3), "int32")
      T.copy(X, f)
      for i in T.Parallel(64) do g[i] = f[i] end
      for i in T.Parallel(64) do Y[2, i] = T.cast(g[i], "int32") end
    end
    return Y
  end)
end

for _, dtype in ipairs {"int8", "uint8", "bool", "int4", "uint4"} do
  local y, x = kernel(dtype), (tl.arange(64, "int32") * 5 % 16 - (dtype:find "u" and 0 or 8)):to(dtype)
  y, x = y(x), x:to "int32"
  for i = 0, 63 do
    assert(y:item(0, i) == x:item(i // 32 * 32 + 5) or y:item(0, i) == x:item(5), dtype) -- of its warp, which has 32 or 64
    assert(y:item(1, i) == x:item(i ~ 3), dtype)
    assert(y:item(2, i) == x:item(i), dtype)
  end
end
print "right"
