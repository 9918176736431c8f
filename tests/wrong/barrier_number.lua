local f = tl.jit(function()
  local C = T.empty({256}, "int32")
  for bx in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    local s = T.alloc_shared({256}, "int32")
    s[tx] = tx
    if tx < 128 then T.sync_threads(17, 128) end
    C[tx] = s[tx]
  end
  return C
end, {target = "sim"})
f:compile()
