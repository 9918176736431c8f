-- Wrong: whether iterations may meet was asked for ever where one condition is of data and another of a variable that an
-- index is made of.
local k = tl.jit(function(X)
  X: T.Tensor({16, 8}, "int32")
  local C = T.empty({16, 8}, "int32")
  for _ in T.Kernel(1, {threads = 32}) do
    T.clear(C)
    for i in T.Parallel(16) do
      for h in T.serial(4) do
        if X[i, h] > 0 then
          if h < 3 then C[i ~ h, h] = 1 end
          if h < 2 then C[i ~ h, h + 4] = X[i, h] end
        end
      end
    end
  end
  return C
end)
local x = tl.arange(128, "int32"):reshape(16, 8) % 3
local c = k(x)
for i = 0, 15 do
  for h = 0, 3 do
    local v = x:item(i, h)
    assert(c:item(i ~ h, h) == (v > 0 and h < 3 and 1 or 0) and c:item(i ~ h, h + 4) == (v > 0 and h < 2 and v or 0))
  end
end
print "right"
