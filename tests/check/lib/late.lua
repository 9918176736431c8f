-- A kernel that does not end at any size of more than one element.
require "moontile.tl.fault".seconds.stop = 1 -- where it is, which is not what this is about
local long = tl.jit(function(A)
  local n = T.dynamic "n"
  A: T.Tensor({n}, T.int32)
  for bx in T.Kernel(1) do
    if n > 1 then
      for i in T.serial(100000) do
        for j in T.serial(1000000) do
          A[0] = A[0] ~ (i * j)
        end
      end
    end
  end
end)
long:compile(tl.zeros({64}, "int32"))
