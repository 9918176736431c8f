-- E602: a T.Parallel sets a fragment, so that threads with copies of an iteration take part; another fragment,
-- which it reads and writes, had gone to shared memory, where the copies raced.
local kernel = tl.jit(function()
  local O = T.empty({8, 32}, "float32")
  local P = T.empty({8, 32}, "float16")
  for bx in T.Kernel(1, {threads = 64}) do
    local f = T.alloc_fragment({8, 32}, "float32")
    local g = T.alloc_fragment({8, 32}, "float32")
    local h = T.alloc_fragment({8, 32}, "float16")
    local s = T.alloc_shared({8, 32}, "float32")
    for i, j in T.Parallel(1, 32) do
      for k in T.serial(8) do
        g[k, j] = 1
        f[k, j] = k
      end
    end
    T.cumsum(g, s, {dim = 1, reverse = true})
    for i, j in T.Parallel(8, 2) do
      for k in T.serial(16) do h[i, j * 16 + k] = 0 end
    end
    for i, j in T.Parallel(8, 2) do
      for k in T.serial(2) do
        h[i, j * 16 + k] = 1
        for q in T.serial(1) do
          if f[i, j * 16 + k] == 5 then goto next end
          f[i, j * 16 + k] = f[i, j * 16 + k] + 10
          ::next::
        end
      end
    end
    T.copy(f, O)
    T.copy(h, P)
  end
  return O, P
end)
local o, p = {}, {}
for i = 1, 8 do
  o[i], p[i] = {}, {}
  for j = 1, 32 do
    local set = (j - 1) % 16 < 2
    o[i][j] = i - 1 + (set and i ~= 6 and 10 or 0)
    p[i][j] = set and 1 or 0
  end
end
local O, P = kernel()
tl.testing.assert_close(O, tl.from_table(o, "float32"), {rtol = 0, atol = 0})
tl.testing.assert_close(P, tl.from_table(p, "float16"), {rtol = 0, atol = 0})
print "right"
