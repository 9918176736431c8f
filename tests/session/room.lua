-- A device of 16 MiB: what it has no room for waits on the host.
local mib = 1 << 18 -- elements
local add = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, "int32")
  B: T.Tensor({N}, "int32")
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      B[bx * 256 + i] = A[bx * 256 + i] + B[bx * 256 + i]
    end
  end
end, {target = "cpu -devcopy=16777216"})

local list = {}
for i = 1, 12 do -- 36 MiB
  list[i] = tl.full({3 * mib}, i, "int32")
end
for round = 1, 3 do
  for i = 2, 12 do
    add(list[i - 1], list[i])
  end
end
local want = {}
for i = 1, 12 do
  want[i] = i
end
for round = 1, 3 do
  for i = 2, 12 do
    want[i] = want[i - 1] + want[i]
  end
end
local good = 0
for i = 1, 12 do
  good = good + (list[i][0] == want[i] and list[i][-1] == want[i] and 1 or 0)
end
print("more than fits", good)

-- What nobody refers to any more is freed, not copied back.
list = nil
local sum = tl.zeros({3 * mib}, "int32")
for i = 1, 20 do
  local t = tl.full({3 * mib}, i, "int32")
  add(t, t)
  add(t, sum)
end
print("garbage", sum[0], sum[-1])

local a, b = tl.zeros({7 * mib}, "int32"), tl.zeros({10 * mib}, "int32")
add(a, a)
local ok, e = pcall(add, b, tl.zeros({10 * mib}, "int32"))
print(ok, (tostring(e):gsub("[^\n]*room.lua:%d+:%d+: ", "")))
add(a, a)
print("and on", a[0])
