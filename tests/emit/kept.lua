-- A signed shift or division of what is read from memory begins with a value that NVIDIA's compiler cannot make
-- narrower, where there are elements of 8 bits; others do not, nor do indices.
local function text(dtype, target)
  local k = tl.jit(function(X)
    X: T.Tensor({64}, dtype)
    local Z = T.empty({64}, dtype)
    for bx in T.Kernel(1, {threads = 64}) do
      for i in T.Parallel(64) do
        Z[i] = (X[i // 2 * 2] + T.cast(1, dtype)) // T.cast(4, dtype) + (X[i] >> 1)
      end
    end
    return Z
  end)
  local source = k:compile(tl.zeros({64}, dtype)):retarget(target):get_kernel_source()
  print(target, dtype, source:match "[^\n]*Z[%w_]*%[[^\n]*>>[^\n]*")
end
for _, dtype in ipairs {"int8", "uint8", "int16"} do text(dtype, "cuda -build -arch=sm_90a") end
text("int8", "hip -build -arch=gfx942")
