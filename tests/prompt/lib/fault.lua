-- seek(): what is said of a fault at which the simulator does not arrive.
local diag = require "moontile.diag"
local fault = require "moontile.tl.fault"
fault.seconds = {fault = 3, stop = 1, size = 1}

local long = tl.jit(function(A)
  local n = T.dynamic "n"
  A: T.Tensor({n}, T.int32)
  for bx in T.Kernel(4) do
    for i in T.serial(100000) do
      for j in T.serial(1000000) do
        A[bx] = A[bx] ~ (i * j + bx)
      end
    end
  end
end)

function seek()
  local values = {tl.zeros({64}, "int32")}
  print(fault.explain(long:compile(values[1]), values, diag.make("crash_segv", "long")))
end
