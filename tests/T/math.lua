-- Functions of scalars against Lua's, where Lua has them; one kernel for all.
local unary = {
  abs = math.abs, acos = math.acos, asin = math.asin, atan = math.atan, ceil = math.ceil, cos = math.cos,
  exp = math.exp, floor = math.floor, log = math.log, sin = math.sin, sqrt = math.sqrt, tan = math.tan,
  exp2 = function(x) return 2 ^ x end, exp10 = function(x) return 10 ^ x end,
  log2 = function(x) return math.log(x, 2) end, log10 = function(x) return math.log(x, 10) end,
  log1p = function(x) return math.log(1 + x) end, rsqrt = function(x) return x ^ -0.5 end,
  sigmoid = function(x) return 1 / (1 + math.exp(-x)) end, trunc = function(x) return x // 1 end,
  tanh = function(x) return (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1) end,
  sinh = function(x) return (math.exp(x) - math.exp(-x)) / 2 end,
  cosh = function(x) return (math.exp(x) + math.exp(-x)) / 2 end,
  __exp = math.exp, __log = math.log, __sin = math.sin, __cos = math.cos, __tan = math.tan,
  __exp2 = function(x) return 2 ^ x end, __exp10 = function(x) return 10 ^ x end, __log2 = function(x) return math.log(x, 2) end,
  __log10 = function(x) return math.log(x, 10) end, fast_rcp = function(x) return 1 / x end,
  round = function(x) return (x + 0.5) // 1 end, nearbyint = function(x) return (x + 0.5) // 1 end,
  ieee_frcp = function(x) return 1 / x end, ieee_fsqrt = math.sqrt,
  ieee_frsqrt = function(x) return x ^ -0.5 end,
}
local names = {}
for n in pairs(unary) do
  names[#names + 1] = n
end
table.sort(names)

local f = tl.jit(function(X)
  X: T.Tensor({8}, "float32")
  local O = T.empty({#names, 8}, "float32")
  for bx in T.Kernel(1) do
    for i in T.Parallel(8) do
      for n = 1, #names do
        O[n - 1, i] = T[names[n]](X[i])
      end
    end
  end
  return O
end)
local x = (tl.arange(8, "float32") + 0.6) / 9
local o, bad = f(x), 0
for n, name in ipairs(names) do
  for i = 0, 7 do
    local want = unary[name](x[i])
    if math.abs(o[n - 1, i] - want) > 1e-4 * math.max(1, math.abs(want)) then
      print(name, x[i], o[n - 1, i], want)
      bad = bad + 1
    end
  end
end
print(#names, "functions,", bad, "wrong")

-- with two arguments, integers, conversions
local g = tl.jit(function(A, B)
  A: T.Tensor({8}, "int32")
  B: T.Tensor({8}, "int32")
  local I, F = T.empty({20, 8}, "int32"), T.empty({12, 8}, "float32")
  for bx in T.Kernel(1) do
    for i in T.Parallel(8) do
      local a, b = A[i], B[i]
      local u, v = T.float32(a), b:astype("float32")
      I[0, i] = a // b
      I[1, i] = a % b
      I[2, i] = T.truncdiv(a, b)
      I[3, i] = T.truncmod(a, b)
      I[4, i] = T.ceildiv(a, b)
      I[5, i] = T.max(a, b) - T.min(a, b)
      I[6, i] = a & b | 1
      I[7, i] = a ~ ~b
      I[8, i] = T.shift_left(a, 2) + (a >> 1)
      I[9, i] = T.clamp(a, -3, 3)
      I[10, i] = T.popcount(a)
      I[11, i] = T.clz(a & 255)
      I[12, i] = T.reinterpret(u, T.int32)
      I[13, i] = T.cast(u * 1.75, "int32")
      I[14, i] = T.int8(a * 100)
      I[15, i] = T.Select(a > b, a, b)
      I[16, i] = T.align_up(b, 4)
      I[17, i] = T.pow(a, 3)
      I[18, i] = T.floordiv(a, 3) * 100 + T.floormod(a, 3)
      I[19, i] = a > 0 and b > 2 or a == -7
      F[0, i] = T.atan2(u, v)
      F[1, i] = T.copysign(v, u)
      F[2, i] = T.fmod(u, v)
      F[3, i] = T.hypot(u, v)
      F[4, i] = T.ldexp(u, 3)
      F[5, i] = T.pow(v, 0.5)
      F[6, i] = u / v
      F[7, i] = T.float16(0.1) * u
      F[8, i] = u ^ 2 - 2 ^ v
      F[9, i] = T.ieee_fmaf(u, v, 0.5, "rz")
      F[10, i] = T.if_then_else(T.isnan(u / 0 * 0), 1, 0)
      F[11, i] = T.max_value("int8") + T.min_value(T.float16) * 0 + T.bfloat16(1.0001)
    end
  end
  return I, F
end)
local i, fl = g(tl.from_table({-8, -7, -1, 0, 1, 7, 8, 100}, "int32"), tl.from_table({3, 3, 3, 3, 2, 2, 5, 7}, "int32"))
for row = 0, 19 do
  print(row, i[row])
end
for row = 0, 11 do
  print(row, fl[row])
end
print(T.ceildiv(7, 2), T.max(3, 2.5), T.truncdiv(-7, 2), T.truncmod(-7, 2), T.shift_right(-8, 1), T.min(1, 2))
