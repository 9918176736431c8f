-- Wrong: what T.min knew to be -16 became a number of Lua, whose >> moves zeros in.
local kernel = tl.jit(function()
  local O = T.empty({8}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(8) do
      O[i] = T.cast(T.min(i, -16) >> 4, "float32") + ((i - i - 1) >> 3)
    end
  end
  return O
end)
tl.testing.assert_close(kernel(), tl.full({8}, -2, "float32"), {rtol = 0, atol = 0})
print "right"
