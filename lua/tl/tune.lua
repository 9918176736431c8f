-- tl/tune.lua: tl.autotune: tries configurations of a kernel and keeps the
-- fastest.

local diag = require "moontile.diag"
local jit = require "moontile.tl.jit"
local registry = require "moontile.T.registry"
local W = require "moontile.T.words"

local M = {}

local Tuned = {__name = "autotuned"}
Tuned.__index = Tuned

local option_names = {
  "configs", "warmup", "rep", "timeout", "supply_type", "ref_prog", "supply_prog", "rtol", "atol",
  "max_mismatched_ratio", "skip_check", "manual_check_prog", "cache_input_tensors",
    "do_not_specialize",
  "early_stop", "early_stop_factor", "verbose",
}

local function text(config)
  local parts = {}
  for k, v in pairs(config) do
    parts[#parts + 1] = k .. " = " .. tostring(v)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Arguments of one trial: the call's, with the configuration's names.
local function merged(names, config)
  local t = {}
  for k, v in pairs(names) do
    t[k] = v
  end
  for k, v in pairs(config) do
    t[k] = v
  end
  return t
end

local function kernel_of(self, pos, n, names)
  local j = self.jit
  local args = table.move(pos, 1, n, 1, {})
  args[n + 1] = names
  if j.lazy or #args == 1 then
    local k = j:compile(table.unpack(args, 1, n + 1))
    return k
  end
  return (j:compile(table.unpack(args, 1, n + 1)))
end

-- Milliseconds of one configuration.
local function try(self, pos, n, names, inputs)
  local o = self.opts
  local k = kernel_of(self, pos, n, names)
  local p = k:get_profiler(o.supply_type)
  inputs = inputs or (o.supply_prog and o.supply_prog(k.inputs))
  if o.ref_prog and not o.skip_check then
    p:assert_allclose(o.ref_prog, {input_tensors = inputs, rtol = o.rtol, atol = o.atol})
  end
  return k, p:do_bench {n_warmup = o.warmup or 3, n_repeat = o.rep or 10, input_tensors = inputs}
end

local function search(self, pos, n, names, inputs)
  local configs = self.opts.configs
  if type(configs) == "function" then
    configs = configs(table.unpack(pos, 1, n))
  end
  if type(configs) ~= "table" or #configs == 0 then
    diag.fail("tune_empty")
  end
  local best, first
  for _, c in ipairs(configs) do
    local ok, k, ms = pcall(try, self, pos, n, merged(names, c), inputs)
    if ok then
      if not best or ms < best.latency then
        best = {latency = ms, config = c, kernel = k}
      end
    else
      first = first or diag.isdiag(k) and k or diag.make("lua", tostring(k))
    end
    if self.opts.verbose then
      io.stderr:write(("autotune %s %s\n"):format(text(c), ok and ("%.4f ms"):format(ms) or
        "failed"))
    end
  end
  if not best then
    local d = diag.make("tune_none", self.jit.name, #configs)
    error(diag.note(d, "tune_first", first.file, first.line, first.col, first.message, first.label),
      0)
  end
  best.kernel.latency, best.kernel.tuned = best.latency, best.config
  return best
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
  local key = {}
  for i = 1, n do
    if tensor.istensor(pos[i]) then
      inputs[#inputs + 1] = pos[i]
      key[i] = table.concat(pos[i].shape, "x") .. pos[i].dtype
    else
      key[i] = tostring(pos[i])
    end
  end
  key = table.concat(key, ";") .. text(names)
  local best = self.found[key]
  if not best then
    best = search(self, pos, n, names, #inputs > 0 and inputs or nil)
    self.found[key] = best
  end
  self.best = best
  if #inputs > 0 and not self.jit.lazy then
    return best.kernel(table.unpack(inputs))
  end
  return best.kernel
end

-- The fastest kernel for these arguments, as a tl.jit function's compile.
function Tuned:compile(...)
  local _, n, names = split(...)
  if given(self, n, names) then
    return self.jit:compile(...)
  end
  self(...)
  return self.best.kernel
end

function Tuned.__tostring(self)
  return self.decorator and "tl.autotune{...}" or "autotuned " .. tostring(self.jit)
end

function M.wrap(j, opts)
  if type(j) == "function" then
    j = jit.jit(j)
  end
  if getmetatable(j) ~= jit.Jit then
    diag.fail("arg_type", "tl.autotune", "f", W"a tl.jit function", registry.describe(j),
      "tl.autotune(f, {configs = ...})")
  end
  return setmetatable({jit = j, opts = opts, found = {}}, Tuned)
end

-- autotune(f, {configs = ...}), autotune{configs = ...}(f)
function M.autotune(f, opts)
  local o = opts or f
  if type(o) ~= "table" or getmetatable(o) ~= nil then
    diag.fail("tune_empty")
  end
  for k in pairs(o) do
    local ok = false
    for _, n in ipairs(option_names) do
      ok = ok or n == k
    end
    if not ok then
      diag.fail("option_unknown", "tl.autotune", tostring(k), table.concat(option_names, ", "))
    end
  end
  if opts then
    return M.wrap(f, opts)
  end
  return setmetatable({decorator = true, opts = f}, Tuned)
end

return M
