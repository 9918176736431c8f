-- Iterations of T.Parallel that meet: in pipelines, roles and workspaces, in fragments whose layout is
-- larger than they are, with sizes of the call, with loops and private variables inside.
tl.set_target "sim -arch=sm_90a"

local function values(n, f)
  local t = {}
  for i = 0, n - 1 do
    t[i + 1] = f(i)
  end
  return tl.from_table(t, "int32")
end

local function try(name, k, ...)
  local ok, err = pcall(k, ...)
  local text = tostring(err)
  print(name, ok and "right" or
    (text:match "E%d+" or text) .. " " .. (text:match "(T%.Parallel%([%d, ]+%):[^\n]*)" or ""))
end

local k1 = tl.jit(function(A, J)
  A: T.Tensor({64, 64}, "float32")
  J: T.Tensor({64}, "int32")
  local B = T.empty({64, 64}, "float32")
  for bx in T.Kernel(2, {threads = 128}) do
    local S = T.alloc_shared({32, 64}, "float32")
    local X = T.alloc_shared({32, 16}, "float32")
    T.clear(S)
    for k in T.Pipelined(4, {num_stages = 2}) do
      T.copy(A[bx * 32, k * 16], X)
      for i, j in T.Parallel(32, 16) do
        S[J[i], j + k * 16] = X[i, j] + S[J[i], j + k * 16]
      end
    end
    T.copy(S, B[bx * 32, 0])
  end
  return B
end)
try("pipelined permutation", k1, tl.rand({64, 64}, "float32"), values(64, function(i) return (i * 7) % 32 end))
try("pipelined meets", k1, tl.rand({64, 64}, "float32"), values(64, function(i) return i // 2 end))

local k2 = tl.jit(function(J)
  J: T.Tensor({100}, "int32")
  local B = T.empty({100}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local F = T.alloc_fragment({100}, "int32")
    for i in T.Parallel(100) do F[i] = i end
    for i in T.Parallel(100) do if J[i] > 0 then F[i] = F[i] + J[i] end end
    for i in T.Parallel(100) do if J[i] > 0 then F[99 - i] = 3 end end
    for i in T.Parallel(100) do B[i] = F[i] end
  end
  return B
end)
try("padded fragment", k2, values(100, function(i) return i % 3 end))
local k3 = tl.jit(function(J)
  J: T.Tensor({100}, "int32")
  local B = T.empty({100}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local F = T.alloc_fragment({100}, "int32")
    for i in T.Parallel(100) do F[i] = i end
    for i in T.Parallel(100) do if J[i] > 0 then F[(i // 3) % 7] = i end end
    for i in T.Parallel(100) do F[J[i]] = i end
    for i in T.Parallel(100) do B[i] = F[i] end
  end
  return B
end)
try("fragment meets", k3, values(100, function(i) return i % 3 end))

local k4 = tl.jit(function(J)
  J: T.Tensor({128}, "int32")
  local B = T.empty({128}, "int32")
  for bx in T.Kernel(1, {threads = 256}) do
    local S = T.alloc_shared({128}, "int32")
    local W = T.alloc_global({128}, "int32")
    for i in T.Parallel(128) do S[i] = 0 W[i] = 0 end
    for _ in T.ws(1) do
      for i in T.Parallel(128) do S[J[i]] = i end
    end
    for i in T.Parallel(128) do W[J[i]] = S[i] end
    for i in T.Parallel(128) do B[i] = S[i] + W[i] end
  end
  return B
end)
try("roles permutation", k4, values(128, function(i) return 127 - i end))
try("roles meets", k4, values(128, function(i) return i // 2 end))

local k5 = tl.jit(function(A, J)
  local n = T.dynamic "n"
  A: T.Tensor({n}, "int32")
  J: T.Tensor({n}, "int32")
  local B = T.empty({n}, "int32")
  for bx in T.Kernel(T.ceildiv(n, 64), {threads = 64}) do
    for i in T.Parallel(64) do
      if bx * 64 + i < n then B[J[bx * 64 + i]] = A[bx * 64 + i] end
    end
  end
  return B
end)
try("dynamic permutation", k5, values(100, function(i) return i end), values(100, function(i) return 99 - i end))
try("dynamic meets", k5, values(100, function(i) return i end), values(100, function(i) return i // 2 end))

local k6 = tl.jit(function(J)
  J: T.Tensor({64}, "int32")
  local B = T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    local S = T.alloc_shared({64}, "int32")
    for i in T.Parallel(64) do S[i] = 0 end
    for i in T.Parallel(64) do
      local x = T.alloc_var("int32", 0)
      for m = 0, 3 do x = x + J[(i + m) % 64] end
      S[x % 64] = x
      while x > 0 do x = x - 7 end
      for m = 0, 1 do if x < m then S[(i + 1) % 64] = S[(i + 1) % 64] + 1 end end
    end
    for i in T.Parallel(64) do B[i] = S[i] end
  end
  return B
end)
try("private", k6, values(64, function(i) return i end))

local k7 = tl.jit(function(J)
  J: T.Tensor({128}, "int32")
  local B = T.empty({128}, "float16")
  for bx in T.Kernel(1, {threads = 32}) do
    local S = T.alloc_shared({128}, "float16")
    for i in T.Parallel(128) do S[i] = 0 end
    for i in T.Parallel(128) do S[J[i]] = J[i] * 0.5 end
    for i in T.Parallel(128) do S[J[i]] = i end
    for i in T.Parallel(128) do B[i] = S[i] end
  end
  return B
end)
try("halves", k7, values(128, function(i) return i // 4 * 4 end))

local k8 = tl.jit(function(J)
  J: T.Tensor({128}, "int32")
  local B, C = T.empty({128}, "int32"), T.empty({128}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(128) do B[J[i]] = J[i] end
  end
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(64) do C[J[bx * 64 + i]] = i end
  end
  return B, C
end)
try("launches, permutation", k8, values(128, function(i) return 127 - i end))
try("launches, meets", k8, values(128, function(i) return i // 64 * 64 + i % 64 // 2 end))
