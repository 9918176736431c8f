-- tl/bench.lua: k:bench{...}: a kernel timed where it runs, beside others in the same
-- rounds, and set against its work and the device's roofs.
--
-- Every round runs each of the kernels once, in turn the one and the other way round;
-- a ratio is taken in each round, and what is reported of all of them are medians and
-- quartiles.  Rounds in which the clock moved are left out of the ratio.
--
-- Fields of the result:
--   kernel, target, device, runs, flushed, batch
--   ms, q1, q3 (quartiles), times (all, in ms), mhz (median; nil: not known)
--   flops, bytes (each byte once), blocks, waves, full, resident (blocks on a
--   multiprocessor): absent where they are not known
--   tflops, tbs; roof {flops, bytes, flops_by, bytes_by}, of_flops, of_bytes (parts)
--   predicted {ms, bound, parts, ..}: tl/tune/cost.lua
--   registers (of a thread), spilled (bytes of a thread), blocks_sm (blocks on a
--   multiprocessor), occupancy (part of its warps): as the driver reports them, of the
--   launch that takes most registers; absent where there is no driver
--   vs {name, ms, q1, q3, times, wall (timed by the wall clock)}, ratio, ratio_q1,
--   ratio_q3 (> 1: this kernel is the faster one), ratio_rounds
-- It compares with numbers as its ms does, and prints as a table.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local roof = require "moontile.tl.roof"
local stats = require "moontile.tl.stats"
local tensor = require "moontile.tensor"
local tensors = require "moontile.tl.tensor"
local W = require "moontile.base.translations"

local M = {}

local Result = {__name = "bench result"}
Result.__index = Result

-- Options ------------------------------------------------------------------------------

local known = {
  vs = true, warmup = true, rep = true, n_warmup = true, n_repeat = true, rounds = true,
  inputs = true, input_tensors = true, scalars = true, sizes = true, flush = true, batch = true,
  tensor_supply_type = true, dynamic_symbolic_constraints = true, backend = true,
}

-- Work of a launch ---------------------------------------------------------------------

