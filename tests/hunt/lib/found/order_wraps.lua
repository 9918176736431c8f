-- The order of two numbers was taken from their difference, which had left the type.
local function kernel(target)
  return tl.jit(function(X1)
    X1: T.Tensor({4}, "int32")
    local O1 = T.empty({7}, "int32")
    local O2 = T.empty({2}, "int64")
    for bx in T.Kernel(1, {threads = 32}) do
      local far = X1[0] % 2 - T.max_value("int32")
      O1[0] = T.max(T.cast(1, "int32") - T.max_value("int32"), 7)
      O1[1] = T.max(T.cast(-2147483646, "int32"), 7)
      O1[2] = T.max(X1[0] * 0 + T.min_value("int32"), 7)
      O1[3] = T.Select(T.cast(-2147483646, "int32") > 7, 1, 0)
      O1[4] = T.max(far, 7)
      O1[5] = T.Select(far > 7, 1, 0)
      O1[6] = T.min(T.max_value("int32") - X1[0] % 2, -9)
      O2[0] = T.max(T.cast(1, "int64"), T.min_value("int64"))
      O2[1] = T.min(T.max_value("int64"), T.cast(-2, "int64"))
    end
    return O1, O2
  end, {target = target})
end
local O1, O2 = kernel()(tl.from_table({1, 2, 3, 4}, "int32"))
tl.testing.assert_close(O1, tl.from_table({7, 7, 7, 0, 7, 0, -9}, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(O2, tl.from_table({1, -2}, "int64"), {rtol = 0, atol = 0})
print "right"
