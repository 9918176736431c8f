-- What is a constant, and has a type, took the other side's type: sums wrapped in the narrower one, and a type depended
-- on what folds.  A number of Lua's is an int32, too.
local function kernel(target)
  return tl.jit(function(X, L, H)
    X: T.Tensor({4}, "int8")
    L: T.Tensor({4}, "int32")
    H: T.Tensor({4}, "float16")
    local Y = T.empty({6, 4}, "int64")
    local Z = T.empty({4}, "float32")
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(4) do
        Y[0, i] = X[i] + T.int32(100)
        Y[1, i] = X[i] + 100
        Y[2, i] = X[i] * 2 + (L[i] - L[i] + 100)
        Y[3, i] = T.if_then_else(L[i] >= 0, X[i], T.int32(-7)) * 100
        Y[4, i] = T.int8(1) << (L[i] * 0 + 7)
        Y[5, i] = T.max(T.clamp(L[i], 5, 4), X[i]) * 50
        Z[i] = H[i] + T.float32(0.0001)
      end
    end
    return Y, Z
  end, {target = target})
end
local Y, Z = kernel()(tl.from_table({100, 127, -128, -1}, "int8"), tl.from_table({1, -1, 2, 3}, "int32"),
                      tl.from_table({1, 1, 1, 1}, "float16"))
tl.testing.assert_close(Y, tl.from_table({
  {200, 227, -28, 99}, {200, 227, -28, 99}, {300, 354, -156, 98}, {10000, -700, -12800, -100},
  {128, 128, 128, 128}, {5000, 6350, 200, 200}}, "int64"), {rtol = 0, atol = 0})
tl.testing.assert_close(Z, tl.full({4}, 1.0001, "float32"), {rtol = 1e-6, atol = 0})
print "right"
