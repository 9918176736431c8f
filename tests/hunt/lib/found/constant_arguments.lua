-- What is a constant, and has a type, took the other arguments' type in functions of several: T.atan2(h, T.float32(0.1)) of
-- a float16 h was computed in float16.
local k = tl.jit(function(H, F)
  H: T.Tensor({32}, "float16")
  F: T.Tensor({32}, "float32")
  local Y = T.empty({10, 32}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(32) do
      Y[0, i] = T.atan2(H[i], T.float32(0.1))
      Y[1, i] = T.atan2(H[i], F[i])
      Y[2, i] = T.pow(H[i], T.cast(0.1, "float32"))
      Y[3, i] = T.pow(H[i], F[i])
      Y[4, i] = T.fmod(H[i], T.clamp(F[i] * 0 + 0.1, 0.1, 0.1))
      Y[5, i] = T.fmod(H[i], F[i])
      Y[6, i] = T.ieee_fmaf(H[i], T.float32(0.1), 0.1)
      Y[7, i] = T.ieee_fmaf(H[i], F[i], T.float32(0.1))
      Y[8, i] = T.hypot(H[i], 0.1)
      Y[9, i] = T.hypot(H[i], T.float16(0.1))
    end
  end
  return Y
end)
local y = k(tl.full({32}, 1.7, "float16"), tl.full({32}, 0.1, "float32"))
for row = 0, 8, 2 do
  for i = 0, 31 do assert(y:item(row, i) == y:item(row + 1, i), ("row %d: %.9g, %.9g"):format(row, y:item(row, i), y:item(row + 1, i))) end
end
print "right"
