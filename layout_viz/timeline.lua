-- layout_viz/timeline.lua: plot(k:trace()): what one block does, as time lines: a row a
-- role or set of warps, a row a stage for the copies on their way, the matrix units; and
-- what each line of the kernel costs.
--
--   plot(k:trace(), {from = 0, to = 2000})       cycles
--   plot(k:trace(), {iterations = {3, 5}})       rounds of the main loop
--   plot(k1:trace(), k3:trace())                 two on one scale: which is ahead
--
-- Where iterations repeat exactly, the start of the kernel and two repetitions are drawn,
-- then its end; {fold = false} draws all of it.

local plot = require "moontile.layout_viz.plot"
local text = require "moontile.tl.tracetext"
local trace = require "moontile.tl.trace"
local term = require "moontile.term"
local viz = require "moontile.viz"

local M = {}

local MostStages = 8   -- rows of copies on their way
local MostUnits = 4    -- rows of products
local MostLines = 14   -- of the table
local Apart = 6        -- columns for an arrival; closer ones are not drawn
local Round = 10       -- columns for an iteration, where only some are drawn

-- Phrases, English and Chinese.
local say = {
  flight = {"copies [%d]", "拷贝 [%d]"},
  flights = {"memory", "访存"},
  products = {"matrix units", "矩阵单元"},
  products_of = {"matrix %s", "矩阵 %s"},
  all = {"all of it", "全过程"},
  start = {"the start", "开始部分"},
  repeats = {"the start, and %d of %d repetitions", "开始部分，以及 %2$d 次重复中的 %1$d 次"},
  finish = {"the end", "结束部分"},
  part = {"cycles %s to %s of %s", "第 %s 到 %s 个周期，共 %s 个"},
  idle = {"not drawn, with nothing to do in the loop: %s", "未画出、在循环中无事可做：%s"},
  numbers = {"numbers: of copies, the tile that they bring; of products, the iteration",
    "数字：拷贝行为所搬运的第几块，矩阵单元行为迭代序号"},
  numbers_lines = {"numbers: of copies, the tile that they bring; of products, their line",
    "数字：拷贝行为所搬运的第几块，矩阵单元行为所在行号"},
  first = {"the first is %.2f times as fast", "前者的速度是后者的 %.2f 倍"},
  second = {"the second is %.2f times as fast", "后者的速度是前者的 %.2f 倍"},
  cycles = {"cycles", "周期"},
  line = {"line", "行"}, what = {"what", "类别"}, times = {"times", "次数"},
  waits = {"waiting", "等待"}, source = {"text", "源码"},
  more = {"%d more lines with %s cycles", "另有 %d 行，共 %s 个周期"},
  waiting = {"waiting", "等待"},
  ["|"] = {"a barrier", "栅栏"}, ["^"] = {"an arrival at an mbarrier", "到达 mbarrier"},
}

-- Kinds of work: hue, the word on a span, its explanation.
local work = {
  copy = {hue = 0, word = {"copy", "拷贝"}, long = {"copies are asked for", "发起拷贝"}},
  matrix = {hue = 1, word = {"mma", "矩阵乘"}, long = {"matrix products", "矩阵乘"}},
  compute = {hue = 2, word = {"alu", "运算"}, long = {"arithmetic, registers", "运算与寄存器操作"}},
  load = {hue = 3, word = {"load", "加载"}, long = {"loads", "加载"}},
  store = {hue = 4, word = {"store", "存储"}, long = {"stores", "存储"}},
  way = {hue = 5, long = {"on the way from or to memory", "在往返内存的途中"}},
}
local order = {"copy", "matrix", "compute", "load", "store", "way"}

-- Waits: the word on a span.
local waits = {
  copy = {"wait copy", "等拷贝"}, empty = {"wait stage", "等空级"}, arrival = {"wait", "等待"},
  barrier = {"barrier", "栅栏"}, store = {"wait store", "等存储"}, memory = {"wait load", "等加载"},
  result = {"wait", "等待"},
}

local phrase = text.phrase

-- Spans ------------------------------------------------------------------------------------

