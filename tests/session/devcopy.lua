-- Tensors with copies on a device (cpu -devcopy): whoever asks sees the newest contents.
local n = 1 << 19 -- elements: 2 MiB, a memfd of its own

local function make(target)
  return tl.jit(function(A, B)
    local N = T.const "N"
    A: T.Tensor({N}, "int32")
    B: T.Tensor({N}, "int32")
    for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
      for i in T.Parallel(256) do
        B[bx * 256 + i] = A[bx * 256 + i] + 1
      end
    end
  end, {target = target})
end

-- Writes to every other element only.
local function make_half(target)
  return tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N}, "int32")
    for bx in T.Kernel(T.ceildiv(N, 512), {threads = 128}) do
      for i in T.Parallel(256) do
        A[bx * 512 + 2 * i] = A[bx * 512 + 2 * i] + 100
      end
    end
  end, {target = target})
end

local add, half = make "cpu -devcopy", make_half "cpu -devcopy"
local other, plain = make "cpu -devcopy -threads=1", make "cpu"

local function ends(t)
  return t[0] .. " " .. t[1] .. " " .. t[-1]
end

-- Between launches
local a, b = tl.full({n}, 1, "int32"), tl.zeros({n}, "int32")
add(a, b)
print("launched", ends(b))
a[0] = 41
add(a, b)
print("one element written", ends(b))
a:fill_(7)
add(a, b)
print("filled", ends(b))
a:copy_(b)
add(a, b)
print("copied", ends(a), ends(b))
add(b, b)
add(b, b)
print("in place", ends(b))

-- What the kernel leaves alone
local c = tl.arange(0, n):to "int32"
half(c)
print("half of it", ends(c))
c[1] = -1
half(c)
print("and again", ends(c))

-- Views are of one storage
local v = b:view {2, n // 2}
v[1]:fill_(1000)
add(b, b)
print("through a view", ends(b), v[1][0], v[0][0])
local x, y = b:view {2, n // 2}[0], b:view {2, n // 2}[1]
add(x, y) -- reads one half, writes the other
print("half to half", ends(b), b[n // 2])

-- Small ones share a memfd
local small = {}
for i = 1, 200 do
  small[i] = tl.full({33}, i, "int32")
end
for i = 1, 200 do
  add(small[i], small[i])
end
for i = 2, 200, 2 do
  small[i][32] = 0
end
for i = 1, 200 do
  add(small[i], small[i])
end
local good = 0
for i = 1, 200 do
  local last = i % 2 == 0 and 1 or i + 2
  good = good + (small[i][0] == i + 2 and small[i][32] == last and 1 or 0)
end
print("small", good)

-- Several devices
local z = tl.zeros({n}, "int32")
for _ = 1, 3 do
  add(z, z)
  other(z, z)
  other(z, z)
  plain(z, z)
end
print("three devices", ends(z))

-- Whoever asks: files, comparisons, reductions, copies
add(z, z)
local path = os.getenv "TMP" .. "/z.npy"
tl.save(path, z)
print("saved", ends(tl.load(path)))
add(z, z)
print("equal", z:equal(tl.full({n}, 14, "int32")))
add(z, z)
print("summed", z:to("float64"):sum() / n)
add(z, z)
print("copied", ends(z:copy()))
add(z, z)
print("shown", (tostring(z):gsub("%s+", " ")))
