-- tl/tune/search.lua: finds the fastest of a kernel's configurations.
--
-- Candidates are traced and, where the target has threads, lowered and looked at: what
-- cannot run is out, the others are put in the order of the cost model.  Then, a batch
-- at a time: compiled side by side, compared with the reference, and timed one after
-- another in rounds that only the faster half survives.  The best so far is a whole
-- result at any moment: a budget that ends, or Ctrl-C, keeps it.

local cost = require "moontile.tl.tune.cost"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local jobs = require "moontile.jobs"
local json = require "moontile.tl.json"
local progress = require "moontile.tl.tune.progress"
local space = require "moontile.tl.tune.space"
local stats = require "moontile.tl.stats"
local store = require "moontile.tl.tune.store"
local verdict = require "moontile.tl.tune.verdict"

local M = {}

-- Candidates ------------------------------------------------------------------------------

local function refuse(c, stage, why)
  c.failed, c.stage = diag.isdiag(why) and why or diag.make("lua", tostring(why)), stage
end

-- Did the user stop it?  Then the search ends, and nothing failed.
local stops = {stopped = true, interrupted = true, build_interrupted = true}

local function stopped(e)
  return diag.isdiag(e) and stops[e.id]
end

-- A guarded step for a candidate: false when it failed; an interruption goes up.
local function step(c, stage, f, ...)
  local ok, a, b = pcall(f, ...)
  if ok then
    return true, a, b
  elseif stopped(a) then
    error(a, 0)
  end
  refuse(c, stage, a)
  return false
end

-- The kernel of a configuration, traced and not compiled, unless it was made before;
-- later calls do not find it, and its key among the kernels of its function is second.
local function traced(make, config)
  local before = device.compile
  device.compile = function() return {pending = true} end
  local ok, k = pcall(make, config)
  device.compile = before
  if not ok then
    error(k, 0)
  end
  for key, other in pairs(k.info.pending and k.jit and k.jit.kernels or {}) do
    if other == k then
      k.jit.kernels[key] = nil
      return k, key
    end
  end
  return k
end
M.traced = traced

local function pending(k)
  return k.info.pending
end

-- Tensors of a kernel as text: what no configuration may change.
function M.tensors(k)
  local text = require("moontile.tl.kernel").param_text
  local parts = {}
  for i, p in ipairs(k.params) do
    parts[i] = text(p)
  end
  return table.concat(parts, ", ")
end

-- The program without names of files and places in them.
local function program(k)
  return (ir.text(k.P):gsub("%f[%w]file %d+ [^\n]*\n", ""):gsub(" @[%d:]+\n", "\n"))
end

-- Predictions ---------------------------------------------------------------------------

local function modelled(k)
  return not k.target:find "^cpu" and ir.hasthreads(k.target)
end

-- The simulator's time says nothing of a GPU's, and what is only built has none.
local function untimed(k)
  return k.target:find "^sim" ~= nil or k.target:find("-build", 1, true) ~= nil or
    not ir.present(k.target)
end

-- Facts and predicted time; what cannot run is refused, and what becomes the same program
-- as another is left to that.
local function predict(c, task)
  local k = c.kernel
  local ok, a = step(c, "lower", k.analyze, k, {target = task.spec, dims = task.sizes})
  if not ok then
    return
  end
  c.predicted = cost.predict(a, cost.stages(k, a)) or {ms = math.huge, bound = "grid"}
  for _, l in ipairs(a.launches) do
    if l.per["shared memory"] < 1 or l.per.threads < 1 then
      refuse(c, "lower", diag.make("tune_fit", c.text, l.shared, a.shared_limit, l.threads))
      return
    end
  end
  a.notes = {}
  local facts = json.encode(a.launches)
  if task.facts[facts] then
    c.same = task.facts[facts]
    return
  end
  task.facts[facts] = c
end

