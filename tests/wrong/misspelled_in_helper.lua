local function rows(dst, src, n)
  T.copy(src[0:N, 0], dst)
end
local f = tl.jit(function(A)
  A: T.Tensor({16, 16}, T.float32)
  for bx in T.Kernel(1) do
    local As = T.alloc_shared({16, 16}, T.float32)
    rows(As, A, 16)
  end
end)
f(tl.zeros({16, 16}, "float32"))
