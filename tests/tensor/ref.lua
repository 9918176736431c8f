-- reference operators against loops written out here
local R = tl.ref
local close = tl.testing.assert_close
local tight = {rtol = 1e-12, atol = 1e-12}

local function build(shape, f) -- a float64 tensor of f(i, j, ...)
  local t = tl.zeros(shape, "float64")
  local function go(at, d)
    if d > #shape then
      t[at] = f(table.unpack(at))
      return
    end
    for i = 0, shape[d] - 1 do
      at[d] = i
      go(at, d + 1)
    end
    at[d] = nil
  end
  go({}, 1)
  return t
end
local function sum(n, f)
  local s = 0.0
  for i = 0, n - 1 do s = s + f(i) end
  return s
end

-- products
local a, b = tl.randn({5, 7}, "float16"), tl.randn({7, 6}, "bfloat16")
local c = build({5, 6}, function(i, j) return sum(7, function(k) return a[i, k] * b[k, j] end) end)
close(R.matmul(a, b), c, tight)
close(R.matmul(a.T, b, {trans_a = true}), c, tight)
close(R.matmul(a, b.T:contiguous(), {trans_b = true}), c, tight)
close(R.matmul(a, b, {dtype = "float16"}), c:half(), {rtol = 0, atol = 0})
close(R.gemv(a, b[:, 2]), c[:, 2], tight)
local p, q = tl.randn {3, 1, 4, 5}, tl.randn {2, 5, 130}
close(R.matmul(p, q), build({3, 2, 4, 130}, function(x, y, i, j)
  return sum(5, function(k) return p[x, 0, i, k] * q[y, k, j] end)
end), tight)
close(R.transpose(a), a.T:double(), tight)

-- softmax, norms, reductions
local x, w, d = tl.randn {4, 9}, tl.randn {9}, tl.randn {9}
local function row(i, f) return sum(9, function(j) return f(x[i, j]) end) end
close(R.softmax(x), build({4, 9}, function(i, j)
  return math.exp(x[i, j]) / row(i, math.exp)
end), tight)
close(R.log_softmax(x, 0):exp(), R.softmax(x.T).T, tight)
close(R.rmsnorm(x, w, {eps = 1e-3}), build({4, 9}, function(i, j)
  return x[i, j] / math.sqrt(row(i, function(v) return v * v end) / 9 + 1e-3) * w[j]
end), tight)
close(R.layernorm(x, w, d), build({4, 9}, function(i, j)
  local mean = row(i, function(v) return v end) / 9
  local var = row(i, function(v) return (v - mean) ^ 2 end) / 9
  return (x[i, j] - mean) / math.sqrt(var + 1e-5) * w[j] + d[j]
end), tight)
close(R.sum(x, 0), build({9}, function(j) return sum(4, function(i) return x[i, j] end) end), tight)
close(R.mean(x, -1, {keepdim = true}), R.sum(x, 1):unsqueeze(1) / 9, tight)
print(R.max(tl.arange(6):reshape {2, 3}, 0), R.absmax(tl.from_table {-3.0, 2}, 0), R.sum(tl.arange(5)))
print(R.argmax(tl.from_table {{1, 5, 5}, {9, 0, 0}}, 1), R.prod(tl.arange(1, 6), 0))
print(R.cumsum(tl.arange(5)), R.cumsum(tl.arange(5), 0, {reverse = true}),
  R.cumsum(tl.ones {2, 3}, 0, {exclusive = true}))
print(R.topk(tl.from_table {{3, 1, 3, 9}}, 3), (R.topk(tl.arange(5), 2, {largest = false})))

-- elementwise
print(R.relu(tl.from_table {-1.0, 0 / 0, 2}), R.clamp(tl.arange(5), 1, 3), R.scale(tl.arange(3), 0.5))
print(R.add(tl.arange(3), tl.ones {2, 1}), R.maximum(tl.arange(3), 1, {dtype = "int32"}))
print(R.gelu(tl.from_table {1.0, -1}), R.silu(tl.from_table {1.0}), R.sigmoid(tl.zeros {1}))

-- attention: heads in groups, causal with more keys than queries
local Q, K, V = tl.randn {2, 4, 3, 8}, tl.randn {2, 2, 5, 8}, tl.randn {2, 2, 5, 6}
local function attention(causal)
  return build({2, 4, 3, 6}, function(n, h, i, e)
    local g, keys = h // 2, causal and i + 3 or 5
    local function weight(j)
      return math.exp(sum(8, function(k) return Q[n, h, i, k] * K[n, g, j, k] end) / math.sqrt(8))
    end
    return sum(keys, function(j) return weight(j) * V[n, g, j, e] end) / sum(keys, weight)
  end)
