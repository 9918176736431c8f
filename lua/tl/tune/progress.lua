-- tl/tune/progress.lua: what a search says: one line while it runs, a report behind it.

local bench = require "moontile.tl.bench"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local jobs = require "moontile.jobs"
local space = require "moontile.tl.tune.space"

local M = {}

-- Phrases, English and Chinese, filled by string.format in one order.
local say = {
  tune_look = {"looking at %d of %d", "正在分析 %d/%d"},
  tune_build = {"compiling, %d of %d tried", "正在编译，已试 %d/%d"},
  tune_time = {"timing, %d of %d tried", "正在计时，已试 %d/%d"},
  best = {"; best so far %s %s", "；目前最佳 %s %s"},
  of = {"; %.1f of %g s", "；%.1f/%g 秒"},
  head = {"tuned %s on %s: %s %s", "%s 在 %s 上调优：%s %s"},
  stored = {"from the store (%s)", "取自存储（%s）"},
  counts = {"%d configurations: %s; %.1f s", "%d 种配置：%s；%.1f 秒"},
  count = {
    tried = {"%d tried", "已试 %d 种"},
    same = {"%d the same program as another", "与其他配置程序相同 %d 种"},
    pruned = {"%d not worth it by the model", "按模型不值得试 %d 种"},
    failed = {"%d failed", "失败 %d 种"},
    left = {"%d not reached", "未及尝试 %d 种"},
  },
  model = {"chosen by the cost model alone: nothing was timed on a GPU",
    "仅由代价模型选出：没有在 GPU 上计时"},
  predicted = {", predicted %s (%s)", "，预测 %s（%s）"},
  runs = {", %d runs", "，%d 次"},
  spill = {", spills %d bytes per thread", "，每线程溢出 %d 字节"},
  failed = {"failed:", "失败："},
  more = {"and %d more", "另有 %d 种"},
  stopped = {"stopped before the end: the best so far", "提前中止：保留目前最佳"},
}

local function phrase(t, ...)
  local s = t[diag.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

local most_shown = 150 -- characters

-- One line on the terminal, rewritten; with verbose also where there is none.
function M.show(task, what, x)
  if not jobs.terminal() then
    return
  end
  local text = "tune " .. task.name .. ": " ..
    phrase(say[what], what == "tune_look" and x or task.tried, #task.candidates)
  if task.best then
    text = text .. phrase(say.best, bench.duration(task.best.ms), task.best.text)
  end
  if task.budget then
    text = text .. phrase(say.of, ir.clock() - task.from, task.budget)
  end
  local n = utf8.len(text)
  if n and n > most_shown then
    text = text:sub(1, utf8.offset(text, most_shown + 1) - 1)
  end
  io.stderr:write("\r\27[K", text)
  io.stderr:flush()
  task.shown = true
end

function M.clear(task)
  if task.shown then
    io.stderr:write "\r\27[K"
    io.stderr:flush()
  end
end

-- One line for a candidate that was tried, where the caller asked for them.
function M.tell(task, c)
  if task.verbose then
    M.clear(task)
    io.stderr:write(("autotune %s %s\n"):format(c.text, c.failed and
      "failed: " .. c.failed.message or ("%.4f ms"):format(c.ms)))
  end
end

-- The report -----------------------------------------------------------------------------

local Report = {__name = "tuning report"}
Report.__index = Report

local most_listed = 12

local function count(candidates)
  local n = {tried = 0, same = 0, pruned = 0, failed = 0, left = 0}
  for _, c in ipairs(candidates) do
    local what = c.failed and "failed" or c.runs and "tried" or c.same and "same" or
      c.pruned and "pruned" or "left"
    n[what] = n[what] + 1
  end
  return n
end

-- {best = {config, text, ms, predicted}, trials = {{config, text, ms, predicted, failed,
-- stage, pruned}, ..}, seconds, ended}
function M.report(task)
  local r = setmetatable({kernel = task.name, device = task.device, key = task.key,
    seconds = ir.clock() - task.from, ended = task.ended, trials = {},
    stored = task.stored and task.stored.date, model_only = task.model_only}, Report)
  for i, c in ipairs(task.candidates) do
    local t = {config = c.config, text = c.text, ms = c.runs and c.ms, predicted = c.predicted,
      failed = c.failed, stage = c.stage, pruned = c.pruned, runs = c.runs,
      same = c.same and c.same.text,
      spill = c.spill}
    r.trials[i] = t
    if c == task.best then
      r.best, t.ms = t, c.ms
    end
  end
  r.counts = count(r.trials)
  return r
end

local function by_time(a, b)
  return a.ms < b.ms
end

local function add_trials(out, r)
  local list = {}
  for _, t in ipairs(r.trials) do
    if t.runs and t ~= r.best then
      list[#list + 1] = t
    end
  end
  table.sort(list, by_time)
  for i = 1, math.min(#list, most_listed) do
    local t = list[i]
    local p = t.predicted
    out("  " .. bench.duration(t.ms) .. " " .. t.text .. phrase(say.runs, t.runs) ..
      (p and phrase(say.predicted, bench.duration(p.ms), phrase(bench.bounds[p.bound])) or "") ..
      ((t.spill or 0) > 0 and phrase(say.spill, t.spill) or ""))
  end
  if #list > most_listed then
    out("  " .. phrase(say.more, #list - most_listed))
  end
end

-- "8 tried, 1 failed"
local function counted(n)
  local parts = {}
  for _, what in ipairs {"tried", "same", "pruned", "failed", "left"} do
    if n[what] > 0 then
      parts[#parts + 1] = phrase(say.count[what], n[what])
    end
  end
  return table.concat(parts, diag.lang() == "zh" and "，" or ", ")
end

-- Failures by their reasons.
local function add_failures(out, r)
  local reasons, at = {}, {}
  for _, t in ipairs(r.trials) do
    if t.failed then
      local why = t.failed.code .. " " .. t.failed.message ..
        (t.failed.label ~= "" and ": " .. t.failed.label or "")
      if not at[why] then
        at[why] = {why = why, text = t.text, n = 0}
        reasons[#reasons + 1] = at[why]
      end
      at[why].n = at[why].n + 1
    end
  end
  if #reasons > 0 then
    out(phrase(say.failed))
  end
  for i = 1, math.min(#reasons, most_listed) do
    local x = reasons[i]
    out(("  %s %s%s"):format(x.text, x.why, x.n > 1 and " (x " .. x.n .. ")" or ""))
  end
  if #reasons > most_listed then
    out("  " .. phrase(say.more, #reasons - most_listed))
  end
end

function Report.__tostring(r)
  local lines = {}
  local function out(s)
    lines[#lines + 1] = s
  end
  out(phrase(say.head, r.kernel, r.device, bench.duration(r.best.ms), space.text(r.best.config)))
  if r.stored then
    out(phrase(say.stored, r.stored))
    return table.concat(lines, "\n")
  elseif r.model_only then
    out(phrase(say.model))
  elseif r.ended == "stopped" then
    out(phrase(say.stopped))
  end
  out(phrase(say.counts, #r.trials, counted(r.counts), r.seconds))
  add_trials(out, r)
  add_failures(out, r)
  return table.concat(lines, "\n")
end

return M
