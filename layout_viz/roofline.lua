-- layout_viz/roofline.lua: plot(k, "roofline"): what a kernel could reach on a card,
-- and, when it was measured, what it reaches.
--
-- x is operations a byte, y operations a second, both logarithmic.  The sloping roof is
-- the memory's bandwidth, the flat ones the card's units.  A kernel stands at two places
-- on x: with each byte moved once, as with a perfect cache, and with every sector moved
-- as often as it is asked for.  Where the kernel was benchmarked (k:bench(), or
-- bench = a result or milliseconds), its measured rate is a point under the roof.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local viz = require "moontile.viz"
local W = require "moontile.base.translations"

local say = program.say
local M = {}

-- Units of a card: field, label.
local units = {
  {"f8", "FP8"}, {"f16", "FP16"}, {"tf32", "TF32"}, {"f32", "FP32"}, {"f64", "FP64"},
}

-- The facts of one launch of k, and of the card.
local function facts_of(k, opts)
  local a = program.analyze(k, opts)
  local index = opts.launch or 1
  local l = a.launches[index]
  if not l then
    diag.fail("plot_launch", k.name, tostring(#a.launches), describe(index))
  elseif not a.card or a.card.gbs <= 0 then
    diag.fail("plot_roof", k.name, say("no card of %s is known: name one, {card = \"H200\"}",
      "没有 %s 的显卡数据：请指定一块，{card = \"H200\"}", a.machine))
  elseif not l.total_flops or not l.once_bytes then
    diag.fail("plot_roof", k.name, say("its grid is not known: give dims = {...}",
      "网格未知：请给出 dims = {...}"))
  elseif l.total_flops <= 0 then
    diag.fail("plot_roof", k.name, say("it does no arithmetic", "它不做算术运算"))
  end
  return a, l
end

-- Milliseconds that were measured, or nil.
local function measured(k, opts)
  local b = opts.bench
  if b == nil then
    b = k.ms_last
  end
  if type(b) == "table" and type(b.ms) == "number" then
    b = b.ms
  end
  if b ~= nil and (type(b) ~= "number" or b < 0) then
    diag.fail("arg_type", "plot", "bench", W"a number", describe(opts.bench),
      "plot(k, \"roofline\", {bench = k:bench()})")
  end
  return b and b > 0 and b or nil
end

-- 1.234e12 -> "1.23 TFLOP/s"
local function rate(v)
  for _, u in ipairs {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} do
    if v >= u[1] then
      return ("%.3g %sFLOP/s"):format(v / u[1], u[2])
    end
  end
  return ("%.3g FLOP/s"):format(v)
end

local function size(v)
  for _, u in ipairs {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} do
    if v >= u[1] then
      return ("%.3g %s"):format(v / u[1], u[2])
    end
  end
  return ("%.0f "):format(v)
end

-- The roofs as lines, from x0 to x1; rates in 1e12 a second.
local function roofs(card, peak, x0, x1)
  local lines, memory = {}, card.gbs / 1e3
  local best = peak or x1 * memory
  for _, u in ipairs(units) do
    best = math.max(best, card[u[1]] or 0)
  end
  lines[1] = {points = {{x0, x0 * memory}, {best / memory, best}}, hue = 0,
    label = say("memory %.2f TB/s", "显存 %.2f TB/s", memory)}
  for i, u in ipairs(units) do
    local v = card[u[1]] or 0
    if v > 0 then
      lines[#lines + 1] = {points = {{v / memory, v}, {math.max(x1, v / memory * 2), v}}, hue = i,
        label = ("%s %.4g"):format(u[2], v)}
    end
  end
  return lines
end

-- Three digits, and no power of ten: "0.25", "153", "1316".
local function plain(v)
  return (v >= 100 and "%.0f" or "%.3g"):format(v)
end

local function text_of(f, k, a, l, roof, ms)
  local card, once, moved = a.card, l.total_flops / l.once_bytes, l.total_flops / l.total_bytes
  local lines = {
    say("%s operations; %sB when each byte is moved once: %s a byte",
      "%s 次运算；每个字节只搬运一次为 %sB：每字节 %s 次",
      size(l.total_flops), size(l.once_bytes), plain(once)),
    say("%sB as asked for, without caches: %s a byte", "按请求计（无缓存）为 %sB：每字节 %s 次",
      size(l.total_bytes), plain(moved)),
  }
  local ridge = roof.peak and roof.peak / roof.memory or math.huge
  if not roof.peak then
    lines[#lines + 1] = say(
      "the card's rate of these operations is not known: memory allows at most %s",
      "该卡此类运算的速率未知：显存允许的上限为 %s", rate(once * roof.memory * 1e12))
  elseif once >= ridge then
    lines[#lines + 1] = say("%s is beyond the ridge at %s: arithmetic binds, at most %s",
      "%s 在转折点 %s 之后：受限于运算，至多 %s", plain(once), plain(ridge), rate(roof.peak * 1e12))
  else
    lines[#lines + 1] = say("%s is before the ridge at %s: memory binds, at most %s",
      "%s 在转折点 %s 之前：受限于显存，至多 %s", plain(once), plain(ridge), rate(once * roof.memory * 1e12))
  end
  if moved < ridge and once >= ridge then
    lines[#lines + 1] = say("caches have to serve repeated loads: without them memory would bind",
      "重复加载须由缓存满足：否则将受限于显存")
  end
  if ms then
    local reached = l.total_flops / ms * 1e3
    lines[#lines + 1] = say("measured %.4g ms: %s, %.0f %% of what the roof allows",
      "实测 %.4g ms：%s，为上限的 %.0f %%", ms, rate(reached), 100 * reached / 1e12 /
      math.min(roof.peak or math.huge, once * roof.memory))
  else
    lines[#lines + 1] = say("nothing was measured; k:bench() adds the point",
      "尚未实测；k:bench() 之后会加上实测点")
  end
  lines[#lines + 1] = say("the %s by its data sheet", "%s，按数据手册", card.name)
  f:text(table.unpack(lines))
end

local function figure(k, _, opts)
  local a, l = facts_of(k, opts)
  local card, memory = a.card, a.card.gbs / 1e3
  local peak = l.peak or math.max(card.f32 or 0, card.f64 or 0)
  peak = peak > 0 and peak or nil
  local once, moved = l.total_flops / l.once_bytes, l.total_flops / math.max(1, l.total_bytes)
  local ms = measured(k, opts)
  local ridge = peak and peak / memory or once
  local x0 = 10 ^ math.floor(math.log(math.min(once, moved, ridge) / 4, 10))
  local x1 = 10 ^ math.ceil(math.log(math.max(once, moved, ridge) * 2, 10))
  local top = peak or math.huge
  local at_most = math.min(top, once * memory)
  local points = {
    {once, at_most, label = say("bound", "上限"), hue = viz.accent},
    {moved, math.min(top, moved * memory), label = say("without caches", "无缓存"), hue = viz.warn},
  }
  if ms then
    points[#points + 1] = {once, l.total_flops / ms * 1e3 / 1e12, label = say("measured", "实测"),
      hue = viz.good}
  end
  local f = viz.figure(say("%s on the %s: roofline", "%s 在 %s 上的 roofline", k.name, card.name),
    opts.source or 'plot(k, "roofline")')
  f:curve {xlabel = say("operations per byte", "每字节运算次数"), ylabel = "TFLOP/s", xlog = true,
    ylog = true, lines = roofs(card, peak, x0, x1), points = points}
  text_of(f, k, a, l, {peak = peak, memory = memory}, ms)
  return f
end

plot.add {
  name = "roofline",
  summary = {en = "its roofline: plot(k, \"roofline\")",
    zh = "其 roofline：plot(k, \"roofline\")"},
  options = {"dims", "launch", "target", "card", "bench"},
  whats = function(v) return program.is_kernel(v) and {"roofline"} or nil end,
  is = function(v, what) return program.is_kernel(v) and what == "roofline" end,
  figure = figure,
}

return M
