-- layout_viz/errors.lua: plot(got, want): which elements of a result are wrong.
--
--   plot(got, want [, {rtol = 1e-2, atol = 1e-3}])
--   plot(k:check())                  where the first wrong size went wrong
--   plot(tl.testing.failed)          what assert_close last refused
--
-- The figure is a map of cells, each with its part of bad elements; the words below it
-- are differences.describe's.

local diag = require "moontile.diag"
local differences = require "moontile.layout_viz.differences"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local scale = require "moontile.layout_viz.scale"
local tensor = require "moontile.tensor"
local viz = require "moontile.viz"

local say = program.say
local M = {describe = differences.describe}

local function number(v)
  return math.type(v) == "integer" and tostring(v) or ("%.6g"):format(v)
end

local function place(idx)
  return "[" .. table.concat(idx, ", ") .. "]"
end

-- One character for a part of bad elements: . none, 1 .. 9 tenths, # all.
local function sign_of(bad, all)
  if bad == 0 then
    return "."
  elseif bad == all then
    return "#"
  end
  return tostring(math.max(1, math.min(9, math.floor(10 * bad / all))))
end

-- The map: a cell for each high x wide elements.
local function map(f, d, high, wide)
  local facts = d.facts
  local rows, cols = (d.rows + high - 1) // high, (d.cols + wide - 1) // wide
  local hues, tones, signs = {}, {}, {}
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do
      local i = r * cols + c + 1
      local all = math.min(high, d.rows - r * high) * math.min(wide, d.cols - c * wide)
      local bad = facts.cells[i]
      hues[i] = bad == 0 and viz.good or viz.bad
      tones[i] = bad == 0 and 128 or math.floor(230 - 150 * bad / all)
      signs[i] = sign_of(bad, all)
    end
  end
  local row_heads, col_heads = scale.heads(rows, high), scale.heads(cols, wide)
  f:grid {rows = rows, cols = cols, hues = hues, tones = tones, signs = table.concat(signs),
    row_heads = rows > 1 and row_heads or nil, col_heads = col_heads,
    row_name = rows > 1 and say("row", "行") or nil, col_name = say("column", "列")}
  f:legend {{hue = viz.good, sign = ".", label = say("right", "正确")},
    {hue = viz.bad, tone = 155, sign = "5", label = say("5 tenths wrong", "十分之五有误")},
    {hue = viz.bad, tone = 80, sign = "#", label = say("all wrong", "全部有误")}}
end

