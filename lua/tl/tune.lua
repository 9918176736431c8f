-- tl/tune.lua: tl.autotune: TileLang's form of tuning: configurations of a tl.jit
-- function are tried when it is called, and the fastest is kept.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local jit = require "moontile.tl.jit"
local merged = require "moontile.base.merged"
local signatures = require "moontile.tl.signatures"
local space = require "moontile.tl.tune.space"
local W = require "moontile.base.translations"

local M = {}

local Tuned = {__name = "autotuned"}
Tuned.__index = Tuned

local option_names = {
  "configs", "warmup", "rep", "timeout", "supply_type", "ref_prog", "supply_prog", "rtol", "atol",
  "max_mismatched_ratio", "skip_check", "manual_check_prog", "cache_input_tensors",
  "do_not_specialize", "early_stop", "early_stop_factor", "verbose", "budget", "cache",
}

-- The function with a configuration's own `pass_configs`.
local function variant(self, config)
  local extra = config.pass_configs
  if not extra then
    return self.jit
  end
  local key = space.text(extra)
  if not self.variants[key] then
    local opts = merged(self.jit.opts, {pass_configs = merged(self.jit.opts.pass_configs or {},
      extra)})
    self.variants[key] = jit.jit(self.jit.f, opts)
  end
  return self.variants[key]
end

-- The kernel of a configuration.
local function kernel_of(self, pos, n, names, config)
  local args = table.move(pos, 1, n, 1, {})
  args[n + 1] = merged(names, config)
  args[n + 1].pass_configs = nil
  return (variant(self, config):compile(table.unpack(args, 1, n + 1)))
end

-- Inputs that blocks of the program have set for all that is tuned within, the innermost last.
local blocks = {}

