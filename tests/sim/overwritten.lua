-- What never got a value is stored over what had one: on a card the old value is gone, so nobody
-- may read it here either (it stayed as it was, and the kernel looked right).
local function go(name, body)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    tl.set_target(t)
    local k = tl.jit(function(A, B)
      A: T.Tensor({32, 64}, "float16")
      B: T.Tensor({32, 64}, "float16")
      local O = T.empty({32, 64}, "float16")
      for bx in T.Kernel(1, {threads = 128}) do
        body(A, B, O)
      end
      return O
    end)
    local ok, err = pcall(k, tl.rand({32, 64}, "float16"), tl.rand({32, 64}, "float16"))
    print(name, t, ok and "silent" or tostring(err):match "E%d+")
  end
end

local part = T.macro(function(f, A)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
end)

go("shared, all read", T.macro(function(A, _, O)
  local f, s = T.alloc_fragment({32, 64}, "float16"), T.alloc_shared({32, 64}, "float16")
  T.clear(s)
  part(f, A)
  T.copy(f, s)
  T.copy(s, O)
end))

go("shared, what was written read", T.macro(function(A, _, O)
  local f, s = T.alloc_fragment({32, 64}, "float16"), T.alloc_shared({32, 64}, "float16")
  T.clear(s)
  T.clear(O)
  part(f, A)
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))

go("shared, written again", T.macro(function(A, _, O)
  local f, s = T.alloc_fragment({32, 64}, "float16"), T.alloc_shared({32, 64}, "float16")
  part(f, A)
  T.copy(f, s)
  T.copy(A, s)
  T.copy(s, O)
end))



go("an output", T.macro(function(A, _, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  part(f, A)
  T.copy(f, O)
end))


go("columns", T.macro(function(A, _, O)
  local c, s = T.alloc_fragment({32, 64}, "float16"), T.alloc_shared({32, 64}, "float16")
  T.clear(s)
  for i, j in T.Parallel(32, 64) do
    if j < 33 then c[i, j] = A[i, j] end
  end
  T.copy(c, s)
  for i, j in T.Parallel(32, 64) do O[i, j] = s[i, j] end
end))
