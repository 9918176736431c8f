-- One sum of 2,048 terms: a level for each.
local terms = {}
for i = 1, 2048 do
  terms[i] = ("A[i + %d]"):format(i - 1)
end
local f = load("return " .. table.concat({
  "tl.jit(function(A)",
  "  A: T.Tensor({2304}, T.int32)",
  "  local B = T.empty({256}, T.int32)",
  "  for bx in T.Kernel(1, {threads = 128}) do",
  "    for i in T.Parallel(256) do B[i] = " .. table.concat(terms, " + ") .. " end",
  "  end",
  "  return B",
  "end)"}, "\n"))()
local a = tl.arange(2304, "int32")
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"} do
  tl.set_target(target)
  local b = f(a)
  local right = true
  for i = 0, 255 do
    right = right and b[i] == 2048 * i + 2048 * 2047 // 2
  end
  print(target, right)
end
