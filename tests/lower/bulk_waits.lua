-- A bulk store is waited for until its tile was read (read=1); until it is there, where another round or statement may
-- come to the same place, or read the tensor: bulk copies keep no order.
tl.set_target "sim -arch=sm_90a"

local function waits(k)
  local all = {}
  for line in k:compile():ir "thread":gmatch "[^\n]+" do
    all[#all + 1] = line:match "^%s+bulk_wait" and line:gsub("^%s+", ""):gsub(" @.*", "") or nil
  end
  return table.concat(all, ", ")
end

local function go(name, f)
  local k = tl.jit(function(X, C)
    X: T.Tensor({1024, 256}, "float16")
    C: T.Tensor({1024, 256}, "float16")
    for bx in T.Kernel(2, {threads = 128}) do
      local s = T.alloc_shared({64, 64}, "float16")
      f(X, C, s, bx)
    end
  end)
  print(name, waits(k))
  local x, c, d = tl.rand({1024, 256}, "float16"), tl.zeros({1024, 256}, "float16"), tl.zeros({1024, 256}, "float16")
  k(x, c)
  k:compile():retarget "cpu"(x, d)
  assert(tl.equal(c, d), name)
end

go("once", T.macro(function(X, C, s, bx) T.copy(X[bx * 64, 0], s); T.copy(s, C[bx * 64, 0]) end))
go("another row each time", T.macro(function(X, C, s, bx)
  for i in T.serial(4) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 64, i * 64])
  end
end))
go("every place twice", T.macro(function(X, C, s, bx)
  for i in T.serial(4) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 64, i // 2 * 64])
  end
end))
go("over half of the last", T.macro(function(X, C, s, bx)
  for i in T.serial(4) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 64, i * 32])
  end
end))
go("quotient and rest", T.macro(function(X, C, s, bx)
  for i in T.serial(4) do
    local t = bx + i * 2
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[t // 4 * 64, t % 4 * 64])
  end
end))
go("two loops", T.macro(function(X, C, s, bx)
  for i, j in T.grid(2, 2) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 128 + i * 64, j * 64])
  end
end))
go("two loops in one dimension", T.macro(function(X, C, s, bx)
  for i, j in T.grid(2, 2) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 64, (i + j) * 64])
  end
end))
go("a place that data chooses", T.macro(function(X, C, s, bx)
  for i in T.serial(2) do
    T.copy(X[bx * 64, i * 64], s)
    T.copy(s, C[bx * 64, T.cast(X[0, i], "int32") * 64])
  end
end))
go("two side by side", T.macro(function(X, C, s, bx)
  T.copy(X[bx * 64, 0], s)
  T.copy(s, C[bx * 64, 0])
  T.copy(s, C[bx * 64, 64])
end))
go("one over another", T.macro(function(X, C, s, bx)
  T.copy(X[bx * 64, 0], s)
  T.copy(s, C[bx * 64, 0])
  T.copy(s, C[bx * 64, 32])
end))
go("read behind it", T.macro(function(X, C, s, bx)
  T.copy(X[bx * 64, 0], s)
  T.copy(s, C[bx * 64, 0])
  for i, j in T.Parallel(64, 64) do C[512 + bx * 64 + i, j] = C[i + bx * 64, j] end
end))
go("written behind it", T.macro(function(X, C, s, bx)
  T.copy(X[bx * 64, 0], s)
  T.copy(s, C[bx * 64, 0])
  for i, j in T.Parallel(64, 64) do C[i + bx * 64, j] = 1 end
end))

-- Products, which leave by boxes: the last wait is that of the block.
local function product(name, f)
  local k = tl.jit(function(A, B, C)
    A: T.Tensor({512, 64}, "float16")
    B: T.Tensor({64, 512}, "float16")
    C: T.Tensor({512, 512}, "float16")
    for bx in T.Kernel(2, {threads = 128}) do
      local a, b = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
      local c = T.alloc_fragment({64, 64}, "float32")
      local one = T.macro(function(i, j)
        T.copy(A[i * 64, 0], a)
        T.copy(B[0, j * 64], b)
        T.gemm(a, b, c, {clear_accum = true})
      end)
      f(C, c, one, bx)
    end
  end)
  print(name, waits(k))
  local x, y = tl.rand({512, 64}, "float16"), tl.rand({64, 512}, "float16")
  local c, d = tl.zeros({512, 512}, "float16"), tl.zeros({512, 512}, "float16")
  k(x, y, c)
  k:compile():retarget "cpu"(x, y, d)
  tl.testing.assert_close(c, d, {rtol = 1e-2, atol = 1e-2})
end
product("one product", T.macro(function(C, c, one, bx) one(0, bx); T.copy(c, C[0, bx * 64]) end))
product("tiles in turn", T.macro(function(C, c, one, bx)
  for w in T.serial(4) do
    local t = bx + w * 2
    one(t // 4, t % 4)
    T.copy(c, C[t // 4 * 64, t % 4 * 64])
  end
end))
product("tiles in an order of their own", T.macro(function(C, c, one, bx)
  for w in T.serial(4) do
    local t = bx + w * 2
    one(t // 4, t % 4 ~ 1)
    T.copy(c, C[t // 4 * 64, (t % 4 ~ 1) * 64])
  end
end))
product("twice", T.macro(function(C, c, one, bx)
  one(0, bx)
  T.copy(c, C[0, bx * 64])
  one(1, bx)
  T.copy(c, C[0, bx * 64])
end))
