-- layout_viz/memory.lua: plot(k, "shared"): the block's shared memory over the course
-- of the program: which bytes belong to which buffer, when.
--
-- Offsets are those of the finished program of the machine's threads.  Time is its
-- text: one position for each line of the user's that touches shared memory, in program
-- order.  A buffer lives from its first to its last touch, through every loop that it
-- is touched in and that does not allocate it, and through roles that run side by side.

local diag = require "moontile.diag"
local feedback = require "moontile.feedback"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local term = require "moontile.term"
local viz = require "moontile.viz"

local say = program.say
local M = {}

-- Lives ------------------------------------------------------------------------------

-- The buffers that a statement touches, of those in `live`.
local function touched(live, s)
  local list = {}
  for i, bufs in ipairs {s.reads, s.writes} do
    for _, b in ipairs(bufs) do
      if live[b] then
        list[#list + 1] = {live[b], i == 1 and "r" or "w"}
      end
    end
  end
  return list
end

-- The lives of shared buffers: {name, at, bytes, first, last, marks = {{position, "r" |
-- "w" | "u"}, ..}}, in order of addresses; all barriers are one, which lives throughout;
-- and the positions: {line, text}.
local function lives_of(view)
  local live, list, positions, barriers = {}, {}, {}, nil
  for id, b in ipairs(view.tree.bufs) do
    if b.scope == "shared" and b.at >= 0 and not b.base then
      live[id] = {name = b.name, at = b.at, bytes = b.bytes or 0, marks = {}, shape = b.shape,
        dtype = b.dtype, line = b.line}
      list[#list + 1] = live[id]
    elseif b.scope == "barrier" and b.at >= 0 then
      barriers = barriers or {name = say("barriers", "屏障"), at = b.at, to = 0, marks = {},
        first = 0}
      barriers.at = math.min(barriers.at, b.at)
      barriers.to = math.max(barriers.to, b.at + (b.bytes or 8))
    end
  end
  local last
  local function position(s) -- of statement s: lines that follow each other share one
    local key = ("%s:%s"):format(s.file or "", s.line or 0)
    if key ~= last then
      positions[#positions + 1] = {line = s.line, text = program.source(s), file = s.file}
      last = key
    end
    return #positions - 1
  end
  local function touch(l, at, mode)
    l.first = l.first or at
    l.last = at
    local m = l.marks[#l.marks]
    if m and m[1] == at then
      m[2] = m[2] == mode and mode or "u"
    else
      l.marks[#l.marks + 1] = {at, mode}
    end
  end
  local function widen(from, outside) -- all of a loop's, or of the roles', stretch
    local to = #positions - 1
    for _, l in ipairs(list) do
      if l.first and l.last >= from and not outside[l] then
        l.first, l.last = math.min(l.first, from), math.max(l.last, to)
      end
    end
  end
  local function visit(body, depth)
    local roles
    for _, s in ipairs(body) do
      local from = #positions
      if s.kind == "role" then
        roles = roles or from
      elseif roles then
        widen(roles, {})
        roles = nil
      end
      for _, t in ipairs(touched(live, s)) do
        touch(t[1], position(s), t[2])
      end
      local inner = {}
      for _, x in ipairs(s.body or {}) do
        if x.kind == "alloc" and live[x.buf] then
          inner[live[x.buf]] = true
        end
      end
      visit(s.body or {}, depth + 1)
      visit(s.other or {}, depth + 1)
      if s.kind == "for" and s.loop == "serial" or s.kind == "while" then
        widen(from, inner)
      end
    end
    if roles then
      widen(roles, {})
    end
  end
  visit(view.launch.body, 0)
  if barriers then
    barriers.bytes, barriers.last = barriers.to - barriers.at, math.max(0, #positions - 1)
    list[#list + 1] = barriers
  end
  table.sort(list, function(a, b)
    if a.at ~= b.at then
      return a.at < b.at
    end
    return (a.first or 0) < (b.first or 0)
  end)
  return list, positions
end

-- Drawing -----------------------------------------------------------------------------

-- The stretches of addresses that no buffer begins or ends in.
local function bands_of(lives)
  local cuts, seen = {}, {}
  for _, l in ipairs(lives) do
    for _, at in ipairs {l.at, l.at + l.bytes} do
      if l.first and not seen[at] then
        seen[at] = true
        cuts[#cuts + 1] = at
      end
    end
  end
  table.sort(cuts)
  local bands = {}
  for i = 1, #cuts - 1 do
    bands[i] = {cuts[i], cuts[i + 1]}
  end
  return bands
end

local function draw_track(f, lives, positions)
  local rows = {}
  for _, band in ipairs(bands_of(lives)) do
    local row = {label = ("%d .. %d"):format(band[1], band[2] - 1), spans = {}, marks = {}}
    local mine = {}
    for i, l in ipairs(lives) do
      if l.first and l.bytes > 0 and l.at <= band[1] and l.at + l.bytes >= band[2] then
        mine[#mine + 1] = {l, i}
      end
    end
    for _, m in ipairs(mine) do
      local l = m[1] -- alone in its bytes its name stands in front, and does not hide marks
      row.spans[#row.spans + 1] = {l.first, l.last + 1, #mine > 1 and l.name or "", m[2] - 1}
      row.label = #mine == 1 and row.label .. " " .. l.name or row.label
      for _, mark in ipairs(l.marks) do
        row.marks[#row.marks + 1] = {mark[1] + 0.5, mark[2]}
      end
    end
    if #row.spans > 0 then
      rows[#rows + 1] = row
    end
  end
  f:track {rows = rows, from = 0, to = math.max(1, #positions), unit = say("position", "位置"),
    caption = say("bytes by position in the program; r read, w written, u both",
      "各字节在程序各位置的归属；r 读，w 写，u 读写")}
end

local function draw_positions(f, positions, style)
  local rows = {}
  local room = math.max(12, (style.width or 80) - 16)
  for i, p in ipairs(positions) do
    rows[i] = {tostring(i - 1), p.line and tostring(p.line) or "-", term.cut(p.text or "", room)}
  end
  f:table {head = {say("position", "位置"), say("line", "行"), say("text", "源代码")}, rows = rows,
    align = "rrl"}
end

local function draw_bill(f, view, lives, limit)
  local bars = {}
  for i, l in ipairs(lives) do
    local shape = {}
    for d, ex in ipairs(l.shape or {}) do
      shape[d] = view.f:text(ex)
    end
    bars[#bars + 1] = {label = l.name, value = l.bytes, hue = i - 1, text = ("%d B @%d%s"):format(
      l.bytes, l.at, l.shape and ("  %s[%s]"):format(l.dtype, table.concat(shape, ", ")) or "")}
  end
  bars[#bars + 1] = {label = say("together", "合计"), value = view.launch.shared, hue = viz.accent,
    text = ("%d B"):format(view.launch.shared)}
  bars[#bars + 1] = {label = say("limit", "上限"), value = limit, hue = viz.dim,
    text = ("%d B"):format(limit)}
  f:bars(bars)
end

-- Bytes of shared memory that a block may have on a machine.
local function limit_of(machine)
  for _, m in ipairs(feedback.machines()) do
    if m.name == machine then
      return m.shared
    end
  end
end

local function figure(k, _, opts, style)
  local view = program.view(k, opts, "threads")
  local lives, positions = lives_of(view)
  local used = 0
  for _, l in ipairs(lives) do
    used = used + (l.first and l.bytes or 0)
  end
  if used == 0 then
    diag.fail("plot_shared", k.name, view.machine)
  end
  local limit, shared = limit_of(view.machine), view.launch.shared
  local f = viz.figure(say("%s: %s of shared memory a block on %s", "%s：每块使用 %s 共享内存（%s）",
    k.name, program.bytes(shared), view.machine), opts.source or 'plot(k, "shared")')
  draw_track(f, lives, positions)
  draw_bill(f, view, lives, limit)
  if used > shared then
    f:text(say("%d bytes are used twice: buffers whose lives do not meet share them",
      "%d 字节被重复使用：生命期不相交的缓冲区共用这些字节", used - shared))
  end
  draw_positions(f, positions, style)
  return f
end

plot.add {
  name = "shared memory",
  summary = {en = "its shared memory: plot(k, \"shared\")",
    zh = "其共享内存：plot(k, \"shared\")"},
  options = {"dims", "launch", "target"},
  whats = function(v) return program.is_kernel(v) and {"shared"} or nil end,
  is = function(v, what) return program.is_kernel(v) and what == "shared" end,
  figure = figure,
}

M.lives_of, M.bands_of = lives_of, bands_of

return M