-- Facts of the kernel for these sizes, or nil where it cannot be looked at.
local function facts_of(k, args)
  local dims = {}
  for i, name in ipairs(k.dim_names) do
    dims[name] = args[#k.slots + i]
  end
  local ok, a = pcall(k.analyze, k, {dims = dims})
  return ok and a or nil
end

local function add(a, key)
  local n = 0
  for _, l in ipairs(a.launches) do
    if not l[key] then
      return nil
    end
    n = n + l[key]
  end
  return n
end

local function bytes_of(values)
  local n = 0
  for _, v in ipairs(values) do
    if tensor.istensor(v) then
      n = n + v:nbytes()
    end
  end
  return n
end

-- Parameters' names -> their tensors in a launch.
local function by_name(k, args)
  local bound = {}
  for i, p in ipairs(k.params) do
    bound[p.name] = args[i]
  end
  return bound
end

-- What is run ---------------------------------------------------------------------------

-- A thing that is timed: {name, session, module, sets = {args, ..}} or {name, call}.
local function kernel_arm(k, sets)
  local arm = {name = k.name, sets = {}, kernel = k, values = sets[1]}
  for i, values in ipairs(sets) do
    local s, m, args = k:bound(values)
    arm.session, arm.module, arm.sets[i] = s, m, args
    arm.args = arm.args or args
  end
  return arm
end

-- A routine of the vendor's library as tl/vendor.lua gives it, with n sets.
local function routine_arm(k, session, r, n)
  local arm = {name = r.name, session = session, sets = {}}
  arm.module = session:load(r.path, r.name, k.chunk, r.written, k.asserts)
  for i = 1, n do
    local args = table.move(r.inputs, 1, #r.inputs, 1, {})
    for _, t in ipairs(r.outputs()) do
      args[#args + 1] = t
    end
    arm.sets[i] = args
  end
  return arm
end

local function kind(v)
  local mt = getmetatable(v)
  return type(v) == "table" and mt and mt.__name or type(v)
end

-- Bytes of all tensors of a launch, or where it is known what the kernel moves of them.
local function moved(k, args)
  local a = facts_of(k, args)
  return a and add(a, "once_bytes") or bytes_of(args)
end

-- The other side: "cublas", {"gemm", ..}, "copy" (of the bytes that the kernel moves), a
-- kernel, a tl.jit function or any function.
local function other_arm(k, arm, vs, sets)
  local t = kind(vs)
  if vs == "cublas" or vs == "copy" or t == "table" then
    local vendor = require "moontile.tl.vendor"
    if not k.target:find "^cuda" then -- such a library is called beside the driver, on this machine
      diag.fail("vs_target", k.name, k.target, type(vs) == "string" and vs or "cublas")
    end
    return routine_arm(k, arm.session, vs == "copy" and vendor.copy(moved(k, arm.args)) or
      vendor.routine(k, vs, by_name(k, arm.args)), #arm.sets)
  elseif t == "kernel" then
    return kernel_arm(vs, sets)
  elseif t == "jit" then
    local other, values = vs:resolve(table.unpack(sets[1]))
    return kernel_arm(other, values and sets or {{}})
  elseif t == "function" then
    return {name = "function", call = function() vs(table.unpack(sets[1])) end}
  end
  diag.fail("arg_type", "kernel:bench", "vs", W'a kernel, a function, "cublas" or "copy"',
    describe(vs), "k:bench{vs = \"cublas\"}")
end

-- Inputs -------------------------------------------------------------------------------

local most_sets = 16

-- The first set of inputs and copies of it elsewhere in memory: two where caches are
-- flushed, else as many as no cache holds together.
local function input_sets(values, flush, cache)
  local sets, n = {values}, 2
  if not flush then
    n = math.min(most_sets, 1 + math.ceil(2 * cache / math.max(1, bytes_of(values))))
  elseif bytes_of(values) > 1 << 30 then
    n = 1
  end
  for i = 2, n do
    sets[i] = tensors.copies(values)
  end
  return sets
end

local function first_inputs(k, opts)
  local values = opts.inputs or opts.input_tensors
  if values then
    return values
  end
  local sizes = opts.sizes or opts.dynamic_symbolic_constraints
  local scalars = opts.scalars
  return k:get_profiler(opts.tensor_supply_type or "Randn"):inputs(sizes, scalars and function(p)
    return scalars[p.name] or diag.fail("bench_scalar", k.name, p.name)
  end)
end

-- Timing --------------------------------------------------------------------------------

local function show(text)
  io.stdout:write(text)
end

local function wall(call)
  local from = ir.clock()
  call()
  return (ir.clock() - from) * 1e3
end

-- err with what the simulator says of the kernel that it names.
local function explained(arms, err)
  for _, arm in ipairs(arms) do
    if arm.kernel and arm.name == (err.args or {})[1] then
      return require("moontile.tl.fault").explain(arm.kernel, arm.values, err)
    end
  end
  return err
end

-- Arms of one session, each round in turn; ms by arm, clocks by round.
local function together(arms, o)
  local modules, sets = {}, {}
  for i, arm in ipairs(arms) do
    modules[i] = arm.module
    for s, args in ipairs(arm.sets) do
      sets[s] = sets[s] or {}
      sets[s][i] = args
    end
  end
  local opts = setmetatable({explain = function(err)
    return explained(arms, err)
  end}, {__index = o})
  return arms[1].session:bench(modules, sets, opts)
end

-- Arms that no one session has: a round is a run of each.
local function apart(arms, o)
  local ms, n = {}, #arms
  for i = 1, n do
    ms[i] = {}
  end
  for round = 1 - o.warmup, o.rounds do
    for j = 1, n do
      local i = round % 2 == 0 and n + 1 - j or j
      local arm = arms[i]
      local t
      if arm.call then
        t = wall(arm.call)
      else
        local set = arm.sets[(round - 1) % #arm.sets + 1]
        t = arm.session:launch(arm.module, set, {times = 1, flush = o.flush, print = show})[1]
      end
      if round >= 1 then
        ms[i][round] = t
      end
    end
  end
  return ms, {}
end

local function run(arms, o)
  for i = 2, #arms do
    if arms[i].session ~= arms[1].session then
      return apart(arms, o)
    end
  end
  return together(arms, o)
end

local least_rounds, most_rounds = 10, 2000

-- Rounds for a budget of ms by the wall clock: what is flushed between counts too.
local function rounds_for(arms, o, budget)
  run(arms, {warmup = 1, rounds = 1, batch = o.batch, flush = o.flush})
  local from = ir.clock()
  run(arms, {warmup = 0, rounds = 2, batch = o.batch, flush = o.flush})
  local each = (ir.clock() - from) * 1e3 / 2
  local least = each > 500 and 3 or least_rounds
  return math.max(least, math.min(most_rounds, budget // each // 1 | 0)), each
end

-- The ratio -----------------------------------------------------------------------------

local steady = 0.02 -- a clock that differs by more is another clock

-- Ratios of the rounds whose clock is the usual one.
local function ratios(mine, others, mhz)
  local usual = mhz and #mhz > 0 and stats.median(mhz) or 0
  local all, good = {}, {}
  for i, ms in ipairs(mine) do
    local r = others[i] / ms
    all[#all + 1] = r
    if usual == 0 or math.abs(mhz[i] / usual - 1) <= steady then
      good[#good + 1] = r
    end
  end
  return #good * 2 >= #all and good or all
end

-- Work ------------------------------------------------------------------------------------

local function peak_of(a)
  local best
  for _, l in ipairs(a.launches) do
    if l.peak and (not best or l.total_flops and l.total_flops > best.total_flops) then
      best = l
    end
  end
  return best and best.peak
end

local function add_work(r, k, args, facts)
  local a = facts_of(k, args)
  if not a then
    return
  end
  r.flops, r.bytes = add(a, "total_flops"), add(a, "once_bytes")
  local seconds = r.ms * 1e-3
  r.tflops = r.flops and r.flops / seconds * 1e-12
  r.tbs = r.bytes and r.bytes / seconds * 1e-12
  if not device.on(k.target):find "^cuda" then
    return
  end
  local cost = require "moontile.tl.tune.cost"
  r.roof = roof.roofs(facts, a.card, peak_of(a))
  r.of_flops = r.tflops and r.roof.flops and r.tflops * 1e12 / r.roof.flops
  r.of_bytes = r.tbs and r.roof.bytes and r.tbs * 1e12 / r.roof.bytes
  local p = cost.predict(a, cost.stages(k, a))
  if p then
    r.predicted = p
    r.blocks, r.waves, r.full, r.resident = p.blocks, p.waves, p.full, p.resident
    r.threads = p.threads
  end
end

-- What the driver says of the kernel that was timed.
local function add_resources(r, k, arm)
  local t = arm.session:prepare(arm.module)
  if type(t.regs) ~= "number" then
    return
  end
  r.registers, r.spilled, r.blocks_sm = t.regs, t.spill, t.blocks_per_sm
  local a = facts_of(k, arm.args)
  local l = a and a.launches[1]
  if r.blocks_sm and l and l.blocks_sm > 0 then
    r.occupancy = l.occupancy / l.blocks_sm * r.blocks_sm
  end
end

-- The whole ------------------------------------------------------------------------------

local function spread(t, times)
  t.times = times
  t.ms, t.q1, t.q3 = stats.median(times), stats.quantile(times, 0.25), stats.quantile(times, 0.75)
end

function M.bench(k, opts)
  opts = opts or {}
  accept.known("kernel:bench", opts, known)
  local flush = opts.flush ~= false
  local values = first_inputs(k, opts)
  if device.emit then
    k:bound(values)
    return setmetatable({kernel = k.name, signature = k:signature(), target = k.target,
      device = k.target, runs = 0, flushed = flush, batch = 1, times = {}, ms = 0, q1 = 0,
      q3 = 0}, Result)
  end
  local session = device.session(k.target)
  local facts = roof.facts(session)
  local sets = input_sets(values, flush, roof.cache(facts))
  local arms = {kernel_arm(k, sets)}
  if opts.vs ~= nil then
    arms[2] = other_arm(k, arms[1], opts.vs, sets)
  end
  local o = {batch = opts.batch or 1, flush = flush, warmup = opts.n_warmup or 3,
    rounds = opts.rounds or opts.n_repeat}
  if not o.rounds then
    local each
    o.rounds, each = rounds_for(arms, o, opts.rep or 300)
    o.warmup = opts.n_warmup or math.max(1, math.min(200, (opts.warmup or 25) // each // 1 | 0))
  end
  local ms, mhz = run(arms, o)
  local r = setmetatable({kernel = k.name, signature = k:signature(), target = k.target,
    device = roof.name(facts), runs = #ms[1], flushed = flush, batch = o.batch}, Result)
  spread(r, ms[1])
  local clock = mhz and #mhz > 0 and stats.median(mhz) or 0
  r.mhz = clock > 0 and clock or nil
  if arms[2] then
    r.vs = {name = arms[2].name, wall = arms[2].call ~= nil}
    spread(r.vs, ms[2])
    local all = ratios(ms[1], ms[2], mhz)
    r.ratio_rounds, r.ratio = #all, stats.median(all)
    r.ratio_q1, r.ratio_q3 = stats.quantile(all, 0.25), stats.quantile(all, 0.75)
  end
  add_work(r, k, arms[1].args, facts)
  add_resources(r, k, arms[1])
  return r
end

-- Text ------------------------------------------------------------------------------------

-- Phrases, English and Chinese, filled by string.format in one order.
local say = {
  head = {"%s on %s", "%s，运行于 %s"},
  next = {"; ", "；"},
  time = {"time", "时间"},
  work = {"arithmetic", "运算"},
  memory = {"memory", "内存"},
  grid = {"grid", "网格"},
  predicted = {"predicted", "预测"},
  vs = {"vs %s", "对比 %s"},
  runs = {"%s .. %s; %d runs", "%s .. %s；%d 次"},
  flushed = {", caches flushed", "，每次清空缓存"},
  warm = {", caches warm", "，缓存未清空"},
  batch = {", %d launches each", "，每次连续启动 %d 回"},
  mhz = {", %.0f MHz", "，%.0f MHz"},
  sheet = {"%2.0f %% of %s by the data sheet", "为数据手册值 %2$s 的 %1$2.0f %%"},
  measured = {"%2.0f %% of %s, a copy's measured rate", "为实测拷贝速率 %2$s 的 %1$2.0f %%"},
  operations = {"%s operations", "%s 次运算"},
  once = {"%s, each byte once", "%s（每个字节只计一次）"},
  waves = {"%.2f waves", "%.2f 波"},
  blocks = {"%s blocks of %d threads, %d per multiprocessor; the waves are %.0f %% full",
    "%s 个块，每块 %d 个线程，每个多处理器 %d 个；各波占用 %.0f %%"},
  registers = {"registers", "寄存器"},
  spills = {"%d bytes of each thread spilled to memory", "每线程有 %d 字节溢出到内存"},
  none = {"nothing spilled", "无溢出"},
  fit = {"%d blocks per multiprocessor, %.0f %% of its warps", "每个多处理器 %d 个块，占其 warp 数的 %.0f %%"},
  fit1 = {"1 block per multiprocessor, %.0f %% of its warps", "每个多处理器 1 个块，占其 warp 数的 %.0f %%"},
  bound = {"bound by %s; measured: %.2f times that", "受限于%s；实测为其 %.2f 倍"},
  ratio = {"ratio", "比值"},
  rounds = {"%.3f .. %.3f; %d rounds; above 1: %s is faster",
    "%.3f .. %.3f；%d 轮；大于 1 表示 %s 更快"},
  wall = {", by the wall clock", "，按墙上时钟"},
}

local bounds = {
  matrix = {"matrix units", "矩阵单元"}, arithmetic = {"arithmetic", "运算"},
  shared = {"shared memory", "共享内存"}, l2 = {"the L2 cache", "L2 缓存"},
  memory = {"memory", "显存带宽"}, latency = {"latency", "延迟"},
  waves = {"the last wave of blocks", "最后一波块"}, grid = {"too few blocks", "块数过少"},
}
M.bounds, M.Result = bounds, Result

local function phrase(t, ...)
  local s = t[diag.lang() == "zh" and 2 or 1]
  if s:find "%%%d%$" then -- arguments in another order
    local args = {...}
    return (s:gsub("%%(%d)%$([%d.]*%a)", function(i, f)
      return ("%" .. f):format(args[tonumber(i)])
    end):gsub("%%%%", "%%"))
  end
  return select("#", ...) > 0 and s:format(...) or s
end

local function scaled(v, units)
  for _, u in ipairs(units) do
    if v >= u[1] or u == units[#units] then
      return ("%.4g %s"):format(v / u[1], u[2])
    end
  end
end

local rates = {
  flops = {{1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}},
  bytes = {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}},
  count = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}},
  size = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}},
}

local function duration(ms)
  if ms >= 1000 then
    return ("%.4g s"):format(ms * 1e-3)
  end
  return ms >= 1 and ("%.4g ms"):format(ms) or ("%.4g us"):format(ms * 1e3)
end
M.duration = duration

-- Columns that text takes up: Chinese characters take two.
local function width(s)
  local n = 0
  for _, c in utf8.codes(s) do
    n = n + (c >= 0x2e80 and 2 or 1)
  end
  return n
end

local function pad(s, n)
  return s .. (" "):rep(math.max(1, n - width(s)))
end

local function part(by, share, limit)
  return phrase(by == "measured" and say.measured or say.sheet, share * 100, limit)
end

local function time_row(out, label, t, r)
  local text = phrase(say.runs, duration(t.q1), duration(t.q3), #t.times)
  if t == r then
    text = text .. phrase(r.flushed and say.flushed or say.warm)
    text = text .. (r.batch > 1 and phrase(say.batch, r.batch) or "")
    text = text .. (r.mhz and phrase(say.mhz, r.mhz) or "")
  elseif t.wall then
    text = text .. phrase(say.wall)
  end
  out(label, duration(t.ms), text)
end

local function work_rows(out, r)
  local limits = r.roof or {}
  if r.flops and r.flops > 0 then
    out(phrase(say.work), scaled(r.tflops * 1e12, rates.flops),
      r.of_flops and part(limits.flops_by, r.of_flops, scaled(limits.flops, rates.flops)) or "",
      phrase(say.operations, scaled(r.flops, rates.count)))
  end
  if r.bytes and r.bytes > 0 then
    out(phrase(say.memory), scaled(r.tbs * 1e12, rates.bytes),
      r.of_bytes and part(limits.bytes_by, r.of_bytes, scaled(limits.bytes, rates.bytes)) or "",
      phrase(say.once, scaled(r.bytes, rates.size)))
  end
end

function Result.__tostring(r)
  local lines = {phrase(say.head, r.signature, r.device == r.target and r.target or
    ("%s (%s)"):format(r.device, r.target))}
  local function out(label, value, ...)
    local rest = {}
    for _, s in ipairs {...} do
      rest[#rest + 1] = s ~= "" and s or nil
    end
    lines[#lines + 1] = "  " .. pad(label, 12) .. pad(value, 15) ..
      table.concat(rest, phrase(say.next))
  end
  time_row(out, phrase(say.time), r, r)
  work_rows(out, r)
  local p = r.predicted
  if p then
    out(phrase(say.predicted), duration(p.ms), phrase(say.bound, phrase(bounds[p.bound]),
      r.ms / p.ms))
    out(phrase(say.grid), phrase(say.waves, p.waves), phrase(say.blocks,
      (scaled(p.blocks, rates.count):gsub(" $", "")), p.threads, p.resident, p.full * 100))
  end
  if r.registers then
    local spills = r.spilled and (r.spilled > 0 and phrase(say.spills, r.spilled) or phrase(say.none)) or ""
    local fit = not r.occupancy and "" or r.blocks_sm == 1 and phrase(say.fit1, r.occupancy * 100) or
      phrase(say.fit, r.blocks_sm, r.occupancy * 100)
    out(phrase(say.registers), tostring(r.registers), spills, fit)
  end
  if r.vs then
    time_row(out, phrase(say.vs, r.vs.name), r.vs, r)
    out(phrase(say.ratio), ("%.3f"):format(r.ratio), phrase(say.rounds, r.ratio_q1, r.ratio_q3,
      r.ratio_rounds, r.kernel))
  end
  return table.concat(lines, "\n")
end

local function ms(v)
  v = getmetatable(v) == Result and v.ms or v
  if not math.type(v) then
    diag.fail("arg_type", "bench result <", "ms", W"a number", describe(v), "k:bench().ms < 1")
  end
  return v
end

function Result.__lt(a, b) return ms(a) < ms(b) end
function Result.__le(a, b) return ms(a) <= ms(b) end

return M
