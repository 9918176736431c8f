-- A grid of no blocks writes nothing: its outputs are reported, as those of a launch that misses some.
local function kernel(target)
  return tl.jit(function(n)
    n: T.int32
    local O = T.empty({4}, T.int32)
    for bx in T.Kernel(n, {threads = 32}) do
      for i in T.Parallel(4) do O[i] = 1 end
    end
    return O
  end, {target = target})
end
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"} do
  for n = 0, 1 do
    local ok, r = pcall(kernel(target), n)
    print(target, n, ok and r or tostring(r):match "E%d+[^\n]*")
  end
end
