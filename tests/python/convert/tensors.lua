-- Tensors: torch's functions are tl's; indices are from 0 in both.



local M, K = 4, 8
tl.manual_seed(0)
local a = tl.randn({M, K}, "float16")
local b = tl.randn({K, M}, "float16")
local z = tl.zeros({3})
local o = tl.ones({2, 2}, "int32")
local f = tl.full({2}, 1.5)
local r = tl.arange(5)
local s = tl.arange(1, 5, nil, "int32")
local u = tl.randint(0, 10, {4}, "int32")
local w = tl.randint(10, {4})
local t = tl.from_table({{1, 2}, {3, 4}}, "float32")
local shape = a.shape
print(shape[1], a.shape[2], a.shape[#a.shape], #a.shape, a.dtype)
local m, k = table.unpack(a.shape)
print(m, k, t[0, 1], t[1, 0], t.T[0, 1])
local c = tl.ref.matmul(a, b)
local d = tl.ref.relu(c) + 1
local e = tl.ref.softmax(c:float(), -1)
local g = c:sum(1, true)
local mask = t:gt(2)
local like = tl.zeros_like(a)
tl.testing.assert_close(tl.ref.matmul(a, b), tl.ref.matmul(a, b), {rtol = 1e-2, atol = 1e-2})
print((c - c):abs():max(), tl.testing.allclose(c, c), e:sum(1).shape[1], mask[1, 1])
local rows = t[0:1, :]
print(rows.shape[1], like.shape[1], z.shape[1], o[1, 1], f[0], r[4], s[0])


local function reference(x, sizes)
  return x[0, 1] + sizes[1]
end

print(reference(t, {7}), u.shape[1], w.shape[1], g.shape[2], d.shape[1])
