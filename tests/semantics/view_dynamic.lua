-- Views between shapes that an argument decides: accepted where their numbers of elements are
-- equal as polynomials, refused where they differ or nothing shows that they are equal.
local I = "int32"
local shapes = {
  {"16*n", function(n) return {16 * n} end},
  {"n*16", function(n) return {n * 16} end},
  {"n,4,4", function(n) return {n, 4, 4} end},
  {"n*4,4", function(n) return {n * 4, 4} end},
  {"4,n*4", function(n) return {4, n * 4} end},
  {"n+n,8", function(n) return {n + n, 8} end},
  {"n*8", function(n) return {n * 8} end},
  {"n+16", function(n) return {n + 16} end},
  {"(n+1)*16", function(n) return {(n + 1) * 16} end},
  {"n//2,32", function(n) return {n // 2, 32} end},
}
for _, row in ipairs(shapes) do
  local k = tl.jit(function(B)
    local n = T.dynamic "n"
    B: T.Tensor({n, 16}, I)
    local C = T.empty({n, 16}, I)
    for _ in T.Kernel(1) do
      local W = T.reshape(B, row[2](n))
      T.copy(B, C)
    end
    return C
  end)
  local ok, e = pcall(k, tl.zeros({16, 16}, I))
  print(row[1], ok and "ok" or tostring(e):match "error%[%w+%]")
end

local function flat(target)
  return tl.jit(function(B)
    local n, m = T.dynamic "n", T.dynamic "m"
    B: T.Tensor({n, m}, I)
    local C = T.empty({m * n}, I)
    for _ in T.Kernel(1) do
      local W = T.reshape(B, {n * m})
      for i in T.Parallel(m * n) do C[i] = W[i] * 2 end
    end
    return C
  end, {target = target})
end
local function bytes(target)
  return tl.jit(function(B)
    local n = T.dynamic "n"
    B: T.Tensor({n, 4}, I)
    local C = T.empty({n * 8}, "int16")
    for _ in T.Kernel(1) do
      local W = T.view(B, {n, 2, 4}, "int16")
      for i, j, k in T.Parallel(n, 2, 4) do C[i * 8 + j * 4 + k] = W[i, j, k] end
    end
    return C
  end, {target = target})
end
for _, target in ipairs {"cpu", "sim -arch=sm_90a", "sim -arch=gfx942"} do
  print(target, flat(target)(tl.arange(15, I):reshape {3, 5}))
  print(bytes(target)(tl.arange(8, I):reshape {2, 4}))
end
