local function copy(N)
  return T.prim_func(function(A, B)
    A: T.Tensor({N}, "float32")
    B: T.Tensor({N}, "float32")
    for bx in T.Kernel(T.ceildiv(N, 128)) do
      T.copy(A[bx * 128], B[bx * 128])
    end
  end)
end
tl.compile(copy(1024), {out_idx = {2}})
