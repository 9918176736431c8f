-- Wrong: elements of 4 bits that two threads held shared a byte of memory, and one of the two stores was lost (E603, E600
-- on the simulator): of a fragment staged in shared memory, of one copied out against its layout, of a transposed tile,
-- of a product's sums.
local function same(got, want) tl.testing.assert_close(got:to("int32"), want:to("int32"), {rtol = 0, atol = 0}) end

-- The layout has one element to a lane, and a loop of turns goes through shared memory.
local function turns()
  return tl.jit(function(X)
    X: T.Tensor({128}, "int4")
    local Y = T.empty({128}, "int4")
    for bx in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({128}, "int4")
      for q in T.serial(2) do
        for j in T.Parallel(64) do f[j * 2 + q] = X[j * 2 + q] end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

local function transposed()
  return tl.jit(function(X)
    X: T.Tensor({16, 8}, "int4")
    local Y = T.empty({8, 16}, "int4")
    local Z = T.empty({8, 16}, "int4")
    for bx in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({16, 8}, "int4")
      local s = T.alloc_shared({8, 16}, "int4")
      for i, j in T.Parallel(16, 8) do f[i, j] = X[i, j] end
      for i, j in T.Parallel(16, 8) do
        s[j, i] = X[i, j]
        Z[j, i] = f[i, j]
      end
      T.copy(s, Y)
    end
    return Y, Z
  end)
end

local function product()
  return tl.jit(function(A, B)
    A: T.Tensor({32, 32}, "int4")
    B: T.Tensor({32, 16}, "float16")
    local C = T.empty({32, 16}, "int4")
    local D = T.empty({16, 32}, "int4")
    for bx in T.Kernel(1, {threads = 64}) do
      local a = T.alloc_fragment({32, 32}, "float16")
      local b = T.alloc_shared({32, 16}, "float16")
      local c = T.alloc_fragment({32, 16}, "float32")
      for i, j, q in T.Parallel(32, 16, 2) do a[i, j * 2 + q] = T.cast(A[i, j * 2 + q], "float16") end
      T.copy(B, b)
      T.clear(c)
      T.gemm(a, b, c)
      for i, j in T.Parallel(32, 16) do C[i, j] = T.cast(c[i, j], "int32") end
      for i, j in T.Parallel(32, 16) do D[j, i] = T.cast(c[i, j], "int32") end
    end
    return C, D
  end)
end

local x = (tl.arange(128, "int32") * 5 % 16 - 8):to("int4")
same(turns()(x), x)
x = x:reshape(16, 8)
local y, z = transposed()(x)
local want = {}
for j = 1, 8 do
  want[j] = {}
  for i = 1, 16 do want[j][i] = x:item(i - 1, j - 1) end
end
want = tl.from_table(want, "int32")
same(y, want)
same(z, want)
local one = {}
for i = 1, 32 do
  one[i] = {}
  for j = 1, 16 do one[i][j] = i == j and 1 or 0 end
end
local a = (tl.arange(1024, "int32") * 7 % 16 - 8):reshape(32, 32)
local c, d = product()(a:to("int4"), tl.from_table(one, "float16"))
for i = 0, 31 do
  for j = 0, 15 do
    assert(c:item(i, j) == a:item(i, j) and d:item(j, i) == a:item(i, j))
  end
end
print "right"
