-- Copies between every pair of scopes, elementwise kernels, ragged edges.
local conform = dofile "lib/conform.lua"
tl.manual_seed(1)

-- scopes that a tile passes through on its way from A to B
local through = {
  {"global", {}}, {"shared", {"shared"}}, {"fragment", {"fragment"}},
  {"shared, fragment", {"shared", "fragment"}}, {"fragment, shared", {"fragment", "shared"}},
  {"shared, shared", {"shared", "shared"}}, {"fragment, fragment", {"fragment", "fragment"}},
}

local function pass(scopes, dtype, BM, BN, threads)
  return tl.jit(function(A)
    local M, N = T.const "M, N"
    A: T.Tensor({M, N}, dtype)
    local B = T.empty({M, N}, dtype)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = threads}) do
      local tile
      for _, s in ipairs(scopes) do
        local t = T["alloc_" .. s]({BM, BN}, dtype)
        T.copy(tile or A[by * BM, bx * BN], t)
        tile = t
      end
      if tile then
        T.copy(tile, B[by * BM, bx * BN])
      else
        for i, j in T.Parallel(BM, BN) do
          B[by * BM + i, bx * BN + j] = A[by * BM + i, bx * BN + j]
        end
      end
    end
    return B
  end)
end

for _, s in ipairs(through) do
  for _, size in ipairs {{64, 64}, {65, 63}, {1, 1}, {96, 40}} do
    local a = tl.randn(size, "float16")
    conform.case(("copy through %s, %dx%d"):format(s[1], size[1], size[2]),
      pass(s[2], "float16", 32, 32, 128), {}, {a}, {a}, {atol = 0, rtol = 0})
  end
end

for _, dtype in ipairs {"float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int8",
  "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "int4", "uint4"} do
  local a
  if dtype == "bool" then
    a = tl.randint(0, 2, {50, 36}, "int32"):astype "bool"
  elseif dtype:find "^u?int" then
    a = tl.randint(0, 8, {50, 36}, "int32"):astype(dtype)
  else
    a = tl.randn({50, 36}, "float32"):astype(dtype)
  end
  conform.case("copy of " .. dtype, pass({"shared", "fragment"}, dtype, 16, 32, 64), {}, {a}, {a},
    {atol = 0, rtol = 0})
end

for _, threads in ipairs {32, 64, 96, 128, 192, 256, 512} do
  local a = tl.randn({60, 60}, "float32")
  if threads % 64 == 0 or not table.concat(conform.targets):find "c500" then
    conform.case(("copy by %d threads"):format(threads), pass({"shared", "fragment"}, "float32", 24,
      40, threads), {}, {a}, {a}, {atol = 0, rtol = 0})
  end
end

-- Tiles whose extents are no powers of two
for _, tile in ipairs {{192, 80}, {48, 96}, {7, 5}, {1, 576}, {229, 3}} do
  local a = tl.randn({200, 300}, "float32")
  conform.case(("tile of %dx%d"):format(tile[1], tile[2]), pass({"fragment", "shared"}, "float32",
    tile[1], tile[2], 128), {}, {a}, {a}, {atol = 0, rtol = 0})
end

-- Casts on the way
local cast = tl.jit(function(A, from, to)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, from)
  local B = T.empty({M, N}, to)
  for bx, by in T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 32), {threads = 128}) do
    local s = T.alloc_shared({32, 32}, from)
    local f = T.alloc_fragment({32, 32}, to)
    T.copy(A[by * 32, bx * 32], s)
    T.copy(s, f)
    T.copy(f, B[by * 32, bx * 32])
  end
  return B
end)
for _, c in ipairs {{"float16", "float32"}, {"float32", "float16"}, {"float32", "bfloat16"},
  {"bfloat16", "float32"}, {"float32", "float8_e4m3fn"}, {"int8", "float16"},
  {"float32", "int32"}, {"int32", "int8"}, {"float16", "float64"}} do
  local a = (tl.randn({45, 70}, "float32") * 8):astype(c[1])
  conform.case(("cast %s to %s"):format(c[1], c[2]), cast, {from = c[1], to = c[2]}, {a},
    {a:astype(c[2])}, {atol = 0, rtol = 0})
end

-- A transpose through shared memory, and broadcasts
local transpose = tl.jit(function(A, B32)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, B32), T.ceildiv(M, B32), {threads = 128}) do
    local s = T.alloc_shared({B32, B32}, T.float32)
    local t = T.alloc_shared({B32, B32}, T.float32)
    T.copy(A[by * B32, bx * B32], s)
    T.transpose(s, t)
    T.copy(t, B[bx * B32, by * B32])
  end
  return B
end)
for _, size in ipairs {{64, 64}, {33, 70}, {1, 100}} do
  local a = tl.randn(size, "float32")
  conform.case(("transpose %dx%d"):format(size[1], size[2]), transpose, {B32 = 32}, {a},
    {a:transpose(0, 1):contiguous()}, {atol = 0, rtol = 0})
end

local outer = tl.jit(function(A, B)
  local M, N = T.const "M, N"
  A: T.Tensor({M}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 16), {threads = 128}) do
    local a = T.alloc_fragment({16}, T.float32)
    local b = T.alloc_fragment({32}, T.float32)
    local c = T.alloc_fragment({16, 32}, T.float32)
    T.copy(A[by * 16], a)
    T.copy(B[bx * 32], b)
    for i, j in T.Parallel(16, 32) do
      c[i, j] = a[i] + b[j]
    end
    T.copy(c, C[by * 16, bx * 32])
  end
  return C
end)
do
  local a, b = tl.randn({37}, "float32"), tl.randn({50}, "float32")
  conform.case("outer sum", outer, {}, {a, b}, {a:reshape {37, 1} + b:reshape {1, 50}},
    {atol = 0, rtol = 0})
end
conform.done()
