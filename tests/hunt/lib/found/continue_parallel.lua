-- Wrong: `continue` in T.Parallel went where the loop's body was divided, or was an E999.
local kernel = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  local C = T.empty({64}, T.int32)
  local D = T.empty({64}, T.int32)
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64}, T.int32)
    local f = T.alloc_fragment({64}, T.int32)
    local g = T.alloc_fragment({64}, T.int32)
    T.copy(A, s)
    T.clear(f)
    for i in T.Parallel(64) do
      if A[i] > 30 then goto continue end
      f[i] = s[i] + 1
      s[i] = f[i] + 100
      ::continue::
    end
    for i in T.Parallel(64) do
      g[i] = f[i] + s[i]
      if i > 3 then
        if i < 60 then goto continue end
        g[i] = -1
      end
      g[i] = g[i] - 1000
      ::continue::
    end
    T.copy(f, C)
    T.copy(g, D)
  end
  return C, D
end)
local C, D = kernel(tl.arange(64, "int32"))
local c, d = {}, {}
for i = 0, 63 do
  local f, s = 0, i
  if i <= 30 then f, s = i + 1, i + 101 end
  c[i + 1], d[i + 1] = f, f + s
  if i >= 60 then d[i + 1] = -1001 elseif i <= 3 then d[i + 1] = f + s - 1000 end
end
tl.testing.assert_close(C, tl.from_table(c, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(D, tl.from_table(d, "int32"), {rtol = 0, atol = 0})
print "right"
