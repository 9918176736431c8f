-- let_chains.lua: names for values, each of which names the one before twice.  Written out
-- the last is a tree of 3^40 nodes: whoever follows names looks at each once.
local Depth = 40

local function chain(first, per_line)
  local t = {"local v0 = " .. first}
  for k = 1, Depth do t[k + 1] = ("local v%d = "):format(k) .. (per_line:gsub("P", "v" .. k - 1)):gsub("K", tostring(k)) end
  return table.concat(t, "\n    ")
end

-- what C[tx] is, by the same steps
local function wanted(first, step)
  local v = first
  for k = 1, Depth do v = step(v, k) end
  return v
end

local line = "(P + P // 3) % (1000 + K) + P % 5"
local function step(v, k) return (v + v // 3) % (1000 + k) + v % 5 end

local forms = {
  {"value of memory", "A[tx]", "C[tx] = V", function(i) return wanted(i, step) end},
  {"condition", "A[tx]", "if V > 3 then C[tx] = V else C[tx] = 0 end",
    function(i)
      local v = wanted(i, step)
      return v > 3 and v or 0
    end},
  {"condition on threads", "tx", "if V > 300 then C[tx] = V else C[tx] = 0 end",
    function(i)
      local v = wanted(i, step)
      return v > 300 and v or 0
    end},
  {"index of shared memory", "tx",
    "local S = T.alloc_shared({64}, 'int32')\n    S[tx] = V\n    T.sync_threads()\n    C[tx] = S[V % 64]",
    function(i) return wanted(wanted(i, step) % 64, step) end},
  {"loop", "A[tx]", "C[tx] = 0\n for k in T.serial(V % 3) do C[tx] = C[tx] + V end",
    function(i)
      local v = wanted(i, step)
      return v * (v % 3)
    end},
}

forms[#forms + 1] = {"range of threads", "tx",
  "local S = T.alloc_shared({64}, 'int32')\n    T.clear(S)\n    if V < 32 then T.copy(A[0:32], S[0:32]) end\n    T.copy(S, C)",
  function(i) return i < 32 and i or 0 end, "T.max(P, P // 3 - K)"}

for _, f in ipairs(forms) do
  local text = ([[
return tl.jit(function(A)
  A: T.Tensor({64}, "int32")
  local C = T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    %s
    %s
  end
  return C
end, {target = ...})]]):format(chain(f[2], f[5] or line), (f[3]:gsub("V", "v" .. Depth)))
  local out = {}
  for i = 1, 64 do out[i] = f[4](i - 1) end
  for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
    local c = load(text, "=chain")(target)(tl.arange(64, "int32"))
    tl.testing.assert_close(c, tl.from_table(out, "int32"), {rtol = 0, atol = 0})
  end
  for _, target in ipairs {"cuda -arch=sm_90a", "maca -arch=c500", "hip -arch=gfx942"} do
    local k = load(text, "=chain")(target):compile()
    assert(#k:get_kernel_source() < 20000)
  end
  print(f[1])
end
