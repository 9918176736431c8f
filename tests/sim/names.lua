-- A value that is missing is one of the fragment that the user wrote, whichever registers and staging buffers of the
-- compiler's it went through.
local function go(name, body, x)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    tl.set_target(t)
    local k = tl.jit(function(X)
      X: T.Tensor({64, 64}, "float16")
      local O = T.empty({64, 64}, "float16")
      for bx in T.Kernel(1, {threads = 128}) do
        local F, S = T.alloc_fragment({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
        T.clear(O)
        T.copy(X, S)
        for i, j in T.Parallel(64, 64) do
          if X[i, j] > 0.25 then F[i, j] = X[i, j] end
        end
        body(F, S, O)
      end
      return O
    end)
    local ok, err = pcall(k, tl.rand({64, 64}, "float16"))
    print(name, t, ok and "right" or tostring(err):match "E%d+[^\n]*", tostring(err):match "\n *(%d+) |")
  end
end
go("product", T.macro(function(F, S, O)
  local C = T.alloc_fragment({64, 64}, "float32")
  T.clear(C)
  T.gemm(F, S, C)
  T.copy(C, O)
end))
go("product, sum", T.macro(function(F, S, O)
  T.gemm(S, S, F)
  T.copy(F, O)
end))
for d = 0, 1 do
  go("sum " .. d, T.macro(function(F, S, O)
    local r = T.alloc_fragment({64}, "float16")
    T.reduce_sum(F, r, d)
    for i in T.Parallel(64) do O[0, i] = r[i] end
  end))
  go("running sum " .. d, T.macro(function(F, S, O)
    T.cumsum(F, F, d)
    T.copy(F, O)
  end))
end
go("chosen", T.macro(function(F, S, O)
  for i, j in T.Parallel(64, 64) do O[i, j] = T.if_then_else(S[i, j] > 0.5, F[63 - i, j], S[i, j]) + 1 end
end))
go("gathered", T.macro(function(F, S, O)
  for i, j in T.Parallel(64, 64) do O[i, j] = F[i, T.cast(S[i, j] * 63, "int32")] + 1 end
end))
go("loop", T.macro(function(F, S, O)
  local Q = T.alloc_fragment({64}, T.float16)
  for q in T.serial(4) do
    for i in T.Parallel(16) do if S[i, 0] > 0.25 then Q[q * 16 + i] = S[i, 0] end end
    for i in T.Parallel(16) do O[q, i] = Q[q * 16 + i] + 1 end
  end
end))
go("view", T.macro(function(F, S, O)
  local V = T.view(F, {64, 32}, "int32")
  for i, j in T.Parallel(64, 32) do O[i, j] = T.cast(V[i, j] + 1, "float16") end
end))
