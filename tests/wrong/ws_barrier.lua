local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  local B = T.empty({128}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({128}, T.float32)
    for _ in T.ws(0, 1) do T.sync_threads() end
    for _ in T.ws(0) do T.sync_threads(1, 128) end
    for t in T.ws(0) do
      s[t] = A[t]
      for k in T.Serial(3) do
        if k > 0 then T.sync_threads() end
      end
      B[t] = s[127 - t]
      if T.syncthreads_or(t > 3) ~= 0 then B[t] = 1 end
    end
  end
  return B
end, {target = "sim -arch=sm_80"})
f:compile()
