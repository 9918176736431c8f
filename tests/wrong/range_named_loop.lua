local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local tx = T.get_thread_binding()
    if tx < 128 then
      for k in T.serial(4) do
        T.copy(X, s)
        for j in T.serial(4) do
          for i, j in T.Parallel(64, 64) do
            C[i, j] = s[63 - i, j]
          end
        end
      end
    end
  end
  return C
end, {target = "sim -arch=c500"})
f:compile()
