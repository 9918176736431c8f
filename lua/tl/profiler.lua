-- tl/profiler.lua: how long a kernel takes, and whether it is right.

local accept = require "moontile.base.accept"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local symbol = require("moontile.tl.kernel").symbol
local signatures = require "moontile.tl.signatures"
local stats = require "moontile.tl.stats"
local tensor = require "moontile.tensor"
local tl = require "moontile.tl.tensor"
local types = require "moontile.base.types"

local M = {doc = {}}

-- Inputs ------------------------------------------------------------------------------

-- TileLang's TensorSupplyType
M.TensorSupplyType = {Integer = 1, Uniform = 2, Normal = 3, Randn = 4, Zero = 5, One = 6, Auto = 7}

local function integers(shape, dtype)
  local i = types.info(dtype)
  if i.class == "B" then
    return tl.randint(0, 2, shape, dtype)
  elseif i.class == "U" then
    return tl.randint(0, 3, shape, dtype)
  end
  return tl.randint(-2, 3, shape, i.class == "F" and "int32" or dtype):astype(dtype)
end

local function uniform(shape, dtype)
  return (tl.rand(shape, "float32") * 2 - 1):astype(dtype)
end

local supply = {
  integers,
  uniform,
  function(shape, dtype) return (tl.randn(shape, "float32") - 1):astype(dtype) end,
  function(shape, dtype) return tl.randn(shape, "float32"):astype(dtype) end,
  function(shape, dtype) return tl.zeros(shape, dtype) end,
  function(shape, dtype) return tl.ones(shape, dtype) end,
  function(shape, dtype)
    return types.isfloat(dtype) and uniform(shape, dtype) or integers(shape, dtype)
  end,
}

-- The values of dimensions or strides; nil and the text of the first that has none.
local function known_dims(dims, env)
  local r = {}
  for d, x in ipairs(dims) do
    r[d] = x.n or ir.eval(x.e, env)
    if not r[d] then
      return nil, x.text
    end
  end
  return r
end

-- Fresh contents for p, with its strides where these are known.
local function tensor_for(self, p, env)
  local shape, unknown = known_dims(p.shape, env)
  if not shape then
    diag.fail("bench_symbols", self.kernel.name, unknown)
  end
  local t, strides = supply[self.supply](shape, p.dtype), p.strides and known_dims(p.strides, env)
  local wide = strides and tl.apart(shape, strides, p.dtype)
  return wide and wide:copy_(t) or t
end

-- Fresh arguments for a kernel; sizes: values of its symbols by name, and of scalars;
-- scalar(p) gives the scalar p, without it scalars are refused.
local function inputs(self, sizes, scalar)
  local k, env, values = self.kernel, {}, {}
  for i, name in ipairs(k.dim_names) do
    env[k.dim_vars[i]] = sizes and sizes[name]
  end
  for i, p in ipairs(k.inputs) do -- a shape may speak of any number
    if p.kind == "scalar" then
      values[i] = sizes and sizes[p.name] or scalar and scalar(p) or
        diag.fail("bench_scalar", k.name, p.name)
      local var = symbol(p)
      if var then
        env[var] = math.tointeger(values[i])
      end
    end
  end
  for i, p in ipairs(k.inputs) do
    values[i] = values[i] or tensor_for(self, p, env)
  end
  return values
end

-- Timing ------------------------------------------------------------------------------

