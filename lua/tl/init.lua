-- tl: the host side: kernels, tensors, devices.  `require "moontile.tl"`, the
-- global tl, and `require "tilelang"` are this table.

local T = require "moontile.T"
local accept = require "moontile.base.accept"
local device = require "moontile.tl.device"
local jit = require "moontile.tl.jit"
local suggest = require "moontile.base.suggest"
local place = require "moontile.base.place"
local signatures = require "moontile.tl.signatures"
local version = require "moontile.version"

local tl = {
  language = T,
  version = version,
  __version__ = version,
  jit = jit.jit,
  compile = jit.compile,
  devices = device.devices,
  current_device = device.current_device,
  set_target = device.set_target,
  python = function(path) return require("moontile.python.loader").python(path) end,
  connect = function(...) return require("moontile.tl.connect").connect(...) end,
  disconnect = function() return require("moontile.tl.connect").disconnect() end,
  connection = function() return require("moontile.tl.connect").connection() end,
}

-- What help shows, in the form that the other modules of tl use.
tl.doc = {}

local function doc(name, sig, summary, summary_zh, example, see)
  tl.doc[name] = {sig = sig, summary = summary, summary_zh = summary_zh, example = example,
    see = see}
end

doc("jit", "jit(f [, options])", "a function that is compiled when it is called",
  "调用时才编译的函数", "add = tl.jit(function(A)\n  A: T.Tensor({64}, T.float32)\n" ..
  "  for bx in T.Kernel(1) do T.fill(A, 1) end\nend)", {"jit:compile", "tl.compile", "kernels"})
doc("compile", "compile(prim_func [, options])", "a T.prim_func compiled into a kernel",
  "把 T.prim_func 编译为内核", "k = tl.compile(T.prim_func(function(A)\n" ..
  "  A: T.Tensor({64}, T.float32)\n  for bx in T.Kernel(1) do T.fill(A, 1) end\nend))",
  {"tl.jit", "T.prim_func"})
doc("autotune", "autotune(f, options)",
  "tries configurations of a tl.jit function, keeps the fastest",
  "尝试 tl.jit 函数的各种配置，保留最快的",
  "tuned = tl.autotune {configs = {{BM = 64}, {BM = 128}}}", {"kernel:tune", "jit:tune"})
doc("par_compile", "par_compile(list, options)", "compiles several prim_funcs",
  "编译多个 prim_func", "p = T.prim_func(function(A)\n  A: T.Tensor({64}, T.float32)\n" ..
  "  for bx in T.Kernel(1) do T.fill(A, 1) end\nend)\nks = tl.par_compile({p}, {target = 'cpu'})",
  {"tl.compile", "jit:par_compile"})
doc("allclose", "allclose(a, b, rtol, atol)", "whether two tensors agree within tolerances",
  "两个张量在容差内是否一致", "print(tl.allclose(c, want, 1e-2, 1e-2))",
  {"tl.testing.assert_close"})
doc("python", "python(path)", "the functions and values of a file in Python", "一个 Python 文件中的函数与值",
  "-- gemm = tl.python \"gemm.py\"   C = gemm.matmul(A, B)", {"python", ":python"})
doc("devices", "devices()", "what kernels can run on: {name, summary, present} each",
  "内核可以在哪些目标上运行，每项为 {name, summary, present}", "print(#tl.devices())",
  {"tl.current_device", "targets"})
doc("current_device", "current_device()", "name of the target in use", "当前目标的名称",
  "print(tl.current_device())", {"tl.set_target", ":target"})
doc("set_target", "set_target(name)", "the target of kernels compiled from now on",
  "设置此后编译的内核的目标", "tl.set_target 'cpu'", {"tl.devices", "targets"})
doc("connect", "connect(url [, {target =, token_file =, cacert =, plain =}])",
  "kernels run on the machine of a `moontile serve` from now on",
  "此后的内核在运行 `moontile serve` 的机器上运行",
  "-- tl.connect('https://gpu.example.org:8411', {token_file = '~/.moontile-token'})",
  {"tl.disconnect", "tl.connection", ":connect"})
doc("disconnect", "disconnect()", "back to this machine; false when there was no connection",
  "回到本机；没有连接时返回 false", "print(tl.disconnect())", {"tl.connect"})
doc("connection", "connection()", "the connection that kernels use, or nil",
  "内核所用的连接，没有则为 nil", "print(tl.connection())", {"tl.connect"})
doc("enable_cache", "enable_cache()", "kernels of this process are kept and reused",
  "保留并重复使用本进程的内核", "tl.enable_cache()", {"tl.disable_cache"})
doc("disable_cache", "disable_cache()", "every call compiles its kernel again",
"每次调用都重新生成内核",
  "tl.disable_cache()   tl.enable_cache()", {"tl.enable_cache"})
doc("is_cache_enabled", "is_cache_enabled()", "whether kernels of this process are kept",
  "是否保留本进程的内核", "print(tl.is_cache_enabled())", {"tl.enable_cache"})
doc("set_log_level", "set_log_level(level)", "accepted for TileLang compatibility, without effect",
  "为兼容 TileLang 而接受，不起作用", "tl.set_log_level 'INFO'")

doc("from_ir", "from_ir(text [, options])", "a kernel from the text of its tile or thread program",
  "由分块程序或线程程序的文本得到内核",
  "k = tl.from_ir('kernel f()\\n  launch bx in 1 threads 32 do\\n  end\\nend', {target = 'cpu'})",
  {"kernel:ir"})

function tl.from_ir(text, opts)
  return (require("moontile.tl.fromir").from_ir(text, opts))
end

