-- judge/init.lua: the judge: is this text a solution of that puzzle?
--
--   v = judge.judge(p, {text =, chunk = "@05-row-sum.lua", target = nil | "cpu" | ..,
--                       part = nil | name, hidden = true, seed = nil, report = function(event),
--                       unreadable = nil | {en =, zh =} (why there is no text),
--                       before = nil | {{text =, chunk =}, ..}})
--
-- before: texts whose globals the text may use, as the inputs of a session.
-- The text is evaluated in another process (judge/sandbox.lua), which hands back the IR of
-- each case; here the IR runs in the simulator and on the target (judge/run.lua), and the
-- results are compared with the reference (judge/compare.lua).  Order: what does not
-- compile, the visible cases in the simulator, the same on the target, the goals, hidden
-- cases of a fresh seed in the simulator and on the target, the score.
--
-- The verdict: {puzzle, ok, outcome (judge/translations.lua lists them), part, title = {en, zh} of the
--   part, stage, size, size_text, case, target, seed, sentence = {en, zh}, hint = {en, zh} | nil,
--   tags (a set), error = {code, id, text, line, file, message}, wrong = of compare.judge,
--   writer = of guard.writer, cause, changed, guard, goal = {id, en, zh, found}, stars, stars_of,
--   note = {en, zh} | nil (about the judgement, not the kernel), score = list by part, worst (the greatest part of a limit that a right element took), warnings, output, ms, parts = {{name, outcome, ok}, ..}}
-- report(event): {part, stage = "evaluate" | "visible" | "hidden" | "score", done, of}.
-- Errors that are not the learner's are raised only for a user's interrupt; any other ends
-- in the outcome "trouble".

local cases = require "moontile.puzzles.judge.cases"
local compare = require "moontile.puzzles.judge.compare"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local growth = require "moontile.puzzles.judge.growth"
local inpython = require "moontile.puzzles.judge.inpython"
local puzzle = require "moontile.puzzles.judge.puzzle"
local python = require "moontile.puzzles.judge.python"
local run = require "moontile.puzzles.judge.run"
local sandbox = require "moontile.puzzles.judge.sandbox"
local score = require "moontile.puzzles.judge.score"
local sizes = require "moontile.tl.sizes"
local slips = require "moontile.puzzles.judge.slips"
local walls = require "moontile.sandbox"
local words = require "moontile.puzzles.judge.translations"

local M = {}

-- What ends a judgement is raised: a table {outcome =, ..}, marked so.
local Failed = {__name = "verdict"}

local function fail(v)
  error(setmetatable(v, Failed), 0)
end

-- Where a part runs --------------------------------------------------------------------------

-- The target, or the plain simulator where the target's lanes are none of part.warps.
local function target_of(part, target)
  local lanes = tonumber(target:match "%-warp=(%d+)")
  for _, warp in ipairs(lanes and part.warps or {}) do
    lanes = warp ~= lanes and lanes or nil
  end
  return lanes and part.warps and "sim" or target
end

-- The simulators of a part: 32 lanes, and what part.warps says.
local function simulators(part, target)
  local base, list = device.simulator(target), {}
  if base:find "-warp=" or base:find "-arch=" then
    return {base}
  end
  for i, warp in ipairs(part.warps or {32}) do
    list[i] = warp == 32 and base or ("%s -warp=%d"):format(base, warp)
  end
  return list
end

-- Does the part run on the target, besides the simulator?
local function on_target(part, target)
  local word = device.on(target):match "^%S+"
  return word ~= "sim" and not (word == "cpu" and part.cpu == false)
end

-- One launch -----------------------------------------------------------------------------------

-- Raises a failure at a case: `more` is what is known of it.
local function fail_at(ctx, case, target, more)
  more.stage, more.size, more.case, more.target = case.stage, case.size, case.number, target
  more.part, more.size_text = ctx.part.name, cases.text(case.size)
  more.warnings = case.warnings or "" -- of this size, not of another
  fail(more)
end

local function kernel_of(ctx, case, target)
  local ok, k = pcall(run.kernel, case.ir, target)
  if ok then
    return k
  elseif diag.isdiag(k) and (k.id == "stopped" or k.id == "build_interrupted") then
    error(k, 0)
  elseif diag.isdiag(k) and k.code == "E340" and device.on(target):match "^%S+" == "cpu" then
    return nil -- it names its threads: the simulator has judged it
  end
  local err = run.error(k)
  fail_at(ctx, case, target, {outcome = words.outcome(err.code, "compile"), error = err})
