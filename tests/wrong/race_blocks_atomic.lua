local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local S = T.empty({1}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    local t = T.get_thread_binding()
    if bx == 0 and t == 0 then S[0] = 0 end
    T.sync_threads()
    T.atomic_add(S[0], A[bx * 64 + t])
  end
  return S
end, {target = "sim -arch=sm_80"})
f(tl.ones({128}, "float32"))
