-- Products in the surroundings that decide how they are lowered: trip counts
-- only known at run time, rings used again, layouts by the user, slices.
tl.manual_seed(7)

local function ints(shape, dtype)
  return tl.randint(-3, 4, shape, "int32"):astype "float32":astype(dtype)
end

local function product(a, b)
  return tl.ref.matmul(a:astype "float64", b:astype "float64"):astype "float32"
end

local function turned(t, yes)
  return yes and t:transpose(0, 1):contiguous() or t
end

local targets = {"sm_80", "sm_90a", "c500"}

local function try(name, f, args, want)
  local good = {}
  for _, arch in ipairs(targets) do
    f.opts.target = "sim -arch=" .. arch
    local ok, err = pcall(function()
      tl.testing.assert_close(f(table.unpack(args)), want, {rtol = 0, atol = 0})
    end)
    good[#good + 1] = ok and arch or arch .. " FAILS: " .. tostring(err)
  end
  print(name .. ": " .. table.concat(good, " "))
end

local any_k = tl.jit(function(A, B)
  local M, N = T.const "M, N"
  local K = T.dynamic "K"
  A: T.Tensor({M, K}, "float16")
  B: T.Tensor({K, N}, "float16")
  local C = T.empty({M, N}, "float32")
  for bx, by in T.Kernel(T.ceildiv(N, 128), T.ceildiv(M, 64), {threads = 128}) do
    local As, Bs = T.alloc_shared({64, 32}, "float16"), T.alloc_shared({32, 128}, "float16")
    local Cl = T.alloc_fragment({64, 128}, "float32")
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, 32), {num_stages = 3}) do
      T.copy(A[by * 64, k * 32], As)
      T.copy(B[k * 32, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 64, bx * 128])
  end
  return C
end)
for _, K in ipairs {0, 32, 64, 96, 128, 224} do
  local a, b = ints({64, K}, "float16"), ints({K, 128}, "float16")
  try("steps known at run time, K = " .. K, any_k, {a, b},
    K == 0 and tl.zeros({64, 128}, "float32") or product(a, b))
end

local in_turn = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, "float16")
  B: T.Tensor({K, N}, "float16")
  local C = T.empty({M, N}, "float32")
  for bx in T.Kernel(2, {threads = 128}) do
    local As, Bs = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
    local Cl = T.alloc_fragment({64, 64}, "float32")
    for t in T.serial(T.ceildiv(M, 64) * T.ceildiv(N, 64) // 2) do
      local tile = t * 2 + bx
      local by, bn = tile // (N // 64), tile % (N // 64)
      T.clear(Cl)
      for k in T.Pipelined(T.ceildiv(K, 64), {num_stages = 2}) do
        T.copy(A[by * 64, k * 64], As)
        T.copy(B[k * 64, bn * 64], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * 64, bn * 64])
    end
  end
  return C
end)
do
  local a, b = ints({256, 192}, "float16"), ints({192, 128}, "float16")
  try("tiles in turn", in_turn, {a, b}, product(a, b))
end

-- layout(As, Bs): what T.annotate_layout gets
local function annotated(ta, tb, layout)
  return tl.jit(function(A, B)
    A: T.Tensor(ta and {64, 128} or {128, 64}, "float16")
    B: T.Tensor(tb and {128, 64} or {64, 128}, "float16")
    local C = T.empty({128, 128}, "float32")
    for _ in T.Kernel(1, {threads = 128}) do
      local As = T.alloc_shared(ta and {64, 128} or {128, 64}, "float16")
      local Bs = T.alloc_shared(tb and {128, 64} or {64, 128}, "float16")
      local Cl = T.alloc_fragment({128, 128}, "float32")
      T.annotate_layout(layout(As, Bs))
      T.copy(A, As)
      T.copy(B, Bs)
      T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb, clear_accum = true})
      T.copy(Cl, C)
    end
    return C
  end)
end
local a, b = ints({128, 64}, "float16"), ints({64, 128}, "float16")
for _, ta in ipairs {false, true} do
  for _, tb in ipairs {false, true} do
    try(("make_swizzled_layout, transposed %s %s"):format(ta, tb),
      annotated(ta, tb, function(As, Bs)
        return {[As] = T.make_swizzled_layout(As), [Bs] = T.make_swizzled_layout(Bs)}
      end), {turned(a, ta), turned(b, tb)}, product(a, b))
  end
end
try("a column-major and a padded layout", annotated(false, false, function(As, Bs)
  return {
    [As] = T.Layout({128, 64}, function(i, j) return {j, i} end),
    [Bs] = T.Layout({64, 128}, function(i, j) return i * 136 + j end),
  }
end), {a, b}, product(a, b))

local slices = tl.jit(function(A, B)
  A: T.Tensor({128, 128}, "float16")
  B: T.Tensor({128, 64}, "float16")
  local C = T.empty({2, 64, 64}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local As, Bs = T.alloc_shared({128, 128}, "float16"), T.alloc_shared({128, 64}, "float16")
    local Cl = T.alloc_fragment({2, 64, 64}, "float32")
    local all = T.slice(0, 64)
    T.clear(Cl)
    T.copy(A, As)
    T.copy(B, Bs)
    for i in T.unroll(2) do
      for k in T.serial(2) do
        local part = T.slice(k * 64, k * 64 + 64)
        T.gemm(As[T.slice(i * 64, i * 64 + 64), part], Bs[part, all], Cl[i, all, all])
      end
    end
    T.copy(Cl, C)
  end
  return C
end)
do
  local x, y = ints({128, 128}, "float16"), ints({128, 64}, "float16")
  try("slices of all three", slices, {x, y}, product(x, y):reshape({2, 64, 64}))
end
