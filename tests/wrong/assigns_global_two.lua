-- One that has a value already, and one of several targets in a branch.
sum = 0
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    for i in T.serial(128) do
      sum = sum + A[bx * 128 + i]
    end
  end
end)
io.stderr:write(tostring(select(2, pcall(f.compile, f, {N = 1024}))), "\n")
local g = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 128)) do
    local a = 1
    if bx > 1 then
      local b
      b, A[0], w = 2, a, 4
    end
  end
end)
g:compile{N = 1024}
