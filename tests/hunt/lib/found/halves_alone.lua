-- Refused (E319) or a race on the simulator (E603): an element of 4 bits is one by itself, whichever thread or block
-- stores the other half of its byte: shifted by one, at places that data choose, by single threads, by several blocks.
local function same(got, want)
  for i = 0, want.shape[1] - 1 do assert(got:item(i) == want:item(i), i) end
end

local shifted = tl.jit(function(A)
  local N = T.dynamic "N"
  A: T.Tensor({N}, "int4")
  local B = T.empty({N}, "int4")
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      if bx * 32 + i < N then B[(bx * 32 + i + 1) % N] = A[bx * 32 + i] end
    end
  end
  return B
end)

local scattered = tl.jit(function(A, I)
  A: T.Tensor({128}, "uint4")
  I: T.Tensor({128}, "int32")
  local B = T.empty({128}, "uint4")
  local C = T.empty({128}, "uint4")
  for bx in T.Kernel(4, {threads = 32}) do
    local tx = T.get_thread_binding()
    local s = T.alloc_shared({128}, "uint4")
    B[tx * 4 + bx] = A[tx]
    for i in T.Parallel(128) do s[I[i]] = A[i] end
    for i in T.Parallel(32) do C[bx * 32 + i] = s[bx * 32 + i] end
  end
  return B, C
end)

local n = 129
local a, wanted = (tl.arange(n, "int32") * 5 % 16 - 8):to("int4"), {}
for i = 0, n - 1 do wanted[(i + 1) % n + 1] = a:item(i) end
same(shifted(a), tl.from_table(wanted, "int32"))

a = (tl.arange(128, "int32") * 5 % 16):to("uint4")
local b, c = scattered(a, tl.arange(128, "int32") * 37 % 128)
local each, moved = {}, {}
for i = 0, 127 do
  each[i + 1] = a:item(i // 4)
  moved[i * 37 % 128 + 1] = a:item(i)
end
same(b, tl.from_table(each, "int32"))
same(c, tl.from_table(moved, "int32"))
print "right"
