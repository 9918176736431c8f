-- tl: the host side: kernels, tensors, devices.  `require "moontile.tl"`, the
-- global tl, and `require "tilelang"` are this table.

local T = require "moontile.T"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local jit = require "moontile.tl.jit"
local near = require "moontile.T.near"

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
tl.doc = {
  jit = {sig = "jit(f [, options])", summary = "a function that is compiled when it is called",
    example = "add = tl.jit(function(A) A: T.Tensor({64}, T.float32) for bx in T.Kernel(1) do T.fill(A, 1) end end)"},
  compile = {sig = "compile(prim_func [, options])", summary = "a T.prim_func compiled into a kernel",
    example = "k = tl.compile(T.prim_func(function(A) A: T.Tensor({64}, T.float32) " ..
      "for bx in T.Kernel(1) do T.fill(A, 1) end end))"},
  autotune = {sig = "autotune(f, options)", summary = "tries configurations of a tl.jit function, keeps the fastest",
    example = "tuned = tl.autotune {configs = {{BM = 64}, {BM = 128}}}"},
  par_compile = {sig = "par_compile(list, options)", summary = "compiles several prim_funcs",
    example = "ks = tl.par_compile({f, g}, {target = 'cpu'})"},
  allclose = {sig = "allclose(a, b, rtol, atol)", summary = "whether two tensors agree within tolerances",
    example = "print(tl.allclose(a, b, 1e-2, 1e-2))"},
  devices = {sig = "devices()", summary = "what kernels can run on", example = "print(#tl.devices())"},
  current_device = {sig = "current_device()", summary = "name of the target in use", example = "print(tl.current_device())"},
  set_target = {sig = "set_target(name)", summary = "the target of kernels compiled from now on",
    example = "tl.set_target 'cpu'"},
}

-- Tensors and what belongs to them are loaded when they are first used.
local tensors = require "moontile.tl.tensor"
for name, d in pairs(tensors.doc) do -- what is not documented is not public
  tl[name], tl.doc[name] = tensors[name], d
end

local lazy = {
  testing = "moontile.tl.testing", ref = "moontile.tl.ref", profiler = "moontile.tl.profiler",
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

-- Names of language.md, section 5, that come later.
local later = {
  connect = "remote sessions", ops = "the operator library", layout = "layouts without a kernel",
  lower = "use tl.compile(...):get_kernel_source()", gemm = "the operator library",
  flash_attention = "the operator library", carver = "hints for configurations",
  set_autotune_inputs = "pass the tensors to the tuned function", AutoTuner = "use tl.autotune",
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
      diag.fail("host_later", "tl." .. k, later[k])
    end
    local names = {}
    for name in pairs(t) do
      names[#names + 1] = name
    end
    local n = type(k) == "string" and k:sub(1, 2) ~= "__" and near.find(k, names)
    if n then
      diag.fail("tl_near", k, n)
    end
    return nil
  end,
})
