-- Tiles that TMA carries off, one after the other, take the bytes of one where there are too few: the thread that began a
-- bulk store waits for it.  A wait under another condition, or one that a thread may miss, ends nothing.
local F = "float32"

local function chain(tiles, rows)
  return T.prim_func(function(X, Y)
    X: T.Tensor({tiles, rows, 128}, F)
    Y: T.Tensor({tiles, rows, 128}, F)
    for bx in T.Kernel(1, {threads = 128}) do
      for q = 0, tiles - 1 do
        local s = T.alloc_shared({rows, 128}, F)
        T.copy(X[q, 0, 0], s)
        for i, j in T.Parallel(rows, 128) do s[i, j] = s[i, j] + q end
        T.copy(s, Y[q, 0, 0])
      end
    end
  end)
end

for _, case in ipairs {{4, 128}, {7, 96}, {12, 64}} do
  local tiles, rows = table.unpack(case)
  local P, x = chain(tiles, rows), tl.randint(-9, 9, {tiles, rows, 128}):to(F)
  for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=sm_90a -seed=3"} do
    local y = tl.compile(P, {target = target, out_idx = {1}})(x):totable()
    local t, bad = x:totable(), 0
    for q = 1, tiles do
      for i = 1, rows do
        for j = 1, 128 do bad = bad + (y[q][i][j] ~= t[q][i][j] + q - 1 and 1 or 0) end
      end
    end
    print(tiles, rows, target, bad)
  end
end
