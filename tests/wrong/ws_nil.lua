local f = tl.jit(function()
  local C = T.empty({4}, "int32")
  for _ in T.Kernel(1, {threads = 256}) do
    local group
    for _ in T.ws(group) do C[0] = 1 end
  end
  return C
end)
f:compile{}
