-- An index that was loaded at an index that was loaded, sixty times, each of them named twice: what a value
-- depends on is looked at once, or compiling takes time that doubles at each.
local function kernel(target, body)
  return assert(load(([[ local target = ... return tl.jit(function(I)
    I: T.Tensor({64}, "int32")
    local C = T.empty({64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      local s = T.alloc_shared({64}, "int32")
      local v = T.alloc_var("int32", 0)
      v = tx
      for j = 1, 60 do %s end
      s[tx] = v
      C[tx] = s[63 - tx]
    end
    return C
  end, {target = target}) ]]):format(body), "=k"))(target)
end

local I = {}
for i = 0, 63 do I[i] = (i * 29 + 17) % 64 end
local input = {}
for i = 0, 63 do input[i + 1] = I[i] end

local function try(body, step)
  print(body)
  for _, target in ipairs {"sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
    local c, wrong = kernel(target, body)(tl.from_table(input, "int32")), 0
    for tx = 0, 63 do
      local v = tx
      for j = 1, 60 do v = step(v, tx, j) end
      wrong = wrong + (c[63 - tx] == v and 0 or 1)
    end
    print("  " .. target, wrong .. " wrong")
  end
end

try("v = (v + I[v % 64]) % 64", function(v) return (v + I[v % 64]) % 64 end)
try("v = T.if_then_else(tx < 5, I[v % 64], I[(v + 1) % 64])",
  function(v, tx) return tx < 5 and I[v % 64] or I[(v + 1) % 64] end)
try("v = T.if_then_else(I[v] > 20, I[(v + 3) % 64], I[v])", function(v) return I[v] > 20 and I[(v + 3) % 64] or I[v] end)