end
close(R.attention(Q, K, V), attention(false), tight)
close(R.attention(Q, K, V, {causal = true}), attention(true), tight)
local function swap(t) return t:transpose(1, 2) end
close(R.attention(swap(Q), swap(K), swap(V), {causal = true, layout = "bshd"}), swap(attention(true)), tight)
local _, lse = R.attention(Q, K, V, {lse = true, scale = 1})
close(lse, build({2, 4, 3}, function(n, h, i)
  return math.log(sum(5, function(j)
    return math.exp(sum(8, function(k) return Q[n, h, i, k] * K[n, h // 2, j, k] end))
  end))
end), tight)

-- linear attention, with a decay
local lq, lk, lv, g = tl.randn {1, 2, 6, 4}, tl.randn {1, 2, 6, 4}, tl.randn {1, 2, 6, 3}, tl.rand {1, 2, 6}
local lo, state = R.linear_attention(lq, lk, lv, {decay = g, scale = 0.5})
local function decayed(n, h, t, s)
  local r = 1.0
  for i = s + 1, t do r = r * g[n, h, i] end
  return r
end
close(lo, build({1, 2, 6, 3}, function(n, h, t, e)
  return 0.5 * sum(t + 1, function(s)
    return decayed(n, h, t, s) * lv[n, h, s, e] * sum(4, function(k) return lq[n, h, t, k] * lk[n, h, s, k] end)
  end)
end), tight)
close(state, build({1, 2, 4, 3}, function(n, h, k, e)
  return sum(6, function(s) return decayed(n, h, 5, s) * lk[n, h, s, k] * lv[n, h, s, e] end)
end), tight)

-- convolution
local im, f = tl.randn {2, 4, 7, 9}, tl.randn {6, 2, 3, 2}
local function conv(n, o, y, z)
  return sum(2, function(ch)
    return sum(3, function(r)
      return sum(2, function(s)
        local iy, iz = y * 2 - 1 + r * 2, z - 2 + s * 3
        if iy < 0 or iy >= 7 or iz < 0 or iz >= 9 then return 0.0 end
        return im[n, o // 3 * 2 + ch, iy, iz] * f[o, ch, r, s]
      end)
    end)
  end)
end
local options = {stride = {2, 1}, padding = {1, 2}, dilation = {2, 3}, groups = 2}
local cv = R.conv2d(im, f, options)
print(table.concat(cv.shape, " "))
close(cv, build(cv.shape, conv), tight)
options.bias, options.layout = tl.arange(6), "nhwc"
close(R.conv2d(im:permute(0, 2, 3, 1), f:permute(2, 3, 1, 0), options):permute(0, 3, 1, 2),
  cv + tl.arange(6):reshape {6, 1, 1}, tight)
local k3 = tl.randn {5, 4, 3, 3}
local cols = R.im2col(im, 3, {padding = 1})
close(R.matmul(cols, k3:permute(2, 3, 1, 0):reshape(36, 5)):transpose(1, 2):reshape {2, 5, 7, 9},
  R.conv2d(im, k3, {padding = 1}), tight)
print(R.conv1d(tl.from_table {{{1.0, 2, 3, 4}}}, tl.from_table {{{1.0, 10}}}, {stride = 2}))
print(R.conv1d(tl.from_table {{{1.0}, {2}, {3}}}, tl.from_table {{{1.0}}, {{10}}}, {padding = 1, layout = "nwc"}))

-- packed numbers and fp8
local packed = tl.from_table({{0x98, 0x0f}, {0x71, 0x80}}, "uint8")
print(R.dequantize_int4(packed), R.dequantize_int4(packed, {signed = true, scales = tl.from_table {1.0, 2}}))
print(R.dequantize_int4(packed, {zero = 0, group = 2, scales = tl.from_table {{1.0, 2}, {3, 4}}}))
local q8, scale = R.quantize_fp8(tl.from_table {{1.0, -448, 100}, {0, 0, 0}})
print(q8, scale)
print((select(2, R.quantize_fp8(tl.ones {2, 8}, {group = 4}))))

local function try(h, ...)
  local ok, e = pcall(h, ...)
  print(ok and "no error" or e.code .. " " .. e.message .. " | " .. e.label)
end
try(R.matmul, a, x)
try(R.matmul, a, b, {trans_b = true})
try(R.matmul, a, w)
try(R.matmul, a, b, {trans = true})
try(R.softmax, x, 2)
try(R.rmsnorm, x, d[:3])
try(R.attention, Q, K, x)
try(R.attention, Q, V, K)
try(R.attention, Q, K, V, {layout = "sbhd"})
try(R.conv2d, im, k3, {groups = 2})
try(R.conv2d, im, k3, {stride = 0})
try(R.topk, x, 10)
try(R.dequantize_int4, x)
try(R.quantize_fp8, x, {group = 4})
try(R.add, x, a)
for name, doc in pairs(R.doc) do
  assert(doc.sig ~= "" and doc.summary ~= "" and doc.example ~= "", name)
end
for name in pairs(R) do assert(name == "doc" or R.doc["ref." .. name], name .. " has no doc") end
