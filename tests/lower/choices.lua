-- What a condition looks at is loaded for several iterations at once, also where these are done one after the other;
-- a test of the program that all of a parallel loop passes is not made again for each element.
local function body(k, ...)
  tl.set_target "cuda -arch=sm_90a"
  local text = k:compile(...):get_kernel_source()
  io.write((text:match "extern \"C\".*":gsub("^.-{\n", ""):gsub("    // line %d+\n", ""):gsub("\n\n+$", "\n")))
end

local compact = tl.jit(function(A)
  A: T.Tensor({4096}, T.float32)
  local C = T.empty({4096}, T.int32)
  local count = T.empty({1}, T.int32)
  for _ in T.Kernel(1, {threads = 256}) do
    local n = T.alloc_shared({1}, T.int32)
    T.fill(n, 0)
    for r in T.serial(4) do
      for t in T.Parallel(1024) do
        if A[r * 1024 + t] > 0.5 then
          local at = T.atomic_add(n[0], 1, {return_prev = true})
          C[at] = r * 1024 + t
        end
      end
    end
    for i in T.Parallel(4096) do
      if i >= n[0] then C[i] = -1 end
    end
    T.copy(n, count)
  end
  return C, count
end)

local above = tl.jit(function(A)
  local n = T.dynamic "n"
  A: T.Tensor({n}, T.float32)
  local C = T.empty({4096}, T.float32)
  for bx in T.Kernel(4, {threads = 128}) do
    for t in T.Parallel(1024) do
      C[bx * 1024 + t] = T.if_then_else(T.And(bx * 1024 + t < n, A[bx * 1024 + t] > 0.5), 1, 0)
    end
  end
  return C
end)

local a = tl.rand({4096}, {dtype = "float32"})
print "== those above a half"
body(compact, a)
print "== a test of the program"
body(above, a)

for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=c500", "cpu"} do
  tl.set_target(target)
  local from = a:totable()
  local got, count = compact(a)
  got, count = got:totable(), count:totable()[1]
  local seen, right = {}, true
  for i = 1, count do seen[got[i]] = true end
  for i, v in ipairs(from) do right = right and (v > 0.5) == (seen[i - 1] or false) end
  for i = count + 1, 4096 do right = right and got[i] == -1 end
  local short = above(tl.from_table(table.move(from, 1, 3000, 1, {}), "float32")):totable()
  for i = 1, 4096 do right = right and short[i] == (i <= 3000 and from[i] > 0.5 and 1 or 0) end
  print(target, right)
end
