-- operations are called what the text calls them
local k = tl.jit(function(X)
  X: T.Tensor({64, 64}, "float32")
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64, 64}, "float32")
    T.copy(X, s)
    T.cumsum(s[0:32, :], s[16:48, :], 1)
    T.cummax(s[0:32, :], s[16:48, :], 1)
    T.reduce_sum(s, s[:, 0], 1)
    T.reduce_absmax(s, s[:, 0], 1)
    T.atomic_add(s[0:32, :], s[16:48, :])
    T.copy(s, C)
  end
  return C
end)
k:compile{}
