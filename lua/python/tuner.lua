-- python/tuner.lua: tilelang.autotuner: AutoTuner, which tunes a function step by step, and the inputs that
-- a block of a program sets for what it tunes.  The search is tl.autotune's.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local dry = require "moontile.tl.dry"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local tensor = require "moontile.tensor"
local tune = require "moontile.tl.tune"

local M = {}

local None, to_lua = core.None, foreign.to_lua

-- A number that nobody has measured: of a dry run.
local function unseen()
  local t = tensor.new({}, "float64")
  tensor.unseen(t, true)
  return t
end

-- Inputs ----------------------------------------------------------------------

local Inputs = made.class("AutotuneInputsCapture", "tilelang.autotuner.capture", {
  ["__enter__(self)"] = function(c)
    tune.push_inputs(c.list)
    return None
  end,
  ["__exit__(self, kind, value, traceback)"] = function()
    tune.pop_inputs()
    return None
  end,
})

-- set_autotune_inputs(a, b) or ([a, b]): a context in which trials get these tensors.
M.set_autotune_inputs = native.make("set_autotune_inputs", "**", function(_, ...)
  local list = core.pack(...)
  local first = list[1]
  if list.n == 1 and (debug.getmetatable(first) == core.List or debug.getmetatable(first) == core.Tuple) then
    list = first
  end
  return setmetatable({list = to_lua(core.list(table.move(list, 1, list.n, 1, {}), list.n))}, Inputs.meta)
end)

M.get_autotune_inputs = native.make("get_autotune_inputs", "", function()
  local list = tune.current_inputs()
  return list and foreign.from_lua(list) or None
end)

-- AutoTuner -------------------------------------------------------------------

-- What `run` gives.
local Result = made.class("AutotuneResult", "tilelang.autotuner.param", {
  ["__repr__(self)"] = function(r)
    return ("AutotuneResult(latency=%s, config=%s)"):format(core.late.repr(r.latency), core.late.repr(r.config))
  end,
})
made.properties(Result, {
  libcode = function(r) return foreign.from_lua(r.kernel:get_kernel_source()) end,
})

-- Options of set_profile_args and run that tl.autotune has under the same name.
local searched = {warmup = true, rep = true, timeout = true, supply_type = true, ref_prog = true, supply_prog = true,
  rtol = true, atol = true, max_mismatched_ratio = true, skip_check = true, manual_check_prog = true,
  cache_input_tensors = true, early_stop = true, early_stop_factor = true}
-- Those that say nothing here: one clock, one device.
local silent = {backend = true, use_pipeline = true, enable_grouped_compile = true, group_compile_size = true,
  num_workers = true}

-- TileLang's supply_prog: f(params) gives the inputs of the trials; each param has shape and dtype.
function M.supply(f)
  return f and function(params)
    local list = {}
    for i, p in ipairs(params) do
      list[i] = p.object
    end
    return f(list)
  end
end

-- Adds what a call names to the tuner's options.
local function take(t, what, kw)
  for name, v in dict.each(kw or dict.new()) do
    if searched[name] then
      t.options[name] = name == "supply_prog" and M.supply(to_lua(v)) or to_lua(v)
    elseif not silent[name] then
      exc.fail("TypeError", ("%s() got an unexpected keyword argument '%s'"):format(what, name), "py_args", name,
        what .. "(warmup=, rep=, timeout=, ref_prog=, supply_type=, ..)")
    end
  end
end

-- The configurations as lists of names and values for tl.
local function configurations(v)
  local list = to_lua(v)
  if type(list) ~= "table" and type(list) ~= "function" then
    exc.fail("TypeError", "AutoTuner's configs are a list of dicts, or a function that gives one")
  end
  return list
end

local Tuner = made.class("AutoTuner", "tilelang.autotuner", {
  ["set_compile_args(**)"] = function(kw, t)
    t.compile = kw
    return t
  end,
  ["set_profile_args(**)"] = function(kw, t)
    take(t, "set_profile_args", kw)
    return t
  end,
  ["run(**)"] = function(kw, t, warmup, rep)
    take(t, "run", kw)
    t.options.warmup, t.options.rep = to_lua(warmup) or t.options.warmup, to_lua(rep) or t.options.rep
    t.options.configs = t.configs
    local k = tune.autotune(t.jit(t.f, t.compile), t.options)()
    local config = k.tuned and foreign.from_lua(k.tuned) or None
    return made.object(Result, {latency = k.latency or dry.hidden and unseen() or None, config = config, kernel = k, ref_latency = None, func = None})
  end,
})

-- tilelang.autotuner's names; jit(f, kw): a Python function as one of tl's
function M.names(jit)
  made.classmethod(Tuner, "from_kernel", function(cls, kw, f, configs)
    f = f or kw and dict.get(kw, "kernel")
    configs = configs or kw and dict.get(kw, "configs")
    if not f or not configs then
      exc.fail("TypeError", "AutoTuner.from_kernel() needs kernel and configs", "py_args", nil, "from_kernel(kernel, configs)")
    end
    return setmetatable({f = f, configs = configurations(configs), options = {}, jit = jit}, cls.meta)
  end)
  return {AutoTuner = Tuner, AutotuneResult = Result, set_autotune_inputs = M.set_autotune_inputs,
    get_autotune_inputs = M.get_autotune_inputs}
end

return M
