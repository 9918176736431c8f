-- Serial loops that choose elements of fragments are unrolled: values on machines against the cpu's.
local rolled = dofile "lib/rolled.lua"
tl.manual_seed(5)
local X, Y = tl.randint(-9, 9, {8, 512}):astype("float32"), tl.randint(-4, 4, {64, 64}):astype("float16")
local W = tl.randint(0, 5, {64}):astype("float32")
for _, c in ipairs(rolled.cases) do
  local k = rolled.kernel(c[2])
  tl.set_target "cpu"
  local B, C = k(X, Y, W, 5)
  for _, arch in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942", "simt"} do
    tl.set_target("sim -arch=" .. arch)
    local b, d = k(X, Y, W, 5)
    tl.testing.assert_close(b, B, {rtol = 0, atol = 0})
    tl.testing.assert_close(d, C, {rtol = 0, atol = 0})
  end
  print(c[1])
end
