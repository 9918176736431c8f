-- Masks of what lies behind lengths that are read when the kernel runs: where a whole tile lies in front
-- of them, one test of the block says so; also where their difference leaves int32.
local function kernel(target)
  return tl.jit(function(A, B)
    A: T.Tensor({9}, "int32")
    B: T.Tensor({9}, "int32")
    local C = T.empty({8, 2, 32, 64}, "float32")
    for bx, by in T.Kernel(8, 2, {threads = 64}) do
      local s = T.alloc_fragment({32, 64}, "float32")
      local rows, cols = A[bx + 1] - A[bx], B[bx + 1] - B[bx]
      for i, j in T.Parallel(32, 64) do
        s[i, j] = T.if_then_else(by * 32 + i >= rows or by * 64 + j > cols, -1.0, 2.0)
      end
      for i, j in T.Parallel(32, 64) do
        s[i, j] = s[i, j] + T.if_then_else(by * 32 + i < rows and cols <= j, 10.0, 20.0)
      end
      T.copy(s, C[bx, by, 0, 0])
    end
    return C
  end, {target = target})
end
local least, most = -2147483648, 2147483647
local a = tl.from_table({0, 32, 64, 95, most, least, -1, most, 0}, "int32")
local b = tl.from_table({0, 64, 191, 255, 256, most, least, 0, 63}, "int32")
local function length(t, bx)
  local d = (t[bx + 1] - t[bx]) & 0xffffffff
  return d < 1 << 31 and d or d - (1 << 32)
end
for _, target in ipairs {"cpu", "sim -arch=sm_90a", "sim -arch=gfx942"} do
  local c = kernel(target)(a, b)
  local wrong = 0
  for bx = 0, 7 do
    local rows, cols = length(a, bx), length(b, bx)
    for by = 0, 1 do
      for i = 0, 31 do
        for j = 0, 63 do
          local want = (by * 32 + i >= rows or by * 64 + j > cols) and -1 or 2
          want = want + ((by * 32 + i < rows and cols <= j) and 10 or 20)
          wrong = wrong + (c[{bx, by, i, j}] == want and 0 or 1)
        end
      end
    end
  end
  print(target, wrong .. " wrong")
end
for line in kernel "sim -arch=sm_90a":compile():ir("partition"):gmatch "[^\n]+" do
  if line:find "^ *if " or line:find "^ *else" then print((line:gsub(" @.*", ""))) end
end
