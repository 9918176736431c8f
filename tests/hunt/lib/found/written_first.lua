-- A fragment that a loop writes before it reads it was moved into the loop's layout before it had values.
local function kernel(target)
  return tl.jit(function(X1)
    local n1 = T.const "n1"
    X1: T.Tensor({n1}, "int32")
    for bx, by, bz in T.Kernel(1, 1, 2, {threads = 256}) do
      local f1 = T.alloc_fragment({16}, "uint8")
      local f2 = T.alloc_fragment({16}, "uint8")
      local s3 = T.alloc_shared({2, 4, 16}, "uint8")
      T.copy(X1[0], f1)
      for i2 in T.Parallel(16) do
        f2[i2] = (T.truncdiv(T.min(f1[i2], 1), 7) + 31)
        f1[i2] = (~f2[i2])
      end
      for i3, i4, i5, i6 in T.Parallel(2, 4, 2, 8) do
        s3[i3, i4, ((i5 * 8) + i6)] = T.min((f2[i5] // ((f2[i6] & 3) + 3)), 7)
        s3[i3, i4, ((i5 * 8) + i6)] = ((f1[i4] - 7) + T.Select((T.cast(1.0, "bfloat16") < 1.0), s3[i3, i4, ((i5 * 8) + i6)], 1))
      end
    end
  end, {target = target})
end
local X1 = tl.from_table({12, 15, 27, 17}, "int32")
kernel()(X1)
print "right"
