-- Wrong: the way back of a staged fragment that a loop fills part by part, by ldmatrix, through a view, of two elements
-- to a byte, in rounds: elements that no turn had written yet were taken for read there (E606).
local function same(got, want) tl.testing.assert_close(got, want, {rtol = 0, atol = 0}) end

-- The layout is a product's: matrices are loaded.
local function product()
  return tl.jit(function(X)
    X: T.Tensor({128, 64}, "float16")
    local Y = T.empty({128, 64}, "float16")
    local Z = T.empty({128, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f = T.alloc_fragment({128, 64}, "float16")
      local B = T.alloc_shared({64, 64}, "float16")
      local c = T.alloc_fragment({128, 64}, "float32")
      for i, j in T.Parallel(64, 64) do B[i, j] = T.if_then_else(i == j, 1.0, 0.0) end
      for q in T.serial(4) do
        for i, j in T.Parallel(128, 16) do f[i, q * 16 + j] = X[i, q * 16 + j] end
      end
      T.clear(c)
      T.gemm(f, B, c)
      T.copy(f, Y)
      T.copy(c, Z)
    end
    return Y, Z
  end)
end

local function view()
  return tl.jit(function(X)
    X: T.Tensor({16, 32}, "int32")
    local Y = T.empty({16, 32}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local f = T.alloc_fragment({16, 32}, "int32")
      local v = T.reshape(f, {512})
      for q in T.serial(4) do
        for j in T.Parallel(128) do v[q * 128 + j] = X[(q * 128 + j) // 32, j % 32] + 1 end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

local function half_bytes()
  return tl.jit(function(X)
    X: T.Tensor({256}, "int4")
    local Y = T.empty({256}, "int4")
    for bx in T.Kernel(1, {threads = 64}) do
      local f = T.alloc_fragment({256}, "int4")
      for q in T.serial(2) do
        for j in T.Parallel(128) do f[q * 128 + j] = X[q * 128 + j] end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

-- More than there is of shared memory.
local function rounds()
  return tl.jit(function(X)
    X: T.Tensor({256, 128}, "float32")
    local Y = T.empty({256, 128}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f = T.alloc_fragment({256, 128}, "float32")
      for q in T.serial(4) do
        for i, j in T.Parallel(64, 128) do
          f[i * 4 + q, j] = X[i * 4 + q, j]
          f[i * 4 + q, j] += 1
        end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

local function numbers(n, m) return tl.arange(n, "int32") % m end
local x = numbers(128 * 64, 100):reshape(128, 64)
local y, z = product()(x:to("float16"))
same(y, x:to("float16"))
same(z, x:to("float32"))
x = numbers(512, 512):reshape(16, 32)
same(view()(x), x + 1)
x = numbers(256, 5):to("int4")
same(half_bytes()(x):to("int32"), x:to("int32"))
x = numbers(256 * 128, 1000):reshape(256, 128)
same(rounds()(x:to("float32")), (x + 1):to("float32"))
print "right"