local modes = {
  mean = function(s)
    local sum = 0
    for _, v in ipairs(s) do
      sum = sum + v
    end
    return sum / #s
  end,
  median = function(s) return stats.at(s, 0.5) end,
  min = function(s) return s[1] end,
  max = function(s) return s[#s] end,
}

local function summary(times, opts)
  local s = stats.sorted(times)
  if opts.quantiles then
    local r = {}
    for i, q in ipairs(opts.quantiles) do
      r[i] = stats.at(s, q)
    end
    return #r == 1 and r[1] or r
  end
  local mode = opts.return_mode or "median"
  if not modes[mode] then
    diag.fail("mode_value", "do_bench", "return_mode", tostring(mode), "mean, median, min, max")
  end
  return modes[mode](s)
end

-- What one timed run takes of the budget, in ms: by the wall clock, since the
-- caches that are flushed before it can take far longer than the kernel.
local function cost(time)
  time(1, 1)
  local from = ir.clock()
  time(0, 5)
  return math.max((ir.clock() - from) * 1e3 / 5, 1e-4)
end

-- time(n warm-ups, n runs) -> list of ms.  Budgets are milliseconds, counts win.
local function bench(time, opts)
  local n_warmup, n_repeat = opts.n_warmup or 0, opts.n_repeat or 0
  if n_warmup == 0 or n_repeat == 0 then
    local estimate = cost(time)
    if n_warmup == 0 then
      n_warmup = math.max(1, math.min(100000, (opts.warmup or 25) // estimate // 1 | 0))
    end
    if n_repeat == 0 then
      n_repeat = math.max(1, math.min(100000, (opts.rep or 100) // estimate // 1 | 0))
    end
  end
  return summary(time(n_warmup, n_repeat), opts)
end

local known = {
  "func", "warmup", "rep", "n_warmup", "n_repeat", "_n_warmup", "_n_repeat", "input_tensors",
    "backend", "quantiles",
  "return_mode", "dynamic_symbolic_constraints", "device", "early_stop_baseline", "fast_flush",
    "cache_size",
  "tensor_supply_type", "flush",
}

-- TileLang's ways to time: from event to event, or of what runs on the device alone.
local backends = {event = false, cupti = true, cudagraph = true}

local check_options = accept.checker("do_bench", signatures.do_bench)
local check_callable = accept.checker("do_bench", {"f:function"})

-- (warmup, rep, ..., {named}) -> options
local function options(first, ...)
  local opts, args = {}, {first, ...}
  for i = 1, select("#", ...) + 1 do
    local v = args[i]
    if type(v) == "table" and getmetatable(v) == nil then
      for k, x in pairs(v) do
        opts[k] = x
      end
    elseif type(v) == "function" or type(v) == "table" then
      opts.func = v
    elseif math.type(v) and not opts.warmup then
      opts.warmup = v
    elseif math.type(v) and not opts.rep then
      opts.rep = v
    end
  end
  accept.known("do_bench", opts, known)
  check_options(opts)
  if opts.backend ~= nil and backends[opts.backend] == nil then
    diag.fail("mode_value", "do_bench", "backend", tostring(opts.backend), "event, cupti, cudagraph")
  end
  opts.n_warmup, opts.n_repeat = opts.n_warmup or opts._n_warmup, opts.n_repeat or opts._n_repeat
  return opts
end

-- What a call of f launches, {session =, modules = {..}, args = {{..}, ..}}, when that is all it does on
-- a device with memory of its own: nothing goes between it and the host.  Else nil; mixed: whatever the host
-- does between the launches, which is then no part of the time.  Calls f twice: the first call sends inputs
-- and compiles.
local most_launches = 64
local function launched_by(f, args, mixed)
  local work
  local recorded_before = device.recorded
  local _ <close> = setmetatable({}, {__close = function() device.recorded = recorded_before end})
  function device.recorded(session, module, values)
    work.mixed = work.mixed or work.session and work.session ~= session
    work.session = session
    table.insert(work.modules, module)
    table.insert(work.args, values)
  end
  local function call()
    work = {modules = {}, args = {}}
    f(table.unpack(args))
    return work.session
  end
  local session = call()
  local before = session and session:moved()
  if before and call() == session and not work.mixed and #work.modules <= most_launches
    and (mixed or session:moved() == before) then
    return work
  end
end

-- Runs of all that was launched, one behind the other as a stream runs it, with the caches flushed before
-- the first: the time of the kernels, without the host's between them.
local function time_launches(work, warmup, times, flush)
  local all = work.session:bench(work.modules, {work.args},
    {warmup = warmup, rounds = math.max(times, 1), flush = flush, chain = true})
  local ms = {}
  for i = 1, times do
    ms[i] = 0
    for _, of in ipairs(all) do
      ms[i] = ms[i] + of[i]
    end
  end
  return ms
end

-- Any Lua function: by its launches where they are all it does or all that is asked for, else by the wall clock.
local function time_function(f, args, opts)
  local work
  return function(warmup, times)
    if work == nil then
      work = not device.emit and launched_by(f, args, backends[opts.backend]) or false
    end
    if work then
      return time_launches(work, warmup, times, opts.flush ~= false)
    end
    for _ = 1, warmup do
      f(table.unpack(args))
    end
    local ms = {}
    for i = 1, times do
      local from = ir.clock()
      f(table.unpack(args))
      ms[i] = (ir.clock() - from) * 1e3
    end
    return ms
  end
end

-- Runs of a kernel, timed where it runs.
local function time_kernel(k, values, opts)
  return function(warmup, times)
    return k:time(values, {warmup = warmup, times = times, flush = opts.flush})
  end
end

-- What a callable runs with these arguments: a kernel and its inputs, or nil.
local function target(f, ...)
  local mt = getmetatable(f)
  if type(f) == "table" and mt and mt.__name == "jit" then
    return f:resolve(...)
  elseif type(f) == "table" and mt and mt.__name == "kernel" then
    return f, {...}
  end
end

M.doc.do_bench = {
  sig = "do_bench(f, warmup, rep, {n_warmup =, n_repeat =, quantiles =, return_mode =, flush =})",
  summary = "milliseconds of a call of f: a kernel, a tl.jit function, any function",
  summary_zh = "调用 f 一次的毫秒数；f 为内核、tl.jit 函数或任意函数",
  text = "Tensors after f are its arguments: do_bench(k, a, b).  Kernels are timed where they run, and so is "
    .. "a function that does nothing but launch them on a GPU, where the caches are flushed before each "
    .. "run; other functions by the wall clock, or with backend = 'cupti' by what they launch.",
  text_zh = "f 之后的张量作为其参数：do_bench(k, a, b)。内核在运行处计时；在 GPU 上只启动内核的函数亦然，"
    .. "每次运行前清空缓存。其他函数按墙上时钟计时；backend = 'cupti' 时只计其启动的内核。",
  example = "print(tl.profiler.do_bench(k, a, b) > 0)", see = {"kernel:bench", "profiler:do_bench"},
}
-- The free function: do_bench(f, warmup, rep, {options}) as in TileLang, or
-- do_bench(f, tensors and other arguments of f ...).
function M.do_bench(f, ...)
  check_callable(f)
  local first = ...
  local given = tensor.istensor(first)
  local opts = given and {} or options(...)
  local args = given and table.pack(...) or table.pack(table.unpack(opts.input_tensors or {}))
  local k, values = target(f, table.unpack(args, 1, args.n))
  if k and values then
    return (bench(time_kernel(k, values, opts), opts))
  end
  return (bench(time_function(f, args, opts), opts))
end

-- Profiler ----------------------------------------------------------------------------

local Profiler = {__name = "profiler"}
Profiler.__index = Profiler
M.Profiler = Profiler

M.doc.new = {
  sig = "new(kernel, tensor_supply_type)",
  summary = "a profiler of a kernel, as k:get_profiler gives it",
  summary_zh = "内核的性能分析器，同 k:get_profiler",
  example = "print(tl.profiler.new(k, 'Randn'):do_bench {n_warmup = 1, n_repeat = 3} > 0)",
  see = {"kernel:get_profiler"},
}
function M.new(kernel, kind)
  if type(kind) == "table" then -- by name
    kind = kind.tensor_supply_type
  end
  kind = kind or M.TensorSupplyType.Auto
  if type(kind) == "string" then
    kind = M.TensorSupplyType[kind]
  end
  if not supply[kind] then
    diag.fail("mode_value", "get_profiler", "tensor_supply_type", tostring(kind),
      "Integer, Uniform, Normal, Randn, Zero, One, Auto")
  end
  return setmetatable({kernel = kernel, supply = kind}, Profiler)
end

-- Milliseconds: of the kernel with fresh inputs and caches flushed, or of
-- `func` called with the kernel's inputs.
function Profiler:do_bench(...)
  local opts = options(...)
  local values = opts.input_tensors or inputs(self, opts.dynamic_symbolic_constraints)
  if opts.func and opts.func ~= self.kernel then
    return (bench(time_function(opts.func, values, opts), opts))
  end
  return (bench(time_kernel(self.kernel, values, opts), opts))
end

-- Fresh arguments, in the kernel's order.
function Profiler:inputs(sizes, scalar)
  return inputs(self, sizes, scalar)
end

function Profiler:run_once(f)
  local values = inputs(self)
  return (f or self.kernel)(table.unpack(values))
end

-- Results as a list: several values, or one table of them.
local function listed(...)
  local n, first = select("#", ...), ...
  if n == 1 and tensor.isplain(first) then
    return {n = #first, table.unpack(first)}
  end
  return {n = n == 1 and first == nil and 0 or n, ...}
end

-- 8-bit floats are compared as float32.
local function comparable(t)
  return tensor.istensor(t) and t.dtype:find "^float8" and t:astype "float32" or t
end

-- Compares the kernel's results with reference_program's on the same inputs; max_mismatched_ratio of the
-- elements of each may differ.
function Profiler:assert_allclose(reference, opts, atol, rtol, ratio)
  if type(opts) == "number" then -- assert_allclose(ref, atol, rtol)
    opts = {atol = opts, rtol = atol, max_mismatched_ratio = rtol}
  elseif opts and opts.atol == nil and opts.rtol == nil and opts[1] then
    opts = {input_tensors = opts, atol = atol, rtol = rtol, max_mismatched_ratio = ratio}
  end
  opts = opts or {}
  local values = opts.input_tensors or inputs(self, opts.dynamic_symbolic_constraints)
  local want = listed(reference(table.unpack(values)))
  local got = listed(self.kernel(table.unpack(values)))
  if got.n ~= want.n then
    diag.fail("close_results", got.n, want.n)
  end
  require "moontile.tl.testing"
  for i = 1, want.n do
    if got[i] ~= nil and want[i] ~= nil then -- a reference may leave one out
      tl.rules.mostly_close(comparable(got[i]), comparable(want[i]), {atol = opts.atol or 1e-2,
        rtol = opts.rtol or 1e-2, ratio = opts.max_mismatched_ratio or 0.01,
        check_dtype = opts.check_dtype or false}) -- tl.ref gives float64
    end
  end
end

-- Are `count` runs equal to the last bit?
function Profiler:assert_consistent(count)
  local values = inputs(self)
  local first = table.pack(self.kernel(table.unpack(values)))
  local testing = require "moontile.tl.testing"
  for _ = 2, count or 10 do
    local again = table.pack(self.kernel(table.unpack(values)))
    for i = 1, first.n do
      testing.assert_close(again[i], first[i], {atol = 0, rtol = 0})
    end
  end
end

function Profiler:manual_assert_close(reference, values, check)
  values = values or inputs(self)
  check(table.pack(self.kernel(table.unpack(values))), table.pack(reference(table.unpack(values))))
end

accept.methods(Profiler, {what = "profiler:", self = {Profiler, "a profiler"}}, signatures.profiler)

return M
