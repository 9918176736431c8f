-- Wrong: `continue` and `break` of a loop inside of T.Parallel, whose statements were done for all
-- elements of a vector before the next one.
local kernel = tl.jit(function()
  local O = T.empty({16, 8}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({16, 8}, "float32")
    for i, j in T.Parallel(16, 8) do s[i, j] = 0 end
    for i, j in T.Parallel(16, 8) do
      for q in T.serial(4) do
        if j == 1 then goto continue end
        if q + j > 5 then break end
        s[i, j] = s[i, j] + 1
        ::continue::
      end
    end
    T.copy(s, O)
  end
  return O
end)
local want = {}
for i = 1, 16 do want[i] = {4, 0, 4, 3, 2, 1, 0, 0} end
tl.testing.assert_close(kernel(), tl.from_table(want, "float32"), {rtol = 0, atol = 0})
print "right"
