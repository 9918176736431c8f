-- A scan from fragment to fragment goes through shared memory once: two tiles of 32 KiB would not fit beside `s`.
local shape = {64, 128}
for _, dim in ipairs {0, 1} do
  local k = tl.jit(function(A)
    A: T.Tensor(shape, T.float32)
    local B = T.empty(shape, T.float32)
    local C = T.empty(shape, T.float32)
    local D = T.empty(shape, T.float32)
    for _ in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared(shape, T.float32)
      local g, f = T.alloc_fragment(shape, T.float32), T.alloc_fragment(shape, T.float32)
      T.copy(A, s)
      T.copy(A, g)
      T.cumsum(g, f, dim)
      T.copy(f, B)
      T.copy(s, C)
      T.copy(g, D)
    end
    return B, C, D
  end, {target = "sim -arch=sm_75"})
  local a = tl.ones(shape)
  local b, c, d = k(a)
  print(b[0, 0], b[0, 127], b[63, 0], b[63, 127], tl.equal(a, c), tl.equal(a, d))
end
