-- python/tilelang_parts.lua: modules below tilelang besides language: carver.arch, testing, tools, transform, ..
-- What is only TileLang's compiler from within is not here, and says so when it is called.

local analyzer = require "moontile.python.analyzer"
local arch = require "moontile.python.arch"
local core = require "moontile.python.core"
local cuda = require "moontile.python.torch_cuda"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local plot_layout = require "moontile.python.plot_layout"
local pytest = require "moontile.python.pytest"
local profiler = require "moontile.tl.profiler"
local T = require "moontile.T"
local tensors = require "moontile.tl.tensor"
local tl = require "moontile.tl"

local M = {}

local None = core.None

-- A name that can be imported, but not used; instead: what to do.
local function absent(name, instead)
  return native.make(name, "**", function()
    exc.fail("NotImplementedError", ("%s is not available here: %s"):format(name, instead), nil, name)
  end)
end

local loaders = {}

-- tilelang.NAME with the values that pick(P, tilelang) gives.
local function part(name, pick)
  loaders["tilelang." .. name] = function(P)
    return P.imports.module("tilelang." .. name, pick(P, P.import_as "tilelang"))
  end
end

-- A module of nothing but its parts, which are loaded when somebody names them.
local function nothing() return {} end

-- carver ----------------------------------------------------------------------

local num_sms = native.make("get_num_sms", "device_id?", cuda.multiprocessors)

part("carver.arch.driver", function(P)
  local c = P.import_as "torch.cuda"
  return {get_num_sms = num_sms, get_device_name = c.get_device_name,
    get_cuda_device_properties = c.get_device_properties}
end)
local from_models = "moontile ranks configurations by its own model: autotune without it, or k:tune"
part("carver.arch", function() return arch.names() end)
part("carver.template", function() return {MatmulTemplate = absent("MatmulTemplate", from_models)} end)
part("carver.roller.rasterization", function() return {NoRasterization = made.class("NoRasterization",
  "tilelang.carver.roller.rasterization", {})} end)
part("carver.roller", nothing)
part("carver", nothing)

-- Small ones ------------------------------------------------------------------

