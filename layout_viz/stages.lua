-- layout_viz/stages.lua: plot(k, "stages"): a pipelined loop as a table: statements
-- by steps of time, with the iteration that each of them works on.
--
-- The table is read from the program behind the pass that makes the pipeline, by
-- running its control flow.  A statement of the user's loop takes its iterations in
-- order, so the n-th time that it stands there is its iteration n, whatever copy of
-- it that is.  With a producer role both sides of the barrier pair have a loop of their own:
-- the producer is drawn as far ahead as the barrier pair lets it be.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local term = require "moontile.term"
local viz = require "moontile.viz"

local say = program.say
local M = {}

local Unknown = 16  -- iterations drawn of a loop whose count is not known
local MaxNotes = 4
local HeadMost = 24 -- columns that a figure gives to the heads of rows

-- A statement in few words: "copy A -> As", "gemm As Bs -> Cl", "for -> Cl".
local function brief(view, u)
  local function names(list, inside)
    local t, seen = {}, {}
    program.walk(inside and {u} or {}, function(s)
      for _, b in ipairs(s[list]) do
        local buf = view.tree.bufs[b]
        if not seen[b] and (list == "writes" or buf.scope ~= "var") then
          seen[b] = true
          t[#t + 1] = buf.name
        end
      end
    end)
    return t
  end
  local writes, reads = names("writes", true), names("reads", u.kind == "op")
  local into = {}
  for _, name in ipairs(writes) do
    into[name] = true
  end
  local from = {}
  for _, name in ipairs(reads) do
    from[#from + 1] = not into[name] and name or nil
  end
  local verb = u.op or u.kind
  return ("%s%s%s"):format(verb, #from > 0 and " " .. table.concat(from, " ") or "",
    #writes > 0 and " -> " .. table.concat(writes, " ") or "")
end

-- The pipelined loops of the tile program: {line, stages, var, units = {{line, text, s,
-- writes = {[name] = true}}, ..}, unit_of = {[place] = number}}.  A unit is a statement of
-- the loop's body.
local function loops_of(view)
  local list = {}
  program.walk(view.launch.body, function(s)
    if s.kind ~= "for" or s.loop ~= "pipelined" then
      return true
    end
    local loop = {line = s.line, stages = s.stages, units = {}, unit_of = {},
      var = view.tree.vars[s.vars[1]].name, s = s}
    for _, u in ipairs(s.body) do
      if u.kind ~= "alloc" and u.kind ~= "let" then
        local n = #loop.units + 1
        local unit = {line = u.line, text = brief(view, u), s = u, writes = {}}
        loop.units[n] = unit
        program.walk({u}, function(inner)
          for _, b in ipairs(inner.writes) do
            unit.writes[view.tree.bufs[b].name] = true
          end
          local place = ("%s:%s"):format(inner.line or 0, inner.col or 0)
          loop.unit_of[place] = loop.unit_of[place] or n
        end)
      end
    end
    list[#list + 1] = loop
    return false
  end)
  return list
end

-- Running ---------------------------------------------------------------------------------

-- Is the loop, or one of its statements, somewhere in a body?
local function holds(body, loop)
  local found = false
  program.walk(body, function(s)
    found = found or loop.unit_of[("%s:%s"):format(s.line or 0, s.col or 0)] ~= nil
    return not found
  end)
  return found
end

-- What a unit does here: "A -> As_next" or "As_next -> As" when its data goes through
-- registers on their way, else "".
local function part_of(view, unit, s)
  local bufs, through, from, to = view.tree.bufs, nil, nil, nil
  program.walk({s}, function(inner)
    for _, b in ipairs(inner.reads) do
      local name = bufs[b].name
      through = through or name:find "_next$" and not unit.writes[name] and name
      from = from or bufs[b].scope == "global" and name
    end
    for _, b in ipairs(inner.writes) do
      local name = bufs[b].name
      through = through or name:find "_next$" and not unit.writes[name] and name
      to = to or unit.writes[name] and name
    end
  end)
  if not through or not (from or to) then
    return ""
  end
  return to and ("%s -> %s"):format(through, to) or ("%s -> %s"):format(from, through)
end

-- One side of the pipeline: everything in `body` that belongs to the loop, as rows {unit,
-- part, done} and events {row, step, iteration}; steps before the loop are negative.
local function run(view, body, loop)
  local f, side = view.f, {events = {}, rows = {}, first = 0}
  local step, here, by_key = 0, {}, {}
  local function row_of(u, s)
    local part = part_of(view, loop.units[u], s)
    local key = u .. part
    if not by_key[key] then
      by_key[key] = {unit = u, part = part, done = 0}
      table.insert(side.rows, by_key[key])
    end
    return by_key[key]
  end
  local function event(row)
    if not here[row] then
      here[row] = true
      table.insert(side.events, {row = row, step = step, iteration = row.done})
      row.done = row.done + 1
    end
  end
  local function prologue(row) -- what stands here again begins a new step
    if here[row] then
      step, here = step + 1, {}
    end
    event(row)
  end
  local visit
  local function statement(s, inside)
    local u = loop.unit_of[("%s:%s"):format(s.line or 0, s.col or 0)]
    if s.kind == "if" then
      local c = f:eval(s.cond)
      if c ~= 0 then
        visit(s.body, inside)
      end
      if c == 0 or (c == nil and not holds(s.body, loop)) then
        visit(s.other or {}, inside)
      end
    elseif u and s.kind ~= "let" and s.kind ~= "alloc" then
      (inside and event or prologue)(row_of(u, s))
    elseif s.body then
      visit(s.body, inside)
    end
  end
  local function steady(s) -- the loop itself
    local lo, hi = f:eval(s.lo[1]), f:eval(s.hi[1])
    side.known = lo ~= nil and hi ~= nil
    lo, hi = lo or 0, hi or (lo or 0) + Unknown
    side.n, side.first, side.lo = hi - lo, -(next(here) and step + 1 or step), lo
    for _, e in ipairs(side.events) do
      e.step = e.step + side.first
    end
    for i = lo, hi - 1 do
      step, here = i - lo, {}
      f:set(s.vars[1], i)
      visit(s.body, true)
    end
    side.finished = true
  end
  function visit(list, inside)
    for _, s in ipairs(list) do
      if side.finished then
        return
      elseif s.kind == "for" and s.line == loop.line and not inside and holds(s.body, loop) then
        steady(s)
      elseif s.kind == "for" and not inside and s.body and holds(s.body, loop) and
        not loop.unit_of[("%s:%s"):format(s.line or 0, s.col or 0)] then
        f:set(s.vars[1], f:eval(s.lo[1]) or 0) -- a loop around it: its first iteration
        visit(s.body, inside)
      else
        statement(s, inside)
      end
    end
  end
  visit(body, false)
  return side
end

-- The roles that work on the loop, or one side without a name.
local function sides_of(view, loop)
  local list = {}
  program.walk(view.launch.body, function(s)
    if s.kind == "role" and holds(s.body, loop) then
      local side = run(view, s.body, loop)
      side.role, side.threads = s.name or "role", s.hi - s.lo
      side.loads = true -- unless it does something else, too
      for _, e in ipairs(side.events) do
        side.loads = side.loads and loop.units[e.row.unit].s.op == "copy"
      end
      table.insert(list, side.loads and 1 or #list + 1, side)
      return false
    end
  end)
  if #list == 0 then
    list[1] = run(view, view.launch.body, loop)
  end
  return list
end

-- Slots of the buffers that the loop fills: name -> how many; the fewest of them.
local function stages_of(view, loop)
  local slots, least, rank = {}, nil, {}
  for _, u in ipairs(loop.units) do
    program.walk({u.s}, function(s)
      for _, b in ipairs(s.writes) do
        local buf = loop.tree.bufs[b]
        rank[buf.name] = buf.scope == "shared" and #buf.shape or nil
      end
    end)
  end
  for _, buf in ipairs(view.tree.bufs) do
    if buf.scope == "shared" and rank[buf.name] and #buf.shape == rank[buf.name] + 1 then
      local n = view.f:eval(buf.shape[1])
      slots[buf.name] = n
      least = n and math.min(least or n, n) or least
    end
  end
  return slots, least
end

-- Drawing ----------------------------------------------------------------------------------

-- Producers with a loop of their own run ahead by the barrier pair's stages less one.
local function shift_producers(sides, slots)
  for _, side in ipairs(sides) do
    if #sides > 1 and side.loads and slots then
      side.ahead = slots - 1
      side.first = side.first - side.ahead
      for _, e in ipairs(side.events) do
        e.step = e.step - side.ahead
      end
    end
  end
end

-- The steps that are drawn: all, or so many of the beginning, a gap (false), the end.
local function columns_of(first, last, room)
  local list = {}
  if last - first + 1 <= room then
    for s = first, last do
      list[#list + 1] = s
    end
    return list
  end
  local tail = math.max(2, math.min(4, room // 3))
  for s = first, first + room - tail - 2 do
    list[#list + 1] = s
  end
  list[#list + 1] = false
  for s = last - tail + 1, last do
    list[#list + 1] = s
  end
  return list
end

local digits = "0123456789abcdefghijklmnopqrstuvwxyz"

-- One side as a grid of the steps that are drawn; heads are `wide` columns.
local function draw_side(f, side, heads, steps, caption)
  local labels, hues, signs, used, holes, col_of, col_heads = {}, {}, {}, {}, {}, {}, {}
  for c, s in ipairs(steps) do
    col_heads[c] = s and tostring(s) or ".."
    if s then
      col_of[s] = c
    end
  end
  local n, wide = #side.rows * #steps, 1
  for _, h in ipairs(#steps <= 12 and col_heads or {}) do -- more of them: every other head
    wide = math.max(wide, #h)
  end
  for c, h in ipairs(col_heads) do
    col_heads[c] = (" "):rep(wide - #h) .. h
  end
  for i = 1, n do
    labels[i], hues[i], signs[i] = "", viz.plain, " "
  end
  for _, e in ipairs(side.events) do
    local c = col_of[e.step]
    if c then
      local i = (e.row.at - 1) * #steps + c
      labels[i], hues[i], used[i] = tostring(e.iteration), e.iteration, true
      signs[i] = digits:sub(e.iteration % 36 + 1, e.iteration % 36 + 1)
    end
  end
  for i = 1, n do
    local gap = steps[(i - 1) % #steps + 1] == false
    local text = gap and ".." or labels[i]
    labels[i] = text ~= "" and (" "):rep(wide - #text) .. text or ""
    holes[#holes + 1] = not used[i] and not gap and i or nil
  end
  f:grid {rows = #side.rows, cols = #steps, labels = labels, hues = hues, caption = caption,
    signs = table.concat(signs), holes = holes, row_heads = heads, col_heads = col_heads,
    col_name = say("step", "步")}
end

-- The sides, one below the other, with the same columns.  -> the first step
local function draw(f, loop, sides, style)
  local first, last, wide = 0, 0, 0
  local room = math.max(12, math.min(HeadMost, (style.width or 80) // 3))
  for _, side in ipairs(sides) do
    first, last = math.min(first, side.first), math.max(last, side.n - 1)
    for i, row in ipairs(side.rows) do
      row.seen = i
    end
    table.sort(side.rows, function(a, b)
      return a.unit < b.unit or a.unit == b.unit and a.seen < b.seen
    end)
    side.heads = {}
    for i, row in ipairs(side.rows) do
      local unit = loop.units[row.unit]
      row.at = i
      side.heads[i] = term.cut(("%d %s"):format(unit.line or 0, row.part ~= "" and row.part or
        unit.text), room)
      wide = math.max(wide, term.width(side.heads[i]))
    end
  end
  local most = math.max(6, ((style.width or 80) - wide - 4) // (#tostring(last) + 1))
  local steps = columns_of(first, last, most)
  for _, side in ipairs(sides) do
    for i, head in ipairs(side.heads) do
      side.heads[i] = term.pad(head, wide)
    end
    draw_side(f, side, side.heads, steps, #sides > 1 and
      say("%s, %d threads", "%s，%d 个线程", side.role, side.threads) or nil)
  end
  return first
end

-- What the table cannot show by itself.
local function explain(f, loop, sides, slots, least, first, machine)
  local lines = {}
  lines[1] = say(
    "a number is the iteration of %s; a column is a step of time, 0 the first of the loop",
    "数字为 %s 的迭代号；一列为一步，第 0 步是循环的第一步", loop.var)
  if first < 0 and #sides == 1 then
    lines[#lines + 1] = say("steps before 0 stand in front of the loop: the prologue",
      "第 0 步之前的各步在循环之前：即预取段（prologue）")
  elseif #sides > 1 then
    lines[#lines + 1] = say(
      "roles run side by side; the producer is drawn as far ahead as its stages allow",
      "各角色并行执行；图中生产者超前到级数允许的最远处")
  end
  local names = {} -- of slotted buffers
  for name, n in pairs(slots) do
    names[#names + 1] = ("%s %d"):format(name, n)
  end
  table.sort(names)
  if #names > 0 then
    lines[#lines + 1] = say("stages: %s; iteration i is in stage i %% %d",
      "级：%s；第 i 次迭代使用第 i %% %d 级", table.concat(names, ", "), least)
  end
  if not sides[1].known then
    lines[#lines + 1] = say(
      "the number of iterations is not known: %d are drawn; give dims = {...}",
      "迭代次数未知：绘制 %d 次；可用 dims = {...} 给出", Unknown)
  end
  lines[#lines + 1] = say("on %s, num_stages = %d", "目标 %s，num_stages = %d", machine,
    loop.stages)
  f:text(table.unpack(lines))
end

-- What the passes noted of the loop and its statements.
local function notes_of(view, loop)
  local lines, list = {[loop.line or 0] = true}, {}
  for _, u in ipairs(loop.units) do
    lines[u.line or 0] = true
  end
  local _, notes = ir.lowered(view.kernel.P, view.spec)
  for _, n in ipairs(notes) do
    if lines[n.line] and #list < MaxNotes then
      list[#list + 1] = say("note: line %d: %s", "说明：第 %d 行：%s", n.line, n.text)
    end
  end
  return list
end

local function figure(k, _, opts, style)
  local tile = program.view(k, opts, "tile")
  local loops = loops_of(tile)
  if #loops == 0 then
    diag.fail("plot_pipeline", k.name)
  end
  local loop = loops[opts.loop or 1]
  if not loop then
    diag.fail("arg_value", "plot", "loop", ("1 .. %d"):format(#loops), tostring(opts.loop))
  end
  loop.tree = tile.tree
  local view = program.view(k, opts, "threads", "pipeline")
  local slots, least = stages_of(view, loop)
  local sides = sides_of(view, loop)
  shift_producers(sides, least)
  local f = viz.figure(say("%s: the pipeline of line %d", "%s：第 %d 行的流水线", k.name,
    loop.line or 0), opts.source or 'plot(k, "stages")')
  local first = draw(f, loop, sides, style)
  explain(f, loop, sides, slots, least, first, view.machine)
  local notes = notes_of(view, loop)
  if #notes > 0 then
    f:text(table.unpack(notes))
  end
  if #loops > 1 then
    f:text(say("pipelined loop %d of %d; plot(k, \"stages\", {loop = 2}) shows another one",
      "第 %d 个流水线循环，共 %d 个；plot(k, \"stages\", {loop = 2}) 显示另一个", opts.loop or 1, #loops))
  end
  return f
end

plot.add {
  name = "stages",
  summary = {en = "its pipeline: plot(k, \"stages\")",
    zh = "其流水线：plot(k, \"stages\")"},
  options = {"dims", "launch", "target", "loop"},
  whats = function(v) return program.is_kernel(v) and {"stages"} or nil end,
  is = function(v, what) return program.is_kernel(v) and what == "stages" end,
  figure = figure,
}

M.loops_of, M.sides_of, M.stages_of = loops_of, sides_of, stages_of

return M
