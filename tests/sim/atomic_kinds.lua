-- Two kinds of updates of one element in no fixed order are a fault; the same kind is none, nor is what a
-- barrier or a launch orders, nor where the value before is asked for, read or replaced.
local function go(name, text)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=gfx942 -seed=1"} do
    tl.set_target(t)
    local ok, e = pcall(assert(load(([[return tl.jit(function(X)
      X: T.Tensor({64}, "int32")
      local Y = T.empty({64}, "int32")
      local Z = T.empty({2, 64}, "int32")
      for _ in T.Kernel(1) do T.clear(Y) end
      for bx in T.Kernel(2, {threads = 64}) do
        local tx = T.get_thread_binding()
        local s = T.alloc_shared({64}, "int32")
        T.clear(s)
        %s
        Z[bx, tx] = s[tx]
      end
      return Y, Z
    end)]]):format(text), "=kernel"))(), tl.arange(64, "int32"))
    print(name, t, ok and "right" or tostring(e):match "error%[(E%d+)%]")
  end
end
go("threads of a block", "if tx % 2 == 0 then T.atomic_add(s[X[tx] * 0], 1) else T.atomic_max(s[0], tx) end")
go("warps of a block", "if tx < 32 then T.atomic_add(s[X[tx] % 32], 1) else T.atomic_or(s[tx - 32], tx) end")
go("blocks", "if bx == 0 then T.atomic_add(Y[X[tx]], 1) else T.atomic_max(Y[X[tx]], tx) end")
go("iterations of one thread",
  "for i in T.Parallel(128) do if i < 64 then T.atomic_add(s[X[i]], 1) else T.atomic_max(s[X[i - 64]], i) end end")
go("one kind", "T.atomic_add(s[X[tx] % 4], 1); T.atomic_add(Y[X[tx] % 4], tx)")
go("statements", "T.atomic_add(s[X[tx] % 4], 1); T.atomic_max(s[X[63 - tx] % 4], tx)")
go("a barrier", "if tx < 32 then T.atomic_add(s[tx], 1) end; T.sync_threads(); if tx >= 32 then T.atomic_max(s[tx - 32], 1) end")
go("what was there",
  "if bx == 0 then X[tx] = T.atomic_add(Y[tx], 1, {return_prev = true}) else T.atomic_max(Y[tx], 2) end")
go("stored", "if bx == 0 then T.atomic_store(Y[tx], 1) else T.atomic_max(Y[tx], 2) end")
-- an update is not forgotten for a later one of the same thread
go("both kinds of one block, in turns",
  "if bx == 0 then T.atomic_max(Y[X[tx]], tx) end; T.atomic_add(Y[X[tx]], 1)")
go("back to the first kind", "T.atomic_add(Y[X[tx]], 1); if bx == 0 then T.atomic_max(Y[X[tx]], tx); T.atomic_add(Y[X[tx]], 1) end")
go("by other threads of the block",
  "T.atomic_add(Y[X[tx]], 1); if bx == 0 then T.atomic_max(Y[X[63 - tx]], tx) end; T.atomic_add(Y[X[tx]], 1)")
go("two of one iteration",
  "for i in T.Parallel(64) do T.atomic_add(s[X[i] % 32], 1); if X[i] == 5 then T.atomic_max(s[X[i]], 7); T.atomic_add(s[5], 1) end end")
go("two of one warp, then another",
  "for i in T.Parallel(64) do if X[i] == 5 then T.atomic_add(s[X[i]], 1); T.atomic_max(s[X[i]], 7); T.atomic_add(s[5], 1) end; if X[i] == 37 then T.atomic_add(s[X[i] - 32], 1) end end")
go("two of one iteration, then another",
  "for i in T.Parallel(32) do if X[i] == 5 then T.atomic_add(s[X[i]], 1); T.atomic_max(s[X[i]], 7); T.atomic_add(s[5], 1) end; if X[i] == 25 then T.atomic_add(s[X[i] - 20], 1) end end")