-- What d says, as lines.
local function lines_of(d)
  local lines = {say("%d of %d elements are wrong (%.3g %%), with rtol %s and atol %s",
    "%d / %d 个元素有误（%.3g %%），rtol %s，atol %s", d.bad, d.count, 100 * d.bad / d.count,
    number(d.rtol), number(d.atol))}
  lines[2] = say("the first is %s: %s, it should be %s", "第一个是 %s：得到 %s，应为 %s",
    place(d.first), number(d.got), number(d.want))
  if d.max_abs > 0 then
    local text = say("greatest difference %s at %s", "最大差值 %s，位于 %s", number(d.max_abs),
      place(d.abs_at))
    lines[#lines + 1] = d.max_rel > 0 and text .. say("; relative %s at %s", "；相对 %s，位于 %s",
      number(d.max_rel), place(d.rel_at)) or text
  end
  if d.text then
    lines[#lines + 1] = say("where: %s", "位置：%s", differences.say(d.text))
  end
  for _, c in ipairs(d.causes) do
    lines[#lines + 1] = say("looks like: %s", "看来：%s", differences.say(c))
  end
  return lines
end
M.lines = lines_of

-- The map alone of where got and want differ at all: the figure, and rows and columns
-- of elements that a cell stands for.
-- most: rows of cells.
function M.map(got, want, style, title, most)
  local count = got:numel()
  local cols = got.ndim > 0 and got.shape[got.ndim] or 1
  local high, wide = scale.cells(count // cols, cols, style, {}, most)
  local f = viz.figure(title)
  map(f, differences.describe(got, want, {rtol = 0, atol = 0}, high, wide), high, wide)
  return f, high, wide
end

local function figure(got, want, opts, style, title)
  local count = got:numel()
  if count == 0 then
    diag.fail("plot_empty", say("the tensors have no elements", "张量没有元素"))
  end
  local cols = got.ndim > 0 and got.shape[got.ndim] or 1
  local high, wide = scale.cells(count // cols, cols, style, opts, 16)
  local d = differences.describe(got, want, opts, high, wide)
  local f = viz.figure(title or say("%s: where the results differ", "%s：结果的差异所在",
    scale.type_text(got)), opts.source or "plot(got, want)")
  if d.bad == 0 then
    f:text(say("all %d elements agree, with rtol %s and atol %s",
      "全部 %d 个元素一致，rtol %s，atol %s", d.count, number(d.rtol), number(d.atol)),
      d.max_abs > 0 and say("greatest difference %s at %s", "最大差值 %s，位于 %s",
        number(d.max_abs), place(d.abs_at)) or say("they are equal", "二者相等"))
    return f
  end
  map(f, d, high, wide)
  local lines = lines_of(d)
  if high * wide > 1 then
    lines[#lines + 1] = say("a cell is %d x %d elements", "每格为 %d x %d 个元素", high, wide)
  end
  if got.ndim > 2 then
    lines[#lines + 1] = say("rows are all dimensions but the last", "行为除最后一维外的所有维")
  end
  f:text(table.unpack(lines))
  return f
end

-- Results of k:check() and of tl.testing ----------------------------------------------------

-- {actual, expected, rtol, atol, name} of what failed, or nil.
local function failure_of(v)
  if type(v) ~= "table" or getmetatable(v) ~= nil then
    return nil
  elseif tensor.istensor(v.actual) and tensor.istensor(v.expected) then
    return v
  elseif type(v.runs) == "table" and v.kernel then
    for _, run in ipairs(v.runs) do
      if run.failed then
        return run.failed
      end
    end
  end
end

local function is_check(v)
  return type(v) == "table" and getmetatable(v) == nil and type(v.runs) == "table" and
    v.kernel ~= nil and v.ok ~= nil
end

-- A check without tensors that differ: its runs.
local function figure_check(v, opts)
  local f = viz.figure(say("check of %s on %s", "%s 的检查（%s）", v.kernel, v.target),
    opts.source or "plot(k:check())")
  local rows, tints = {}, {}
  local hue = {ok = viz.good, wrong = viz.bad, refused = viz.dim}
  local word = {ok = say("ok", "通过"), wrong = say("WRONG", "有错"), refused = say("left out", "略过")}
  for i, run in ipairs(v.runs) do
    local names, parts = {}, {}
    for name in pairs(run.size or {}) do
      names[#names + 1] = name
    end
    table.sort(names)
    for j, name in ipairs(names) do
      parts[j] = ("%s=%s"):format(name, tostring(run.size[name]))
    end
    rows[i] = {#parts > 0 and table.concat(parts, " ") or say("its own shapes", "自身的形状"),
      word[run.verdict], run.error and tostring(run.error):match "^[^\n]*" or ""}
    tints[i] = hue[run.verdict]
  end
  f:table {head = {say("size", "大小"), say("verdict", "结论"), ""}, rows = rows, align = "lll",
    tints = tints}
  return f
end

plot.add {
  name = "errors",
  summary = {en = "two tensors of one shape: where they differ",
    zh = "形状相同的两个张量：差异所在"},
  options = {"rtol", "atol"},
  is = function(v, what)
    return tensor.istensor(v) and tensor.istensor(what) or
      what == nil and (failure_of(v) ~= nil or is_check(v))
  end,
  figure = function(v, what, opts, style)
    if tensor.istensor(v) then
      return figure(v, what, opts, style)
    end
    local k = failure_of(v)
    if not k then
      return figure_check(v, opts)
    end
    local o = setmetatable({rtol = opts.rtol or k.rtol, atol = opts.atol or k.atol},
      {__index = opts})
    return figure(k.actual, k.expected, o, style, k.name and
      say("%s: where it differs", "%s：差异所在", k.name))
  end,
}

return M
