-- Wrong in the simulator: a `continue` two branches deep, which all threads of the inner branch took,
-- was taken for those outside of the outer one as well.
local kernel = tl.jit(function()
  local O = T.empty({3, 64}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local r = T.alloc_local({3}, "int32")
    for i in T.unroll(3) do
      r[i] = 0
      for q in T.serial(1) do
        if tx // 8 + i * 8 > 1 then
          if tx // 8 + i * 8 < 20 then goto continue end
        end
        r[i] = 1
        ::continue::
      end
    end
    for i in T.unroll(3) do O[i, tx] = r[i] end
  end
  return O
end)
local want = {}
for i = 0, 2 do
  want[i + 1] = {}
  for t = 0, 63 do
    local row = t // 8 + i * 8
    want[i + 1][t + 1] = (row <= 1 or row >= 20) and 1 or 0
  end
end
tl.testing.assert_close(kernel(), tl.from_table(want, "int32"), {rtol = 0, atol = 0})
print "right"
