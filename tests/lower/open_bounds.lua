-- Parallel loops whose iterations may meet, with bounds that another of their variables or memory decides: who does
-- what is known to the simulator all the same.
local function kernel(same)
  return tl.jit(function(A, I)
    A: T.Tensor({64, 64}, T.float32)
    I: T.Tensor({64}, T.int32)
    local C = T.empty({64, 64}, T.float32)
    for _ in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({64, 64}, T.float32)
      T.clear(s)
      for i in T.Parallel(8) do
        for j in T.Parallel(i + 1) do s[I[i], j] = A[i, j] end
      end
      for i, j in T.Parallel(4, I[9]) do s[I[i] + 8 + same, I[j]] = A[i, j] end
      for i in T.Parallel(I[3]) do
        for j in T.Parallel(5 - i) do s[I[i] + 20, I[j] * (1 - same)] = A[i, j] end
      end
      T.copy(s, C)
    end
    return C
  end)
end

local t = {}
for i = 1, 64 do t[i] = i - 1 end
local I = tl.from_table(t, "int32")
local A = tl.randint(1, 99, {64, 64}, "int32"):astype "float32"
local a = A:totable()

local function right(c)
  for x = 0, 63 do
    for y = 0, 63 do
      local want = 0
      if x < 8 and y <= x then want = a[x + 1][y + 1] end
      if x >= 8 and x < 12 and y < 9 then want = a[x - 8 + 1][y + 1] end
      if x >= 20 and x < 23 and y < 5 - (x - 20) then want = a[x - 20 + 1][y + 1] end
      if c[x + 1][y + 1] ~= want then return false end
    end
  end
  return true
end

for _, target in ipairs {"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
  tl.set_target(target)
  print(target, right(kernel(0)(A, I):totable()) and "right" or "wrong")
end
tl.set_target "sim -arch=sm_80"
local ok, why = pcall(kernel(1), A, I)
print("twice the same", ok, (tostring(why):match "T.Parallel%(3, 5%)[^\n]*"))