part("transform", function() return {
  PassConfigKey = foreign.from_lua(tl.PassConfigKey),
  simplify_prim_func = native.make("simplify_prim_func", "f", function(f) return f end),
} end)
part("tileop.base", function() return {GemmWarpPolicy = foreign.from_lua(T.GemmWarpPolicy)} end)
part("tileop", nothing)
part("tools", function() return {Analyzer = analyzer.Analyzer, plot_layout = plot_layout} end)
part("tools.Analyzer", function() return {Analyzer = analyzer.Analyzer} end)
-- Events for NVIDIA's IKET, which its profiler writes: none are made.
local function iket()
  local names = {}
  for name in ("disable disable_runtime_payloads enable enable_runtime_payloads event_table is_enabled mark output_dir \z
    output_path payload profile_command range range_end range_pop range_push range_start reset runtime_payloads_enabled \z
    session set_output_dir trace_files"):gmatch "%S+" do
    names[name] = absent("iket." .. name, "no events are put into kernels; torch.profiler has their times, :trace k at the prompt \z
      what a kernel does when")
  end
  return names
end
part("tools.cuda.iket", iket)
part("tools.cuda", nothing)
part("tools.plot_layout", function() return {plot_layout = plot_layout} end)
part("engine.callback", function()
  local edit = "moontile has no callbacks on sources: k:export writes them"
  return {register_cuda_postproc_callback = absent("register_cuda_postproc_callback", edit),
    register_hip_postproc_callback = absent("register_hip_postproc_callback", edit)}
end)
part("engine", nothing)
-- Layouts of shared memory by TileLang's names for them, and what emits instructions by hand.
local by_hand = "T.gemm chooses instructions, and TensorCoreIntrinEmitter has those of 16 and 8 bits"
local function emitter() return require "moontile.python.mma_emitter" end
part("cuda.intrinsics", function()
  return {make_mma_swizzle_layout = foreign.from_lua(T.make_swizzled_layout),
    get_swizzle_layout = emitter().get_swizzle_layout,
    TensorCoreIntrinEmitter = emitter().TensorCoreIntrinEmitter}
end)
part("cuda.intrinsics.sparse_layout", function() return require "moontile.python.sparse_layout" end)
part("cuda.intrinsics.layout.mma_layout", function()
  return {make_mma_swizzle_layout = foreign.from_lua(T.make_swizzled_layout),
    get_swizzle_layout = emitter().get_swizzle_layout}
end)
part("cuda.intrinsics.macro.mma_macro_generator", function()
  local list = {}
  list.TensorCoreIntrinEmitter = emitter().TensorCoreIntrinEmitter
  for name in ("TensorCoreIntrinEmitterWithLadderTransform INT4TensorCoreIntrinEmitter \z
    INT4TensorCoreIntrinEmitterWithLadderTransform"):gmatch "%S+" do
    list[name] = absent(name, by_hand)
  end
  return list
end)
for _, name in ipairs {"cuda", "cuda.intrinsics.layout", "cuda.intrinsics.macro"} do
  part(name, nothing)
end

part("contrib.nvcc", function()
  return {get_target_compute_version = native.make("get_target_compute_version", "target?", function()
    local v = func.call(core.late.attr(core.late.imports "torch.cuda", "get_device_capability"))
    return ("%d.%d"):format(v[1], v[2])
  end)}
end)
part("contrib", nothing)

-- testing -----------------------------------------------------------------------

local function requires_version(name)
  return native.make(name, "**", function()
    return native.make(name, "func", function(f) return f end)
  end)
end

-- Decorators for tests that only some devices can run: the tests themselves say what is missing.
local function same(name)
  return native.make(name, "func", function(f) return f end)
end

local function seeded(n)
  tl.manual_seed(n or 42)
  func.call(core.late.attr(core.late.imports "random", "seed"), n or 42)
  return None
end

loaders["tilelang.testing"] = function(P)
  local t = foreign.wrap("tilelang.testing", tl.testing)
  t.set_random_seed = native.make("set_random_seed", "seed?", seeded)
  t.main = native.make("main", "", function()
    for _, test in ipairs(pytest.functions(P, "test_")) do
      pytest.run(test.f, test.name, function() end)
    end
    return None
  end)
  t.process_func = native.make("process_func", "**", function(kw, f, name)
    local latency = func.calls(f, core.pack(), kw)
    name = name ~= nil and name ~= None and core.late.str(name) or core.late.attr(f, "__name__")
    P.builtins.print(("%s: %s ms"):format(name:gsub("^regression_", ""), core.late.str(latency)))
    return latency
  end)
  t.regression = native.make("regression", "prefixes?", function()
    for _, test in ipairs(pytest.functions(P, "regression_")) do
      func.call(test.f)
    end
    return None
  end)
  for _, name in ipairs {"ge", "gt", "eq", "lt", "le"} do
    t["requires_cuda_compute_version_" .. name] = requires_version("requires_cuda_compute_version_" .. name)
  end
  for _, name in ipairs {"requires_cuda_compute_version", "requires_package"} do
    t[name] = requires_version(name)
  end
  for _, name in ipairs {"requires_cuda", "requires_rocm", "requires_llvm", "requires_metal", "requires_cdna",
    "requires_cuda_or_cdna", "requires_gfx950"} do
    t[name] = same(name)
  end
  t.torch_assert_close = P.import_as "tilelang.utils.tensor".torch_assert_close
  return t
end

-- get_tensor_supply(kind): a function that gives a tensor for a kernel's parameter.
local get_tensor_supply = native.make("get_tensor_supply", "supply_type?", function(kind)
  return native.make("get_tensor", "param", function(p)
    local shape = {}
    for d, n in ipairs(foreign.to_lua(core.late.attr(p, "shape"))) do
      shape[d] = {n = n}
    end
    local one = {inputs = {{kind = "tensor", name = "param", shape = shape, dtype = core.late.attr(p, "dtype")}},
      dim_names = {}, dim_vars = {}}
    return profiler.new(one, kind):inputs()[1]
  end)
end)

-- Timing: TileLang's parameters, and the mean where they do not ask for another.  What is said of the device, of
-- how caches are flushed and of an early end changes no result.
local usual = {warmup = 25, rep = 100, n_warmup = 0, n_repeat = 0, return_mode = "mean", backend = "event"}

local function timed(time, o)
  local opts = {}
  for name, v in pairs(o) do
    opts[name] = foreign.to_lua(v)
  end
  for name, v in pairs(usual) do
    opts[name] = opts[name] or v
  end
  if not ("min max mean median "):find(tostring(opts.return_mode) .. " ", 1, true) then
    core.late.fail("AssertionError", "Invalid return_mode: " .. tostring(opts.return_mode))
  elseif opts.backend ~= "event" and opts.backend ~= "cupti" and opts.backend ~= "cudagraph" then
    core.late.fail("ValueError", "Unknown profiler backend: " .. tostring(opts.backend))
  end
  return foreign.from_lua(time(opts))
end

local do_bench = native.make("do_bench", "fn, warmup?, rep?, _n_warmup?, _n_repeat?, quantiles?, fast_flush?, backend?, \z
  return_mode?, device?, cache_size?, early_stop_baseline?",
  function(f, warmup, rep, n_warmup, n_repeat, quantiles, _, backend, mode)
    local run = foreign.to_lua(native.make("fn", "", function() return func.call(f) end))
    return timed(function(o) return profiler.do_bench(run, o) end, {warmup = warmup, rep = rep, n_warmup = n_warmup,
      n_repeat = n_repeat, quantiles = quantiles, backend = backend, return_mode = mode})
  end)

local function profile_of(p)
  return native.make("do_bench", "func?, warmup?, rep?, n_warmup?, n_repeat?, input_tensors?, backend?, quantiles?, \z
    return_mode?, dynamic_symbolic_constraints?, device?, early_stop_baseline?",
    function(f, warmup, rep, n_warmup, n_repeat, inputs, backend, quantiles, mode, sizes)
      return timed(function(o) return p:do_bench(o) end, {func = f, warmup = warmup, rep = rep, n_warmup = n_warmup,
        n_repeat = n_repeat, input_tensors = inputs, backend = backend, quantiles = quantiles, return_mode = mode,
        dynamic_symbolic_constraints = sizes})
    end)
end

loaders["tilelang.profiler"] = function()
  local t = foreign.wrap("tilelang.profiler", profiler)
  t.do_bench = do_bench
  return t
end

-- A name of the class's insides that programs call.
profiler.Profiler.__py_attr = function(p, name)
  if name == "_get_inputs" then
    return native.make("_get_inputs", "**", function() return foreign.from_lua(p:inputs()) end)
  elseif name == "func" then
    return foreign.from_lua(p.kernel)
  elseif name == "do_bench" then
    return profile_of(p)
  elseif name == "assert_allclose" then
    return native.make(name, "reference_program, input_tensors?, atol?, rtol?, max_mismatched_ratio?",
      function(reference, inputs, atol, rtol, ratio)
        p:assert_allclose(foreign.to_lua(reference), {input_tensors = inputs and foreign.to_lua(inputs), atol = atol,
          rtol = rtol, max_mismatched_ratio = ratio, check_dtype = true})
        return None
      end)
  end
  return core.late.foreign_attr(p, name)
end

-- What programs ask of TileLang's settings: folders for files of their own; what moontile keeps is elsewhere.
loaders["tilelang.env"] = function(P)
  local function variable(name, default)
    local v = os.getenv(name)
    return v or default
  end
  local cache = variable("TILELANG_CACHE_DIR", (os.getenv "HOME" or "~") .. "/.tilelang/cache")
  local e = P.imports.module("tilelang.env", {
    TILELANG_CACHE_DIR = cache, TILELANG_TMP_DIR = variable("TILELANG_TMP_DIR", cache .. "/tmp"),
    TILELANG_PRINT_ON_COMPILATION = variable("TILELANG_PRINT_ON_COMPILATION", "1"),
    TILELANG_DISABLE_CACHE = variable("TILELANG_DISABLE_CACHE", "0"),
    is_cache_enabled = native.make("is_cache_enabled", "", function() return variable("TILELANG_DISABLE_CACHE", "0") == "0" end),
    CUDA_HOME = variable("CUDA_HOME", ""),
  })
  e.env = e
  return e
end

part("utils.tensor", function(P, t)
  require "moontile.tl.testing"
  -- A small share of the elements may differ.  Names of the two, devices and strides mean nothing.
  local function compare(a, b, rtol, atol, ratio, verbose, equal_nan, _, check_dtype)
    tensors.rules.mostly_close(a, b, {rtol = rtol, atol = atol, ratio = ratio, equal_nan = equal_nan, check_dtype = check_dtype,
      verbose = verbose == true and P.builtins.print or nil})
    return true
  end
  return {TensorSupplyType = t.TensorSupplyType, get_tensor_supply = get_tensor_supply,
    torch_assert_close = native.make("torch_assert_close",
      "tensor_a, tensor_b, rtol?, atol?, max_mismatched_ratio?, verbose?, equal_nan?, check_device?, check_dtype?, \z
        check_layout?, check_stride?, base_name?, ref_name?", compare)}
end)

-- Makes them known; the modules of tilelang.lua stay what they are.
function M.install(P)
  core.late.imports = P.import_as
  for name, f in pairs(loaders) do
    P.imports.loaders[name] = P.imports.loaders[name] or f
  end
  P.imports.loaders["tilelang.testing"] = loaders["tilelang.testing"]
  P.imports.loaders["tilelang.utils.tensor"] = loaders["tilelang.utils.tensor"]
  P.imports.loaders["tilelang.profiler"] = loaders["tilelang.profiler"]
end

return M
