-- tl: the host side: kernels, tensors, devices.  `require "moontile.tl"`, the
-- global tl, and `require "tilelang"` are this table.

local T = require "moontile.T"
local device = require "moontile.tl.device"
local jit = require "moontile.tl.jit"
local near = require "moontile.T.near"
local place = require "moontile.T.place"

local tl = {
  language = T,
  version = "0.1",
  __version__ = "0.1",
  jit = jit.jit,
  compile = jit.compile,
  devices = device.devices,
  current_device = device.current_device,
  set_target = device.set_target,
}

-- What help shows, in the form that the other modules of tl use.
tl.doc = {}

local function doc(name, sig, summary, example)
  tl.doc[name] = {sig = sig, summary = summary, example = example}
end

doc("jit", "jit(f [, options])", "a function that is compiled when it is called",
  "add = tl.jit(function(A)\n  A: T.Tensor({64}, T.float32)\n" ..
  "  for bx in T.Kernel(1) do T.fill(A, 1) end\nend)")
doc("compile", "compile(prim_func [, options])", "a T.prim_func compiled into a kernel",
  "k = tl.compile(T.prim_func(function(A)\n  A: T.Tensor({64}, T.float32)\n" ..
  "  for bx in T.Kernel(1) do T.fill(A, 1) end\nend))")
doc("autotune", "autotune(f, options)",
  "tries configurations of a tl.jit function, keeps the fastest",
  "tuned = tl.autotune {configs = {{BM = 64}, {BM = 128}}}")
doc("par_compile", "par_compile(list, options)", "compiles several prim_funcs",
  "ks = tl.par_compile({f, g}, {target = 'cpu'})")
doc("allclose", "allclose(a, b, rtol, atol)", "whether two tensors agree within tolerances",
  "print(tl.allclose(a, b, 1e-2, 1e-2))")
doc("devices", "devices()", "what kernels can run on", "print(#tl.devices())")
doc("current_device", "current_device()", "name of the target in use",
  "print(tl.current_device())")
doc("set_target", "set_target(name)", "the target of kernels compiled from now on",
  "tl.set_target 'cpu'")

doc("from_ir", "from_ir(text [, options])", "a kernel from the text of its tile or thread program",
  "k = tl.from_ir('kernel f()\\n  launch bx in 1 threads 32 do\\n  end\\nend', {target = 'cpu'})")

function tl.from_ir(text, opts)
  return (require("moontile.tl.fromir").from_ir(text, opts))
end

doc("kernel:explain", "k:explain{target =, card =, dims =, json =}",
  "prints what a kernel costs on a machine, without running it",
  "k:explain {target = 'sim -arch=sm_90a', card = 'H200'}")
doc("kernel:analyze", "k:analyze{target =, card =, dims =}",
  "the facts of k:explain as a table; its fields stand in tl/explain.lua",
  "print(k:analyze().launches[1].occupancy)")
doc("kernel:check", "k:check{target =, sizes =, seed =, all =, ref =}",
  "simulates a kernel on small, awkward sizes and compares with the cpu target, or with ref",
  "assert(k:check().ok)")

doc("gemm", "gemm(a, b, {trans_a =, trans_b =, out_dtype =})", "the product of two matrices",
  "c = tl.gemm(tl.randn({64, 32}, 'float16'), tl.randn({48, 32}, 'float16'), {trans_b = true})")
doc("flash_attention", "flash_attention(q, k, v, {is_causal =, scale =})",
  "softmax(Q K^T scale) V of [batch, heads, length, dimension]",
  "q = tl.randn({1, 2, 64, 64}, 'float16')\no = tl.flash_attention(q, q, q, {is_causal = true})")
doc("dequant_gemm", "dequant_gemm(x, packed, scale)",
  "x W^T with 4-bit weights of tl.ops.pack, for up to 16 rows of x",
  "w = tl.ops.pack(tl.randint(0, 16, {64, 128}, 'uint8'))\n" ..
  "y = tl.dequant_gemm(tl.randn({1, 128}, 'float16'), w, tl.ones({64, 1}, 'float16'))")
doc("softmax", "softmax(x)", "softmax along the last axis", "print(tl.softmax(tl.randn {2, 8}))")
doc("rmsnorm", "rmsnorm(x, w, eps = 1e-6)", "x / sqrt(mean(x^2) + eps) * w along the last axis",
  "print(tl.rmsnorm(tl.randn {2, 8}, tl.ones {8}))")
doc("mean", "mean(x, axis = -1)", "means along the last axis, or the first (0)",
  "print(tl.mean(tl.randn {4, 8}, -1))")
doc("bias_gelu", "bias_gelu(x, b)", "gelu(x + b), the tanh form, b along the last axis",
  "print(tl.bias_gelu(tl.randn {4, 8}, tl.randn {8}))")

doc("kernel:bench", "k:bench{vs =, inputs =, sizes =, rounds =, rep =, flush =, batch =}",
  "times a kernel beside others (vs: 'cublas', a kernel, a function) and against the roofs",
  "print(k:bench {vs = other})")
doc("kernel:tune", "k:tune{budget =, space =, inputs =, sizes =, ref_prog =, fresh =}",
  "the fastest of a kernel's configurations; f:tune(...) does it for a tl.jit function",
  "k = k:tune {budget = '20s', space = {BM = {64, 128}}}")

-- Tensors and what belongs to them are loaded when they are first used.
local tensors = require "moontile.tl.tensor"
for name, d in pairs(tensors.doc) do -- what is not documented is not public
  tl[name], tl.doc[name] = tensors[name], d
end

local lazy = {
  layout = "moontile.tl.layout", testing = "moontile.tl.testing",
  ref = "moontile.tl.ref", profiler = "moontile.tl.profiler", ops = "moontile.ops",
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

-- Several prim_funcs, one after the other.
function tl.par_compile(funcs, opts)
  local r = {}
  for i, f in ipairs(funcs) do
    if opts and opts.ignore_error then
      local ok, k = pcall(jit.compile, f, opts)
      r[i] = ok and k or false
    else
      r[i] = jit.compile(f, opts)
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

-- Names of language.md and TileLang that come later: what to use instead, or
-- false.
local later = {
  connect = false,
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
    local n = type(k) == "string" and k:sub(1, 2) ~= "__" and near.find(k, names)
    if n then
      place.fail(k, "tl_near", k, n)
    elseif type(k) == "string" and k:sub(1, 2) ~= "__" then
      place.fail(k, "tl_unknown", k)
    end
    return nil
  end,
})
