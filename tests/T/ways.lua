-- However a function comes to tl.jit, it is read as a kernel: loops run each time, conditions
-- may rest on values, assignments reach T.alloc_var.
tl.set_target "sim -arch=sm_80"
local f32 = T.float32

local function body(A)
  A: T.Tensor({8}, f32)
  local B = T.empty({8}, f32)
  for _ in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(8) do
      local s = T.alloc_var(f32, 0.0)
      for _ = 0, 9 do
        s = s + A[i]
      end
      if A[i] > 3 then
        B[i] = s
      else
        B[i] = 0
      end
    end
  end
  return B
end

local function lazy()
  return T.prim_func(body)
end

local alias = body
local function through(f)
  return tl.jit(f)
end
local function made(n)
  return function(A)
    local M = T.const "M"
    A: T.Tensor({M}, f32)
    local B = T.empty({M}, f32)
    for _ in T.Kernel(1, {threads = 32}) do
      for i in T.Parallel(M) do
        B[i] = 0.0
        for k = 0, n do
          if A[i] > k then
            B[i] = B[i] + k
          end
        end
      end
    end
    return B
  end
end

local A = tl.arange(8, "float32")
print(tl.jit(body)(A))
print(tl.jit(alias)(A))
print(through(body)(A))
print(tl.jit(made(5))(A))
local other = lazy
print((through(other)())(A))
