-- A thousand choices, each between two loads at what the one before chose, where only some threads come: what a
-- value depends on is found once, not again by each that is made of it.
local N <const> = 1000

local function kernel(target)
  return tl.jit(function(A, B)
    A: T.Tensor({2048}, "int32")
    B: T.Tensor({2048}, "int32")
    local C = T.empty({128}, "int32")
    for bx in T.Kernel(1, {threads = 128}) do
      local tx = T.get_thread_binding()
      C[tx] = 0
      if tx < 64 then
        local x = A[tx]
        for i = 0, N - 1 do
          x = T.if_then_else(x > 50, A[x % 128 + i], B[x % 128 + i])
        end
        C[tx] = x
      end
    end
    return C
  end, {target = target})
end

local a, b = {}, {}
for i = 1, 2048 do
  a[i], b[i] = i * 29 % 101, i * 31 % 103
end

for _, target in ipairs {"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
  local c, wrong = kernel(target)(tl.from_table(a, "int32"), tl.from_table(b, "int32")), 0
  for tx = 0, 127 do
    local x = 0
    if tx < 64 then
      x = a[tx + 1]
      for i = 0, N - 1 do
        x = x > 50 and a[x % 128 + i + 1] or b[x % 128 + i + 1]
      end
    end
    wrong = wrong + (c[tx] == x and 0 or 1)
  end
  print(target, wrong .. " wrong")
end
