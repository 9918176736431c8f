# Kernels through a real server: results, prints, asserts, times, texts of the kernel.
. lib/serve.sh
serve
cat >"$TMP/run.lua" <<'END'
dofile "lib/twice.lua"
local scaled = tl.jit(function(x, s, up)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.int32)
  s: T.float32
  up: T.bool
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 4)) do
    T.print(bx, "block")
    for i in T.Parallel(4) do
      y[bx * 4 + i] = T.if_then_else(up, x[bx * 4 + i] * s, 0)
    end
  end
  return y
end)
print(scaled(tl.arange(7, "int32"), -0.25, true))
print(scaled(tl.arange(3, "int32"), 1 / 0, false))
local x = tl.arange(5, "float32")
local add = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 4)) do
    for i in T.Parallel(4) do
      x[bx * 4 + i] = x[bx * 4 + i] + 1
    end
  end
end)
for _ = 1, 10 do add(x) end -- stays there
print(x)
x[0] = 100 -- and goes there again
add(x)
print(x)
local k = add:compile {}
print(#k:time({x}, {times = 5}), #k:time({x}, {times = 3, warmup = 2}))
print(k:get_kernel_source():match "void")
print(tl.connection().on, tl.current_device(), #tl.connection():facts().processor > 0)
print((tostring(tl.connection()):gsub(": .*", "")))
print(tl.disconnect(), tl.disconnect(), tl.connection())
add(x) -- the kernel finds its way back
print(x)
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/run.lua" 2>&1 | brief
echo "== the same target there with its own options"
"$MOONTILE" --lang en --connect "$URL" -t "sim -arch=sm_80" lib/twice.lua
"$MOONTILE" --lang en --connect "$URL" -t "cpu -threads=1" lib/twice.lua
"$MOONTILE" --lang en --connect "$URL" -t "cpu -nonsense" lib/twice.lua 2>&1 | brief
MOONTILE_URL=$URL "$MOONTILE" --lang en -t remote lib/twice.lua
