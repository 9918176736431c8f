-- Parts of tiles that leave shared memory: boxes of TMA begin where the hardware lets them, other
-- parts go by loads and stores; fragments of products seen in another shape.
tl.set_target "sim -arch=sm_90a"

local function parts(dt, at, w)
  local k = tl.jit(function()
    local C, D = T.empty({32, w}, dt), T.empty({32, w}, dt)
    for bx in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({64, w}, dt)
      for i, j in T.Parallel(64, w) do s[i, j] = i * 8 + j end
      T.copy(s[at:at + 32, 0:w], C)
      for q in T.serial(4) do
        T.copy(s[q * at:q * at + 8, 0:w], D[q * 8:q * 8 + 8, 0:w])
      end
    end
    return C, D
  end)
  local c, d = k()
  for i = 0, 31 do
    for j = 0, w - 1 do
      assert(c:item(i, j) == (i + at) * 8 + j and d:item(i, j) == (i // 8 * at + i % 8) * 8 + j,
             ("%s at %d, %d wide: [%d, %d]"):format(dt, at, w, i, j))
    end
  end
end

for _, dt in ipairs {"float16", "float32"} do
  for _, at in ipairs {1, 2, 8} do
    for _, w in ipairs {24, 64} do parts(dt, at, w) end
  end
end

-- A product's fragment in the shape {m, n}.
local function viewed(out, M, m, n)
  local k = tl.jit(function(A)
    A: T.Tensor({M, 16}, T.bfloat16)
    local C = T.empty({m, n}, out)
    for bx in T.Kernel(1, {threads = 128}) do
      local a, s = T.alloc_shared({M, 16}, "bfloat16"), T.alloc_shared({16, 16}, "bfloat16")
      local f, h = T.alloc_fragment({M, 16}, "float32"), T.alloc_fragment({M, 16}, out)
      T.copy(A, a)
      for i, j in T.Parallel(16, 16) do s[i, j] = T.if_then_else(i == j, 2, 0) end
      T.clear(f)
      T.gemm(a, s, f)
      T.copy(f, h)
      T.copy(T.reshape(h, {m, n}), C)
    end
    return C
  end)
  local a = tl.randint(-8, 8, {M, 16}, "int32")
  local b, c = a:to "bfloat16", nil
  c = k(b)
  for i = 0, M * 16 - 1 do
    assert(c:item(i // n, i % n) == 2 * a:item(i // 16, i % 16), ("%s %dx%d: %d"):format(out, m, n, i))
  end
end

for _, out in ipairs {"float32", "float16"} do
  for _, v in ipairs {{64, 2, 512}, {64, 4, 256}, {64, 32, 32}, {128, 8, 256}, {128, 256, 8}} do
    viewed(out, v[1], v[2], v[3])
  end
end
print "as expected"
