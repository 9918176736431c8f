-- uint4 of a wider number stayed of the wider type in C, so that what it met was taken for unsigned.
local function kernel(target)
  return tl.jit(function(X, U, W)
    X: T.Tensor({4}, "int8")
    U: T.Tensor({4}, "uint32")
    W: T.Tensor({4}, "uint64")
    local Y = T.empty({3, 4}, "int32")
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(4) do
        Y[0, i] = T.if_then_else(X[i] < T.cast(U[i], "uint4"), 1, 0)
        Y[1, i] = T.max(X[i], T.cast(W[i], "uint4"))
        Y[2, i] = T.min(X[i], T.cast(U[i] << 1, "uint4"))
      end
    end
    return Y
  end, {target = target})
end
local Y = kernel()(tl.from_table({-128, -1, 3, 127}, "int8"), tl.from_table({1, 16, 19, 4294967295}, "uint32"),
                   tl.from_table({1, 16, 19, -1}, "uint64"))
tl.testing.assert_close(Y, tl.from_table({{1, 1, 0, 0}, {1, 0, 3, 127}, {-128, -1, 3, 14}}, "int32"), {rtol = 0, atol = 0})
print "right"
