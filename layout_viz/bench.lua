-- layout_viz/bench.lua: numbers as bars: benchmark and tuning results, lists, tables.
--
--   plot(k:bench{vs = "cublas"})       the median, the quartiles, the ratio
--   plot{r1, r2}                       several results beside each other
--   plot(k:tune{...})                  the configurations, best first
--   plot{3, 1, 4}    plot{ours = 1.2, theirs = 1.3}

local bench = require "moontile.tl.bench"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local space = require "moontile.tl.tune.space"
local stats = require "moontile.tl.stats"
local viz = require "moontile.viz"

local say = program.say
local M = {}

local MaxBars = 40    -- longer lists are curves
local MaxConfigs = 24

-- Benchmark results ---------------------------------------------------------------------

local function is_result(v)
  return getmetatable(v) == bench.Result
end

-- Both sides of results as bars, in ms.
local function result_bars(results)
  local bars = {}
  local function add(name, t, hue)
    bars[#bars + 1] = {label = name, value = t.ms, low = t.q1, high = t.q3, hue = hue,
      text = ("%s  %s .. %s"):format(bench.duration(t.ms), bench.duration(t.q1),
        bench.duration(t.q3))}
  end
  for i, r in ipairs(results) do
    add(r.signature or r.kernel, r, i - 1)
    if r.vs then
      add(say("vs %s", "对比 %s", r.vs.name), r.vs, viz.dim)
    end
  end
  return bars
end

local function figure_results(results, opts)
  local first = results[1]
  local f = viz.figure(say("time on %s", "在 %s 上的时间", first.device), opts.source or "plot(result)")
  f:bars(result_bars(results))
  local lines = {say("bars are medians, the ends of a line the quartiles of %d runs",
    "条形为中位数，线段两端为四分位数，共 %d 次", first.runs)}
  for _, r in ipairs(results) do
    if r.ratio then
      lines[#lines + 1] = say("%s against %s: %.3f times as fast (%.3f .. %.3f, %d rounds)",
        "%s 与 %s 相比：速度为 %.3f 倍（%.3f .. %.3f，%d 轮）", r.kernel, r.vs.name, r.ratio, r.ratio_q1,
        r.ratio_q3, r.ratio_rounds)
    end
    if r.of_flops or r.of_bytes then
      lines[#lines + 1] = say("%s reaches %.0f %% of the arithmetic roof, %.0f %% of the memory's",
        "%s 达到运算上限的 %.0f %%，显存上限的 %.0f %%", r.kernel, 100 * (r.of_flops or 0),
        100 * (r.of_bytes or 0))
    end
  end
  if #results > 1 then
    for i = 2, #results do
      lines[#lines + 1] = say("%s : %s = %.3f : 1", "%s : %s = %.3f : 1", results[i].kernel,
        first.kernel, results[i].ms / first.ms)
    end
  end
  f:text(table.unpack(lines))
  if #results == 1 and #first.times >= 4 then
    M.spread(f, first)
  end
  return f
end

