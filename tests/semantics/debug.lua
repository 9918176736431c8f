-- T.print of scalars, tiles and messages; T.device_assert.
local f = tl.jit(function(X, limit)
  X: T.Tensor({2, 3}, T.float32)
  local O = T.empty({2, 3}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    local s, r = T.alloc_shared({3}, T.float32), T.alloc_fragment({3}, T.int8)
    T.copy(X[bx, 0], s)
    T.copy(s, r)
    T.print("block")
    T.print(bx)
    T.print(bx * 2 + 0.5, "twice")
    T.print(s, "shared")
    T.print(r)
    T.print(s[1:3], "part")
    local v = T.alloc_var(T.int32, 7)
    v += bx
    T.print(v, "v")
    T.print(s[0] > 1)
    if bx == 1 then T.print(X, "X") end
    for i in T.serial(3) do
      T.device_assert(s[i] < limit, "too large")
      O[bx, i] = s[i]
    end
  end
  return O
end)
local x = tl.from_table({{1.5, 2, 3}, {4, 5, 6}}):to("float32")
print(f(x, 10))
local ok, e = pcall(f, x, 5.5)
print(ok)
print(e)
print(f(x, 10)[1, 2]) -- the worker goes on
