-- Sums over warps, several of them a thread, in a loop: two barriers a round, however many sums
-- there are, since it is known where the values of each warp stand.
for _, cols in ipairs {32, 64, 128, 256} do
  local k = tl.jit(function(A)
    A: T.Tensor({256, cols}, "float32")
    local C = T.empty({cols}, "float32")
    for bx in T.Kernel(1, {threads = 256}) do
      local x = T.alloc_fragment({64, cols}, "float32")
      local part, total = T.alloc_fragment({cols}, "float32"), T.alloc_fragment({cols}, "float32")
      T.clear(total)
      for k in T.serial(4) do
        T.copy(A[k * 64, 0], x)
        T.reduce_sum(x, part, 0)
        for j in T.Parallel(cols) do
          total[j] = total[j] + part[j]
        end
      end
      T.copy(total, C)
    end
    return C
  end, {target = "sim -arch=sm_90a"}):compile()
  local a = (tl.arange(0, 256 * cols):reshape {256, cols} * 7 % 11 - 5):astype "float32"
  tl.testing.assert_close(k(a), a:sum(0))
  local text = k:ir("sync")
  local _, n = text:gsub("bar_sync", "")
  local _, inner = text:gsub("unroll%b() [^\n]*\n *bar_sync", "")
  print(cols, n .. " barriers", inner .. " in loops over sums")
end