-- How the runs of a result are spread: a histogram.
function M.spread(f, r)
  local sorted = stats.sorted(r.times)
  local lo, hi = sorted[1], sorted[#sorted]
  local n = math.min(12, math.max(4, math.floor(math.sqrt(#sorted))))
  local width = (hi - lo) / n
  if width <= 0 then
    return
  end
  local counts, bars = {}, {}
  for i = 1, n do
    counts[i] = 0
  end
  for _, v in ipairs(sorted) do
    local i = math.min(n, math.floor((v - lo) / width) + 1)
    counts[i] = counts[i] + 1
  end
  for i = 1, n do
    bars[i] = {label = bench.duration(lo + (i - 1) * width), value = counts[i],
      text = tostring(counts[i])}
  end
  bars.caption = say("runs by their time", "各次运行按用时分布")
  f:bars(bars)
end

-- Tuning results ---------------------------------------------------------------------------

-- The report of k:tune() or f:tune(), where v is one or has one.
local function report_of(v)
  local mt = type(v) == "table" and getmetatable(v)
  if mt and mt.__name == "tuning report" then
    return v
  end
end

local function figure_report(r, opts)
  local list = {}
  for _, t in ipairs(r.trials) do
    if type(t.ms) == "number" then
      list[#list + 1] = t
    end
  end
  if #list == 0 then
    list[1] = r.best
  end
  table.sort(list, function(a, b) return a.ms < b.ms end)
  local f = viz.figure(say("configurations of %s on %s", "%s 在 %s 上的各配置", r.kernel, r.device),
    opts.source or "plot(k.tuning)")
  local bars = {}
  for i = 1, math.min(#list, MaxConfigs) do
    local t, guess = list[i], ""
    if t.predicted then
      guess = say(", predicted %s", "，预测 %s", bench.duration(t.predicted.ms))
    end
    bars[i] = {label = t.text or space.text(t.config), value = t.ms, hue = i == 1 and viz.good or 0,
      text = ("%s  x %.3f%s"):format(bench.duration(t.ms), t.ms / list[1].ms, guess)}
  end
  f:bars(bars)
  local failed = 0
  for _, t in ipairs(r.trials) do
    failed = failed + (t.failed and 1 or 0)
  end
  f:text(say("%d of %d configurations were timed, %d failed, %d are drawn; x: against the best",
    "测量了 %d 个配置（共 %d 个），失败 %d 个，绘制 %d 个；x 为相对最快者的用时", #list, #r.trials, failed,
    #bars))
  return f
end

-- Numbers ------------------------------------------------------------------------------------

local function number_text(v)
  if v ~= v then
    return "nan"
  end
  return math.type(v) == "integer" and tostring(v) or ("%.6g"):format(v)
end

-- A list of numbers, or names with numbers: {{label, value}, ..}; else nil.
local function pairs_of(v)
  if type(v) ~= "table" or getmetatable(v) ~= nil or next(v) == nil then
    return nil
  end
  local list, n = {}, #v
  for key, x in pairs(v) do
    if type(x) ~= "number" then
      return nil
    end
    list[#list + 1] = {key, x}
  end
  if n == #list then
    for i = 1, n do
      list[i] = {i - 1, v[i]}
    end
    return list, true
  end
  table.sort(list, function(a, b) return tostring(a[1]) < tostring(b[1]) end)
  return list, false
end

local function finite(v)
  return v == v and v ~= math.huge and v ~= -math.huge
end

local function figure_numbers(v, opts)
  local list, ordered = pairs_of(v)
  local f = viz.figure(say("%d numbers", "%d 个数", #list), opts.source or "plot{...}")
  if ordered and #list > MaxBars then
    local points = {}
    for _, p in ipairs(list) do
      points[#points + 1] = finite(p[2]) and p or nil
    end
    f:curve {xlabel = say("index", "下标"), ylabel = "", lines = {{points = points}}}
  else
    local bars = {}
    for i, p in ipairs(list) do
      bars[i] = {label = tostring(p[1]), value = finite(p[2]) and p[2] or 0,
        text = number_text(p[2]), hue = finite(p[2]) and 0 or viz.bad}
    end
    f:bars(bars)
  end
  local values = {}
  for _, p in ipairs(list) do
    values[#values + 1] = finite(p[2]) and p[2] or nil
  end
  if #values > 1 then
    local s = stats.sorted(values)
    f:text(say("least %s, median %s, greatest %s", "最小 %s，中位数 %s，最大 %s", number_text(s[1]),
      number_text(stats.at(s, 0.5)), number_text(s[#s])))
  end
  return f
end

-- Registration --------------------------------------------------------------------------------

-- A list of benchmark results.
local function is_results(v)
  if type(v) ~= "table" or getmetatable(v) ~= nil or #v == 0 then
    return false
  end
  for _, r in ipairs(v) do
    if not is_result(r) then
      return false
    end
  end
  return true
end

plot.add {
  name = "bench",
  summary = {en = "benchmark results, lists and tables of numbers",
    zh = "性能测试结果，数的列表或表"},
  options = {},
  is = function(v, what)
    return what == nil and (is_result(v) or is_results(v) or report_of(v) ~= nil or
      pairs_of(v) ~= nil)
  end,
  figure = function(v, _, opts)
    if is_result(v) then
      return figure_results({v}, opts)
    elseif is_results(v) then
      return figure_results(v, opts)
    elseif report_of(v) then
      return figure_report(report_of(v), opts)
    end
    return figure_numbers(v, opts)
  end,
}

return M
