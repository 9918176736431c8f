-- Groups of 64 lanes: a warp of 32 has none, which is known before the kernel runs.
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local B = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    v = A[t]
    B[t] = v + T.shfl_xor(v, 32, {width = 64})
  end
  return B
end)

local a = tl.arange(0, 64):to "float32"
tl.set_target "sim -warp=64"
print(f(a)[0], f(a)[63])
tl.set_target "sim"
print(select(2, pcall(f, a)))
