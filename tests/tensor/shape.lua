-- Shapes print themselves and are plain lists to everything else.
local t = tl.zeros({2, 3})
print(t.shape, t.strides, tl.zeros({}).shape, tl.zeros({4}).shape)
print(#t.shape, table.concat(t.shape, "x"), table.unpack(t.shape))
for d, n in ipairs(t.shape) do
  print(d, n)
end
t.shape[1] = 7 -- a copy
print(t.shape, tl.ones(t.shape).shape, t:reshape({3, 2}).shape)
print(require("moontile.tl.json").encode({shape = t.shape}))
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({2, N}, T.float32)
  local B = T.empty(A.shape, A.dtype)
  for bx in T.Kernel(1) do
    local s = T.alloc_shared(A.shape, A.dtype)
    print(A.shape, A[0, 0:2].shape, s.shape)
    T.copy(A, s)
    T.copy(s, B)
  end
  return B
end, {target = "cpu"})
print(f(t + 1).shape)
print(pcall(f.compile, f, t.shape))
