-- ops/init.lua: the operator library, tl.ops: kernels in T with the tiles that
-- a machine likes, called like functions on tensors.  One file an operator; each
-- also has kernel(..), the compiled kernel for given sizes.
local accept = require "moontile.base.accept"
local signatures = require "moontile.tl.signatures"

local M = {}

-- operator -> the file that it is in
local home = {
  gemm = "gemm", flash_attention = "attention", dequant_gemm = "dequant", pack = "dequant",
  softmax = "softmax", rmsnorm = "rmsnorm", transpose = "transpose", sum = "reduce",
  mean = "reduce", max = "reduce", map = "elementwise", add = "elementwise",
  sub = "elementwise", mul = "elementwise", relu = "elementwise", sigmoid = "elementwise",
  silu = "elementwise", gelu = "elementwise", bias_gelu = "elementwise",
}
M.names = home

-- operator -> its name in that file, where it is another
local called = {dequant_gemm = "matmul"}

-- name -> {signature, English, Chinese, example, names to see}
M.doc = {}
for name, d in pairs {
  gemm = {"gemm(a, b, {trans_a =, trans_b =, out_dtype =})", "the product of two matrices", "矩阵乘法",
    "c = tl.ops.gemm(a, b, {trans_b = true, out_dtype = 'float32'})", {"tl.gemm", "tl.ref.matmul"}},
  flash_attention = {"flash_attention(q, k, v, {is_causal =, scale =})",
    "softmax(Q K^T scale) V of [batch, heads, length, dimension], without the matrix of scores; is_causal "
    .. "lets query i of s see keys up to i + t - s of t, as tl.ref.attention",
    "softmax(Q K^T scale) V，形状为 [批, 头, 长度, 维]，不存储得分矩阵；is_causal 时，s 个查询中的第 i 个只看到 t 个键中 "
    .. "i + t - s 及之前的键，与 tl.ref.attention 相同",
    "q = tl.randn({1, 2, 64, 64}, 'float16')\no = tl.ops.flash_attention(q, q, q)",
    {"tl.flash_attention", "tl.ref.attention"}},
  dequant_gemm = {"dequant_gemm(x, packed, scale)",
    "x W^T with 4-bit weights, for up to 16 rows of x", "x W^T，W 为 4 位权重，x 至多 16 行",
    "p = tl.ops.pack(tl.randint(0, 16, {64, 128}, 'uint8'))\n" ..
    "y = tl.ops.dequant_gemm(tl.randn({1, 128}, 'float16'), p, tl.ones({64, 1}, 'float16'))",
    {"tl.ops.pack", "tl.dequant_gemm"}},
  pack = {"pack(q)", "4-bit weights in the order in which tl.dequant_gemm reads them; q: uint8, 0 .. 15",
    "按 tl.dequant_gemm 的读取次序打包 4 位权重；q 为 uint8，取值 0 到 15",
    "p = tl.ops.pack(tl.randint(0, 16, {64, 128}, 'uint8'))", {"tl.ops.dequant_gemm"}},
  softmax = {"softmax(x)", "softmax along the last axis", "沿最后一轴的 softmax",
    "print(tl.ops.softmax(x))", {"tl.softmax", "tl.ref.softmax"}},
  rmsnorm = {"rmsnorm(x, w, eps = 1e-6)", "x / sqrt(mean(x^2) + eps) * w along the last axis",
    "沿最后一轴计算 x / sqrt(mean(x^2) + eps) * w", "print(tl.ops.rmsnorm(x, w))", {"tl.rmsnorm"}},
  transpose = {"transpose(x)", "the axes of a matrix swapped", "矩阵转置",
    "print(tl.ops.transpose(x).shape[1])", {"tensor:transpose"}},
  sum = {"sum(x, axis = -1)", "sums along the last axis, or the first (0)",
    "沿最后一轴（或第一轴，axis = 0）求和", "print(tl.ops.sum(x))", {"tl.ops.mean", "tensor:sum"}},
  mean = {"mean(x, axis = -1)", "means along the last axis, or the first (0)",
    "沿最后一轴（或第一轴，axis = 0）的平均值", "print(tl.ops.mean(x, 0))", {"tl.mean"}},
  max = {"max(x, axis = -1)", "the maximum along the last axis, or the first (0)",
    "沿最后一轴（或第一轴，axis = 0）的最大值", "print(tl.ops.max(x))", {"tensor:max"}},
  map = {"map(f, x [, y])", "f of each element, or of each pair; f computes in T on float32 values",
    "对每个元素（或每对元素）应用 f；f 用 T 在 float32 值上计算",
    "print(tl.ops.map(function(v) return T.max(v, 0) * v end, x))", {"T.macro"}},
  add = {"add(x, y)", "x + y, for each element of two equal shapes", "逐元素 x + y，两者形状相同",
    "print(tl.ops.add(x, x))"},
  sub = {"sub(x, y)", "x - y, for each element of two equal shapes", "逐元素 x - y，两者形状相同",
    "print(tl.ops.sub(x, x))"},
  mul = {"mul(x, y)", "x * y, for each element of two equal shapes", "逐元素 x * y，两者形状相同",
    "print(tl.ops.mul(x, x))"},
  relu = {"relu(x)", "max(x, 0), for each element", "逐元素 max(x, 0)，即负数取零", "print(tl.ops.relu(x))"},
  sigmoid = {"sigmoid(x)", "1 / (1 + exp(-x)), for each element", "逐元素计算 1 / (1 + exp(-x))",
    "print(tl.ops.sigmoid(x))"},
  silu = {"silu(x)", "x sigmoid(x), for each element", "逐元素计算 x sigmoid(x)", "print(tl.ops.silu(x))"},
  gelu = {"gelu(x)", "gelu by its tanh form, for each element", "逐元素 gelu（tanh 近似）",
    "print(tl.ops.gelu(x))", {"tl.ops.bias_gelu"}},
  bias_gelu = {"bias_gelu(x, b)", "gelu(x + b), the tanh form, b along the last axis",
    "gelu(x + b)，tanh 近似，b 沿最后一轴", "print(tl.ops.bias_gelu(x, w))", {"tl.bias_gelu"}},
} do
  M.doc[name] = {sig = d[1], summary = d[2], summary_zh = d[3], example = d[4], see = d[5]}
end

return setmetatable(M, {
  __index = function(t, name)
    local file = home[name]
    local f = file and require("moontile.ops." .. file)[called[name] or name]
    rawset(t, name, f)
    if f then
      accept.guard(t, {what = "tl.ops.", whole = true}, {[name] = signatures.ops[name]})
    end
    return rawget(t, name)
  end,
})