-- Adds a span; it joins the one before where both say the same without a gap.
local function push(spans, from, to, key, label, hue)
  local last = spans[#spans]
  if last and last.key == key and from <= last[2] then
    last[2] = math.max(last[2], to)
    return last
  end
  local s = {from, to, label, hue, key = key}
  spans[#spans + 1] = s
  return s
end

-- Does a text fit on a span, with a blank behind it?
local function fits(s, from, to, v)
  from, to = math.max(from, v.from), math.min(to, v.to)
  return (to - from) * v.columns >= term.width(s) + 1.5
end

-- A number, or its last digit where there is room for one only.
local function number(n, from, to, v)
  local s = tostring(n)
  return fits(s, from, to, v) and s or s:sub(-1)
end

local function seen(e, v)
  return e.to >= v.from and e.from <= v.to
end

-- Is it the work or the wait of warps of this row?
local function acts(e, index)
  return e.kind ~= "flight" and e.kind ~= "product" and e.rows[1] and e.rows[1] <= index and
    index <= e.rows[2]
end

-- Where the mark of a short barrier stands: in a column of its own, else in the last one of
-- what comes before it, whose word it does not cover.
local function mark_at(e, v)
  local wide = (e.to - e.from) * v.columns >= 1
  return wide and e.from or e.from - 0.5 / v.columns
end

local function row_spans(t, index, v)
  local spans, marks, arrivals = {}, {}, {}
  for _, e in ipairs(t.events) do
    local kind = e.reason == "product" and "matrix" or e.kind
    local w = work[kind]
    if not acts(e, index) or not seen(e, v) then
      goto continue
    elseif kind == "arrive" then
      arrivals[#arrivals + 1] = {e.from, "^"}
    elseif e.to > e.from and w then
      local s = push(spans, e.from, e.to, kind .. (e.iteration or ""), phrase(w.word), w.hue)
      s.iteration = e.iteration
    elseif e.kind == "barrier" and not fits(phrase(waits.barrier), e.from, e.to, v) then
      push(spans, e.from, e.to, "b" .. e.from, "", viz.dim)
      marks[#marks + 1] = {mark_at(e, v), "|"}
    elseif e.to > e.from then
      push(spans, e.from, e.to, e.reason .. e.from, phrase(waits[e.reason]), viz.dim)
    end
    ::continue::
  end
  for _, s in ipairs(spans) do
    local long = s.iteration and ("%s %d"):format(s[3], s.iteration)
    s[3] = long and fits(long, s[1], s[2], v) and long or s[3]
  end
  if #arrivals <= (v.to - v.from) * v.columns / Apart then
    table.move(arrivals, 1, #arrivals, #marks + 1, marks)
  end
  return spans, marks
end

-- Copies on their way: by stage, each filling of it once, numbered in the order of time.
local function fillings(t)
  local list, at = {}, {}
  for _, e in ipairs(t.events) do
    if e.kind == "flight" and e.stage then
      local key = ("%s %s %d"):format(e.outer or "", e.iteration or "", e.stage)
      local f = at[key]
      if not f then
        f = {from = e.from, to = e.to, stage = e.stage, number = #list}
        at[key], list[#list + 1] = f, f
      end
      f.from, f.to = math.min(f.from, e.from), math.max(f.to, e.to)
    end
  end
  return list
end

local function flight_rows(t, v)
  local rows, by_stage, most = {}, {}, -1
  for _, f in ipairs(fillings(t)) do
    by_stage[f.stage] = by_stage[f.stage] or {}
    if f.to >= v.from and f.from <= v.to then
      table.insert(by_stage[f.stage], {f.from, f.to, number(f.number, f.from, f.to, v),
        work.copy.hue})
    end
    most = math.max(most, f.stage)
  end
  for stage = 0, most < MostStages and most or -1 do
    if by_stage[stage] and #by_stage[stage] > 0 then
      rows[#rows + 1] = {label = phrase(say.flight):format(stage), spans = by_stage[stage]}
    end
  end
  local rest = {}
  for _, e in ipairs(t.events) do
    if e.kind == "flight" and (not e.stage or most >= MostStages) and seen(e, v) then
      push(rest, e.from, e.to, e.buffer, e.buffer or "", work.way.hue)
    end
  end
  if #rest > 0 then
    rows[#rows + 1] = {label = phrase(say.flights), spans = rest}
  end
  return rows
end

-- Products: a row for each row of the block that has some, or one for all.
local function product_rows(t, v)
  local by, lines, n_lines, n = {}, {}, 0, 0
  for _, e in ipairs(t.events) do
    if e.kind == "product" then
      by[e.rows[1]] = by[e.rows[1]] or {}
      table.insert(by[e.rows[1]], e)
      n_lines = n_lines + (lines[e.line] and 0 or 1)
      lines[e.line] = true
    end
  end
  for _ in pairs(by) do
    n = n + 1
  end
  local rows = {}
  v.by_line = n_lines > 1
  for i, r in ipairs(t.rows) do
    local row = n <= MostUnits and {label = n == 1 and phrase(say.products) or
      phrase(say.products_of):format(r.name:match "%S+$"), spans = {}} or rows[1] or
      {label = phrase(say.products), spans = {}}
    for _, e in ipairs(by[i] or {}) do
      if e.to >= v.from and e.from <= v.to then
        local name = number(n_lines > 1 and e.line or e.iteration or "", e.from, e.to, v)
        push(row.spans, e.from, e.to, ("%d %s"):format(e.line, e.iteration), name,
          n_lines > 1 and 5 + e.line % 3 or work.matrix.hue)
      end
    end
    if by[i] and row ~= rows[#rows] then
      rows[#rows + 1] = row
    end
  end
  return rows
end

local function rows_of(t, v, numbers)
  local rows = {}
  for i, r in ipairs(t.rows) do
    if not r.idle then
      local spans, marks = row_spans(t, i, v)
      rows[#rows + 1] = {label = r.name, spans = spans, marks = marks}
    end
  end
  local flights, products = flight_rows(t, v), product_rows(t, v)
  numbers.fillings = numbers.fillings or #flights > 0
  numbers.products, numbers.by_line = numbers.products or #products > 0, v.by_line
  for _, list in ipairs {flights, products} do
    table.move(list, 1, #list, #rows + 1, rows)
  end
  for _, r in ipairs(rows) do
    for _, s in ipairs(r.spans) do
      s.key, s.kind, s.iteration = nil, nil, nil
      s[1], s[2] = math.max(s[1], v.from), math.min(s[2], v.to)
    end
    local marks = {}
    for _, m in ipairs(r.marks or {}) do
      if m[1] > v.from and m[1] <= v.to then
        marks[#marks + 1] = m
      end
    end
    r.marks = marks
  end
  return rows
end

-- Views ------------------------------------------------------------------------------------

-- First and last cycle of iterations [a, b].
local function span_of(t, a, b)
  local from, to
  for _, e in ipairs(t.events) do
    if e.iteration and e.iteration >= a and e.iteration <= b then
      from, to = math.min(from or e.from, e.from), math.max(to or e.to, e.to)
    end
  end
  return from or 0, to or 0
end

local Repetitions = 2 -- drawn of the steady state
local Least = 0.4     -- of what is readable: less is not drawn

-- Cycles of a view in which iterations are wide enough to be read; nil: of any view.
local function readable(t, columns)
  local l = t.loop
  if not l or not l.first or l.last - l.first < 2 then
    return nil
  end
  local from = span_of(t, l.first, l.first)
  local to = span_of(t, l.last, l.last)
  return (to - from) / (l.last - l.first) * columns / Round
end

local function part(t, from, to)
  return {{from = from, to = to, caption = phrase(say.part, text.number(from), text.number(to),
    text.number(t.cycles))}}
end

-- What is drawn in so many columns: a list of {from, to, caption}.
local function views_of(t, o, columns)
  if o.iterations then
    return part(t, span_of(t, o.iterations[1], o.iterations[2]))
  elseif o.from or o.to then
    return part(t, o.from or 0, o.to or t.cycles)
  end
  local most = readable(t, columns)
  if o.fold == false or not most or t.cycles <= 1.5 * most then
    return {{from = 0, to = t.cycles, caption = phrase(say.all)}}
  end
  local s, to, caption = t.steady, most, phrase(say.start)
  local last = span_of(t, t.loop.last - 1, t.loop.last)
  if s then
    local n, drawn = (s.to - s.from + 1) // s.rounds, s.rounds > 2 and 1 or Repetitions
    to = math.max(to * Least, span_of(t, s.from, s.from) + math.min(drawn, n) * s.cycles)
    last = math.max(last, span_of(t, s.from + (n - 1) * s.rounds, s.to))
    caption = n > drawn and phrase(say.repeats, drawn, n) or caption
  end
  if to >= last then
    return {{from = 0, to = t.cycles, caption = phrase(say.all)}}
  end
  return {{from = 0, to = to, caption = caption},
    {from = last, to = t.cycles, caption = phrase(say.finish)}}
end

-- The whole ----------------------------------------------------------------------------------

-- What colours mean; without them the words on the spans say it.
local function legend(f, used, o, style)
  local list, coloured = {}, style.colour > 0 or o.svg or o.json or o.format and o.format ~= "text"
  for _, kind in ipairs(coloured and order or {}) do
    if used[work[kind].hue] then
      list[#list + 1] = {hue = work[kind].hue, label = phrase(work[kind].long)}
    end
  end
  if coloured and used[viz.dim] then
    list[#list + 1] = {hue = viz.dim, label = phrase(say.waiting)}
  end
  for _, sign in ipairs {"|", "^"} do
    if used[sign] then
      list[#list + 1] = {sign = sign, label = phrase(say[sign])}
    end
  end
  if #list > 0 then
    f:legend(list)
  end
end

local names = {copy = {"copy", "拷贝"}, matrix = {"product", "矩阵乘"}, compute = {"arithmetic", "运算"},
  load = {"load", "加载"}, store = {"store", "存储"}, wait = {"wait", "等待"},
  barrier = {"barrier", "栅栏"}, arrive = {"arrival", "到达"}, flight = {"copy", "拷贝"},
  product = {"product", "矩阵乘"}}

local function lines_table(f, t)
  local list, rows, tints, left, sum = {}, {}, {}, 0, 0
  for _, l in ipairs(t.lines) do
    list[#list + 1] = l.cycles > 0 and l or nil
  end
  local by_cost = table.move(list, 1, #list, 1, {})
  table.sort(by_cost, function(a, b)
    return a.cycles > b.cycles or a.cycles == b.cycles and a.line < b.line
  end)
  local shown = {}
  for i, l in ipairs(by_cost) do
    if i <= MostLines then
      shown[l] = true
    else
      left, sum = left + 1, sum + l.cycles
    end
  end
  for _, l in ipairs(list) do
    if shown[l] then
      rows[#rows + 1] = {tostring(l.line), phrase(names[l.what]), tostring(l.times),
        text.number(l.cycles), l.stall > 0 and text.number(l.stall) or "", l.text or ""}
      tints[#rows] = l.stall * 2 > l.cycles and l.stall * 10 > t.cycles and viz.warn or nil
    end
  end
  if #rows > 0 then
    f:table{head = {phrase(say.line), phrase(say.what), phrase(say.times), phrase(say.cycles),
      phrase(say.waits), phrase(say.source)}, rows = rows, align = "rlrrrl", tints = tints}
  end
  if left > 0 then
    f:text(phrase(say.more, left, text.number(sum)))
  end
end

-- One view of a trace as a panel; adds to what is used, and what its numbers mean.
local function add_track(f, t, v, columns, used, numbers)
  v.columns = columns / math.max(1, v.to - v.from)
  local rows = rows_of(t, v, numbers)
  for _, r in ipairs(rows) do
    for _, s in ipairs(r.spans) do
      used[s[4]] = true
    end
    for _, m in ipairs(r.marks) do
      used[m[2]] = true
    end
  end
  f:track{rows = rows, from = v.from, to = math.max(v.to, v.from + 1), unit = phrase(say.cycles),
    caption = v.caption}
end

-- Columns that the lines of t leave for time.
local function columns_of(t, style)
  local label = 0
  for _, r in ipairs(t.rows) do
    label = math.max(label, term.width(r.name))
  end
  return math.max(10, style.width - label - 1)
end

-- Two traces over the same cycles.
local function compared(a, b, o, style)
  local f = viz.figure(("%s (%s), %s (%s)"):format(a.kernel, a.machine, b.kernel, b.machine))
  local columns = math.min(columns_of(a, style), columns_of(b, style))
  local view = views_of(a, o, columns)[1]
  local other = views_of(b, o, columns)[1]
  local used, numbers = {}, {}
  for _, t in ipairs {a, b} do
    f:text(text.head(t), text.cycles(t), text.busy(t))
    add_track(f, t, {from = view.from, to = math.max(view.to, other.to)}, columns, used, numbers)
  end
  legend(f, used, o, style)
  local fast, slow = math.min(a.cycles, b.cycles), math.max(a.cycles, b.cycles)
  f:text(phrase(a.cycles <= b.cycles and say.first or say.second, slow / math.max(1, fast)))
  return f
end

function M.figure(t, what, o, style)
  if getmetatable(what) == trace.Result then
    return compared(t, what, o, style)
  end
  local source = 'plot(%s:trace{target = "%s", block = {%s}})'
  local f = viz.figure(text.head(t), source:format(t.kernel, t.target, text.block(t):sub(2, -2)))
  local lines = {text.cycles(t), text.busy(t), text.steady(t) or ""}
  for _, s in ipairs(text.remarks(t)) do
    lines[#lines + 1] = s
  end
  for i = #lines, 1, -1 do
    if lines[i] == "" then
      table.remove(lines, i)
    end
  end
  f:text(table.unpack(lines))
  local used, numbers, columns = {}, {}, columns_of(t, style)
  for _, v in ipairs(views_of(t, o, columns)) do
    add_track(f, t, v, columns, used, numbers)
  end
  legend(f, used, o, style)
  local idle = {}
  for _, r in ipairs(t.rows) do
    idle[#idle + 1] = r.idle and r.name or nil
  end
  if #idle > 0 then
    f:text(phrase(say.idle, table.concat(idle, ", ")))
  end
  if numbers.fillings and numbers.products then
    f:text(phrase(numbers.by_line and say.numbers_lines or say.numbers))
  end
  lines_table(f, t)
  return f
end

plot.add {
  name = "trace",
  summary = {en = "a block's time line: k:trace()", zh = "一个块的时间线：k:trace()"},
  is = function(v) return getmetatable(v) == trace.Result end,
  figure = M.figure,
  options = {"from", "to", "iterations"},
}

return M