doc("gemm", "gemm(a, b, {trans_a =, trans_b =, out_dtype =})", "the product of two matrices",
  "矩阵乘法",
  "c = tl.gemm(tl.randn({64, 32}, 'float16'), tl.randn({48, 32}, 'float16'), {trans_b = true})",
  {"tl.ops.gemm", "tl.ref.matmul", "T.gemm"})
doc("flash_attention", "flash_attention(q, k, v, {is_causal =, scale =})",
  "softmax(Q K^T scale) V of [batch, heads, length, dimension]; is_causal lets query i of s see keys up to "
  .. "i + t - s of t",
  "softmax(Q K^T scale) V，形状为 [批, 头, 长度, 维]；is_causal 时，s 个查询中的第 i 个只看到 t 个键中 i + t - s 及之前的键",
  "q = tl.randn({1, 2, 64, 64}, 'float16')\no = tl.flash_attention(q, q, q, {is_causal = true})",
  {"tl.ref.attention"})
doc("dequant_gemm", "dequant_gemm(x, packed, scale)",
  "x W^T with 4-bit weights of tl.ops.pack, for up to 16 rows of x",
  "x W^T，W 为 tl.ops.pack 打包的 4 位权重，x 至多 16 行",
  "p = tl.ops.pack(tl.randint(0, 16, {64, 128}, 'uint8'))\n" ..
  "y = tl.dequant_gemm(tl.randn({1, 128}, 'float16'), p, tl.ones({64, 1}, 'float16'))",
  {"tl.ops.pack", "tl.ref.dequantize_int4"})
doc("softmax", "softmax(x)", "softmax along the last axis", "沿最后一轴的 softmax",
  "print(tl.softmax(tl.randn {2, 8}))", {"tl.ref.softmax"})
doc("rmsnorm", "rmsnorm(x, w, eps = 1e-6)", "x / sqrt(mean(x^2) + eps) * w along the last axis",
  "沿最后一轴计算 x / sqrt(mean(x^2) + eps) * w", "print(tl.rmsnorm(tl.randn {2, 8}, tl.ones {8}))",
  {"tl.ref.rmsnorm"})
doc("mean", "mean(x, axis = -1)", "means along the last axis, or the first (0)",
  "沿最后一轴（或第一轴，axis = 0）的平均值", "print(tl.mean(tl.randn {4, 8}, -1))", {"tl.ops.sum"})
doc("bias_gelu", "bias_gelu(x, b)", "gelu(x + b), the tanh form, b along the last axis",
  "gelu(x + b)，tanh 近似，b 沿最后一轴", "print(tl.bias_gelu(tl.randn {4, 8}, tl.randn {8}))",
  {"tl.ops.gelu"})

-- Tensors and what belongs to them are loaded when they are first used.
local tensors = require "moontile.tl.tensor"
for name, d in pairs(tensors.doc) do -- what is not documented is not public
  tl[name], tl.doc[name] = tensors[name], d
end

local lazy = {
  layout = "moontile.tl.layout", testing = "moontile.tl.testing",
  ref = "moontile.tl.ref", profiler = "moontile.tl.profiler", ops = "moontile.ops",
  host = "moontile.tl.host",
}

-- Operators of tl.ops that have a short name here.
local short = {
  gemm = true, flash_attention = true, dequant_gemm = true, softmax = true, rmsnorm = true,
  mean = true, bias_gelu = true,
}

function tl.autotune(f, opts)
  return (require("moontile.tl.tune").autotune(f, opts))
end

function tl.allclose(...)
  return require("moontile.tl.testing").allclose(...)
end

local check_funcs = accept.checker("tl.par_compile", signatures.par_compile)

-- Several prim_funcs, one after the other.
function tl.par_compile(funcs, opts)
  check_funcs(funcs, opts)
  local r, each = {}, {}
  for k, v in pairs(opts or {}) do
    each[k] = k ~= "ignore_error" and k ~= "num_workers" and v or nil
  end
  for i, f in ipairs(funcs) do
    if opts and opts.ignore_error then
      local ok, k = pcall(jit.compile, f, each)
      r[i] = ok and k or false
    else
      r[i] = jit.compile(f, each)
    end
  end
  return r
end

-- The cache of kernels in this process.
function tl.enable_cache() jit.caching = true end
function tl.disable_cache() jit.caching = false end
function tl.is_cache_enabled() return jit.caching end
function tl.set_log_level() end

-- Keys of pass_configs: taken, and without an effect where the target has no
-- such pass.
tl.PassConfigKey = setmetatable({}, {
  __index = function(_, k)
    return (tostring(k):lower():gsub("^tl_", "tl."))
  end,
})

-- Names of TileLang that come later: what to use instead, or
-- false.
local later = {
  carver = false, lower = "tl.compile(f):get_kernel_source()", AutoTuner = "tl.autotune",
  set_autotune_inputs = "tl.autotune",
}

package.loaded["tilelang"] = tl
package.loaded["tilelang.profiler"] = nil

return setmetatable(tl, {
  __index = function(t, k)
    if lazy[k] then
      local m = require(lazy[k])
      rawset(t, k, m)
      return m
    elseif short[k] then
      return require("moontile.ops")[k]
    elseif k == "TensorSupplyType" then
      return require("moontile.tl.profiler").TensorSupplyType
    elseif later[k] then
      place.fail(k, "host_later_use", "tl." .. k, later[k])
    elseif later[k] == false then
      place.fail(k, "host_later", "tl." .. k)
    end
    local names = {}
    for name in pairs(t) do
      names[#names + 1] = name
    end
    local n = type(k) == "string" and k:sub(1, 2) ~= "__" and suggest.find(k, names)
    if n then
      place.fail(k, "tl_near", k, n)
    elseif type(k) == "string" and k:sub(1, 2) ~= "__" then
      place.fail(k, "tl_unknown", k)
    end
    return nil
  end,
})
