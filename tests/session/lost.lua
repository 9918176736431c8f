-- A worker that ends takes along what only its device had, and says so.
local device = require "moontile.tl.device"
local target = "cpu -devcopy"

local inc = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, "int32")
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      A[bx * 256 + i] = A[bx * 256 + i] + 1
    end
  end
end, {target = target})

local forever = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, "int32")
  for bx in T.Kernel(1, {threads = 128}) do
    local i = T.alloc_var("int32", 0)
    while i < 1 do
      A[0] = 5
    end
  end
end, {target = target})

local function try(what, f, ...)
  local ok, e = pcall(f, ...)
  print(("-- %s: %s"):format(what, ok and "good" or "error"))
  if not ok then
    print((tostring(e):gsub("[^\n]*lost.lua:%d+:%d+: ", "")))
  end
end

local function die()
  os.execute("kill -9 " .. device.session(target):pid())
end

local a, b, c = tl.zeros({1 << 19}, "int32"), tl.zeros({1 << 19}, "int32"), tl.zeros({8}, "int32")
inc(a)
print("a is", a[0]) -- the host has seen it
inc(a)
inc(b)
device.set_time_limit(0.2)
try("a kernel that hangs", forever, c)
device.set_time_limit(10)
print("a, b, c are", a[0], b[0], c[0])

inc(a)
inc(b)
die()
try("ended while idle", inc, c)
print("a, b, c are", a[0], b[0], c[0])
try("once said, it goes on", inc, c)
print("c is", c[0])

print("c is", c[0])
die()
try("nothing to lose", inc, c)
print("c is", c[0])

inc(c)
die()
try("reading what is lost", function() return c[0] end)
print("c is", c[0])
try("it goes on", inc, c)
print("c is", c[0])
