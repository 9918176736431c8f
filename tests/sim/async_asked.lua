-- Copies that a program starts itself: the simulator takes for c500 what the maca target takes, with
-- and without -async=on, and says the same of what it does not.
local bodies = {
  "T.async_copy(X[0:64], s); T.ptx_wait_group(0)",
  "T.async_copy(X[0:64], s); T.ptx_commit_group(); T.ptx_wait_group(0)",
  "if X[tx] < 1 then T.ptx_wait_group(0) end; T.copy(X[0:64], s)",
  "T.async_copy(X[0:64], s)",
  "for k in T.Pipelined(4, {num_stages = 2}) do T.copy(X[k * 16:k * 16 + 64], s); C[k] = s[k] end",
}
for _, b in ipairs(bodies) do
  print("== " .. b)
  for _, t in ipairs {"maca", "sim -arch=c500", "maca -async=on", "sim -arch=c500 -async=on"} do
    local ok, e = pcall(function()
      local f = assert(load(([[return tl.jit(function(X)
        X: T.Tensor({128}, "int32")
        local C = T.empty({64}, "int32")
        for bx in T.Kernel(1, {threads = 128}) do
          local tx, s = T.get_thread_binding(), T.alloc_shared({64}, "int32")
          %s
          T.copy(s, C)
        end
        return C
      end, {target = "%s"})]]):format(b, t), "=kernel"))()
      if t:find "^sim" then f(tl.arange(128, "int32")) else f:compile():get_kernel_source() end
    end)
    print(t, ok and "ok" or tostring(e):match "[^\n]+")
  end
end
