-- Lua's own functions of numbers, given values of a kernel: each says what to write instead
local calls = {"abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "log", "max",
  "min", "modf", "rad", "sin", "sqrt", "tan", "ult"}
for _, name in ipairs(calls) do
  local f = tl.jit(function(A, n)
    A: T.Tensor({16}, T.float32)
    n: T.int32
    for bx in T.Kernel(2) do
      A[bx] = math[name](A[bx], n)
    end
  end)
  local ok, e = pcall(f, tl.zeros({16}), 3)
  print(name, ok or e.code, ok or e.message, ok or e.help)
end
-- of numbers they are Lua's, also in a kernel, and a wrong call is what it was
local g = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(2) do
    A[bx] = math.floor(2.5) + math.max(3, 4)
  end
end)
local A = tl.zeros({16})
g(A)
print(A[{0}], select(2, pcall(math.floor, "x")))

-- the indices in all directions, at once: TileLang's three of threads, those of T.Kernel of blocks
local h = tl.jit(function(A)
  A: T.Tensor({2, 3, 4, 2}, T.int32)
  for bx, by in T.Kernel(2, 3, {threads = {4, 2}}) do
    local cx, cy = T.get_block_bindings()
    local tx, ty, tz = T.get_thread_bindings()
    local nx, ny, nz = T.get_thread_extents()
    A[cx, cy, tx, ty] = (tx + ty * nx + tz) * nz
    tx, ty = T.get_thread_bindings()
    local all = T.get_thread_bindings()
    A[bx, by, all[1], all[2]] += tx * 10 + (ty + all[3]) * 100 * (ny - 1)
  end
end)
local B = tl.zeros({2, 3, 4, 2}, "int32")
h(B)
print(B[{1, 2}], tl.equal(B[{0, 0}], B[{1, 2}]))
