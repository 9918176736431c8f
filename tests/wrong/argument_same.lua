-- One tensor for two parameters: element by element it may go in and out, in any other way not.
local x, y = tl.zeros({256}, "float32"), tl.zeros({256}, "float32")

local tile = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    local s = T.alloc_shared({64}, T.float32)
    T.copy(A[bx * 64], s)
    for i in T.Parallel(64) do
      s[i] = s[i] + 1
    end
    T.copy(s, B[bx * 64])
  end
end)
tile(x, x)
local each = tl.jit(function(A, B)
  A: T.Tensor({4, 64}, T.float32)
  B: T.Tensor({4, 64}, T.float32)
  for bx in T.Kernel(2, {threads = 64}) do
    for k in T.serial(2) do
      for i in T.Parallel(64) do
        B[bx * 2 + k, i] = A[bx * 2 + k, i] * 2 + B[bx * 2 + k, i]
      end
    end
  end
end)
local z = x:reshape {4, 64}
each(z, z)
io.stderr:write(tostring(tl.allclose(z, tl.full({4, 64}, 3.0))), "\n")

-- Everything else: the error that it gives, with one tensor; none with two.
local function try(what, f)
  f(x, y)
  local ok, e = pcall(f, x, x)
  io.stderr:write(what, ": ", ok and "ran" or e.code, "\n")
end
try("backwards", tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[255 - bx * 64 - i]
    end
  end
end))
try("read after the write", tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = 1
      B[bx * 64 + i] = A[bx * 64 + i] + 1
    end
  end
end))
try("one element twice", tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for k in T.serial(64) do
      for i in T.Parallel(64) do
        B[k + i] = A[k + i] + 1
      end
    end
  end
end))
try("every round", tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    for k in T.serial(2) do
      for i in T.Parallel(64) do
        B[bx * 64 + i] = A[bx * 64 + i] + 1
      end
    end
  end
end))
try("overlapping tiles", tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, T.float32)
    for k in T.serial(4) do
      T.copy(A[k * 32], s)
      T.copy(s, B[k * 32])
    end
  end
end))
local back = tl.jit(function(A, B)
  A: T.Tensor({256}, T.float32)
  B: T.Tensor({256}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[255 - bx * 64 - i]
    end
  end
end)
local k = back:compile {}
local bench = select(2, pcall(k.bench, k, {inputs = {x, x}, n_repeat = 1}))
io.stderr:write("bench: ", bench.code, "\n")
for _, t in ipairs {"cpu", "sim", "sim -arch=sm_90a"} do
  io.stderr:write(t, ": ", select(2, pcall(k:retarget(t), x, x)).code, "\n")
end
back(x, x)
