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

-- Tensors and what belongs to them are loaded when they are first used.
local tensors = require "moontile.tl.tensor"
for name, d in pairs(tensors.doc) do -- what is not documented is not public
  tl[name], tl.doc[name] = tensors[name], d
end

local lazy = {
  layout = "moontile.tl.layout", testing = "moontile.tl.testing",
  ref = "moontile.tl.ref", profiler = "moontile.tl.profiler",
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
  connect = false, ops = false, gemm = false, flash_attention = false,
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
