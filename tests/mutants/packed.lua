-- Mutants of kernels over elements of 4 bits: what shares a byte is told apart, what shares an element is not.
local mutate = dofile "lib/mutate.lua"

local kernels = {}

-- Bytes of the one side are made of halves of two bytes of the other, which two threads stored.
function kernels.turned()
  return tl.jit(function(A)
    A: T.Tensor({32, 32}, "int4")
    local B = T.empty({32, 32}, "int4")
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({32, 32}, "int4")
      for i, j in T.Parallel(32, 32) do s[i, j] = A[i, j] + 1 end
      for i, j in T.Parallel(32, 32) do B[i, j] = s[j, i] end
    end
    return B
  end)
end

-- The bytes that one thread stored, seen as bytes by another one; and back.
function kernels.viewed()
  return tl.jit(function(A)
    A: T.Tensor({256}, "int4")
    local B = T.empty({256}, "int4")
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({256}, "int4")
      local v = T.view(s, {128}, "uint8")
      for i in T.Parallel(256) do s[i] = A[i] + 1 end
      for i in T.Parallel(128) do v[127 - i] = v[127 - i] ~ 255 end
      for i in T.Parallel(256) do B[i] = s[255 - i] end
    end
    return B
  end)
end

-- Two elements of each thread's own, read by its neighbour.
function kernels.threads()
  return tl.jit(function(A)
    A: T.Tensor({128}, "uint4")
    local B = T.empty({128}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local s = T.alloc_shared({128}, "uint4")
      for q in T.serial(2) do s[tx * 2 + q] = A[tx * 2 + q] end
      T.sync_threads()
      for q in T.serial(2) do B[tx * 2 + q] = s[(tx * 2 + q + 3) % 128] end
    end
    return B
  end)
end

function kernels.product()
  return tl.jit(function(A)
    A: T.Tensor({32, 128}, "int4")
    local C = T.empty({32, 32}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({32, 64}, "int4")
      local c = T.alloc_fragment({32, 32}, "int32")
      T.clear(c)
      for k in T.Pipelined(2, {num_stages = 2}) do
        T.copy(A[0, k * 64], s)
        T.gemm(s, s, c, {transpose_B = true})
      end
      T.copy(c, C)
    end
    return C
  end)
end

local x = tl.arange(4096, "int32") * 7 % 15 - 8
local inputs = {turned = x[{T.slice(0, 1024)}]:reshape(32, 32):to "int4", viewed = x[{T.slice(0, 256)}]:to "int4",
  threads = (x[{T.slice(0, 128)}] + 8):to "uint4", product = x:reshape(32, 128):to "int4"}
for _, machine in ipairs {"sm_80", "gfx942"} do
  local target = "sim -arch=" .. machine
  tl.set_target(target)
  for _, name in ipairs {"turned", "viewed", "threads", "product"} do
    mutate.run{name = name .. " " .. machine, kernel = kernels[name]():compile(inputs[name]), target = target,
      args = {inputs[name]}, most = 3}
  end
end
