-- Wrong: a fragment that a loop fills part by part is staged whole in shared memory, and the way back from there
-- was taken for a read of elements that no turn had written yet (E606).
local N = 128
local function lines(threads, part)
  return tl.jit(function(X)
    X: T.Tensor({N}, T.int32)
    local Y = T.empty({N}, T.int32)
    for bx in T.Kernel(1, {threads = threads}) do
      local f = T.alloc_fragment({N}, T.int32)
      for q in T.serial(N // part) do
        for j in T.Parallel(part) do
          local i = q * part + j
          f[i] = X[i]
          f[i] += 5
        end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

-- Two dimensions, of a type.
local function tile(dtype)
  return tl.jit(function(X)
    X: T.Tensor({16, 64}, dtype)
    local Y = T.empty({16, 64}, dtype)
    for bx in T.Kernel(1, {threads = 64}) do
      local f = T.alloc_fragment({16, 64}, dtype)
      for q in T.serial(4) do
        for i, j in T.Parallel(16, 16) do
          f[i, q * 16 + j] = X[i, q * 16 + j]
          f[i, q * 16 + j] += 1
        end
      end
      T.copy(f, Y)
    end
    return Y
  end)
end

-- A part of it is read in each turn, by another loop; another part is never written.
local function read_back()
  return tl.jit(function(X)
    X: T.Tensor({N}, T.int32)
    local Y = T.empty({N // 2}, T.int32)
    for bx in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({N}, T.int32)
      for q in T.serial(2) do
        for j in T.Parallel(32) do
          f[q * 32 + j] = X[q * 32 + j] + 5
        end
        for j in T.Parallel(32) do
          Y[q * 32 + j] = f[q * 32 + 31 - j]
        end
      end
    end
    return Y
  end)
end

-- Moved on to another fragment in each turn, elements without a value among the others.
local function moved_on()
  return tl.jit(function(X)
    X: T.Tensor({N}, T.int32)
    local Y = T.empty({N}, T.int32)
    for bx in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({N}, T.int32)
      local g = T.alloc_fragment({N}, T.int32)
      for q in T.serial(4) do
        for j in T.Parallel(32) do
          f[q * 32 + j] = X[q * 32 + j] + 5
        end
        for j in T.Parallel(N) do
          g[j] = f[N - 1 - j]
        end
      end
      T.copy(g, Y)
    end
    return Y
  end)
end

local X = tl.arange(N, "int32")
local function list(n, f)
  local t = {}
  for i = 1, n do t[i] = f(i - 1) end
  return tl.from_table(t, "int32")
end
local function same(got, want) tl.testing.assert_close(got, want, {rtol = 0, atol = 0}) end
for _, v in ipairs {{32, 32}, {64, 32}, {128, 64}, {32, 16}, {256, 4}} do
  same(lines(v[1], v[2])(X), list(N, function(i) return i + 5 end))
end
for _, dtype in ipairs {"float32", "float16", "int8", "int64"} do
  local x = (tl.arange(1024, "int32") % 100):reshape(16, 64)
  same(tile(dtype)(x:to(dtype)), (x + 1):to(dtype))
end
same(read_back()(X), list(N // 2, function(i) return i // 32 * 32 + 31 - i % 32 + 5 end))
same(moved_on()(X), list(N, function(i) return N - 1 - i + 5 end))
print "right"
