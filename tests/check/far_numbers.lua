-- Numbers at the ends of int64 in what decides whether a tile is written: the check must not
-- compute with them beyond int64 (seen by sanitizers), nor call such a program wrong.
local function go(name, body)
  print(name, (pcall(function()
    tl.jit(function(X, J, n)
      X: T.Tensor({128}, "float32")
      J: T.Tensor({128}, "int64")
      n: T.int64
      local C = T.empty({128}, "float32")
      for bx in T.Kernel(1, {threads = 128}) do
        local s = T.alloc_shared({128}, "float32")
        body(X, J, n, s, bx)
        T.copy(s, C)
      end
      return C
    end):compile{}
  end)))
end
local most, least = 9223372036854775807, math.mininteger
go("compared with the greatest", T.macro(function(X, J, n, s, bx)
  T.clear(s)
  if n < most then T.copy(X, s) end end))
go("written below the greatest", T.macro(function(X, J, n, s, bx)
  if n <= most then T.copy(X, s) end end))
go("compared with the least", T.macro(function(X, J, n, s, bx)
  if n > least then T.copy(X, s) end end))
go("a far loop", T.macro(function(X, J, n, s, bx)
  for i in T.serial(n, most) do s[i % 128] = 1 end end))
go("a far place", T.macro(function(X, J, n, s, bx)
  for i in T.Parallel(128) do s[i + (n & most)] = X[i] end end))
