-- Two lanes of a warp copy the same bytes to one place by cp.async, and wait together: as with plain stores that is no race.
for _, c in ipairs {{"the same", 0}, {"other bytes", 1}} do
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a"} do
    tl.set_target(t)
    local k = tl.jit(function(X, O)
      X: T.Tensor({65, 64}, "float16")
      O: T.Tensor({64, 64}, "float16")
      for _ in T.Kernel(1, {threads = 128}) do
        local s, tx = T.alloc_shared({64, 64}, "float16"), T.get_thread_binding()
        T.async_copy(X[tx // 2 + tx % 2 * c[2], 0:64], s[tx // 2, 0:64])
        T.ptx_commit_group()
        T.ptx_wait_group(0)
        T.sync_threads()
        T.copy(s, O)
      end
    end)
    local x, o = tl.arange(65 * 64, "float16"):reshape(65, 64), tl.zeros({64, 64}, "float16")
    local ok, e = pcall(k, x, o)
    print(c[1], t, ok and "right" or tostring(e):match "error%[(E%d+)%]")
  end
end