function M.push_inputs(list) blocks[#blocks + 1] = list end

function M.pop_inputs() blocks[#blocks] = nil end

-- The innermost block's, or nil.
function M.current_inputs() return blocks[#blocks] end

-- Inputs of the trials: the block's, the call's tensors, supply_prog's, or those of the supply type.
local function supply(self, inputs)
  local o = self.opts
  inputs = M.current_inputs() or inputs
  return function(k)
    local p = k:get_profiler(o.supply_type)
    return inputs or (o.supply_prog and o.supply_prog(k.inputs)) or p:inputs()
  end
end

-- What is slower than the best so often is not timed again, or nil.
local function stop_at(o)
  local factor = o.early_stop_factor or 2
  if not math.type(factor) or factor < 1 then
    diag.fail("arg_type", "tl.autotune", "early_stop_factor", W"a number from 1 up",
      tostring(factor), "tl.autotune{configs = ..., early_stop = true, early_stop_factor = 2}")
  end
  return o.early_stop and factor or nil
end

-- -> the fastest kernel; as in TileLang warmup and rep are counts of runs here.  All trials
-- get the same tensors, as with TileLang's cache_input_tensors.
local function search(self, pos, n, names, inputs)
  local o = self.opts
  local configs = o.configs
  if type(configs) == "function" then
    configs = configs(table.unpack(pos, 1, n))
  end
  if type(configs) ~= "table" or #configs == 0 then
    diag.fail("tune_empty")
  end
  space.list(configs)
  return require("moontile.tl.tune.search").run {name = self.jit.name, jit = self.jit,
    make = function(config) return kernel_of(self, pos, n, names, config) end,
    configs = configs, budget = require("moontile.tl.tune.api").seconds(o.budget),
    rep = o.rep or 20, warmup = o.warmup, timeout = o.timeout, inputs = supply(self, inputs),
    keep = o.cache ~= false and not (o.ref_prog or o.supply_prog or o.manual_check_prog),
    ref_prog = o.ref_prog, manual_check_prog = o.manual_check_prog, rtol = o.rtol, atol = o.atol,
    max_mismatched_ratio = o.max_mismatched_ratio, skip_check = o.skip_check,
    stop_at = stop_at(o), verbose = o.verbose}
end

local function split(...)
  local n = select("#", ...)
  local pos = {...}
  local last = pos[n]
  local names = {}
  if n > 0 and type(last) == "table" and getmetatable(last) == nil and
    type(next(last)) == "string" then
    names, n = last, n - 1
  end
  return pos, n, names
end

-- Has the caller chosen all that would be tuned?
local function given(self, n, names)
  local configs = self.opts.configs
  local first = type(configs) == "table" and configs[1]
  if type(first) ~= "table" or next(first) == nil then
    return false
  end
  for key in pairs(first) do
    if names[key] == nil and (self.jit.index[key] or n + 1) > n then
      return false
    end
  end
  return true
end

-- Parameters of do_not_specialize, by name: whatever their values, what was found for
-- some holds for all.
local function unspecial(self)
  local set, list = {}, self.opts.do_not_specialize or {}
  for _, p in ipairs(type(list) == "table" and list or {list}) do
    local name = math.type(p) and self.jit.params[p + 1] or p
    if type(name) == "string" then
      set[name] = true
    end
  end
  return set
end

-- The fastest kernel for a call: found before; of the configuration found for others that
-- do_not_specialize makes equal; searched for.
local function best_of(self, pos, n, names, inputs, key, alike)
  if self.found[key] then
    return self.found[key]
  end
  local config = self.chosen[alike]
  local best = config and kernel_of(self, pos, n, names, config) or
    search(self, pos, n, names, inputs)
  self.found[key], self.chosen[alike] = best, config or best.tuned
  return best
end

-- Tensors among the arguments are the inputs of the trials.
function Tuned.__call(self, ...)
  if self.decorator then
    return M.wrap((...), self.opts)
  end
  local pos, n, names = split(...)
  if given(self, n, names) then
    return self.jit(...)
  end
  local inputs = {}
  local tensor = require "moontile.tensor"
  local key, alike, skip, rest = {}, {}, unspecial(self), {}
  for i = 1, n do
    if tensor.istensor(pos[i]) then
      inputs[#inputs + 1] = pos[i]
      key[i] = table.concat(pos[i].shape, "x") .. pos[i].dtype
    else
      key[i] = tostring(pos[i])
    end
    alike[i] = skip[self.jit.params[i]] and "" or key[i]
  end
  for name, v in pairs(names) do
    if not skip[name] then
      rest[name] = v
    end
  end
  local best = best_of(self, pos, n, names, #inputs > 0 and inputs or nil,
    table.concat(key, ";") .. space.text(names), table.concat(alike, ";") .. space.text(rest))
  self.best = best
  if #inputs > 0 and not self.jit.lazy then
    local r = table.pack(best(table.unpack(inputs)))
    return table.unpack(r, 1, r.n)
  end
  return best
end

-- The fastest kernel for these arguments, as a tl.jit function's compile.
function Tuned:compile(...)
  local _, n, names = split(...)
  if given(self, n, names) then
    return self.jit:compile(...)
  end
  self(...)
  return self.best
end

accept.methods(Tuned, {what = "autotuned:", self = {Tuned, "a tl.autotune function"}}, {})

function Tuned.__tostring(self)
  return self.decorator and "tl.autotune{...}" or "autotuned " .. tostring(self.jit)
end

function M.wrap(j, opts)
  if type(j) == "function" then
    j = jit.jit(j)
  end
  if getmetatable(j) ~= jit.Jit then
    diag.fail("arg_type", "tl.autotune", "f", W"a tl.jit function", describe(j),
      "tl.autotune(f, {configs = ...})")
  end
  return setmetatable({jit = j, opts = opts, found = {}, chosen = {},
    variants = {}}, Tuned)
end

local check_options = accept.checker("tl.autotune", signatures.autotune)

-- autotune(f, {configs = ...}), autotune{configs = ...}(f)
function M.autotune(f, opts)
  local o = opts or f
  if type(o) ~= "table" or getmetatable(o) ~= nil then
    diag.fail("tune_empty")
  end
  accept.known("tl.autotune", o, option_names)
  check_options(o)
  if opts then
    return M.wrap(f, opts)
  end
  return setmetatable({decorator = true, opts = f}, Tuned)
end

return M
