-- Which product of the vendor's library does a kernel's work: what vs = "cublas" asks for.
local K = dofile "lib/kernels.lua"
local vendor = require "moontile.tl.vendor"

local function bound(k, values)
  local _, _, args = k:bound(values)
  local t = {}
  for i, p in ipairs(k.params) do
    t[p.name] = args[i]
  end
  return t
end

local function show(what, k, vs, values)
  local ok, r = pcall(vendor.routine, k, vs, bound(k, values or k:get_profiler():inputs()))
  print(what, ok and r.path or r.code .. " " .. r.label)
  return ok and r
end

-- Any types and transpositions.
local function product(in_type, out_type, acc, ta, tb)
  return tl.jit(function(A, B)
    A: T.Tensor(ta and {32, 48} or {48, 32}, in_type)
    B: T.Tensor(tb and {16, 32} or {32, 16}, in_type)
    local C = T.empty({48, 16}, out_type)
    for bx, by in T.Kernel(1, 3, {threads = 128}) do
      local As = T.alloc_shared(ta and {32, 16} or {16, 32}, in_type)
      local Bs = T.alloc_shared(tb and {16, 32} or {32, 16}, in_type)
      local Cl = T.alloc_fragment({16, 16}, acc)
      T.clear(Cl)
      if ta then T.copy(A[0, by * 16], As) else T.copy(A[by * 16, 0], As) end
      T.copy(B, Bs)
      T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb})
      T.copy(Cl, C[by * 16, 0])
    end
    return C
  end):compile()
end

for _, row in ipairs {{"float16", "float16", "float32"}, {"bfloat16", "float32", "float32"},
  {"int8", "int32", "int32"}, {"float8_e4m3fn", "float16", "float32"}} do
  show(row[1], product(row[1], row[2], row[3], false, true), "cublas")
end
for ta = 0, 1 do
  for tb = 0, 1 do
    show("ta " .. ta .. " tb " .. tb, product("float16", "float16", "float32", ta == 1, tb == 1),
      {"gemm"})
  end
end
show("float32 on the cpu", product("float32", "float32", "float32", false, false), "cublas")

-- The kernel's own tensors serve; others are made where types differ
local k = product("float16", "float16", "float32", false, false)
local a, b = tl.randn({48, 32}, "float16"), tl.randn({32, 16}, "float16")
local r = show("own tensors", k, "cublas", {a, b})
print(rawequal(r.inputs[1], a), rawequal(r.inputs[2], b), #r.outputs(), r.outputs()[1].dtype)
r = show("in another type", k, {"gemm", a = "int8", b = "int8", c = "int32", acc = "int32", tb = 1})
print(r.inputs[2].dtype, table.concat(r.inputs[2].shape, "x"))

-- What is no product says so, and can be told what it is
local s = K.scale:compile {N = 64, BN = 64, factor = 1}
show("none", s, "cublas")
show("told", s, {"gemm", m = 4, n = 4, k = 4, a = "float16", batch = 2})
show("another routine", k, {"conv"})
show("misspelled", k, {"gemm", transposed = true})
