-- T.fill and T.clear of a part of a shared tile whose ends are numbers of the call, of a loop, of
-- the block: on each kind of machine, against plain Lua.
local targets = {"cpu", "sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"}

local function called(X, a, b)
  X: T.Tensor({4, 16}, T.float32)
  a: T.int32
  b: T.int32
  local C = T.empty({4, 16}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({4, 16}, T.float32)
    T.copy(X, s)
    T.fill(s[1:3, a:b], 90)
    T.clear(s[a:b, 15])
    T.copy(s, C)
  end
  return C
end
local function looped(X, a, b)
  X: T.Tensor({4, 16}, T.float32)
  a: T.int32
  b: T.int32
  local C = T.empty({4, 16}, T.float32)
  for bx in T.Kernel(4, {threads = 64}) do
    local s = T.alloc_shared({16}, T.float32)
    for k in T.Pipelined(4, {num_stages = 2}) do
      if k == bx then
        T.copy(X[k, 0:16], s)
        for i in T.serial(a) do
          T.fill(s[4 * i:4 * i + i + bx], 70 + s[4 * i + b])
        end
        T.copy(s, C[k, 0:16])
      end
    end
  end
  return C
end

local function plain_called(i, j, a, b)
  return i >= a and i < b and j == 15 and 0 or (i == 1 or i == 2) and j >= a and j < b and 90 or i * 16 + j
end
local function plain_looped(bx, j, a, b)
  local s = {}
  for i = 0, 15 do s[i] = bx * 16 + i end
  for i = 0, a - 1 do
    local v = 70 + s[4 * i + b]
    for k = 4 * i, 4 * i + i + bx - 1 do s[k] = v end
  end
  return s[j]
end

local x = tl.arange(64, "float32"):reshape(4, 16)
for _, t in ipairs(targets) do
  local wrong, cases = 0, 0
  local function try(f, plain, a, b)
    local c = tl.jit(f, {target = t})(x, a, b)
    for i = 0, 3 do
      for j = 0, 15 do
        wrong = wrong + (c:item(i, j) == plain(i, j, a, b) and 0 or 1)
        cases = cases + 1
      end
    end
  end
  for _, ab in ipairs {{1, 3}, {0, 4}, {3, 1}, {2, 2}} do
    try(called, plain_called, ab[1], ab[2])
  end
  for _, ab in ipairs {{3, 1}, {0, 0}, {2, 3}} do
    try(looped, plain_looped, ab[1], ab[2])
  end
  print(t, cases, wrong .. " wrong")
end

-- A fragment's layout asks for constant extents, as in TileLang.
print(select(2, pcall(tl.jit(function(X, a)
  X: T.Tensor({16}, T.float32)
  a: T.int32
  for bx in T.Kernel(1, {threads = 32}) do
    local f = T.alloc_fragment({16}, T.float32)
    T.fill(f[0:a], 1)
    T.copy(f, X)
  end
end, {target = "cpu"}), tl.zeros({16}), 4)))