end

-- The shape of a result that is not what it should be, as a sentence; or nil.
local function wrong_shape(case, outs)
  for i, e in ipairs(case.expected) do
    local got, want = outs[i] and outs[i].shape or {}, e.want.shape
    if table.concat(got, ",") ~= table.concat(want, ",") then
      got, want = table.concat(got, ", "), table.concat(want, ", ")
      return words.both("The result %s has the shape {%s}; for %s it should be {%s}.",
        "结果 %s 的形状为 {%s}；%s 时应为 {%s}。", e.name, got, cases.text(case.size), want)
    end
  end
end

-- The first output that is not right.
local function first_wrong(ctx, case, outs)
  for i, e in ipairs(case.expected) do
    if outs[i] then
      local w, worst = compare.judge(e, outs[i])
      if w then
        return w, i
      end
      ctx.worst = math.max(ctx.worst or 0, worst)
    end
  end
end

-- Who wrote the first wrong element; only a simulator knows.
local function blame(k, case, i, out, w, target)
  if not target:find "^sim" then
    return
  end
  local ok, who = pcall(run.writer, k, case.values, i, out, w.at)
  return ok and who or nil
end

local function failed_launch(ctx, case, target, k, r)
  local err = run.error(r.error)
  if err.id == "stopped" or err.id == "interrupted" then
    error(r.error, 0)
  end
  local v = {outcome = words.outcome(err.code, "compile"), error = err}
  if v.outcome == "unwritten" then -- the simulator knows that, a map shows where
    local w, i = first_wrong(ctx, case, r.outs)
    v.wrong, v.cause = w, "unwritten"
    v.writer = w and blame(k, case, i, r.outs[i], w, target)
  end
  fail_at(ctx, case, target, v)
end

-- Compares, and raises what is wrong.
local function examine(ctx, case, target, k, r)
  local shape = #r.outs > 0 and wrong_shape(case, r.outs)
  if shape then
    fail_at(ctx, case, target, {outcome = "wrong", said = shape, cause = "shape"})
  end
  if r.error then
    failed_launch(ctx, case, target, k, r)
  elseif r.changed then
    fail_at(ctx, case, target, {outcome = "wrong", changed = r.changed, cause = "input"})
  elseif r.guard then
    fail_at(ctx, case, target, {outcome = "bounds", guard = r.guard, cause = "guard"})
  end
  local w, i = first_wrong(ctx, case, r.outs)
  if w then
    local who = blame(k, case, i, r.outs[i], w, target)
    fail_at(ctx, case, target, {outcome = w.weak and "weak" or "wrong", wrong = w, writer = who,
      cause = who == "nobody" and "unwritten" or nil})
  end
end

-- The same bits again from the same inputs?
local function again(ctx, case, target, k, r)
  if ctx.part.deterministic == false then
    return
  end
  local second = run.launch(k, case.values)
  examine(ctx, case, target, k, second)
  for i, out in ipairs(r.outs) do
    if not run.same_bits(out, second.outs[i]) then
      fail_at(ctx, case, target, {outcome = "race", cause = "differs", said = words.both(
        "%s gives different results for the same inputs.", "%s 对同样的输入给出不同的结果。", ctx.part.name)})
    end
  end
end

local function try(ctx, case, target)
  local k = kernel_of(ctx, case, target)
  if not k then
    return
  end
  local mismatch = run.mismatch(k, ctx.part)
  if mismatch then
    fail_at(ctx, case, target, {outcome = "compile", said = mismatch, cause = "signature"})
  end
  local r = run.launch(k, case.values)
  examine(ctx, case, target, k, r)
  if not target:find "^sim" then
    again(ctx, case, target, k, r)
  end
  return k
end

-- Parts ----------------------------------------------------------------------------------------

-- Inputs and references of a case, made when they are first needed.
local function prepare(ctx, case)
  if not case.values then
    local x
    case.values, x = cases.inputs(ctx.p, ctx.part, case)
    case.expected = compare.expected(ctx.p, ctx.part, case, x)
  end
end

