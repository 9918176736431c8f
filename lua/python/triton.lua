-- python/triton.lua: `import triton`: what host programs use of it beside their kernels: cdiv, do_bench and the like.
-- A Triton kernel can be defined; whoever launches it is told that moontile does not run it.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local dry = require "moontile.tl.dry"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local profiler = require "moontile.tl.profiler"
local tensor = require "moontile.tensor"

local M = {}

local None = core.None

-- Kernels ---------------------------------------------------------------------------

local Kernel

local function refuse(k)
  exc.fail("NotImplementedError", ("`%s` is a Triton kernel, which moontile cannot run: write it with tilelang.language")
    :format(core.late.attr(k, "__name__")), nil, "triton")
end

-- kernel[grid]: what launches it.  In a dry run nothing is launched: what it would have written is not known then.
local function launcher(k)
  if not dry.hidden then
    return refuse(k)
  end
  return native.make("run", "**", function(kw, ...)
    local function hide(v)
      if tensor.istensor(v) then tensor.unseen(v, true) end
    end
    for i = 1, select("#", ...) do hide((select(i, ...))) end
    for _, v in dict.each(kw or dict.new()) do hide(v) end
    return None
  end)
end

Kernel = made.class("JITFunction", "triton.runtime.jit", {
  ["__getitem__(self, grid)"] = launcher, ["__call__(**)"] = function(_, k) return refuse(k) end,
  ["run(**)"] = function(_, k) return refuse(k) end, ["warmup(**)"] = function(_, k) return refuse(k) end,
  ["__repr__(self)"] = function(k) return ("JITFunction(%s)"):format(core.late.attr(k, "__name__")) end,
})

local function kernel(f)
  if core.late.attr_or_nil(f, "fn") ~= nil then
    return f -- a decorator on top of another
  end
  return made.object(Kernel, {fn = f, __name__ = core.late.attr(f, "__name__")})
end

-- @triton.jit, @triton.jit(..)
local jit = native.make("jit", "**", function(_, f)
  return f and kernel(f) or native.make("jit", "fn", kernel)
end)

-- @triton.autotune(configs=.., key=..), @triton.heuristics({..})
local function decorator(name)
  return native.make(name, "**", function() return native.make(name, "fn", kernel) end)
end

local Config = made.class("Config", "triton.runtime.autotuner", {
  ["__init__(self, kwargs, num_warps?, num_stages?, num_ctas?, maxnreg?, pre_hook?)"] = function(c, kwargs, warps, stages)
    local put = attr.put
    put(c, "kwargs", kwargs)
    put(c, "num_warps", warps or 4)
    put(c, "num_stages", stages or 3)
    return None
  end,
})

-- triton.language -------------------------------------------------------------------

-- Names that stand in signatures and bodies of kernels: each can be named, none does anything.
local words = "program_id num_programs load store make_block_ptr advance arange zeros full cat reshape view trans \z
  permute broadcast_to expand_dims ravel join split dot dot_scaled where sum max min argmax argmin reduce sort cumsum cumprod \z
  associative_scan exp exp2 log log2 sqrt rsqrt sin cos abs ceil floor sigmoid softmax maximum minimum clamp fma fdiv div_rn \z
  erf cdiv swizzle2d static_range range static_print static_assert device_print device_assert debug_barrier multiple_of \z
  max_contiguous max_constancy assume atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg atomic_cas \z
  rand randn randint randint4x rand4x randn4x philox umulhi histogram gather inline_asm_elementwise cast tensor pointer_type \z
  block_type void dtype int1 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float8e4nv float8e5 float16 bfloat16 float32 \z
  float64 math"

local Word = made.class("name", "triton.language", {
  ["__call__(**)"] = function(_, w)
    exc.fail("NotImplementedError", ("triton.language.%s is only known in a Triton kernel, which moontile cannot run")
      :format(core.late.attr(w, "__name__")), nil, "triton")
  end,
})

local device_words = "abs exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan tanh sinh cosh erf floor ceil pow fma \z
  fast_expf fast_exp10f fast_logf fast_log2f fast_log10f fast_powf fast_sinf fast_cosf fast_tanf fast_dividef rint round trunc \z
  isnan isinf div_rn mulhi popc clz ffs"

-- constexpr, in signatures, and around a value that kernels are to see
local Constexpr = made.class("constexpr", "triton.language.core", {
  ["__init__(self, value)"] = function(c, v)
    attr.put(c, "value", v)
    return None
  end,
  ["__repr__(self)"] = function(c) return ("constexpr[%s]"):format(core.late.repr(core.late.attr(c, "value"))) end,
})

local function module_of(name, list)
  return function(P)
    local names = {constexpr = list == words and Constexpr or nil}
    for word in list:gmatch "%S+" do
      names[word] = made.object(Word, {__name__ = word})
    end
    return P.imports.module(name, names)
  end
end

-- Host --------------------------------------------------------------------------------

local function integer(name, v)
  return index.integer(v) or exc.fail("TypeError", ("%s: an integer is needed, not '%s'"):format(name, core.typename(v)))
end

-- The time of f in milliseconds: the mean, unless quantiles or return_mode ask for others.
local function do_bench(f, warmup, rep, _, quantiles, mode)
  local o = {warmup = warmup or 25, rep = rep or 100, return_mode = mode or "mean"}
  if quantiles ~= nil and quantiles ~= None then
    o.quantiles = foreign.to_lua(quantiles)
  end
  local run = foreign.to_lua(native.make("fn", "", function() return func.call(f) end))
  return foreign.from_lua(profiler.do_bench(run, o))
end

local loaders = {}

loaders["triton.language"] = module_of("triton.language", words)
loaders["triton.language.extra"] = module_of("triton.language.extra", "")
loaders["triton.language.extra.libdevice"] = module_of("triton.language.extra.libdevice", device_words)

loaders["triton.testing"] = function(P)
  return P.imports.module("triton.testing", {
    do_bench = native.make("do_bench", "fn, warmup?, rep?, grad_to_none?, quantiles?, return_mode?", do_bench),
  })
end

loaders.triton = function(P)
  return P.imports.module("triton", {
    jit = jit, autotune = decorator "autotune", heuristics = decorator "heuristics", Config = Config,
    JITFunction = Kernel, __version__ = "3.4.0",
    cdiv = native.make("cdiv", "x, y", function(x, y)
      x, y = integer("cdiv", x), integer("cdiv", y)
      if y == 0 then exc.fail("ZeroDivisionError", "integer division or modulo by zero") end
      return (x + y - 1) // y
    end),
    next_power_of_2 = native.make("next_power_of_2", "n", function(n)
      n = integer("next_power_of_2", n)
      local p = 1
      while p < n do p = p * 2 end
      return n < 1 and 0 or p
    end),
  })
end

function M.install(P)
  for name, f in pairs(loaders) do
    P.imports.loaders[name] = f
  end
end

return M
