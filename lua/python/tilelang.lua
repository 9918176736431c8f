-- python/tilelang.lua: `import tilelang` and `import tilelang.language as T`: moontile's tl and T as modules of
-- Python, with the decorators and objects that Python's functions need.

local attr = require "moontile.python.attr"
local compiled = require "moontile.python.compiled"
local core = require "moontile.python.core"
local device = require "moontile.tl.device"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local jit = require "moontile.tl.jit"
local kernel = require "moontile.python.kernel"
local loops = require "moontile.T.loops"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local T = require "moontile.T"
local target = require "moontile.python.target"
local tl = require "moontile.tl"
local prims = require "moontile.T.func"
local names_of_T = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local tuner = require "moontile.python.tuner"
local tvm = require "moontile.python.tvm"
local tune = require "moontile.tl.tune"
local types = require "moontile.base.types"

local None, to_lua, from_lua, sigs = core.None, foreign.to_lua, foreign.from_lua, core.sigs
local packed = foreign.packed
local getmt, unpack = debug.getmetatable, table.unpack

local M = {}

-- What T gives for a generic `for` is one value of Python's; nil: it is something else.
function foreign.frame(f, s, c, cl)
  if getmt(s) == loops.Frame then
    return kernel.frame_of(f, s, c, cl)
  end
end

-- jit -------------------------------------------------------------------------

-- Options that TileLang knows and that say nothing here.
local without_effect = {
  execution_backend = true, target_host = true, debug_root_path = true, compile_flags = true, use_pipeline = true,
}

-- Keys of pass_configs that do something; of the others a note says that they do not.
local acting = {["tl.enable_fast_math"] = true, tl_enable_fast_math = true, ["tl.disable_persistent"] = true, tl_disable_persistent = true,
  ["tl.disable_spare_stage"] = true, tl_disable_spare_stage = true,
  ["tl.disable_thread_storage_sync"] = true, tl_disable_thread_storage_sync = true}

local function note_configs(d)
  for k in dict.each(core.kind(d) == "dict" and d or dict.new()) do
    if not acting[k] then
      target.note(('pass_configs["%s"]'):format(tostring(to_lua(k))))
    end
  end
end

local function options(kw)
  local o = {}
  for k, v in dict.each(kw or dict.new()) do
    if k == "pass_configs" then
      note_configs(v)
    end
    if without_effect[k] then
      target.note(k)
    elseif k == "target" then
      o[k] = target.chosen(v)
    else -- None is nil, as without it
      o[k] = to_lua(v)
    end
  end
  return o
end

function trace.spelled(f)
  local sig = sigs[f]
  return sig and not sig.native and not sig.of and sig or nil
end

function names_of_T.exact()
  local ok, t = pcall(trace.current)
  return ok and t ~= nil and trace.spelled(t.f) ~= nil
end

-- Python's function as one of tl's.
local function make(f, kw)
  local sig = sigs[f]
  if not sig or sig.native then
    return tl.jit(to_lua(f), options(kw))
  end
  trace.named[f] = sig.name
  local j = jit.make(f, options(kw))
  j.vararg, j.given = sig.vararg ~= nil, kw or false
  return j
end

-- A decorator with or without arguments.
local function decorator(name, apply)
  return native.make(name, "**", function(kw, f)
    if f == nil or f == None then
      return native.make(name, "f", function(g) return apply(g, kw) end)
    end
    return apply(f, kw)
  end)
end

-- Arguments -------------------------------------------------------------------

-- An argument as a kernel keeps it.
local function argument(v)
  if v == None then
    return v
  end
  return to_lua(v)
end

