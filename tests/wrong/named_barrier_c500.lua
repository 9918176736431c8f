local f = tl.jit(function()
  local C = T.empty({64}, T.int32)
  for _ in T.Kernel(1, {threads = 256}) do
    local tx, s = T.get_thread_binding(), T.alloc_shared({64}, T.int32)
    if tx < 64 then
      s[tx] = tx
      T.sync_threads(3, 64)
      C[tx] = s[63 - tx]
    end
  end
  return C
end, {target = "sim -arch=c500"})
f:compile()
