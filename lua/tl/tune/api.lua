-- tl/tune/api.lua: k:tune{...} and f:tune(...) of tl.jit functions.
--
--   k = k:tune{budget = "20s"}
--   k = matmul:tune(a, b, {BM = 128, BN = 128, BK = 32, budget = "20s",
--                          space = {BM = {64, 128}, num_stages = {2, 3, 4}}})
--
-- Options: budget (seconds, or "20s", "2m", "500ms"), space (see tune/space.lua), inputs,
-- sizes (of symbols), ref_prog, rtol, atol, max_mismatched_ratio, skip_check, rep (timed
-- runs of the last round), jobs (compilers at once), top (at most so many are compiled),
-- fresh (do not look into the store), cache = false (do not keep it), verbose.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local merged = require "moontile.base.merged"
local search = require "moontile.tl.tune.search"
local space = require "moontile.tl.tune.space"
local tensor = require "moontile.tensor"
local W = require "moontile.base.translations"

local M = {}

local known = {
  budget = true, space = true, inputs = true, sizes = true, ref_prog = true, rtol = true,
  atol = true, max_mismatched_ratio = true, skip_check = true, rep = true, jobs = true,
  top = true, fresh = true, cache = true, verbose = true, scalars = true,
}

local units = {ms = 1e-3, s = 1, m = 60, min = 60}

-- "20s" -> 20
function M.seconds(v)
  if v == nil or math.type(v) and v >= 0 then -- which nan is not
    return v
  end
  local n, unit = tostring(v):match "^%s*([%d.]+)%s*(%a*)%s*$"
  local scale = n and units[unit == "" and "s" or unit]
  if not scale or not tonumber(n) then
    diag.fail("tune_budget", tostring(v))
  end
  return tonumber(n) * scale
end

-- Compile-time parameters of a tl.jit function.
local function parameters(j)
  local names = {}
  for _, name in ipairs(j.params) do
    if not j.kinds[name] then
      names[#names + 1] = name
    end
  end
  return names
end

-- Inputs of a trial: normal numbers where the caller gave none.
local function inputs(opts)
  return function(k)
    if opts.inputs then
      return opts.inputs
    end
    local scalars = opts.scalars or {}
    return k:get_profiler("Randn"):inputs(opts.sizes, function(p)
      return scalars[p.name] or diag.fail("bench_scalar", k.name, p.name)
    end)
  end
end

-- make(config) -> kernel; base: the values that hold where a configuration says nothing
local function run(j, make, base, opts)
  local function same(config)
    local ok, k = pcall(search.traced, make, config)
    if not ok then
      return nil
    end
    return search.tensors(k) == search.tensors(search.traced(make, {}))
  end
  local of = opts.space or space.derive(parameters(j), base, same)
  local configs = space.configs(of, base)
  if not configs then
    diag.fail("tune_large", j.name)
  end
  local mine = {} -- the base first, whole, as far as the space names it
  if type(of) == "table" and of[1] == nil then
    for name in pairs(of) do
      mine[name] = base[name]
    end
    if next(mine) and (not configs[1] or space.text(configs[1]) ~= space.text(mine)) then
      table.insert(configs, 1, mine)
    end
  end
  return search.run {name = j.name, jit = j, make = make, configs = configs,
    budget = M.seconds(opts.budget or 20), rep = opts.rep or 20, jobs = opts.jobs,
    top = opts.top or 24, prune = true, keep = opts.cache ~= false, fresh = opts.fresh,
    sizes = opts.sizes, inputs = inputs(opts), ref_prog = opts.ref_prog, rtol = opts.rtol,
    atol = opts.atol, max_mismatched_ratio = opts.max_mismatched_ratio,
    skip_check = opts.skip_check, verbose = opts.verbose}
end

function M.kernel(k, opts)
  opts = opts or {}
  if type(opts) ~= "table" or getmetatable(opts) ~= nil then
    diag.fail("arg_type", "kernel:tune", "options", W"a table", describe(opts),
      "k:tune{budget = \"20s\"}")
  end
  accept.known("kernel:tune", opts, known)
  local j = k.jit
  if not j then
    diag.fail("tune_jit", k.name)
  end
  local function make(config)
    return (j:compile(merged(k.config, config)))
  end
  return run(j, make, k.config, opts)
end

-- The last table holds options and compile-time values; tensors among the arguments are
-- the inputs of the trials.
function M.jit(j, ...)
  local n, args = select("#", ...), {...}
  local names, opts = {}, {}
  if n > 0 and type(args[n]) == "table" and getmetatable(args[n]) == nil then
    for key, v in pairs(args[n]) do
      if known[key] and not j.index[key] then
        opts[key] = v
      else
        names[key] = v
      end
    end
    args[n] = nil
    n = n - 1
  end
  local values = {}
  for i = 1, n do
    values[#values + 1] = tensor.istensor(args[i]) and args[i] or nil
  end
  if #values > 0 and not opts.inputs then
    opts.inputs = values
  end
  local function make(config)
    local all = table.move(args, 1, n, 1, {})
    for key, v in pairs(config) do -- a value by position gives way
      local i = j.index[key]
      if i and i <= n then
        all[i] = v
      end
    end
    local by_name = {}
    for key, v in pairs(merged(names, config)) do
      local i = j.index[key]
      if not (i and i <= n) then
        by_name[key] = v
      end
    end
    all[n + 1] = by_name
    return (j:compile(table.unpack(all, 1, n + 1)))
  end
  local base = merged(names, {})
  local first = search.traced(make, {})
  for key, v in pairs(first.config) do
    if base[key] == nil then
      base[key] = v
    end
  end
  return run(j, make, base, opts)
end

return M
