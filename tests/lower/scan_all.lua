-- Prefix sums and maxima as simulated machines run them, against the cpu
-- target: both axes, both directions, short and long lines, in place and not,
-- fragments and shared memory, few threads and many.
local machines = {"sm_80", "gfx942", "simt"}

local function kernel(o)
  local r = o.inplace and "" or "    alloc r: " .. (o.dst or "shared") .. " DT[M, N]\n"
  return (([[
kernel scan_(A, Y) -> Y
  buffer A: global DT[M, N]
  buffer Y: global DT[M, N]
  launch bx in 1 threads THREADS do
    alloc a: SRC DT[M, N]
ALLOC    copy A -> a
    scan a -> TO kind=KIND dim=DIM reverse=BACK
    copy TO -> Y
  end
end
]]):gsub("ALLOC", r):gsub("%f[%w]%u+%f[^%w]", {DT = o.dt or "float32", M = o.size[1], N = o.size[2],
    THREADS = o.threads or 128, SRC = o.src or "shared",
    TO = o.inplace and "a" or "r", KIND = o.kind or "sum", DIM = o.dim or 1, BACK = o.back and 1 or 0,
    A = "A", Y = "Y"}))
end

local function run(text, target, a)
  return tl.from_ir(text, {target = target, name = "=scan"})(a:clone())
end

local good = 0
local function case(o)
  local text = kernel(o)
  local dt = o.dt or "float32"
  local a = dt:find "int" and tl.randint(-100, 100, o.size, dt) or tl.randn(o.size, dt)
  local want = run(text, "cpu", a)
  for _, m in ipairs(machines) do
    local ok, why = pcall(function()
      tl.testing.assert_close(run(text, "sim -arch=" .. m, a), want,
        dt == "float16" and {rtol = 1e-2, atol = 1e-2} or {rtol = 1e-4, atol = 1e-4})
    end)
    if ok then
      good = good + 1
    else
      print(m, why)
      print(text)
    end
  end
end

tl.manual_seed(12)
for dim = 0, 1 do
  for _, size in ipairs {{5, 7}, {64, 100}, {3, 300}, {1, 64}, {200, 20}} do
    case {size = size, dim = dim, back = dim == 0, kind = size[1] > 4 and "sum" or "max"}
  end
end
case {size = {4, 150}, inplace = true, threads = 48}
case {size = {6, 33}, dim = 0, inplace = true, back = true, threads = 16}
case {size = {8, 100}, src = "fragment", dst = "fragment"}
case {size = {8, 100}, src = "fragment", inplace = true, kind = "max"}
case {size = {8, 40}, src = "fragment", dst = "shared", dim = 0}
case {size = {8, 40}, src = "shared", dst = "fragment", dt = "int32"}
case {size = {4, 70}, dt = "float16"}
print(good)
