-- A fragment that is staged whole turn by turn: elements without a value go to shared memory and back unnoticed, a
-- use of one of them is reported, at the line of the use.
local function go(name, last, use)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=c500"} do
    tl.set_target(t)
    local ok, err = pcall(function()
      local k = tl.jit(function(X, n)
        X: T.Tensor({128}, "int32")
        n: T.int32
        local Y = T.empty({128}, "int32")
        for bx in T.Kernel(1, {threads = 64}) do
          local f = T.alloc_fragment({128}, "int32")
          T.clear(Y)
          for q in T.serial(n) do
            for j in T.Parallel(32) do
              f[q * 32 + j] = X[q * 32 + j]
              f[q * 32 + j] += 5
            end
            use(f, Y, q)
          end
          last(f, Y)
        end
        return Y
      end)
      k(tl.arange(128, "int32"), 3)
    end)
    print(name, t, ok, tostring(err):match "%[E%d+%]: [^\n]*", tostring(err):match "\n *(%d+) |")
  end
end
local nothing = T.macro(function() end)
go("nothing", T.macro(function(f, Y)
  for j in T.Parallel(96) do Y[j] = f[j] end
end), nothing)
go("behind", T.macro(function(f, Y)
  T.copy(f, Y)
end), nothing)
go("within", nothing, T.macro(function(f, Y, q)
  for j in T.Parallel(32) do Y[j] = f[q * 32 + 63 - j] end
end))