-- Traces a candidate, and looks at it where that tells something.  false: it is out.
local function ready(task, c)
  if c.looked or c.failed then
    return not c.failed and not c.same
  end
  local ok, k, key = step(c, "trace", traced, task.make, c.config)
  if not ok then
    return false
  end
  c.kernel, c.name, c.looked = k, key, true
  if M.tensors(k) ~= task.tensors then
    refuse(c, "trace", diag.make("tune_tensors", c.text, M.tensors(k), task.tensors))
  elseif task.modelled then
    predict(c, task)
  end
  return not c.failed and not c.same
end

-- Looks at candidates until a share of the budget is spent; those not reached by then
-- stay out.
local function look(task)
  local share = task.budget and task.budget * 0.35 or math.huge
  for i, c in ipairs(task.candidates) do
    if i > 1 and ir.clock() - task.from > share then
      break
    end
    progress.show(task, "tune_look", i)
    ready(task, c)
  end
end

-- Of what was looked at, the fastest by the model first.
local function order(task)
  local list = {}
  for i, c in ipairs(task.candidates) do
    c.at = i
    if c.looked and not c.failed and not c.same then
      list[#list + 1] = c
    end
  end
  table.sort(list, function(a, b)
    if a.predicted.ms ~= b.predicted.ms then
      return a.predicted.ms < b.predicted.ms
    end
    return a.at < b.at
  end)
  return list
end

-- The first ones by the model that are worth a compiler's time.
local function worth(task, list)
  if not task.prune then
    return list
  end
  local least, kept = list[1] and list[1].predicted.ms, {}
  for _, c in ipairs(list) do
    if c.predicted.ms <= 1.7 * least and #kept < task.top then
      kept[#kept + 1] = c
    elseif not c.runs then
      c.pruned = c.predicted.ms / least
    end
  end
  return kept
end

-- Compiling -----------------------------------------------------------------------------

local pools = {}

local sessions_there = 2 -- a server allows a few for each client

-- The compilers for a target: threads, and for targets that compile in the device's
-- process, sessions that only do that.
local function pool_of(spec, n)
  n = spec:find "^remote" and math.min(n, sessions_there) or n
  local key = spec .. "|" .. n
  if not pools[key] then
    local elsewhere = spec:find "^remote" and spec
    local device_spec = device.on(spec):find "^cuda" and (spec:gsub(" %-build", "") .. " -build") or
      elsewhere or nil
    pools[key] = jobs.open(spec, n, device_spec)
  end
  return pools[key]
end

-- Builds what of the batch is not built yet; what becomes the same code as another is
-- left to that.
local function build(task, batch)
  local list, programs = {}, {}
  for _, c in ipairs(batch) do
    if pending(c.kernel) then
      list[#list + 1], programs[#programs + 1] = c, c.kernel.P
    end
  end
  if #list == 0 then
    return
  end
  local results, broken = pool_of(task.spec, task.jobs):build(programs)
  for i, c in ipairs(list) do
    local r = results[i]
    if r.path then
      c.kernel.info, c.warnings, c.spill = r, r.warnings, tonumber(r.facts:match "spill (%d+)")
      r.warnings, r.facts = nil, nil
      c.same = task.paths[r.path]
      task.paths[r.path] = c.same or c
    elseif r.error then
      refuse(c, "build", r.error)
    end
  end
  if broken then
    error(diag.make "stopped", 0)
  end
end

-- Timing ------------------------------------------------------------------------------

local few = 5 -- times: what disturbs one of them only makes it longer, so the least counts

-- Times the candidates in the same rounds, which alone c.ms is from: what was measured
-- at another time does not compare.
local function race(task, list, rounds)
  local modules, sets = {}, {{}}
  local session
  for i, c in ipairs(list) do
    local s, m, args = c.kernel:bound(task.values)
    session, modules[i], sets[1][i] = s, m, args
  end
  local ms = session:bench(modules, sets, {warmup = task.warmup or 1, rounds = rounds,
    flush = true})
  for i, c in ipairs(list) do
    c.runs = (c.runs or 0) + #ms[i]
    c.ms = #ms[i] < few and stats.sorted(ms[i])[1] or stats.median(ms[i])
  end
end

-- One candidate alone, so that one that fails says so without the others.
local function first_race(task, c)
  return step(c, "run", race, task, {c}, 2) and not c.failed
end

local function by_time(a, b)
  return a.ms < b.ms
end

-- Rounds in which the slower half goes, with the best so far among them.
local function halve(task, list)
  table.sort(list, by_time)
  local rounds = 4
  while #list > 1 do
    local least, kept = list[1].ms, {}
    for i, c in ipairs(list) do
      if i <= (#list + 1) // 2 and c.ms <= 1.3 * least then
        kept[#kept + 1] = c
      end
    end
    list = kept
    if #list > 1 then
      race(task, list, rounds)
      table.sort(list, by_time)
    end
    if rounds >= task.rep then
      break
    end
    rounds = math.min(task.rep, rounds * 2)
  end
  return list[1]
end

local function over(task)
  return task.budget and ir.clock() - task.from >= task.budget
end

-- Runs and compares a candidate; true: it is right and has a first time.
local function sound(task, c)
  if not step(c, "check", verdict.check, task, c) or c.failed then
    return false
  end
  return first_race(task, c)
end

local function measure(task, batch)
  local list = {}
  for i, c in ipairs(batch) do
    if i > 1 and task.best and over(task) then
      break
    end
    progress.show(task, "tune_time", c)
    if not c.failed and not c.same and not pending(c.kernel) and sound(task, c) then
      if not (task.stop_at and task.best and c.ms > task.stop_at * task.best.ms) then
        list[#list + 1] = c
      end
      task.tried = task.tried + 1
      task.best = task.best or c
    end
    progress.tell(task, c)
  end
  if task.best and #list > 0 then
    local seen = false
    for _, c in ipairs(list) do
      seen = seen or c == task.best
    end
    if not seen then
      list[#list + 1] = task.best
    end
    if #list > 1 then
      task.best = halve(task, list)
    elseif list[1].runs < task.rep then
      race(task, list, task.rep)
    end
  end
end

-- The search ------------------------------------------------------------------------------

-- The best by the model, built and not timed.
local function by_model(task)
  look(task)
  task.best = order(task)[1]
  if task.best then
    task.best.ms = task.best.predicted.ms
    build(task, {task.best})
  end
end

-- The next candidates of the list behind at, at most n, that are ready and not tried.
local function batch_of(task, list, at, n)
  local batch = {}
  while at < #list and #batch < n do
    at = at + 1
    if not list[at].runs and ready(task, list[at]) then
      batch[#batch + 1] = list[at]
    end
  end
  return batch, at
end

-- The first candidate is tried before others are looked at: from then on there is a
-- result.
local function try_all(task)
  if task.model_only then
    return by_model(task)
  end
  local list, at, n = task.candidates, 0, 1
  repeat
    local batch
    batch, at = batch_of(task, list, at, n)
    progress.show(task, "tune_build", at)
    build(task, batch)
    measure(task, batch)
    if task.modelled and n == 1 then
      look(task)
      list, at = worth(task, order(task)), 0
    end
    n = task.jobs
  until at >= #list or task.best and over(task)
end

local function none(task)
  local d = diag.make("tune_none", task.name, #task.candidates)
  for _, c in ipairs(task.candidates) do
    local first = c.failed
    if first then
      return diag.note(d, "tune_first", first.file, first.line, first.col, first.message,
        first.label)
    end
  end
  return d
end

local function kept(task)
  if not task.key then
    return
  end
  local b, failed = task.best, 0
  for _, c in ipairs(task.candidates) do
    failed = failed + (c.failed and 1 or 0)
  end
  local ok, why = store.keep {key = task.key, kernel = task.name, tensors = task.tensors,
    device = task.device, target = task.spec, config = b.text, ms = b.ms, tried = task.tried, failed = failed}
  if not ok then
    io.stderr:write(tostring(diag.make("tune_kept", task.name, why)), "\n")
  end
end

-- The kernel of the best, with what is known of the search.
local function finish(task)
  local k = task.best.kernel
  k.latency, k.tuned, k.tuning = task.best.ms, task.best.config, progress.report(task)
  if task.best.name then
    k.jit.kernels[task.best.name] = k
  end
  if task.best.warnings then
    io.stderr:write(tostring(task.best.warnings), "\n")
  end
  return k
end

-- A result that was kept, if its configuration is one of ours and still works.
local function known(task)
  local r = task.key and not task.fresh and store.find(task.key)
  if not r then
    return nil
  end
  for _, c in ipairs(task.candidates) do
    if c.text == r.config then
      local ok, k = pcall(task.make, c.config)
      if ok then
        c.kernel, c.ms, task.best, task.stored = k, r.ms, c, r
        return finish(task)
      end
    end
  end
  return nil
end

-- What the choice depends on beside the kernel: the device and its options.
local function place(task, k)
  task.spec = device.machine and device.machine(k.target) or k.target
  task.device = task.spec
  if not task.model_only then
    local roof = require "moontile.tl.roof"
    task.device = roof.name(roof.facts(device.session(k.target))) or task.spec
  end
  local texts = {}
  for i, c in ipairs(task.candidates) do
    texts[i] = c.text
  end
  if task.keep then
    task.key = store.key(program(k), task.tensors, task.device, task.spec,
      table.concat(texts, "\n"))
  end
end

-- The first candidate that can be traced stands for the kernel.
local function stand_in(task)
  for _, c in ipairs(task.candidates) do
    local ok, k = step(c, "trace", traced, task.make, c.config)
    if ok then
      task.tensors = M.tensors(k)
      return k
    end
  end
  error(none(task), 0)
end

-- Ctrl-C may raise twice, in what the device runs and in Lua behind it: the second time
-- is here.
local function guarded(task)
  local ok, e = pcall(try_all, task)
  if not ok then
    task.error = e
  end
end

-- task: {name, jit, make(config) -> kernel, configs = list, budget (seconds or nil), rep (timed
-- runs of the last round), stop_at (what is slower than the best so often is timed no more,
-- or nil), jobs, top, prune, keep, fresh, sizes, values(k) -> inputs,
-- and what verdict.lua reads} -> the fastest kernel; its fields latency (ms), tuned (the
-- configuration) and tuning (a report that prints) say what was found
function M.run(task)
  task.candidates, task.facts, task.paths = {}, {}, {}
  task.tried, task.from = 0, ir.clock()
  for i, config in ipairs(task.configs) do
    task.candidates[i] = {config = config, text = space.text(config)}
  end
  if #task.candidates == 0 then
    diag.fail "tune_empty"
  elseif device.emit then
    local k = task.make(task.configs[1])
    k.tuned = k.tuned or task.configs[1]
    return k
  end
  local k = stand_in(task)
  task.modelled, task.model_only = modelled(k), untimed(k)
  place(task, k)
  local found = known(task)
  if found then
    return found
  end
  if not task.model_only then
    task.values = task.inputs(k)
  end
  task.jobs = task.jobs or math.max(2, math.min(8, jobs.processors()))
  if task.timeout then
    device.session(k.target):limit(task.timeout)
  end
  local _, second = pcall(guarded, task)
  local e = task.error or second
  progress.clear(task)
  if task.timeout then
    device.session(k.target):limit(device.seconds)
  end
  if e and not (stopped(e) and task.best) then
    error(e, 0)
  elseif not task.best then
    error(none(task), 0)
  end
  task.ended = e and "stopped" or over(task) and "budget" or "all"
  kept(task)
  return finish(task)
end

return M
