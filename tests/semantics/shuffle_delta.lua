-- Of the distance of a shuffle, the bits count that a lane of the warp has (PTX: b[4:0]), on every
-- machine; then a lane outside of its segment gives the own value back.  Widths are powers of 2.
local delta = {0, 1, 5, 31, 32, 33, 37, 63, 64, 65, -1, -2, -31, -33, 1 << 20, (1 << 31) - 1}
local width = {1, 2, 8, 16, 32}

local function source(fn, lane, by, w, warp)
  local first = lane & -w
  by = by & (warp - 1)
  if fn == "shfl_sync" then
    return first + (by & (w - 1))
  end
  local j = fn == "shfl_xor" and lane ~ by or fn == "shfl_up" and lane - by or lane + by
  return (fn == "shfl_up" and j < first or j >= first + w) and lane or j
end

local function check(target, warp, fn, w)
  local f = tl.jit(function(X, D)
    X: T.Tensor({64}, "int32")
    D: T.Tensor({16}, "int32")
    local C, K = T.empty({16, 64}, "int32"), T.empty({16, 64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local tx = T.get_thread_binding()
      for i in T.serial(16) do C[i, tx] = T[fn](X[tx], D[i], {width = w}) end
      for i, d in ipairs(delta) do K[i - 1, tx] = T[fn](X[tx], d, {width = w}) end
    end
    return C, K
  end, {target = target})
  local bad = 0
  for _, r in ipairs {f(tl.arange(64, "int32"), tl.from_table(delta, "int32"))} do
    for i, d in ipairs(delta) do
      for t = 0, 63 do
        local want = t - t % warp + source(fn, t % warp, d, w, warp)
        bad = bad + (r[i - 1][t] ~= want and 1 or 0)
      end
    end
  end
  return bad
end

for _, m in ipairs {{"sim -arch=sm_80", 32}, {"cpu", 32}, {"sim -arch=gfx942", 64}} do
  local bad = 0
  for _, fn in ipairs {"shfl_sync", "shfl_xor", "shfl_up", "shfl_down"} do
    for _, w in ipairs(width) do
      bad = bad + check(m[1], m[2], fn, w)
    end
  end
  print(m[1], bad == 0 and "as said" or bad .. " differ")
end
