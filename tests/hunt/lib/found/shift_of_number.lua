-- -127 >> 3 of two constants was Lua's shift, which has no sign.
local function kernel(target)
  return tl.jit(function()
    local O2 = T.empty({2, 2, 4, 8}, "int32")
    for bx in T.Kernel(2, {threads = 256}) do
      local tx = T.get_thread_binding()
      local s2 = T.alloc_shared({2, 4, 8}, "int32")
      for i3, i4, i5 in T.Parallel(2, 4, 8) do
        s2[i3, i4, i5] = T.truncmod((T.min(T.cast(1, "int32"), -127) >> 3), (bx + 3))
      end
      T.copy(s2, O2[bx, 0, 0, 0])
    end
    return O2
  end, {target = target})
end
local O2 = kernel()()
tl.testing.assert_close(O2, tl.from_table({{{{-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}}, {{-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}}}, {{{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}}, {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}}}}, "int32"), {rtol = 0, atol = 0})
print "right"
