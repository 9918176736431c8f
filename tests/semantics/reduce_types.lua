-- A reduction into another type: integers combine as the destination has them, as in TileLang.
-- A scan is one of its source's type; the destination converts what it gives.
local function reduce(op, from, to, values, scope, clear)
  local n = #values
  local k = tl.jit(function(A, B)
    A: T.Tensor({1, n}, from)
    B: T.Tensor({1}, to)
    for _ in T.Kernel(1, {threads = 32}) do
      local s, d = T.alloc_fragment({1, n}, from), T["alloc_" .. scope]({1}, to)
      T.copy(A, s)
      T.copy(B, d)
      T[op](s, d, {dim = 1, clear = clear})
      T.copy(d, B)
    end
  end)
  local out = {}
  for _, t in ipairs {"cpu", "sim -arch=sm_80"} do
    local b = tl.full({1}, 7, to)
    k.opts.target = t
    local ok, why = pcall(k, tl.from_table({values}, from), b)
    out[#out + 1] = ok and tostring(b[0]) or tostring(why):match "[^\n]*"
  end
  print(op, from .. " -> " .. to, scope, table.concat(out, "  "))
end
for _, scope in ipairs {"fragment", "shared", "local"} do
  reduce("reduce_max", "int32", "int8", {100, 200, 1000}, scope, true) -- 100 -56 -24
  reduce("reduce_min", "int32", "uint8", {-1, 300, 70}, scope, true) -- 255 44 70
  reduce("reduce_min", "int32", "uint8", {-1, 300, 70}, scope, false) -- and 7
  reduce("reduce_absmax", "int64", "int8", {1000, -5, 3}, scope, true) -- 24 5 3
  reduce("reduce_absmax", "int8", "uint8", {-1, 3}, scope, true) -- 255 3
  reduce("reduce_sum", "float32", "int32", {0.75, 1.75, -2.5}, scope, true) -- 0 1 -2
  reduce("reduce_max", "float32", "int8", {300.5, 1.75}, scope, true) -- 44 1
  reduce("reduce_sum", "float32", "int8", {100.5, 100.5}, scope, false) -- 100 100 7
end
reduce("reduce_bitor", "int32", "float32", {1, 2}, "fragment", true)

local function scan(op, from, to, values, reverse)
  local n = #values
  local k = tl.jit(function(A, B)
    A: T.Tensor({n}, from)
    B: T.Tensor({n}, to)
    for _ in T.Kernel(1, {threads = 32}) do
      local s, d = T.alloc_fragment({n}, from), T.alloc_fragment({n}, to)
      T.copy(A, s)
      T[op](s, d, {reverse = reverse})
      T.copy(d, B)
    end
  end)
  for _, t in ipairs {"cpu", "sim -arch=sm_80"} do
    local b = tl.zeros({n}, to)
    k.opts.target = t
    k(tl.from_table(values, from), b)
    print(op, from .. " -> " .. to, b)
  end
end
scan("cumsum", "uint8", "float32", {200, 100, 1}, false)
scan("cumsum", "int8", "int32", {100, 27, 1, 1}, true)
scan("cummax", "int64", "int32", {1 << 31, 5, 1 << 40}, false)
