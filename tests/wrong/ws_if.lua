local f = tl.jit(function()
  local C = T.empty({256}, "int32")
  for _ in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    C[tx] = 0
    if T.ws(1) then
      C[tx] = 1
    end
  end
  return C
end)
f:compile()
