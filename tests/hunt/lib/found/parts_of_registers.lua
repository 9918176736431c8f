-- Wrong: a register of which a view with narrower elements had stored a part was taken for one without a value (E641) on
-- the simulator, whatever was stored: of a fragment on its way through shared memory, of an array of a thread's.
local function fragment(a, b, n, role)
  return tl.jit(function(X)
    X: T.Tensor({2, 16}, "int32")
    local Y = T.empty({2, 16 // n}, a)
    for bx in T.Kernel(1, {threads = 128}) do
      local f = T.alloc_fragment({2, 16 // n}, a)
      local v = T.view(f, {2, 16}, b)
      if role then
        local tx = T.get_thread_binding()
        if tx < 64 then
          for i, j in T.Parallel(2, 8) do v[i, 2 * j] = X[i, 2 * j] end
          for i, j in T.Parallel(2, 8) do v[i, 2 * j + 1] = X[i, 2 * j + 1] end
          T.copy(f, Y)
        end
      else
        for j in T.serial(16) do
          for i in T.Parallel(2) do v[i, j] = X[i, j] end
        end
        T.copy(f, Y)
      end
    end
    return Y
  end)
end

local function array(a, b, n)
  return tl.jit(function(X)
    X: T.Tensor({32, 16}, "int32")
    local Y = T.empty({32, 16 // n}, a)
    for bx in T.Kernel(1, {threads = 32}) do
      local tx = T.get_thread_binding()
      for _ in T.serial(2) do
        local l = T.alloc_local({16 // n}, a)
        local v = T.view(l, {16}, b)
        for j in T.serial(16) do v[15 - j] = X[tx, 15 - j] end
        T.copy(l, Y[tx, 0])
      end
    end
    return Y
  end)
end

-- n numbers of `bits` in one.
local function packed(x, rows, bits, n)
  local t = {}
  for i = 1, rows do
    t[i] = {}
    for j = 1, 16 // n do
      local v = 0
      for q = 0, n - 1 do v = v | (x:item(i - 1, (j - 1) * n + q) & (1 << bits) - 1) << bits * q end
      t[i][j] = v
    end
  end
  return tl.from_table(t, "int64")
end

local x = (tl.arange(512, "int32") * 7 % 16):reshape(32, 16)
local two = x[{T.slice(0, 2)}]:copy()
for _, c in ipairs {{"uint16", "int8", 8}, {"uint32", "int8", 8}, {"uint16", "uint4", 4}, {"uint8", "int4", 4}, {"uint32", "int16", 16}} do
  local a, b, bits = table.unpack(c)
  local n = tonumber(a:match "%d+") // bits
  for _, y in ipairs {fragment(a, b, n, false)(two), fragment(a, b, n, true)(two)} do
    assert(tl.equal(y:to "int64", packed(two, 2, bits, n)), a .. " " .. b)
  end
  assert(tl.equal(array(a, b, n)(x):to "int64", packed(x, 32, bits, n)), a .. " " .. b)
end
print "right"
