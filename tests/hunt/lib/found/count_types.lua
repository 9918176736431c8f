-- Counts of bits are C's int; of another type they were taken for that type as they were: complements had a sign,
-- shifts of 64 bits were shifts of 32.
local function kernel(target)
  return tl.jit(function(U, W)
    U: T.Tensor({4}, "uint32")
    W: T.Tensor({4}, "uint64")
    local Y = T.empty({4, 4}, "int64")
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(4) do
        Y[0, i] = T.cast(~T.popcount(U[i]), "int64")
        Y[1, i] = T.cast(T.popcount(W[i]) << 40, "int64")
        Y[2, i] = T.cast(T.clz(W[i]) >> 33, "int64")
        Y[3, i] = T.cast(~T.clz(U[i]) >> 3, "int64")
      end
    end
    return Y
  end, {target = target})
end
local Y = kernel()(tl.from_table({1, 2, 3, 7}, "uint32"), tl.from_table({1, 2, 3, 7}, "uint64"))
tl.testing.assert_close(Y, tl.from_table({
  {4294967294, 4294967294, 4294967293, 4294967292}, {1 << 40, 1 << 40, 2 << 40, 3 << 40}, {0, 0, 0, 0},
  {536870908, 536870908, 536870908, 536870908}}, "int64"), {rtol = 0, atol = 0})
print "right"
