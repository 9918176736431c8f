-- elements, slices, views, assignment
local a = tl.arange(24, "float32"):reshape {2, 3, 4}
print(a.shape[1], a.shape[3], a.ndim, #a, a.dtype, a.dtype == T.float32, a:numel(), a:nbytes())
print(a[1, 2, 3], a[-1, -1, -1], a:item(0, 1, 2), a[1][2][3], a[{0, 0, 1}])
print(a[1, 0], a[0, :, 1], a[:, 1:3, 0])
print(a[0, 1:, :2])
print(a[0, -2:-1])
print(a[:, 5:9].shape[2], a[0, 2:1].shape[1])

a[0, 0, 0] = -5
a[0, 1] = 0
a[1, :, 0] = tl.from_table {7, 8, 9}
a[1, 0:2, 2:] = a[1, 1:3, 0:2]
a[0, 2, 3] += 0.5
print(a)
a:fill_(1)
print(a[1, 2])

-- views share their elements
local v = tl.zeros {4, 4}
v.T[0, 3] = 1
v:transpose(0, 1)[1] = 2
v[1:3, 1:3]:fill_(3)
v:permute(1, 0):reshape {4, 4}
print(v)
print(v:unsqueeze(0).shape[1], v:unsqueeze(-1).ndim, v:unsqueeze(0):squeeze().ndim)
print(tl.arange(3):expand({2, 3}), tl.arange(3):unsqueeze(1):expand({3, 2}))
print(v.T:is_contiguous(), v.T:contiguous():is_contiguous(), v:view(2, 8)[0], v.T:reshape(-1))
print(tl.arange(6):reshape({2, -1}).shape[2], tl.arange(6):flatten())

-- copies do not
local c = v:copy()
c[0, 0] = 99
print(v[0, 0], c[0, 0], tl.equal(v, c), tl.equal(v, v:copy()))

-- overlapping assignment reads before it writes
local o = tl.arange(6)
o[1:] = o[:5]
print(o)

-- integers, bools, 64 bits
local i = tl.zeros({2}, "int64")
i[0] = math.maxinteger
i[1] = -1
print(i, i[0] == math.maxinteger, i:astype("uint64"), tl.ones({1}, "bool")[0])
print(table.concat(tl.arange(4):totable(), " "), tl.zeros({2, 2}):totable()[2][1])

-- conversion
local f = tl.from_table {0.1, 2.5, -3.75}
print(f:half(), f:to("int8"), f:to("bfloat16"), f:double(), f:to("cuda").dtype, f:cpu().dtype)

-- arithmetic
print(f * 2 + 1, 1 / tl.from_table {4.0, 8}, -f, tl.arange(3) / 2, 7 // tl.arange(1, 4))
print(tl.arange(3):unsqueeze(1) * tl.arange(4), (f:half() + f).dtype, (tl.arange(2) + 0.5).dtype)
print(f:lt(0), f:eq(2.5), tl.arange(4):sum(), tl.arange(4):mean(), tl.arange(4):max())
print(f:max(), f:argmax(), f:abs():min(), tl.arange(6):reshape({2, 3}):sum(0), f:abs():sum(0, true))
print(tl.ones({2, 3}):sum(1, {keepdim = true}).shape[2], tl.ones({2}, "int8"):sum(0).dtype)

local function try(g, ...)
  local ok, e = pcall(g, ...)
  print(ok and "no error" or e.code .. " " .. e.message .. " | " .. e.label .. " | " .. e.help)
end
try(function() return a[2] end)
try(function() return a[0, -4] end)
try(function() return a[0, 0, 0, 0] end)
try(function() return a["x"] end)
try(function() return a.shap end)
try(function() return a[{{}}] end)
try(function() a[0, 0, 0] = "x" end)
try(function() a[0] = tl.zeros {5} end)
try(function() return a + tl.zeros {5} end)
try(function() return a:reshape {5, 5} end)
try(function() return a:reshape {-1, -1} end)
try(function() return v.T:view(16) end)
try(function() return a:transpose(0, 3) end)
try(function() return a:to("float") end)
try(function() return a:to("flaot") end)
try(function() return a:item() end)
try(function() return tl.zeros({0}):max() end)
