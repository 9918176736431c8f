-- T.pow has the common type of its sides, and is computed in it, as in TileLang: an integer beside a float becomes one of
-- that type, whatever its width.  A whole number written down multiplies, in the base's own type.
-- A power of two integers that is not so is refused there, too.
local types = {"bool", "int8", "int64", "uint64", "float16", "bfloat16", "float32", "float64"}

local function text(a, b, expr)
  local source = ([[return T.prim_func(function(A, B, C)
    A: T.Tensor({32}, %q)
    B: T.Tensor({32}, %q)
    C: T.Tensor({32}, "float64")
    for bx in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(32) do C[i] = T.cast(%s, "float64") end
    end
  end)]]):format(a, b, expr)
  local ok, k = pcall(function() return tl.compile(assert(load(source))(), {target = "sim"}) end)
  if not ok then return tostring(k):match "error(%b[])" end
  return (k:ir():match "C%[i%] = ([^\n]*) @")
end

for _, a in ipairs(types) do
  for _, b in ipairs(types) do print(a, b, text(a, b, "T.pow(A[i], B[i])")) end
  for _, n in ipairs {"0", "1", "5", "-1", "0.5"} do print(a, n, text(a, a, ("T.pow(A[i], %s)"):format(n))) end
  print("2", a, text(a, a, "T.pow(2, A[i])"))
end
print("int32", "100", #text("int32", "int32", "T.pow(A[i], 100)"))
print("float32", "100", text("float32", "float32", "T.pow(A[i], 100)"))

-- By values: 16777217 is no float32, and 3 ^ 100 wraps.
local f = tl.jit(function(A, B)
  A: T.Tensor({2}, T.int64)
  B: T.Tensor({2}, T.float32)
  local C = T.empty({2}, T.float64)
  local D = T.empty({2}, T.int64)
  for _ in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(2) do
      C[i] = T.cast(T.pow(A[i], B[i]), "float64")
      D[i] = T.pow(A[i], 100)
    end
  end
  return C, D
end)
print(f(tl.from_table({16777217, 3}, "int64"), tl.from_table({1, 2}, "float32")))
local power = 1
for _ = 1, 100 do power = power * 3 end
print(power)
