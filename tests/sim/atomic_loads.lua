-- An atomic load updates nothing: plain reads beside it are no race, plain writes are.
local function go(name, body)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=gfx942"} do
    tl.set_target(t)
    local k = tl.jit(function(X)
      X: T.Tensor({64}, "int32")
      local Y = T.empty({64}, "int32")
      for _ in T.Kernel(1, {threads = 64}) do
        local s = T.alloc_shared({64}, "int32")
        local tx = T.get_thread_binding()
        s[tx] = X[tx]
        T.atomic_add(X[tx], 1)
        T.sync_threads()
        T.atomic_add(s[tx], 1)
        T.sync_threads()
        body(X, s, Y, tx)
      end
      return Y
    end)
    local ok, e = pcall(k, tl.arange(64, "int32"))
    print(name, t, ok and "right" or tostring(e):match "error%[(E%d+)%]")
  end
end
go("global, read", T.macro(function(X, s, Y, tx) Y[tx] = T.atomic_load(X[tx]) + X[63 - tx] end))
go("global, written", T.macro(function(X, s, Y, tx) Y[tx] = T.atomic_load(X[tx]); if tx == 63 then X[0] = 1 end end))
go("shared, read", T.macro(function(X, s, Y, tx) Y[tx] = T.atomic_load(s[tx]) + s[63 - tx] end))
