-- a local of the file that only the misspelling asks for
local function scale(n_threads)
  return T.prim_func(function(A)
    A: T.Tensor({1024}, T.float32)
    for bx in T.Kernel(8, {threads = n_thread}) do
      for i in T.Parallel(128) do A[bx * 128 + i] *= 2.0 end
    end
  end)
end
tl.compile(scale(128))
