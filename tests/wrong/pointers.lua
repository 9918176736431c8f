-- What a T.ptr cannot be, each alone.
local function try(f)
  local _, err = pcall(T.prim_func, f)
  io.stderr:write(tostring(err), "\n")
end
try(function(A, B)
  A: T.ptr
  B: T.ptr
  local x = T.make_tensor(A, {64}, T.float32)
  local y = T.make_tensor(A, {32}, T.float32)
  for bx in T.Kernel(1) do T.copy(x, y) end
end)
try(function(A)
  A: T.Tensor({4}, T.ptr)
  for bx in T.Kernel(1) do A[0] = 1 end
end)
try(function(A)
  A: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do T.fill(T.make_tensor(A[0], {64}, T.float32), 0) end
end)
try(function(A)
  A: T.Tensor({4, 4}, T.ptr)
  for bx in T.Kernel(1) do T.fill(T.make_tensor(A[0], {64}, T.float32), 0) end
end)
local f = tl.compile(T.prim_func(function(A)
  A: T.ptr
  local x = T.make_tensor(A, {64}, T.float32)
  for bx in T.Kernel(1) do T.fill(x, 1) end
end))
f(17)
