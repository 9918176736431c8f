-- A program may call a kernel `select` and a tensor `table`: moontile's modules have Lua's own.
local F = T.float32
select = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, F)
  local C = T.empty({N}, F)
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do C[bx * 64 + i] = T.min(X[bx * 64 + i], 5) end
  end
  return C
end)
print(select(tl.arange(8, F)))

local least = select
-- All that Lua gives a program, before most of our modules are loaded.
local G, print, tostring, pcall, ipairs, names = _G, print, tostring, pcall, ipairs, {}
for name in pairs(G) do names[#names + 1] = name end
for _, name in ipairs(names) do if name ~= "T" and name ~= "tl" and name ~= "__stage" then G[name] = tl.zeros(1) end end
print(table, string, math)
print(tl.gemm(tl.ones({2, 4}, F), tl.ones({4, 2}, F)), tl.softmax(tl.zeros({1, 4}, F)))
print(tostring(pcall(function() return select(table, 3) end)))
print(least(tl.arange(3, F)), least.last:check() and true)
local _, e = pcall(function() return tl.zeros({2, "x"}) end)
print(tostring(e))
