-- Kernels that meet a limit, or need more of the run-time than a launch, each by its name.
local add = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 512), {threads = 128}) do
    local s = T.alloc_fragment({512}, T.float32)
    T.copy(x[bx * 512], s)
    T.copy(s, y[bx * 512])
  end
  return y
end)

local function tall(blocks, threads)
  return tl.jit(function(x)
    x: T.Tensor({blocks, 16}, T.float32)
    for _, by in T.Kernel(1, blocks, {threads = threads}) do
      for i in T.Parallel(16) do x[by, i] = x[by, i] + 1 end
    end
  end)
end

-- Two launches through a workspace, the first with a barrier of all blocks.
local function synced(blocks)
  local f = tl.jit(function(x)
    x: T.Tensor({blocks, 128}, T.float32)
    local w = T.alloc_global({blocks, 128}, T.float32)
    for bx in T.Kernel(blocks, {threads = 128}) do
      for i in T.Parallel(128) do w[bx, i] = x[bx, i] * 2 end
      T.sync_grid()
      for i in T.Parallel(128) do x[bx, i] = w[(bx + 1) % blocks, i] end
    end
    for bx in T.Kernel(blocks, {threads = 64}) do
      for i in T.Parallel(128) do x[bx, i] = x[bx, i] + w[bx, i] end
    end
  end)
  local x = tl.randn({blocks, 128}, "float32")
  local before = x:copy()
  for _ = 1, 3 do
    f(x)
    for b = 0, blocks - 1 do
      local want = 2 * before[(b + 1) % blocks][5] + 2 * before[b][5]
      assert(math.abs(x[b][5] - want) <= 1e-5 * math.abs(want), b)
    end
    before = x:copy()
  end
end

local function shared(bytes)
  local f = tl.jit(function(x)
    x: T.Tensor({128}, T.float32)
    for bx in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({bytes // 4}, T.float32)
      for i in T.Parallel(bytes // 4) do s[i] = i end
      T.sync_threads()
      for i in T.Parallel(128) do x[i] = s[bytes // 4 - 1 - i] end
    end
  end)
  local x = tl.zeros({128}, "float32")
  f(x)
  assert(x[0] == bytes // 4 - 1 and x[127] == bytes // 4 - 128)
end

-- Large enough for more than one piece of anything.
local function large()
  local n = 1000001
  local x = tl.randn({n}, "float32")
  local y = add(x)
  for _ = 1, 3 do y = add(x) end
  assert(tl.allclose(y, x, 0, 0))
end

-- More than the device holds at once, one after the other: the session makes room.
local function crowded()
  local x = {}
  for i = 1, 6 do
    x[i] = add(tl.full({1 << 18}, i, "float32"))
  end
  for i = 1, 6 do
    assert(x[i][7] == i)
  end
end

-- Every kind of argument that a kernel can have.
local function mixed()
  local f = tl.jit(function(a, s, h, x, y, b)
    local n = T.dynamic "n"
    a: T.Tensor({n}, T.float64)
    s: T.int8
    h: T.float16
    x: T.Tensor({n}, T.int16)
    y: T.float64
    b: T.bool
    for bx in T.Kernel(T.ceildiv(n, 64), {threads = 64}) do
      for i in T.Parallel(64) do
        a[bx * 64 + i] = T.if_then_else(b, y, 0.0) + s + h + x[bx * 64 + i]
      end
    end
  end)
  local a = tl.zeros({100}, "float64")
  f(a, -3, 0.5, tl.full({100}, 7, "int16"), 1000.25, true)
  assert(a[0] == 1004.75 and a[99] == 1004.75)
  f(a, 4, -0.5, tl.full({100}, 7, "int16"), 1000.25, false)
  assert(a[0] == 10.5 and a[99] == 10.5)
end

local case = {
  aligned = function() add(tl.zeros({1025}, "float32")) end,
  moved = function() add(tl.zeros({1025}, "float32")[1:1025]) end,
  tall = function() tall(70000, 64)(tl.zeros({70000, 16}, "float32")) end,
  threads = function() tall(2, 1024)(tl.zeros({2, 16}, "float32")) end,
  too_many = function() tall(2, 1088)(tl.zeros({2, 16}, "float32")) end,
  shared = function() shared(65536) end,
  too_large = function() shared(65792) end,
  synced = function() synced(8) end,
  crowd = function() synced(3000) end,
  large = large,
  crowded = crowded,
  mixed = mixed,
}
case[arg[1]]()
print "it ran"