-- The arguments of a call by position with defaults filled in, how many, and a table of names that
-- are no parameters (or were given twice: tl says so) or nil.
local function bound(self, names, ...)
  local sig = sigs[self.f] or {default = {}}
  local npos, all, values, extra = select("#", ...) - #names, {...}, {}, nil
  for i = 1, npos do
    values[i] = argument(all[i])
  end
  for i, name in ipairs(names) do
    local at, v = self.index[name], argument(all[npos + i])
    if at and at > npos then
      values[at] = v
    else
      extra = extra or {}
      extra[name] = v
    end
  end
  for i = 1, #self.params do
    local d = sig.default[i]
    if values[i] == nil and d ~= nil then
      values[i] = argument(d)
    end
  end
  return values, math.max(npos, #self.params), extra
end

-- f(jit, ..) with the arguments bound.
local function with_arguments(f)
  return function(self, names, ...)
    if self.decorator then
      return make((...), nil)
    end
    local values, n, extra = bound(self, names, ...)
    if extra then
      n = n + 1
      values[n] = extra
    end
    return packed(f(self, unpack(values, 1, n)))
  end
end

local none = {}
local call = with_arguments(function(self, ...) return self(...) end)
local compile = with_arguments(jit.Jit.compile)
jit.Jit.__py_callk = call
jit.Jit.__py_call = function(self, ...) return call(self, none, ...) end

-- j.compile(..)
local Compile = {
  __py_callk = function(m, names, ...) return compile(m.jit, names, ...) end,
  __py_call = function(m, ...) return compile(m.jit, none, ...) end,
}

-- f.func, TileLang's JITFunc: called, it gives the T.prim_func; f.get_tir(..) does, too.
local JITFunc = made.class("JITFunc", "tilelang.language.eager.builder", {
  ["__call__(**)"] = function(kw, f, ...)
    local names, values = {}, core.pack(...)
    for k, v in dict.each(kw or dict.new()) do
      names[#names + 1] = k
      values[values.n + #names] = v
    end
    local emit = device.emit
    local _ <close> = setmetatable({}, {__close = function() device.emit = emit end})
    device.emit = emit and function() end -- it is the program that is asked for: what compiles it shows it
    local prim = compile(f.jit, names, unpack(values, 1, values.n + #names)).prim
    prim.asked = true
    for _, other in ipairs(prims.made or {}) do
      if other == prim then
        return prim
      end
    end
    table.insert(prims.made or {}, prim)
    return prim
  end,
})

local function prim_of(self)
  return made.object(JITFunc, {jit = self, orig_func = self.f, __wrapped__ = self.f, __name__ = self.name})
end

-- Of TileLang's JITImpl: what the decorator was given, and what is computed; false: has no meaning here, and says so.
local given = {}
for name in ("out_idx execution_backend target target_host verbose pass_configs debug_root_path compile_flags"):gmatch "%S+" do
  given[name] = true
end

local function mode(self)
  return self.lazy and "lazy" or next(self.sigs) and "eager" or "auto"
end

local of_jit = {
  compile = function(self) return setmetatable({jit = self}, Compile) end,
  signature = function(self)
    return sigs[self.f] and require("moontile.python.lib.inspect").signature(self.f)
  end,
  mode = mode,
  is_lazy_mode = function(self)
    return native.make("is_lazy_mode", "", function() return mode(self) == "lazy" end)
  end,
  func = prim_of, get_tir = prim_of, func_source = false, parse_cache_key = false, initialize_jit_mode = false,
}

-- Only what has those names is there: a field of our own would hide the default of a getattr().
jit.Jit.__py_attr = function(self, name)
  local kw, of = rawget(self, "given"), of_jit[name]
  if kw ~= nil and given[name] then
    local v = kw and dict.get(kw, name)
    if v == nil or not kw then
      return None
    end
    return v
  elseif of == false then
    exc.fail("NotImplementedError", ("`%s` of a tilelang.jit function is not available here"):format(name), nil, name)
  elseif of then
    return of(self)
  end
  local v
  if rawget(self, name) == nil then
    v = core.late.foreign_attr(self, name)
  end
  if v == nil then
    attr.missing(self, name, ("'JITImpl' object has no attribute '%s'"):format(name))
  end
  return v
end

-- def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _Ret, under annotations that stay text
jit.Jit.__py_signature = {npos = 0, vararg = "args", kwarg = "kwargs", default = {},
  annotation = {args = function() return "_P.args" end, kwargs = function() return "_P.kwargs" end},
  returns = function() return "_Ret" end}

local around = tl -- what `tilelang` has besides the names of its own here

-- Configurations: a list, or a function that makes one from the arguments.
local function autotune(f, kw)
  local o = options(kw)
  o.supply_prog = tuner.supply(o.supply_prog)
  local j = getmt(f) == jit.Jit and f or make(f, nil)
  return around == tl and tune.autotune(j, o) or j
end

-- T ---------------------------------------------------------------------------

local function prim_func(f)
  local sig = sigs[f]
  trace.named[f] = sig and sig.name
  return from_lua(T.prim_func(f))
end

-- A macro is called as a function of Python's: by name, with defaults.
local function macro(f)
  local m, own = T.macro(f), {}
  for k, v in pairs(sigs[f]) do
    own[k] = v
  end
  own.stage = nil
  local function g(...)
    return packed(m(...))
  end
  sigs[g] = own
  return g
end

local loaders = {}

loaders["tilelang.language"] = function()
  local t = foreign.wrap("tilelang.language", T)
  t.prim_func = decorator("prim_func", prim_func)
  t.macro = decorator("macro", macro)
  t.inline, t.jit = t.macro, M.jit
  return t
end

-- The type that a format of 8 bits is on every target here.
local fp8 = {e4m3 = "float8_e4m3fn", e5m2 = "float8_e5m2"}

local determine = native.make("determine_fp8_type", "fp8_format?", function(format)
  format = format or "e4m3"
  if not fp8[format] then
    core.late.fail("ValueError", ("Unsupported FP8 format: %s"):format(tostring(format)))
  end
  return fp8[format]
end)

loaders["tilelang.language.fp8"] = function(P)
  return P.imports.module("tilelang.language.fp8",
    {determine_fp8_type = determine, determine_torch_fp8_type = native.make("determine_torch_fp8_type", "fp8_format?", function(format)
      return require("moontile.python.torch_dtype").of(determine(format))
    end)})
end

loaders["tilelang.language.dtypes"] = function(P)
  local torch_dtype = require "moontile.python.torch_dtype"
  local names, same = {dtype = from_lua(T.dtype)}, dict.new()
  for _, name in ipairs(types.list) do
    names[name] = name
    dict.put(same, torch_dtype.of(name), name)
  end
  for name, of in pairs(types.short) do
    names[name] = of
  end
  names._TORCH_DTYPE_TO_STR = same
  return P.imports.module("tilelang.language.dtypes", names)
end

-- tilelang --------------------------------------------------------------------

-- What tilelang.lower gives: the text of a kernel.
local of_lower = {runtime_only = true, enable_host_codegen = true, enable_device_compile = true} -- a text is all there is
local Artifact = made.class("CompiledArtifact", "tilelang.engine.param", {})

-- Another tl for programs that nobody trusts: the judge's, who gives configurations itself.
function M.host(t)
  around = t
end

function loaders.tilelang(P)
  local t = foreign.wrap("tilelang", around)
  t.jit, t.lazy_jit = M.jit, M.jit
  t.autotune = decorator("autotune", autotune)
  t.compile = native.make("compile", "**", function(kw, f)
    return from_lua(tl.compile(f, options(kw)))
  end)
  t.lower = native.make("lower", "**", function(kw, f)
    local rest = dict.new()
    for k, v in dict.each(kw or dict.new()) do
      if not of_lower[k] then
        dict.put(rest, k, v)
      end
    end
    local k = tl.compile(f, options(rest))
    return made.object(Artifact, {kernel_source = k:get_kernel_source(), params = core.late.attr(k, "params")})
  end)
  t.next_power_of_2 = native.make("next_power_of_2", "n", function(n)
    local p = 1
    while p < n do
      p = p * 2
    end
    return p
  end)
  t.JITKernel = compiled.JITKernel
  t.cdiv = native.make("cdiv", "a, b", function(a, b) return -(-a // b) end)
  t.TensorSupplyType = foreign.wrap("TensorSupplyType", require("moontile.tl.profiler").TensorSupplyType)
  t.DataType = tvm.DataType
  t.__version__, t.__file__ = "0.1.15", "<moontile>/tilelang/__init__.py"
  P.imports.loaded.tilelang = t -- before its parts, which ask for it
  t.language, t.profiler = P.import_as "tilelang.language", P.import_as "tilelang.profiler"
  t.env = P.import_as "tilelang.env"
  return t
end

M.jit = decorator("jit", make)

-- dtypes are texts, which have these attributes.
local function dtype_attr(v, name)
  local info = types.isdtype(v) and types.info(v)
  if not info then
    return nil
  elseif name == "bits" then
    return info.bits
  elseif name == "itemsize" then
    return (info.bits + 7) // 8
  elseif name == "lanes" then
    return 1
  elseif name == "as_torch" then
    return native.make("dtype.as_torch", "", function() return require("moontile.python.torch_dtype").of(v) end)
  end
end

-- T.float32(): in TileLang a variable of that type, by which annotations say the type.
local Scalar = {__name = "type", __tostring = function(t) return ("T.%s()"):format(t.dtype) end}

local function scalar_type(dtype)
  return setmetatable({kind = "scalar", dtype = dtype}, Scalar)
end

-- tilelang.autotuner, tilelang.utils, ..: names that stand in tilelang too.
local function part(name, pick)
  loaders["tilelang." .. name] = function(P)
    return P.imports.module("tilelang." .. name, pick(P, P.import_as "tilelang"))
  end
end

part("autotuner", function(_, t)
  local names = tuner.names(make)
  names.autotune = t.autotune
  return names
end)
part("jit", function(_, t)
  return {jit = t.jit, lazy_jit = t.lazy_jit, compile = t.compile, JITKernel = compiled.JITKernel, JITImpl = compiled.JITImpl}
end)
part("jit.kernel", function() return {JITKernel = compiled.JITKernel} end)
part("engine.param", function() return {KernelParam = compiled.KernelParam}
end)
part("utils", function(_, t) return {cdiv = t.cdiv, next_power_of_2 = t.next_power_of_2} end)
local layout_names = {"make_swizzled_layout", "make_linear_layout", "Layout", "Fragment", "make_wgmma_swizzled_layout",
  "make_full_bank_swizzled_layout", "make_half_bank_swizzled_layout", "make_quarter_bank_swizzled_layout",
  "make_gemm_fragment_8x8", "make_gemm_fragment_8x8_transposed", "make_fully_replicated_layout_fragment"}
part("layout", function(P)
  local t = P.import_as "tilelang.language"
  local m = foreign.wrap("tilelang.layout", tl.layout)
  for _, name in ipairs(layout_names) do
    m[name] = core.late.attr(t, name)
  end
  return m
end)
part("layout.swizzle", function(P)
  local t, m = P.import_as "tilelang.language", {}
  for _, name in ipairs(layout_names) do
    m[name] = core.late.attr(t, name)
  end
  return m
end)
part("engine.lower", function(_, t) return {lower = t.lower} end)
part("engine", function(_, t) return {lower = t.lower} end)
part("math", function(_, t) return {cdiv = t.cdiv, next_power_of_2 = t.next_power_of_2} end)

-- Makes `import tilelang` known.
function M.install(P)
  core.late.text_attr = dtype_attr
  core.late.callable_text, core.late.type_of_text = types.isdtype, scalar_type -- T.float16(x), T.float16()
  for name, f in pairs(loaders) do
    P.imports.loaders[name] = f
  end
  tvm.install(P)
  require("moontile.python.tilelang_parts").install(P)
end

return M
