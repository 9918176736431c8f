-- Every operator of lua/ops on small and odd sizes against its float64
-- reference; sim_nvidia.sh and sim_other.sh do the same on simulated machines.
local ops = require "moontile.ops"
local dequant = require "moontile.ops.dequant"
local gemm = require "moontile.ops.gemm"
tl.manual_seed(1)

local function close(what, got, want, rtol, atol)
  tl.testing.assert_close(got, want, {rtol = rtol, atol = atol})
  print(what)
end

local rounding = {float32 = 2 ^ -19, float16 = 2 ^ -10, bfloat16 = 2 ^ -7}

for _, dtype in ipairs {"float32", "float16", "bfloat16"} do
  local r = rounding[dtype]
  for _, s in ipairs(dtype == "float16" and {{37, 520}, {3, 77}, {130, 64}} or {{9, 200}}) do
    local x, y = tl.randn(s, dtype), tl.randn(s, dtype)
    local w = y[{0, T.slice(0, s[2])}]
    local what = ("%s %dx%d"):format(dtype, s[1], s[2])
    close("add " .. what, ops.add(x, y), tl.ref.add(x, y), r, 2 ^ -24)
    close("sub " .. what, ops.sub(x, y), tl.ref.sub(x, y), r, 2 ^ -24)
    close("mul " .. what, ops.mul(x, y), tl.ref.mul(x, y), r, 2 ^ -24)
    close("relu " .. what, ops.relu(x), tl.ref.relu(x), 0, 0)
    close("gelu " .. what, ops.gelu(x), tl.ref.gelu_tanh(x), r, 1e-6)
    close("silu " .. what, ops.silu(x), tl.ref.silu(x), r, 1e-6)
    close("sigmoid " .. what, ops.sigmoid(x), tl.ref.sigmoid(x), r, 1e-6)
    close("bias_gelu " .. what, ops.bias_gelu(x, w), tl.ref.gelu_tanh(tl.ref.add(x, w)), r, 1e-6)
    close("map " .. what, ops.map(function(v) return v * 2 + 1 end, x),
      tl.ref.add(tl.ref.scale(x, 2), 1), r, 1e-6)
    close("softmax " .. what, ops.softmax(x), tl.ref.softmax(x), r, 1e-6)
    close("rmsnorm " .. what, ops.rmsnorm(x, w, 1e-5), tl.ref.rmsnorm(x, w, {eps = 1e-5}), r, 1e-6)
    close("sum " .. what, ops.sum(x, -1), tl.ref.sum(x, 1), r, 1e-4)
    close("mean, down, " .. what, ops.mean(x, 0), tl.ref.mean(x, 0), r, 1e-5)
    close("max " .. what, ops.max(x, -1), tl.ref.max(x, 1), 0, 0)
    close("transpose " .. what, ops.transpose(x), tl.ref.transpose(x), 0, 0)
  end
end

-- Longer than the registers of a block: in pieces.
do
  local x = tl.randn({2, 40000}, "float32")
  close("softmax 2x40000", ops.softmax(x), tl.ref.softmax(x), 2 ^ -18, 1e-9)
  close("sum 2x40000", ops.sum(x), tl.ref.sum(x, 1), 2 ^ -19, 40000 * 2 ^ -22)
end

-- Every form of the product, by its configuration.
local forms = {
  {"as chosen", nil},
  {"plain", {bm = 64, bn = 64, kb = 128, stages = 3, threads = 128}},
  {"swapped", {bm = 16, bn = 64, kb = 128, stages = 3, threads = 128, swap = true}},
  {"split", {bm = 64, bn = 64, kb = 128, stages = 2, threads = 128, split = 4}},
  {"swapped, split",
    {bm = 16, bn = 64, kb = 128, stages = 2, threads = 128, split = 2, swap = true}},
  {"tail", {bm = 64, bn = 64, kb = 128, stages = 2, threads = 128, split = 2, tail = 1}},
}

local function products(m, n, k, dtype, ways)
  local a, b = tl.randn({m, k}, dtype), tl.randn({k, n}, dtype)
  local at, bt = tl.ref.transpose(a):astype(dtype), tl.ref.transpose(b):astype(dtype)
  local want = tl.ref.matmul(a, b)
  for _, f in ipairs(forms) do
    for i, way in ipairs {{a, bt, trans_b = true}, {a, b}, {at, b, trans_a = true}} do
      if i > ways then break end
      local c = gemm.gemm(way[1], way[2], {trans_a = way.trans_a, trans_b = way.trans_b,
        config = f[2]})
      close(("gemm %dx%dx%d %s %s%s%s"):format(m, n, k, dtype, f[1], way.trans_a and " A^T" or "",
        way.trans_b and " B^T" or ""), c, want, rounding[dtype], k * 2 ^ -22)
    end
  end
end
products(70, 200, 512, "float16", 3)
products(5, 130, 512, "bfloat16", 1)

do
  local a = (tl.randn({40, 256}, "float32") * 0.25):astype "float8_e4m3fn"
  local b = (tl.randn({72, 256}, "float32") * 0.25):astype "float8_e4m3fn"
  close("gemm float8_e4m3fn", ops.gemm(a, b, {trans_b = true, out_dtype = "bfloat16"}),
    tl.ref.matmul(a, tl.ref.transpose(b)), 2 ^ -7, 1e-3)
end

for _, r in ipairs {1, 13} do
  local n, k = 128, 512
  local q, x = tl.randint(0, 16, {n, k}, "uint8"), tl.randn({r, k}, "float16")
  local scale, packed = tl.rand({n, k // 128}, "float16"), dequant.pack(q)
  for i = 0, n - 1, 5 do
    for j = 0, k - 1, 7 do
      assert(dequant.item(packed, i, j) == q:item(i, j) - 8)
    end
  end
  local each = scale:reshape({n, k // 128, 1}):expand({n, k // 128, 128}):reshape {n, k}
  local w = (q:astype "float32" - 8) * each:astype "float32"
  close(("dequant_gemm, %d rows"):format(r), ops.dequant_gemm(x, packed, scale),
    tl.ref.matmul(x, tl.ref.transpose(w)), 2 ^ -10, 1e-3)
end

for _, d in ipairs {64, 128} do
  for _, causal in ipairs {false, true} do
    local q = tl.randn({1, 4, 200, d}, "float16")
    local k, v = tl.randn({1, 2, 200, d}, "float16"), tl.randn({1, 2, 200, d}, "float16")
    close(("flash_attention d%d%s"):format(d, causal and " causal" or ""),
      ops.flash_attention(q, k, v, {is_causal = causal}),
      tl.ref.attention(q, k, v, {causal = causal}), 2 ^ -10, 5 * 2 ^ -11)
  end
end

-- causal with a cache of keys in front of the queries, and with queries that see no key
for _, n in ipairs {{2, 4}, {70, 200}, {1, 130}, {200, 70}, {130, 5}} do
  local q = tl.randn({1, 2, n[1], 64}, "float16")
  local k, v = tl.randn({1, 2, n[2], 64}, "float16"), tl.randn({1, 2, n[2], 64}, "float16")
  close(("flash_attention causal, %d queries, %d keys"):format(n[1], n[2]),
    ops.flash_attention(q, k, v, {is_causal = true}),
    tl.ref.attention(q, k, v, {is_causal = true}), 2 ^ -10, 5 * 2 ^ -11)
end
