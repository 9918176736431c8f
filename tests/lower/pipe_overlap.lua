-- Orders and stages by hand where two statements write one tile, apart or over each other:
-- what is not refused gives what the loop in order gives.
local f32 = T.float32
local a = tl.arange(8 * 128, "float32")

local function kernel(body, target, how)
  return tl.jit(function(A)
    A: T.Tensor({8 * 128}, f32)
    local C = T.empty({8 * 128}, f32)
    for _ in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({128}, f32)
      for k in (how and T.Pipelined or T.serial)(8, how) do
        body(A, C, s, k)
      end
    end
    return C
  end, {target = target})
end

local bodies = {
  {"in place", 3, function(A, C, s, k)
    for i in T.Parallel(128) do s[i] = A[k * 128 + i] end
    for i in T.Parallel(64) do s[i] = s[i + 64] * 2 + k end
    for i in T.Parallel(128) do C[k * 128 + i] = s[127 - i] end
  end},
  {"halves", 3, function(A, C, s, k)
    T.copy(A[k * 128:k * 128 + 64], s[0:64])
    T.copy(A[k * 128 + 64:k * 128 + 128], s[64:128])
    for i in T.Parallel(128) do C[k * 128 + i] = s[127 - i] end
  end},
  {"over", 3, function(A, C, s, k)
    T.copy(A[k * 128:k * 128 + 128], s)
    T.copy(A[k * 128 + 32:k * 128 + 64], s[64:96])
    for i in T.Parallel(128) do C[k * 128 + i] = s[127 - i] end
  end},
  {"twice", 4, function(A, C, s, k)
    T.copy(A[k * 128:k * 128 + 128], s)
    for i in T.Parallel(128) do C[k * 128 + i] = s[127 - i] end
    for i in T.Parallel(64) do s[i] = A[k * 128 + 2 * i] * 3 end
    for i in T.Parallel(128) do C[k * 128 + i] = C[k * 128 + i] + s[127 - i] end
  end},
}

-- All orders, all stages up to 2.
local function permutations(n, f)
  local p, used = {}, {}
  local function at(i)
    if i > n then return f(p) end
    for v = 0, n - 1 do
      if not used[v] then
        used[v], p[i] = true, v
        at(i + 1)
        used[v] = nil
      end
    end
  end
  at(1)
end

for _, b in ipairs(bodies) do
  local name, n, body = table.unpack(b)
  for _, target in ipairs {"sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500"} do
    local want = kernel(body, target)(a)
    local count = {}
    permutations(n, function(order)
      for c = 0, 3 ^ n - 1 do
        local stage = {}
        for i = 1, n do stage[i] = math.tointeger(c // 3 ^ (i - 1) % 3) end
        local ok, got = pcall(kernel(body, target, {order = {table.unpack(order)}, stage = stage}), a)
        local what = not ok and tostring(got):match "error%[(E%d+)%]" or
          ok and tl.allclose(got, want, 0, 0) and "same" or "WRONG"
        count[what] = (count[what] or 0) + 1
        if what ~= "same" and what ~= "E510" and what ~= "E511" and what ~= "E587" then
          print(name, target, table.concat(order, ","), table.concat(stage, ","), what)
        end
      end
    end)
    print(("%-9s %-17s same %d, refused %d"):format(name, target, count.same,
      (count.E510 or 0) + (count.E511 or 0) + (count.E587 or 0)))
  end
end
