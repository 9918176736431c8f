-- Fragments that are a product's operands (of wgmma on sm_90a), filled part by part through shared memory, between
-- products that still read them; of 4 bits, of which half never gets a value.
local function filled()
  return tl.jit(function(X, B)
    X: T.Tensor({64, 64}, "float16")
    B: T.Tensor({64, 64}, "float16")
    local Y = T.empty({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f = T.alloc_fragment({64, 64}, "float16")
      local b = T.alloc_shared({64, 64}, "float16")
      local c = T.alloc_fragment({64, 64}, "float32")
      T.copy(B, b)
      T.clear(c)
      for turn in T.serial(2) do
        for q in T.serial(4) do
          for i, j in T.Parallel(64, 16) do f[i, q * 16 + j] = X[i, q * 16 + j] + turn end
        end
        T.gemm(f, b, c)
      end
      T.copy(c, Y)
    end
    return Y
  end)
end

local function half()
  return tl.jit(function(X, B)
    X: T.Tensor({64, 64}, "int4")
    B: T.Tensor({64, 64}, "float16")
    local Y = T.empty({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f = T.alloc_fragment({64, 64}, "int4")
      local a = T.alloc_fragment({64, 64}, "float16")
      local b = T.alloc_shared({64, 64}, "float16")
      local c = T.alloc_fragment({64, 64}, "float32")
      T.copy(B, b)
      T.clear(c)
      for q in T.serial(2) do
        for i, j in T.Parallel(64, 16) do f[i, 2 * j + q] = X[i, 2 * j + q] end
      end
      for i, j in T.Parallel(64, 64) do
        if j < 32 then a[i, j] = T.cast(f[i, j], "float16") else a[i, j] = 0 end
      end
      T.gemm(a, b, c)
      T.copy(c, Y)
    end
    return Y
  end)
end

local one = {}
for i = 1, 64 do
  one[i] = {}
  for j = 1, 64 do one[i][j] = i == j and 1 or 0 end
end
one = tl.from_table(one, "float16")
local x = (tl.arange(4096, "int32") * 5 % 16 - 8):reshape(64, 64)
tl.testing.assert_close(filled()(x:to("float16"), one), (x * 2 + 1):to("float32"), {rtol = 0, atol = 0})
local y = half()(x:to("int4"), one)
for i = 0, 63 do
  for j = 0, 63 do assert(y:item(i, j) == (j < 32 and x:item(i, j) or 0)) end
end
print "right"