-- The cases of a stage, one after the other: each in the simulators.  A size that does not
-- compile counts when it is reached: what is wrong with the sizes before says more.
local function simulate(ctx, list, stage)
  for i, case in ipairs(list) do
    ctx.report {part = ctx.part.name, stage = stage, done = i - 1, of = #list}
    if case.error then
      fail_at(ctx, case, nil, {outcome = words.outcome(case.error.code, "compile"),
        error = case.error})
    end
    prepare(ctx, case)
    for _, sim in ipairs(simulators(ctx.part, ctx.target)) do
      try(ctx, case, sim)
    end
  end
end

-- beyond: of a stage those sizes alone that are far larger; else those alone that are not.
local function judge_stage(ctx, stage, beyond)
  local list, texts = {}, {}
  for _, case in ipairs(ctx.cases) do
    if case.stage == stage and not case.beyond == not beyond then
      list[#list + 1] = case
      texts[#texts + 1] = case.ir
    end
  end
  simulate(ctx, list, stage)
  if on_target(ctx.part, ctx.target) then
    run.prebuild(texts, ctx.target)
    for _, case in ipairs(list) do
      try(ctx, case, ctx.target)
    end
  end
  ctx.report {part = ctx.part.name, stage = stage, done = #list, of = #list}
end

-- Besides right results, what the puzzle asks for; where the size is none that it asks of, only
-- what holds for each.
local function judge_goals_at(ctx, case)
  local part = ctx.part
  local goals = part.goals
  local f = score.facts(ctx, case)
  local found = ctx.p.foreign and
    require("moontile.puzzles.judge.foreign").goals(ctx.p, part, f)
  for i, goal in ipairs(goals) do
    local met, en, zh
    if not (case.asked or goal.everywhere) then
      met = true
    elseif found then
      met, en, zh = found[i].met, found[i].en, found[i].zh
    else
      met, en, zh = goal.test(f)
    end
    if not met then
      fail_at(ctx, case, nil, {outcome = "goal", goal = {id = goal.id, en = goal.en, zh = goal.zh,
        found = en and {en = en, zh = zh or en} or nil}})
    end
  end
end

local function everywhere(part)
  for _, goal in ipairs(part.goals) do
    if goal.everywhere then
      return true
    end
  end
  return false
end

-- Of every case of a stage: a kernel may be another one for each size.
local function judge_goals(ctx, stage)
  for _, case in ipairs(ctx.part.goals and ctx.cases or {}) do
    if case.stage == stage and (case.asked or everywhere(ctx.part)) then
      judge_goals_at(ctx, case)
    end
  end
end

-- Counts that are numbers: no size that is run finds all of them.
local function judge_growth(ctx)
  local found, more = growth.find(ctx)
  if found then
    local name = found.name
    local said, hint = words.counted(ctx.part.name, name, found.less[name], found.size[name])
    fail {outcome = "wrong", cause = "counted", said = said, hint = hint, stage = "hidden", part = ctx.part.name,
      size = found.size, size_text = found.size_text}
  end
  simulate(ctx, more, "hidden")
end

local function judge_part(ctx, hidden)
  judge_stage(ctx, "visible")
  judge_goals(ctx, "visible")
  if hidden then
    judge_stage(ctx, "hidden")
    judge_growth(ctx)
    judge_stage(ctx, "hidden", true)
    judge_goals(ctx, "hidden")
  end
  ctx.report {part = ctx.part.name, stage = "score", done = 0, of = 1}
  return score.of(ctx)
end

-- Evaluating -----------------------------------------------------------------------------------

-- Outcomes of an evaluator that did not come to an end, by its reason.
local reasons = {time = "hang", memory = "compile", instructions = "hang", killed = "trouble",
  trouble = "trouble"}

local broken = {
  time = words.both("Reading the file takes too long: something in it, outside the kernels' own "
    .. "loops, does not end.", "读取文件用时过长：内核循环之外有代码没有结束。"),
  instructions = words.both("The file runs too many instructions before its kernels are known: " ..
    "a loop does not end.", "在得到内核之前执行的指令过多：有循环没有结束。"),
  memory = words.both("The file needs too much memory before its kernels are known.",
    "在得到内核之前占用的内存过多。"),
}

-- The part in whose lines an error of the whole file stands, below its `NAME =`; or nil.
local function part_at(plan, err, text)
  local found, n = nil, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    n = n + 1
    for _, ctx in ipairs(n <= (err and err.line or 0) and plan or {}) do
      found = line:match "^[%w_ ]-([%w_]+)%s*=" == ctx.part.name and ctx or found
    end
  end
  return found and found.part
end

local function missing(kernels, name)
  local list = #kernels > 0 and table.concat(kernels, ", ") or nil
  return words.both(list and "The file has no kernel `%s`; it has %s." or
      "The file has no kernel `%s`.", list and "文件中没有内核 `%s`；有的是 %s。" or
      "文件中没有内核 `%s`。", name, list)
end

-- The IR of every case of these parts, into the cases; raises what hinders.
local function evaluate(o, plan, target)
  local traces = {}
  for _, ctx in ipairs(plan) do
    for _, case in ipairs(ctx.cases) do
      traces[#traces + 1] = cases.trace(ctx.p, ctx.part, case)
    end
  end
  local spec = device.simulator(target)
  local r, why = sandbox.evaluate {text = o.text, chunk = o.chunk or "=solution", traces = traces,
    before = o.before,
    target = spec, lang = diag.lang(), limits = o.limits}
  if not r and why.reason == "stopped" then
    diag.fail "stopped"
  elseif not r then
    fail {outcome = reasons[why.reason] or "trouble", said = broken[why.reason], error = why.error or
      {code = "", text = tostring(why.detail or ""), message = tostring(why.detail or "")},
      stage = "evaluate"}
  elseif r.error then
    fail {outcome = words.outcome(r.error.code, "compile"), error = r.error, stage = "evaluate",
      output = r.output, said = words.unread(r.error)}
  end
  local n, have = 0, {}
  for _, name in ipairs(r.kernels) do
    have[name] = true
  end
  for _, ctx in ipairs(plan) do
    ctx.missing = not have[ctx.part.name] and missing(r.kernels, ctx.part.name) or nil
    for _, case in ipairs(ctx.cases) do
      n = n + 1
      case.ir, case.error, case.warnings = r.results[n].ir, r.results[n].error,
        r.results[n].warnings
      ctx.warnings = ctx.warnings or case.warnings
    end
  end
  return r.output
end

-- Verdicts -------------------------------------------------------------------------------------

local function title_of(p, part)
  return part and part.title or p.title
end

-- Completes a verdict from what failed.
local function finish(p, v, part, text, chunk)
  v.puzzle = p.name
  v.ok = v.outcome == "ok" or v.outcome == "slow"
  v.title = title_of(p, part)
  v.part = v.part or part and part.name
  v.size_text = v.size_text or ""
  v.sentence = words.sentence(v)
  v.hint = v.hint or not v.ok and v.outcome ~= "trouble" and
    words.hint(v, part and part.explain, text) or nil
  if v.hint and python.is(chunk or "") then
    v.hint = v.hint.python or {en = inpython.sentence(v.hint.en), zh = inpython.sentence(v.hint.zh)}
  end
  v.tags = words.tags(v)
  return v
end

-- f(...) -> a verdict that it raised, or nothing and its results
local function guarded(f, ...)
  local r = table.pack(pcall(f, ...))
  if r[1] then
    return nil, table.unpack(r, 2, r.n)
  end
  local err = r[2]
  if getmetatable(err) == Failed then
    return setmetatable(err, nil)
  elseif diag.isdiag(err) and (err.id == "stopped" or err.id == "interrupted" or
    err.id == "build_interrupted") or diag.isdiag(err) and err.code:find "^E78" then
    error(err, 0)
  end
  return {outcome = "trouble", error = run.error(err)}
end

local function selected(p, o)
  if not o.part then
    return p.parts
  end
  return {puzzle.part(p, o.part) or diag.fail("puzzle_none", p.name .. " " .. o.part)}
end

-- What the learner's target is for the judge: on the cpu nothing is timed and all is
-- small, so that the compiler's time counts, and not the kernel's.
local function judged_on(target)
  local spec = device.resolve(target)
  return device.on(spec):match "^%S+" == "cpu" and not spec:find "-quick" and spec .. " -quick" or spec
end

local function judge_all(p, o, v)
  local target = judged_on(o.target)
  diag.keep(o.chunk or "=solution", o.text)
  local report = o.report or function() end
  local plan = {}
  for i, part in ipairs(selected(p, o)) do
    plan[i] = {p = p, part = part, target = target_of(part, target), report = report, text = o.text,
      before = o.before, seed = v.seed,
      chunk = o.chunk or "=solution",
      cases = cases.list(p, part, {seed = v.seed, hidden = o.hidden ~= false})}
    v.parts[i] = {name = part.name, title = title_of(p, part), outcome = "pending", ok = false}
  end
  v.target = target
  local said, hint = o.unreadable, nil
  if not said then
    said, hint = slips.unreadable(o.text)
  end
  if said then
    return {outcome = "compile", said = said, hint = hint, cause = "unreadable"}, plan[1].part
  end
  report {stage = "evaluate", done = 0, of = 1}
  local failed, output = guarded(evaluate, o, plan, target)
  v.output = output
  if failed then
    local part = part_at(plan, failed.error, o.text)
    for _, known in ipairs(part and v.parts or {}) do
      known.outcome = known.name == part.name and failed.outcome or known.outcome
    end
    return failed, part or plan[1].part
  end
  local slow = false
  for i, ctx in ipairs(plan) do
    local result
    if ctx.missing then
      failed = {outcome = "compile", said = ctx.missing, part = ctx.part.name, cause = "missing"}
    else
      failed, result = guarded(judge_part, ctx, o.hidden ~= false)
    end
    v.parts[i].outcome = failed and failed.outcome or result.outcome
    v.parts[i].ok = not failed
    v.warnings = v.warnings or ctx.warnings
    v.worst = math.max(v.worst or 0, ctx.worst or 0)
    if failed then
      return failed, ctx.part
    end
    v.score[i], slow = result, slow or result.outcome == "slow"
  end
  local last = plan[#plan].part
  return {outcome = slow and "slow" or "ok"}, #plan == 1 and last or nil
end

local clock = require("moontile.ir").clock

-- Where nobody named a target and the processor's kernels cannot be compiled, the simulator
-- has the last word; said with the verdict.
local simulated = {
  E320 = words.both("There is no C compiler on this machine: the kernel ran in the " ..
    "simulator alone. (Debian, Ubuntu: apt-get install gcc)", "本机没有 C 编译器，内核只在模拟器中运行。" ..
    "（Debian、Ubuntu：apt-get install gcc）"),
  E322 = words.both("The C compiler of this machine does not work: the kernel ran in the simulator " ..
    "alone. (Debian, Ubuntu: apt-get install gcc binutils; `moontile doctor cpu` says more)",
    "本机的 C 编译器无法工作，内核只在模拟器中运行。（Debian、Ubuntu：apt-get install gcc binutils；" ..
    "详见 `moontile doctor cpu`）"),
}
local without_compiler -- why, once that is known

-- What is judged may be anybody's: where walls are missing, that is said with every verdict.
local function no_walls()
  local wall = walls.missing()
  return wall and words.both("%s is missing on this machine, so solutions are not fully "
    .. "sandboxed: judge only what you trust.", "本机没有 %s，被判题的程序缺少部分隔离屏障：请只评判您信任的内容。", wall)
end

-- Both in one text.
local function together(a, b)
  return a and b and {en = a.en .. "\n" .. b.en, zh = a.zh .. "\n" .. b.zh} or a or b
end

-- The same on the simulator, if that is what is missing.
local function instead(o, failed)
  if not o.target and device.default == "auto" then
    without_compiler = without_compiler or failed and failed.error and simulated[failed.error.code]
  else
    return nil
  end
  if without_compiler then
    return setmetatable({target = "sim"}, {__index = o})
  end
end

local function judge_once(p, o)
  local v = {seed = o.seed or cases.fresh_seed(), parts = {}, score = {}}
  local ok, failed, part = sizes.with({}, judge_all, p, o, v)
  if not ok then
    error(failed, 0)
  end
  return v, failed, part
end

-- See the head of the file.  Kernels that the user holds stay as they are.
function M.judge(p, o)
  local from = clock()
  local other = instead(o)
  local v, failed, part = judge_once(p, other or o)
  if not other then
    other = instead(o, failed)
    if other then
      v, failed, part = judge_once(p, other)
    end
  end
  v.note = together(other and without_compiler, no_walls())
  for key, value in pairs(failed) do
    v[key] = value
  end
  finish(p, v, part, o.text, o.chunk)
  score.stars(v)
  v.ms = (clock() - from) * 1000
  return v
end

return M
