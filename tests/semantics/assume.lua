-- What T.assume says, held against a run: arguments at every launch, on every target; what
-- depends on memory or on the thread by the simulator.
local function try(f, ...)
  local ok, e = pcall(f, ...)
  print(ok or e.code .. " line " .. e.line .. ": " .. e.message .. " | " .. e.label)
end
local outside = tl.jit(function(A, n)
  A: T.Tensor({16}, T.int32)
  n: T.int32
  T.assume(n % 4 == 0)
  for bx in T.Kernel(n // 4, {threads = 32}) do
    T.assume(n > 4 and n <= 16)
    A[bx] = n
  end
end)
local inside = tl.jit(function(A, n)
  A: T.Tensor({16}, T.int32)
  n: T.int32
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(8) do
      T.assume(A[bx * 8 + i] < n and n < 100)
      A[bx * 8 + i] += n
    end
  end
end)
local float = tl.jit(function(A, n)
  A: T.Tensor({16}, T.float32)
  n: T.int32
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(8) do
      if i < n then
        T.assume(A[bx * 8 + i] >= 0.5)
      end
      A[bx * 8 + i] += 1
    end
  end
end)
local vector = tl.jit(function(I, O)
  I: T.Tensor({128}, T.int32)
  O: T.Tensor({8, 128}, T.int32)
  for bx in T.Kernel(1, {threads = 128}) do
    for i, j in T.Parallel(8, 128) do
      local twice = I[j] * 2
      T.assume(twice < 200 or i ~= 3)
      O[i, j] = twice + i
    end
  end
end)
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"} do
  tl.set_target(target)
  print(target)
  for _, n in ipairs {8, 16, 0, 6, 4, 20} do
    try(outside, tl.zeros({16}, "int32"), n)
  end
  local far = tl.arange(16, "int32")
  try(inside, far:copy(), 16)
  if target ~= "cpu" then
    try(inside, far:copy(), 15)
    try(inside, far:copy(), 100)
    try(float, far:to("float32"), 8)
    try(vector, tl.arange(128, "int32"), tl.zeros({8, 128}, "int32"))
  end
  try(float, far:to("float32") + 0.5, 8)
  try(float, far:to("float32"), 0)
  try(vector, tl.arange(128, "int32") - 28, tl.zeros({8, 128}, "int32"))
end
