-- A fragment that is written in part, element by element without a pattern of whole vectors, and staged: what is read
-- of it was written (E606, E641 were said, since one element without a value took its whole vector along).
local function go(name, body)
  for _, t in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"} do
    local ok, err = pcall(function()
      tl.set_target(t)
      local k = tl.jit(function(A)
        A: T.Tensor({32, 64}, "float16")
        local O = T.empty({32, 64}, "float16")
        for bx in T.Kernel(1, {threads = 128}) do
          T.clear(O)
          body(A, O)
        end
        return O
      end)
      local a = tl.rand({32, 64}, "float16")
      local o = k(a)
      local bad = 0
      for i = 0, 31 do for j = 0, 63 do
        local w = (i * 7 + j) % 3 == 0 and a:item(i, j) or 0
        if o:item(i, j) ~= w then bad = bad + 1 end
      end end
      print(name, t, bad)
    end)
    if not ok then print(name, t, "failed") end
  end
end
go("if", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local s = T.alloc_shared({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
go("frag read", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = f[i, j] end
  end
end))
go("transposed", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local g = T.alloc_fragment({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + 63 - j) % 3 == 0 then g[i, j] = f[i, 63 - j] end
  end
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + 63 - j) % 3 == 0 then O[i, 63 - j] = g[i, j] end
  end
end))
go("copy frag", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local g = T.alloc_fragment({32, 64}, "float16")
  local s = T.alloc_shared({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
  T.copy(f, g)
  T.copy(g, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
go("cast", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float32")
  local s = T.alloc_shared({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
go("serial", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local s = T.alloc_shared({32, 64}, "float16")
  for i in T.serial(32) do
    for j in T.Parallel(64) do
      if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] end
    end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
go("gemm layout", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float32")
  local s = T.alloc_shared({32, 64}, "float16")
  local x = T.alloc_shared({32, 32}, "float16")
  local y = T.alloc_shared({32, 64}, "float16")
  local c = T.alloc_fragment({32, 64}, "float32")
  T.clear(x) T.clear(y) T.clear(c)
  T.gemm(x, y, c)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] + c[i, j] end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
go("stmatrix", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local s = T.alloc_shared({32, 64}, "float16")
  local x = T.alloc_shared({32, 32}, "float16")
  local y = T.alloc_shared({32, 64}, "float16")
  local c = T.alloc_fragment({32, 64}, "float32")
  T.clear(x) T.clear(y) T.clear(c)
  T.gemm(x, y, c)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then f[i, j] = A[i, j] + c[i, j] end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
-- One element more is read than was written.
go("beyond", T.macro(function(A, O)
  local f = T.alloc_fragment({32, 64}, "float16")
  local s = T.alloc_shared({32, 64}, "float16")
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 and i + j > 0 then f[i, j] = A[i, j] end
  end
  T.copy(f, s)
  for i, j in T.Parallel(32, 64) do
    if (i * 7 + j) % 3 == 0 then O[i, j] = s[i, j] end
  end
end))
