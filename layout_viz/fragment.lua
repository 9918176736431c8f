-- layout_viz/fragment.lua: who holds which element of a tile in registers.
--
--   view = "input"     element -> thread and register: T12 over L3  (the default)
--   view = "threads"   thread -> elements: lanes down, registers across
--   view = "warps"     which warp holds which block
--
-- Hue is the warp, tone the lane; inside of one warp hue is the lane's group, an
-- eighth of the warp, and tone its place in that.

local diag = require "moontile.diag"
local object = require "moontile.layout.algebra"
local owner = require "moontile.layout_viz.owner"
local viz = require "moontile.viz"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

local letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"

-- One character that says a lane (or warp) without colour.
local function sign(v)
  return letters:sub(v % #letters + 1, v % #letters + 1)
end
M.sign = sign

-- Tone of place k of n: darker to lighter, never the ends.
local function tone(k, n)
  return n > 1 and 70 + 150 * k // (n - 1) or 160
end

-- Colours ---------------------------------------------------------------------------

-- Hues, tones and signs of cells by their threads, and what they mean.
function M.colours(threads, lanes)
  local first, many = nil, false
  for i = 1, #threads do
    local w = threads[i] // lanes
    if first == nil then
      first = w
    elseif w ~= first then
      many = true
      break
    end
  end
  local hues, tones, signs, group = {}, {}, {}, math.max(1, lanes // 8)
  local hue, shade, char = {}, {}, {}
  for k = 0, lanes - 1 do
    hue[k] = k // group
    shade[k] = many and tone(k, lanes) or tone(k % group, group)
    char[k] = sign(k)
  end
  for i = 1, #threads do
    local t = threads[i]
    local lane = t % lanes
    hues[i] = many and t // lanes or hue[lane]
    tones[i] = shade[lane]
    signs[i] = char[lane]
  end
  return {hues = hues, tones = tones, signs = table.concat(signs), many = many, group = group,
    warp = first}
end

-- Chips for the warps (or groups of lanes) that are drawn.
local function legend(f, c, threads, lanes)
  local seen, chips = {}, {}
  for i = 1, #threads do
    local key = c.many and threads[i] // lanes or threads[i] % lanes // c.group
    seen[key] = true
  end
  for key = 0, 1023 do
    if seen[key] and #chips < 8 then
      local from = c.many and key * lanes or c.warp * lanes + key * c.group
      local to = from + (c.many and lanes or c.group) - 1
      chips[#chips + 1] = {hue = key, tone = 160, label = c.many and
        ("warp %d: T%d..%d"):format(key, from, to) or
        from == to and "T" .. from or ("T%d..%d"):format(from, to)}
    end
  end
  f:legend(chips)
end

-- Labels ------------------------------------------------------------------------------

local most_named = 4 -- threads that a label names

-- The label's format and its lists, for copies that are so many threads further.
local function label(threads, regs, copies)
  local format, values = "T%d", {threads}
  for i, step in ipairs(copies) do
    if i + 1 > most_named then
      format = format .. "/.."
      break
    end
    local list = {}
    for k = 1, #threads do
      list[k] = threads[k] + step
    end
    format, values[#values + 1] = format .. "/%d", list
  end
  values[#values + 1] = regs
  return format .. "\nL%d", values
end

-- "each element is held by 4 threads: T, T+4, T+8, T+12"
local function copies_text(copies)
  local t = {"T"}
  for i, step in ipairs(copies) do
    if i < 7 or i == #copies then
      t[#t + 1] = "T+" .. step
    elseif i == 7 then
      t[#t + 1] = ".."
    end
  end
  return say("each element is held by %d threads: %s", "每个元素由 %d 个线程持有：%s", #copies + 1,
    table.concat(t, ", "))
end

-- Does the last warp of the block lack lanes that the modes count?
local function ragged(l)
  local map = window.map(l)
  return l.threads and map and map:info().threads > l.threads
end

-- One line on who holds what: "128 threads x 32 registers, each element once"
function M.summary(l)
  local map = window.map(l)
  local threads = map and map:info().threads or l:get_thread_size()
  threads = math.min(threads, l.threads or threads) -- a ragged last warp
  local regs = map and map:info().registers or l:get_register_size()
  local n = l.copies or 1
  return say("%s x %s, %s", "%s x %s，%s", window.count(threads, "thread", "threads", " 个线程"),
    window.count(regs, "register", "registers", " 个寄存器"), n == 1 and say("each element once", "每个元素一份") or
      ragged(l) and say("each element in up to %d threads", "每个元素至多存在于 %d 个线程", n) or
      say("each element in %d threads", "每个元素存在于 %d 个线程", n)), threads, regs
end

-- Labels by hand where the copies differ from element to element.
local function uneven(l, w, regs)
  local labels = {}
  for cell = 1, w.cells do
    local list = owner.of(l, w:index(cell))
    local names = table.concat(list, "/", 1, math.min(#list, most_named))
    labels[cell] = ("T%s%s\nL%d"):format(names, #list > most_named and "/.." or "", regs[cell])
  end
  return labels
end

-- Fills what a wrapped layout leaves free at its end.
local function pad(list, w, v)
  for i = #list + 1, w.nr * w.nc do
    list[i] = v
  end
  return list
end

-- Figures -------------------------------------------------------------------------------

-- The width of the widest "T127", with copies "T0/4/8".
local function widest(l)
  local _, threads, regs = M.summary(l)
  local digits, copies = #tostring(threads - 1), l.copies or 1
  local n = math.min(copies, most_named)
  local wide = 1 + digits * n + n - 1 + (copies > most_named and 3 or 0)
  return math.max(wide, 1 + #tostring(regs - 1)) + 1
end

-- What a figure marks, and where to look: cells of the element, or of a thread.
local function marked(l, opts)
  if opts.owner then
    local lines = owner.element(l, opts.owner)
    return opts.owner, function(w) return {w:cell(opts.owner)} end, lines
  elseif opts.thread then
    local lines, held = owner.thread(l, opts.thread)
    return held[1] and held[1][1], function(w)
      local cells = {}
      for _, h in ipairs(held) do
        cells[#cells + 1] = w:cell(h[1])
      end
      return cells
    end, lines
  end
end

local function start(l, what, opts)
  return viz.figure(say("%s: %s", "%s：%s", window.title(l), what), window.source(l, opts))
end
M.start = start

-- The words below a figure: `lines`, what fixed the layout, what is not drawn.
local function finish(f, l, w, lines)
  lines = lines or {}
  lines[#lines + 1] = l.why and l.why[1]
  if l.first and l.first > 0 then
    lines[#lines + 1] = say("T0 is thread %d of the block", "T0 为块中的线程 %d", l.first)
  end
  for _, line in ipairs(w.words) do
    lines[#lines + 1] = line
  end
  if #lines > 0 then
    f:text(table.unpack(lines))
  end
end

-- The window onto a fragment: at a terminal with rows so few that they fit its height,
-- where the others only repeat them.
local function input_window(l, o)
  local w, style = window.of(l, o), o.style
  local around = 13 -- lines of the title, the heads, the legend and the like
  local _, _, regs = M.summary(l)
  local whole = o.cell + #tostring(regs - 1) + 2 -- "T12:L3 "
  local lines = w.nc * whole + 6 <= style.width and 1 or 2
  if style.tty and style.height and w.folded and not o.opts.cells and
    lines * w.nr + #w.words + around > style.height then
    o.rows = w.nr // 2
    local less = window.of(l, o)
    w = less.folded and less.nr >= 8 and less or w
  end
  return w
end

-- Element -> thread and register.
function M.input(l, opts, style)
  local copies, lanes = not ragged(l) and window.copies(l) or nil, owner.lanes(l)
  local at, marks, lines = marked(l, opts)
  local w = input_window(l, {opts = opts, style = style, cell = widest(l), rows = 16, at = at})
  local threads, regs = window.places(l, w)
  local c = M.colours(threads, lanes)
  local f = start(l, say("element -> thread T and register L", "元素 -> 线程 T 与寄存器 L"), opts)
  f:text((M.summary(l)))
  local grid = {rows = w.nr, cols = w.nc, hues = pad(c.hues, w, viz.plain),
    tones = pad(c.tones, w, 0), signs = c.signs .. (" "):rep(w.nr * w.nc - w.cells), holes = w.holes,
    marks = marks and marks(w), row_heads = w.row_heads, col_heads = w.col_heads,
    row_name = w.row_name, col_name = w.col_name,
    gap_rows = w.rd and window.gap(l, w.rd, w.nr), gap_cols = w.rd and window.gap(l, w.cd, w.nc)}
  if copies then
    grid.format, grid.values = label(pad(threads, w, 0), pad(regs, w, 0), copies)
  else
    grid.labels = pad(uneven(l, w, regs), w, "")
  end
  f:grid(grid)
  lines = lines or {}
  if copies and #copies > 0 then
    lines[#lines + 1] = copies_text(copies)
  end
  finish(f, l, w, lines)
  for i = #threads, w.cells + 1, -1 do
    threads[i] = nil
  end
  if style.colour ~= 0 or opts.svg or opts.json or opts.format then
    legend(f, c, threads, lanes)
  elseif opts.fold == false or opts.cells then
    f:text(say("signs: the lane, 0..9 a..z A..Z", "符号：通道号，0..9 a..z A..Z"))
  end
  return f
end

-- Registers that are drawn beside each other, and how the others go on.
local function reg_cut(map, regs, most)
  local best, list = 1, {}
  for _, g in ipairs(map:modes()) do
    if g.axis == "reg" then
      list[#list + 1] = g
    end
  end
  table.sort(list, function(a, b) return a.stride < b.stride end)
  if regs <= most then
    return regs, list
  end
  for _, g in ipairs(list) do
    for m = 1, g.extent do
      if g.extent % m == 0 and g.stride * m <= most then
        best = math.max(best, g.stride * m)
      end
    end
  end
  return best, list
end

local function dim_name(l, d)
  if #l.shape == 2 then
    return d == 0 and say("row", "行") or say("column", "列")
  end
  return #l.shape == 1 and say("element", "元素") or window.letter(d + 1)
end

-- "registers repeat every 4: column +8, 4 times"
local function more_registers(l, list, cut)
  local parts = {}
  for _, g in ipairs(list) do
    if g.stride * g.extent > cut then
      local low = math.max(g.stride, cut)
      local move = g.dim and ("%s +%d"):format(dim_name(l, g.dim), g.weight * (low // g.stride)) or
        say("the same elements", "相同的元素")
      parts[#parts + 1] = say("every %d: %s, %d times", "每 %d 个：%s，共 %d 次", low, move,
        g.stride * g.extent // low)
    end
  end
  return say("registers repeat ", "寄存器的重复规律：") .. table.concat(parts, say("; ", "；"))
end

-- "warps: 2 of row +64, 2 of column +32"
local function more_warps(l, map)
  local parts = {}
  for _, g in ipairs(map:modes()) do
    if g.axis == "warp" then
      parts[#parts + 1] = say("warp +%d: %s", "warp +%d：%s", g.stride, g.dim and
        ("%s +%d"):format(dim_name(l, g.dim), g.weight) or say("the same elements", "相同的元素"))
        .. say(", %d times", "，共 %d 次", g.extent)
    end
  end
  return table.concat(parts, say("; ", "；"))
end

-- The threads that are drawn, from .. to - 1: of one warp unless all are asked for.
local function thread_range(l, opts, threads, lanes)
  local warp = opts.warp or opts.thread and opts.thread // lanes or 0
  local from, to = warp * lanes, math.min((warp + 1) * lanes, threads)
  if opts.rows then
    from, to = opts.rows[1], math.min(opts.rows[2] + 1, threads)
  elseif opts.fold == false and not opts.warp then
    from, to = 0, threads
  end
  if from >= to then
    diag.fail("owner_thread", tostring(l), from, threads - 1)
  end
  return from, to
end

-- The elements of threads from .. to - 1 in their first `regs` registers: a list for each
-- dimension, 0 where nothing stands, and the cells where that is so.
local function holdings(l, from, to, regs)
  local map, lists, holes = window.map(l), {}, {}
  for d = 1, #l.shape do
    lists[d] = {}
  end
  if map then
    local all, step = map:elements(from, to, 0, regs), 1
    for d = #l.shape, 1, -1 do
      local list, n = lists[d], l.shape[d]
      for k = 1, #all do
        list[k] = all[k] >= 0 and all[k] // step % n or 0
      end
      step = step * n
    end
    for k = 1, #all do
      holes[#holes + 1] = all[k] < 0 and k or nil
    end
    return lists, holes
  end
  for t = from, to - 1 do
    local at = {}
    for _, h in ipairs(owner.held(l, t)) do
      at[h[2]] = h[1]
    end
    for s = 0, regs - 1 do
      for d, list in ipairs(lists) do
        list[#list + 1] = at[s] and at[s][d] or 0
      end
      holes[#holes + 1] = not at[s] and #lists[1] or nil
    end
  end
  return lists, holes
end

-- Cells of a thread or of an element.
local function thread_marks(opts, lists, holes, from, regs)
  local marks, hole = {}, {}
  for _, k in ipairs(holes) do
    hole[k] = true
  end
  for k = 1, #lists[1] do
    local same = opts.owner ~= nil and not hole[k]
    for d, list in ipairs(same and lists or {}) do
      same = same and list[k] == opts.owner[d]
    end
    if same or from + (k - 1) // regs == opts.thread then
      marks[#marks + 1] = k
    end
  end
  return marks
end

-- The grid of threads from .. to - 1 and their first `regs` registers.
local function thread_grid(l, opts, from, to, regs)
  local lanes = owner.lanes(l)
  local lists, holes = holdings(l, from, to, regs)
  local threads, rows, cols = {}, {}, {}
  for t = from, to - 1 do
    for _ = 1, regs do
      threads[#threads + 1] = t
    end
    rows[#rows + 1] = "T" .. t
  end
  for s = 0, regs - 1 do
    cols[#cols + 1] = "L" .. s
  end
  local c = M.colours(threads, lanes)
  return {rows = to - from, cols = regs, format = ("%d,"):rep(#lists - 1) .. "%d", values = lists,
    hues = c.hues, tones = c.tones, signs = c.signs, holes = holes,
    marks = (opts.thread or opts.owner) and thread_marks(opts, lists, holes, from, regs) or nil,
    row_heads = rows, col_heads = cols, gap_rows = to - from > 8 and lanes // 4 or nil}
end

-- Columns of the widest "10,127".
local function index_width(l)
  local wide = #l.shape - 1
  for _, n in ipairs(l.shape) do
    wide = wide + #tostring(n - 1)
  end
  return wide
end

-- Thread -> elements: threads of one warp down, their registers across.
function M.threads(l, opts, style)
  local map = window.map(l)
  local line, threads, regs = M.summary(l)
  local from, to = thread_range(l, opts, threads, owner.lanes(l))
  local room = opts.fold == false and regs or
    math.max(1, (style.width - 6) // (index_width(l) + 1))
  local cut, list = math.min(regs, room), nil
  if map then
    cut, list = reg_cut(map, regs, room)
  end
  local f = start(l, say("thread -> elements", "线程 -> 元素"), opts)
  f:text(line)
  f:grid(thread_grid(l, opts, from, to, cut))
  local words = {}
  if cut < regs then
    words[1] = map and more_registers(l, list, cut) or
      say("registers 0..%d of %d; fold = false shows all", "寄存器 0..%d，共 %d；fold = false 显示全部",
        cut - 1, regs)
  end
  if to - from < threads and map and not opts.rows then
    local more = more_warps(l, map)
    words[#words + 1] = more ~= "" and more or nil
  end
  finish(f, l, {words = words}, opts.thread and owner.thread(l, opts.thread) or
    opts.owner and owner.element(l, opts.owner) or nil)
  return f
end

-- Elements that lie in one warp whatever they are: sizes of the largest such block.
local function warp_block(l)
  local block = {}
  for d, n in ipairs(l.shape) do
    block[d] = window.map(l) and n or 1
    for _, g in ipairs(window.modes_of(l, d)) do
      block[d] = g.axis == "warp" and math.min(block[d], g.weight) or block[d]
    end
  end
  return block
end

-- A layout of those blocks: block -> warp as its "thread".
local function blocks_of(l, block, lanes)
  local shape, rank = {}, #l.shape
  for d = 1, rank do
    shape[d] = (l.shape[d] + block[d] - 1) // block[d]
  end
  local blocks = object.fragment(shape, function(...)
    local idx = {...}
    for d = 1, rank do
      idx[d] = idx[d] * block[d]
    end
    idx[rank + 1] = 0
    return l.thread(table.unpack(idx, 1, rank + 1)) // lanes
  end, function() return 0 end, 1, l.name)
  blocks.nomap = true
  return blocks
end

-- By how many warps copies are apart, each once.
local function warp_steps(copies, lanes)
  local steps, seen = {}, {}
  for _, c in ipairs(copies) do
    if c // lanes > 0 and not seen[c // lanes] then
      seen[c // lanes] = true
      steps[#steps + 1] = c // lanes
    end
  end
  return steps
end

-- "W0/4", "W0/1/2/3/.."
local function warp_label(warp, steps)
  local t = {warp}
  for i = 1, math.min(#steps, most_named - 1) do
    t[i + 1] = warp + steps[i]
  end
  return "W" .. table.concat(t, "/") .. (#steps >= most_named and "/.." or "")
end

-- Which warp holds which block.
function M.warps(l, opts, style)
  local lanes, block, copies = owner.lanes(l), warp_block(l), window.copies(l) or {}
  local steps = warp_steps(copies, lanes)
  local f = start(l, say("block -> warp", "块 -> warp"), opts)
  local line, threads = M.summary(l)
  f:text(line)
  local w = window.of(blocks_of(l, block, lanes), {opts = opts, style = style,
    cell = 5 + 3 * #steps, rows = 32})
  local warps = window.places(blocks_of(l, block, lanes), w)
  local labels, hues, tones, signs = {}, {}, {}, {}
  for k, v in ipairs(warps) do
    labels[k], hues[k], tones[k], signs[k] = warp_label(v, steps), v, 160, sign(v)
  end
  f:grid {rows = w.nr, cols = w.nc, labels = pad(labels, w, ""), hues = pad(hues, w, viz.plain),
    tones = pad(tones, w, 0), signs = table.concat(signs) .. (" "):rep(w.nr * w.nc - #signs),
    holes = w.holes}
  local lines = {say("each cell is a block of %s elements", "每格为 %s 个元素的块",
    table.concat(block, " x "))}
  if #copies > 0 and not ragged(l) then
    lines[2] = #steps == #copies and say("each block stands in %d warps", "每块存在于 %d 个 warp 中",
      #steps + 1) or copies_text(copies)
  end
  lines[#lines + 1] = say("%s of %d lanes", "%s，每个 %d 条通道",
    window.count((threads + lanes - 1) // lanes, "warp", "warps", " 个 warp"), lanes)
  finish(f, l, w, lines)
  return f
end

return M
