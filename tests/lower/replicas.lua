-- Fragments that several threads hold copies of, in loops that change memory which they read: one
-- thread does it, whatever the loop is made of.  And loops that write parts of a fragment in an
-- order that goes through memory: what nobody wrote yet is not asked for.
local targets = {"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942", "cpu"}

local forms = {
  branch = {T.macro(function(s, f, g, i, j)
    if s[i, j] <= 5 then s[i, j] = 7; f[i, j] = 3 end
  end), function(x) if x <= 5 then return 7, 3 end return x, x end},
  apart = {T.macro(function(s, f, g, i, j)
    f[i, j] = 1
    if s[i, j] <= 5 then s[i, j] = 7 end
  end), function(x) return x <= 5 and 7 or x, 1 end},
  serial = {T.macro(function(s, f, g, i, j)
    for q in T.serial(3) do
      s[i, j] = s[i, j] * 2 + q
      f[i, j] = f[i, j] + s[i, j]
    end
  end), function(x) return x * 8 + 4, x + 2 * x + 4 * x + 1 + x * 8 + 4 end},
  old = {T.macro(function(s, f, g, i, j)
    f[i, j] = T.atomic_add(s[i, j], 2, {return_prev = true}) + f[i, j]
  end), function(x) return x + 2, 2 * x end},
  var = {T.macro(function(s, f, g, i, j)
    local v = T.alloc_var("int32", 0)
    v = s[i, j] + g[i, j]
    s[i, j] = v + 1
    f[i, j] = v * 2 + g[i, j]
  end), function(x) return 2 * x + 1, 5 * x end},
  turns = {T.macro(function(s, f, g, i, j)
    f[i, j] = s[i, j] + 3
    s[i, j] = f[i, j] * 2
    f[i, j] = s[i, j] + 1
  end), function(x) return 2 * x + 6, 2 * x + 7 end},
}

local function kernel(body)
  return tl.jit(function(X)
    X: T.Tensor({4, 4}, "int32")
    local C, D = T.empty({4, 4}, "int32"), T.empty({4, 4}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local s, f = T.alloc_shared({4, 4}, "int32"), T.alloc_fragment({4, 4}, "int32")
      local g = T.alloc_fragment({4, 4}, "int32")
      T.copy(X, s)
      T.copy(X, f)
      T.copy(X, g)
      for i, j in T.Parallel(4, 4) do body(s, f, g, i, j) end
      T.copy(s, C)
      for i, j in T.Parallel(4, 4) do D[i, j] = f[i, j] + g[i, j] - X[i, j] end
    end
    return C, D
  end)
end

local parts = tl.jit(function(dt)
  local C = T.empty({32, 8}, dt)
  for bx in T.Kernel(1, {threads = 64}) do
    local f = T.alloc_fragment({32, 8}, dt)
    for i, j in T.Parallel(16, 8) do f[i, (j + 7) % 8] = T.cast(j, dt) end
    for i, j in T.Parallel(16, 8) do f[i, (j + 3) % 8] = f[i, (j + 3) % 8] * 2 end
    for i, j in T.Parallel(16, 4) do f[i + 16, (j * 2 + 3) % 8] = 5 end
    for i, j in T.Parallel(8, 4) do f[16 + (i + 3) % 8, (j * 2 + 2) % 8] = 3 end
    for i, j in T.Parallel(8, 4) do f[31 - i, (j * 2 + 2) % 8] = 4 end
    T.copy(f, C)
  end
  return C
end)

for _, form in pairs(forms) do form[3] = kernel(form[1]) end
for _, target in ipairs(targets) do
  tl.set_target(target)
  local x = tl.arange(16, "int32"):reshape{4, 4}
  for name, form in pairs(forms) do
    local c, d = form[3](x)
    for i = 0, 15 do
      local a, b = form[2](i)
      assert(c:item(i // 4, i % 4) == a and d:item(i // 4, i % 4) == b,
             ("%s on %s: element %d: %d, %d"):format(name, target, i, c:item(i // 4, i % 4), d:item(i // 4, i % 4)))
    end
  end
  for _, dt in ipairs {"int16", "int32"} do
    local c = parts(dt)
    for i = 0, 31 do
      for j = 0, 7 do
        local want = i < 16 and (j + 1) % 8 * 2 or j % 2 == 1 and 5 or i < 24 and 3 or 4
        assert(c:item(i, j) == want, ("%s on %s: [%d, %d] is %d"):format(dt, target, i, j, c:item(i, j)))
      end
    end
  end
end
print "as expected"
