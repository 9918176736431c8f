-- Time lines as text: one stage and three, roles, a kernel without a loop; closer; the
-- summary and the fields of a trace.
local kernels = dofile "lib/kernels.lua"
tl.manual_seed(3)
local A, B = tl.randn({128, 512}, "float16"), tl.randn({512, 128}, "float16")
local style = {width = 76, unicode = true, colour = 0}

local function with(more)
  local o = {}
  for k, v in pairs(style) do
    o[k] = v
  end
  for k, v in pairs(more or {}) do
    o[k] = v
  end
  return o
end

for _, stages in ipairs {1, 3} do
  local k = kernels.gemm:compile(A, B, stages, 128)
  print(("== %d stages, sm_80"):format(stages))
  plot(k:trace{target = "sim -arch=sm_80", inputs = {A, B}}, with())
end

print "== both"
local one = kernels.gemm:compile(A, B, 1, 128):trace{target = "sim -arch=sm_80"}
local three = kernels.gemm:compile(A, B, 3, 128):trace{target = "sim -arch=sm_80"}
plot(one, three, with())

local k = kernels.gemm:compile(A, B, 3, 128)
print "== roles, sm_90a"
local t = k:trace{target = "sim -arch=sm_90a", inputs = {A, B}, block = {1, 0}}
plot(t, with())
print "== closer"
plot(t, with{from = 0, to = 900, unicode = false})
plot(t, with{iterations = {4, 5}, width = 50})
print "== no loop"
local Y = tl.randn({1000}, "float32")
plot(kernels.handed:compile(Y):trace{target = "sim -arch=simt", inputs = {Y}}, with())

print "== summary"
print(t)
print(k:trace{target = "sim -arch=c500"})
print(t.steady.from, t.steady.to, t.steady.rounds, t.steady.cycles)

print "== fields"
local names = {}
for name in pairs(t) do
  names[#names + 1] = name
end
table.sort(names)
print(table.concat(names, " "))
local json = require "moontile.tl.json"
print(#json.decode(t:json()).events == #t.events, plot.figure(t) ~= nil)

print "== refused"
for _, o in ipairs {{block = {9, 9}}, {block = "x"}, {launch = 0}, {iterations = {3}}, {blok = {0}}} do
  local ok, err = pcall(k.trace, k, o)
  print(ok, (tostring(err):gsub("\n.*", "")))
end

print "== found wrong"
tl.set_target "sim"
local scatter = tl.jit(function(I)
  local N = T.const "N"
  I: T.Tensor({N}, T.int32)
  local B = T.empty({N}, T.int32)
  for _ in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(N) do
      B[I[i]] = i
    end
  end
  return B
end)
local I = tl.arange(64, "int32")
I[5] = 99
k = scatter:compile(I)
local ok, err = pcall(k.trace, k, {inputs = {I}})
print(ok, (tostring(err):match "error%[E%d+%]: [^\n]*"))
t = k:trace{inputs = {I}, keep = true}
print((tostring(t.error):match "error%[E%d+%]"), t.cycles > 0, #t.rows)
