-- Kernels of several loops that nothing but the run ends: which one it was.  And a fault that the
-- simulator does not reach: where it was by then.
local diag = require "moontile.diag"
local fault = require "moontile.tl.fault"
fault.seconds = {fault = 1, stop = 1, size = 0.2}

local text = arg[1] == "text" -- that alone, as in another language

local second = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(4) do
    while A[bx] < 3 do
      A[bx] = A[bx] + 1
    end
    for i in T.serial(3) do
      while A[bx * 16 + i] >= 0 do
        A[bx * 16 + i] = i
      end
    end
    while A[bx] > 9 do
      A[bx] = A[bx] - 1
    end
  end
end)
print(pcall(second, tl.zeros({64}, "int32")))

local long = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(4) do
    for i in T.serial(100000) do
      for j in T.serial(1000000) do
        A[bx] = A[bx] ~ (i * j + bx)
      end
    end
  end
end)
local k = long:compile(tl.zeros({64}, "int32"))
print(pcall(k, tl.zeros({64}, "int32")))
print(fault.explain(k, {tl.zeros({64}, "int32")}, diag.make("crash_segv", "long")))
if not text then print(pcall(k:retarget("sim -seconds=1"), tl.zeros({64}, "int32"))) end

-- Nothing in its text has no end: its threads wait for each other.
local waits = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local bar = T.alloc_barrier(64)
    if tx < 32 then
      T.barrier_arrive(bar)
      T.barrier_wait(bar, 0)
    end
    A[tx] = 1
  end
end)
local w = waits:compile(tl.zeros({64}, "int32"))
print(fault.explain(w, {tl.zeros({64}, "int32")}, diag.make("timeout", "waits", 10)))
