local p = T.prim_func(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  for bx in T.Kernel(8) do
    A[bx] = 1
  end
end)
