-- Indices of 64 bits whose parts are far outside: each is tested as it is, on sim and by the cpu
-- target's executor; what lies outside is said or dropped, and other memory stays as it is.
local function kernel(scope)
  return tl.jit(function(A, s)
    A: T.Tensor({64}, T.int32)
    s: T.int64
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local S = T.alloc_shared({64}, T.int32)
      S[tx] = 1
      T.sync_threads()
      if scope == "shared" then
        S[s + T.cast(1073741824, "int64") * T.cast(tx, "int64")] = 7
      else
        A[s + T.cast(1073741824, "int64") * T.cast(tx, "int64")] = 7
      end
      T.sync_threads()
      A[tx] = A[tx] + S[tx]
    end
  end)
end

local numbers = {0, 5, 64, -1, math.maxinteger, math.mininteger, -(1 << 34), math.maxinteger - (3 << 30), (1 << 62) + 1}
for _, target in ipairs{"sim -arch=sm_80", "sim -arch=gfx942", "cpu"} do
  tl.set_target(target)
  for _, scope in ipairs{"shared", "global"} do
    local k, line = kernel(scope), {}
    for _, s in ipairs(numbers) do
      local a = tl.zeros({64}, "int32")
      local ok, why = pcall(k, a, s)
      local sum = 0
      for _, v in ipairs(a:totable()) do sum = sum + v end
      line[#line + 1] = ok and tostring(sum) or tostring(why):match "E%d+" or tostring(why)
    end
    print(target, scope, table.concat(line, " "))
  end
end
