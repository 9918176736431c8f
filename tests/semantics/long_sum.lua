-- One expression of thousands of terms: written out, and made by a plain function; integer sums are shared and made anew.
local n = 8192
local terms = {}
for i = 0, n - 1 do terms[#terms + 1] = ("A[%d]"):format(i) end
local written = load(([[return tl.jit(function(A)
  A: T.Tensor({%d}, T.float32)
  local B = T.empty({2}, T.float32)
  for bx in T.Kernel(1, {threads = 1}) do
    B[0] = %s
    B[1] = 2
  end
  return B
end)]]):format(n, table.concat(terms, " + ")))()
local function folded(dtype, f)
  return tl.jit(function(A)
    A: T.Tensor({n}, dtype)
    local B = T.empty({1}, dtype)
    for bx in T.Kernel(1, {threads = 1}) do
      B[0] = f(A)
    end
    return B
  end)
end
local function fold(step)
  return function(A)
    local s = A[0]
    for i = 1, n - 1 do s = step(s, A[i]) end
    return s
  end
end
local sum = folded("float32", fold(function(s, x) return s + x end))
local turned = folded("float32", fold(function(s, x) return x - s end))
local bits = folded("int32", fold(function(s, x) return s ~ x end))
local whole = folded("int32", fold(function(s, x) return s + x end))
local most = folded("int32", function(A)
  local s = A[0]
  for i = 1, 32767 do s = s + A[i % n]*(i // n + 1) end
  return s
end)
for _, target in ipairs {"cpu", "sim -arch=sm_80"} do
  tl.set_target(target)
  print(target, written(tl.ones({n})), sum(tl.ones({n})), turned(tl.arange(n, "float32")),
    bits(tl.arange(n, "int32") * 3), whole(tl.arange(n, "int32")), most(tl.ones({n}, "int32")))
end
local deep = folded("float32", function(A)
  local s = A[0]
  for i = 1, 20000 do s = s + A[i % n] end
  return s
end)
print(select(2, pcall(deep, tl.ones({n}))).label)
