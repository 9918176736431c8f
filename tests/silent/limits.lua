-- Where a pass stops looking because there is too much to look at, a note says so: what was
-- given up, on which line, what it costs.
tl.set_target "sim -arch=sm_80"
local f32 = T.float32

local function notes(name, k)
  print("== " .. name)
  for _, n in ipairs(k:compile():analyze().notes) do
    print(("line %d, %s: %s: %s"):format(n.line, n.code, n.en.title, n.en.label))
    if not (n.zh.title .. n.zh.label):find "[\x80-\xff]" then
      print "    not in Chinese"
    end
  end
end

-- A loop of Lua's makes the statements: each pair of them is compared, in the end with the last.
local function many(s, A, i, n)
  for c = 0, n - 1 do
    s[i, c] = A[i, c]
  end
end
local function pairs_of(n)
  return tl.jit(function(A)
    A: T.Tensor({4, 4096}, f32)
    local B = T.empty({4}, f32)
    for _ in T.Kernel(1, {threads = 32}) do
      local s = T.alloc_shared({4, 4096}, f32)
      for i in T.Parallel(4) do
        many(s, A, i, n)
        s[i // 2, 4000] = A[i, 0]
      end
      for i in T.Parallel(4) do
        B[i] = s[i, 0]
      end
    end
    return B
  end)
end
local ok, why = pcall(function() return pairs_of(400):compile() end)
print(ok, why.id)

notes("iterations of no sum of indices", tl.jit(function(A)
  A: T.Tensor({4096, 4096}, f32)
  local B = T.empty({4096, 4096}, f32)
  for _ in T.Kernel(1, {threads = 128}) do
    for i, j in T.Parallel(4096, 4096) do
      B[i, (j ~ (i % 2)) % 4096] = A[i, j]
    end
  end
  return B
end))

notes("an index under a condition", tl.jit(function(A)
  A: T.Tensor({64}, f32)
  local B = T.empty({64}, f32)
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, f32)
    T.clear(s)
    for r in T.serial(40000) do
      for i in T.Parallel(64) do
        if i ~= 17 then
          s[i * (1 + r // 30000 * (1 - r // 30000))] = A[i]
        end
      end
    end
    T.copy(s, B)
  end
  return B
end))
