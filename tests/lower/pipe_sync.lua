-- T.sync_threads inside of a pipelined loop is a barrier of the kernel's threads: where a producer of its own makes
-- the copies, it does not wait there.
local function sums(stages, rounds, where)
  return tl.jit(function(X)
    X: T.Tensor({rounds * 32}, "int32")
    local C = T.empty({64}, "int32")
    for bx in T.Kernel(1, {threads = 128}) do
      local p, f = T.alloc_shared({32}, "int32"), T.alloc_fragment({64}, "int32")
      T.clear(f)
      for k in T.Pipelined(rounds, {num_stages = stages}) do
        if where == "first" then T.sync_threads() end
        T.copy(X[k * 32], p)
        if where == "between" then T.sync_threads() end
        for i in T.Parallel(64) do
          f[i] += p[i % 32] * (k + 1)
        end
        if where == "last" then T.sync_threads() end
        if where == "branch" then
          if k > 0 then T.sync_threads() end
        end
        if where == "loop" then -- in front of other statements
          for r in T.serial(2) do
            T.sync_threads()
            for i in T.Parallel(64) do
              f[i] += r
            end
          end
        end
      end
      T.copy(f, C)
    end
    return C
  end)
end

for _, machine in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
  tl.set_target("sim -arch=" .. machine)
  local right, n = 0, 0
  for stages = 0, 4 do
    for _, rounds in ipairs {1, 2, 8} do
      for _, where in ipairs {"first", "between", "last", "branch", "loop"} do
        local C = sums(stages, rounds, where)(tl.arange(rounds * 32, "int32"))
        local ok = true
        for i = 0, 63 do
          local want = 0
          if where == "loop" then want = rounds end
          for k = 0, rounds - 1 do want = want + (k * 32 + i % 32) * (k + 1) end
          ok = ok and C[i] == want
        end
        n, right = n + 1, right + (ok and 1 or 0)
      end
    end
  end
  print(machine, right .. " of " .. n)
end
