-- The least number of a narrow type: its magnitude and its quotient by -1 are one beyond the type
-- and wrap, as on sim and cpu; C computes them in int.
local function kernel(dt, target)
  return tl.jit(function(X, D)
    X: T.Tensor({32}, dt)
    D: T.Tensor({32}, dt)
    local Y = T.empty({4, 32}, T.int32)
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(32) do
        Y[0, i] = T.cast(T.abs(X[i]), T.int32)
        Y[1, i] = T.cast(X[i] // D[i], T.int32)
        Y[2, i] = T.cast(T.truncdiv(X[i], D[i]), T.int32)
        Y[3, i] = T.cast(T.abs(X[i]) // 2, T.int32)
      end
    end
    return Y
  end, {target = target})
end
for _, dt in ipairs {"int8", "int16", "int32"} do
  local x = tl.full({32}, dt == "int8" and -128 or dt == "int16" and -32768 or -2147483648, dt)
  local d = tl.full({32}, -1, dt)
  for _, t in ipairs {"sim", "cpu"} do
    local y = kernel(dt, t)(x, d)
    print(dt, t, y[0][0], y[1][0], y[2][0], y[3][0])
  end
  for _, t in ipairs {"cuda -arch=sm_80 -build", "hip -arch=gfx942 -build"} do -- needs no compiler
    for line in kernel(dt, t):compile(x, d):get_kernel_source():gmatch "[^\n]+" do
      if line:find "^ *Y%[" then
        print(line)
      end
    end
  end
end
