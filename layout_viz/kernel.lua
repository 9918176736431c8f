-- layout_viz/kernel.lua: plot(k): the grid of a kernel: which block works on which
-- tile, in which order, and what one block reads and writes.
--
--   plot(k)                          tiles by block and wave
--   plot(k, {block = {1, 2}})        what block bx = 1, by = 2 touches
--   plot(k, {target = "sim -arch=sm_90a", dims = {M = 4096}, launch = 2})
--
-- The order is read from the program of the machine's threads: T.use_swizzle,
-- clusters, and blocks that walk over tiles are there as the hardware sees them.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local plot = require "moontile.layout_viz.plot"
local program = require "moontile.layout_viz.program"
local viz = require "moontile.viz"

local say = program.say
local M = {}

local MaxTiles = 1 << 16   -- of one figure
local MaxWalked = 1 << 14  -- whose order the program computes
local MaxCells = 24        -- along a side of a tensor

-- Who works on which tile ---------------------------------------------------------------

-- Names of the variables that say which tile a block works on.
local function tile_names(view)
  local names = {}
  for i, id in ipairs(view.launch.block) do
    names[i] = view.tree.vars[id].name
  end
  return names
end

-- Does a body, or what is inside, bind one of the names?
local function binds(view, body, wanted)
  local found = false
  program.walk(body, function(s)
    found = found or s.kind == "let" and wanted[view.tree.vars[s.var].name] ~= nil
    return not found
  end)
  return found
end

-- Calls visit(round) for each tile that a block comes to, with the variables of the
-- tile in `at` (name -> variable): lets, which the loop over tiles binds anew.
local function rounds(view, body, wanted, at, visit)
  for _, s in ipairs(body) do
    if s.kind == "let" and wanted[view.tree.vars[s.var].name] then
      at[view.tree.vars[s.var].name] = s.var
    elseif s.body and binds(view, s.body, wanted) then
      if s.kind ~= "for" then
        return rounds(view, s.body, wanted, at, visit)
      end
      local lo, hi = program.value(view, s.lo[1]), program.value(view, s.hi[1])
      for round = lo, hi - 1 do
        view.f:set(s.vars[1], round)
        rounds(view, s.body, wanted, at, function() visit(round - lo) end)
      end
      view.f:set(s.vars[1])
      return
    end
  end
  visit(0)
end

-- The tiles in the order in which blocks come to them: {x, y, z, block, round} each.
-- names: of the tile's variables; size: of the grid of tiles.
local function tiles_of(view, names, count)
  local L, list = view.launch, {}
  local wanted, direct, grid = {}, {}, {}
  for i, name in ipairs(names) do
    wanted[name] = i
  end
  local blocks = 1
  for d, ex in ipairs(L.grid) do
    grid[d] = program.value(view, ex)
    blocks = blocks * grid[d]
    direct[view.tree.vars[L.block[d]].name] = L.block[d]
  end
  local computed = binds(view, L.body, wanted)
  if math.max(blocks, count) > (computed and MaxWalked or MaxTiles) then
    return nil, blocks
  elseif not computed then -- a block is a tile
    for b = 0, blocks - 1 do
      local x = b // grid[1]
      list[b + 1] = {b % grid[1], grid[2] and x % grid[2] or nil, grid[3] and x // grid[2] or nil,
        block = b, round = 0}
    end
    return list, blocks
  end
  for b = 0, blocks - 1 do
    local rest = b
    for d, n in ipairs(grid) do
      view.f:set(L.block[d], rest % n)
      rest = rest // n
    end
    local at = {}
    rounds(view, L.body, wanted, at, function(round)
      local t = {block = b, round = round}
      for i, name in ipairs(names) do
        t[i] = view.f:get(at[name] or direct[name])
      end
      list[#list + 1] = t
    end)
  end
  return list, blocks
end


-- Waves --------------------------------------------------------------------------------

-- {machine, card, room}: blocks that the card runs at one time; nil: not known.
local function at_once(k, opts, index)
  local a = program.analyze(k, opts)
  local l = a.launches[index]
  if a.card and a.card.sms > 0 and l.blocks_sm > 0 then
    return {room = a.card.sms * l.blocks_sm, card = a.card.name, machine = a.machine}
  end
  return {machine = a.machine}
end

local digits = "0123456789abcdefghijklmnopqrstuvwxyz"

-- One character for a class, which repeats.
local function sign_of(n)
  return digits:sub(n % #digits + 1, n % #digits + 1)
end

-- The shape in which n tiles of one row or column are drawn: rows that fit the width.
local function wrapped(n, cell, style)
  local wide = 64
  while wide > 4 and wide * cell + 8 > (style.width or 80) do
    wide = wide // 2
  end
  return (n + wide - 1) // wide, wide
end

-- The grid of tiles of layer z as cells.
local function tile_grid(f, view, names, size, list, z, run, style)
  local gx, gy, walks = size[1], size[2] or 1, run.walks
  local line = (gx == 1 or gy == 1) and gx * gy > 8
  local number = #tostring(run.blocks - 1) + 1
  local rows, cols = gy, gx
  if line then
    rows, cols = wrapped(gx * gy, number, style)
  end
  local prefix = (cols * (number + 1) + 8 <= (style.width or 80)) and "B" or ""
  local labels, hues, tones, signs, holes = {}, {}, {}, {}, {}
  for i = 1, rows * cols do
    labels[i], hues[i], tones[i], signs[i] = "", 0, 128, " "
  end
  for _, t in ipairs(list) do
    if (t[3] or 0) == z then
      local i = line and t[1] + (t[2] or 0) + 1 or (t[2] or 0) * gx + t[1] + 1
      local wave = walks and t.round or run.room and t.block // run.room or 0
      labels[i] = walks and ("%s%d\nw%d"):format(prefix, t.block, t.round) or prefix .. t.block
      hues[i], signs[i] = wave, sign_of(wave)
      local part = run.room and not walks and t.block % run.room / run.room or t.block / run.blocks
      tones[i] = math.floor(60 + 150 * part)
    end
  end
  for i = 1, rows * cols do
    holes[#holes + 1] = labels[i] == "" and i or nil
  end
  local row_heads, col_heads = {}, {}
  for i = 1, rows do
    row_heads[i] = tostring(line and (i - 1) * cols or i - 1)
  end
  for i = 1, cols do
    col_heads[i] = tostring(line and "+" .. i - 1 or i - 1)
  end
  local cluster = view.launch.cluster
  local plain = not walks and not line
  f:grid {rows = rows, cols = cols, labels = labels, hues = hues, tones = tones,
    signs = table.concat(signs), holes = holes,
    row_name = line and (gy > 1 and names[2] or names[1]) or names[2],
    col_name = not line and names[1] or nil,
    row_heads = rows > 1 and row_heads or nil, col_heads = col_heads,
    gap_cols = plain and cluster[1] > 1 and cluster[1] or nil,
    gap_rows = plain and cluster[2] > 1 and cluster[2] or nil}
end

-- The blocks that run together, by colour and sign.
local function wave_legend(f, run)
  local rows = {}
  for wave = 0, math.min(7, (run.blocks - 1) // run.room) do
    rows[#rows + 1] = {hue = wave, sign = sign_of(wave), label = say("wave %d: B%d .. B%d",
      "第 %d 波：B%d .. B%d", wave, wave * run.room,
      math.min(run.blocks, (wave + 1) * run.room) - 1)}
  end
  f:legend(rows)
end

-- What is said below the tiles: the order, clusters, waves.
local function order_text(tile, run)
  local panel = tile.launch.panel
  if run.walks then
    return say("%d blocks stay and walk over the tiles: B5 w1 is block 5 on its second tile",
      "%d 个块常驻并依次处理各任务：B5 w1 表示 5 号块的第二个任务", run.blocks)
  elseif panel > 0 then
    return say("blocks start in the order of their numbers: T.use_swizzle(%d), panels of %d %s",
      "线程块按编号依次启动：T.use_swizzle(%d)，每个面板 %d %s", panel, panel,
      tile.launch.order == 1 and say("columns", "列") or say("rows", "行"))
  end
  return say("blocks start in the order of their numbers", "线程块按编号依次启动")
end

local function say_order(f, tile, view, run, size, z)
  local lines, c = {order_text(tile, run)}, view.launch.cluster
  local n = c[1] * c[2] * c[3]
  if n > 1 then
    lines[#lines + 1] = say("clusters of %d blocks share what they load: B0 .. B%d are the first",
      "每 %d 个块组成一个 cluster，共享所加载的数据：B0 .. B%d 为第一个", n, n - 1)
  end
  if run.room and not run.walks then
    local waves = run.blocks / run.room
    local last = run.blocks - (math.ceil(waves) - 1) * run.room
    lines[#lines + 1] = waves <= 1 and
      say("%s runs up to %d blocks at one time: one wave, %.3g %% full",
        "%s 最多同时运行 %d 个块：共 1 波，占用 %.3g %%", run.card, run.room, 100 * waves) or
      say("%s runs %d blocks at one time: %.2f waves, the last one %.0f %% full",
        "%s 同时运行 %d 个块：共 %.2f 波，最后一波占用 %.0f %%", run.card, run.room, waves,
        100 * last / run.room)
  end
  if size[3] and size[3] > 1 then
    lines[#lines + 1] = say("layer z = %d of %d; plot(k, {layer = %d}) shows another one",
      "第 z = %d 层，共 %d 层；plot(k, {layer = %d}) 显示另一层", z, size[3], z == 0 and 1 or 0)
  end
  lines[#lines + 1] = say("on %s; plot(k, {block = {%s}}) shows what one block reads and writes",
    "目标 %s；plot(k, {block = {%s}}) 显示一个线程块读写的内容", run.machine,
    table.concat({0, 0, 0}, ", ", 1, #size))
  f:text(table.unpack(lines))
end

-- What a block touches -------------------------------------------------------------------

-- The smallest box around all that the block, whose variables are set, does to each
-- global buffer: {buf, reads, writes, lo, hi (lists, inclusive), extent (before it is cut
-- to the tensor)}.
local function boxes(view)
  local f, tree, found, list = view.f, view.tree, {}, {}
  local function add(r)
    local b = tree.bufs[r.buf]
    local root = b.base or r.buf
    if tree.bufs[root].scope ~= "global" or root ~= r.buf or r.mode == "b" then
      return
    end
    local box = found[root]
    if not box then
      box = {buf = root, lo = {}, hi = {}, extent = {}}
      found[root], list[#list + 1] = box, box
    end
    box.reads, box.writes = box.reads or r.mode ~= "w", box.writes or r.mode ~= "r"
    for d, ex in ipairs(r.min) do
      local lo, hi = f:range(ex)
      local _, n = 1, 1
      if r.extent then
        _, n = f:range(r.extent[d])
      end
      local size = f:eval(b.shape[d])
      lo, hi = lo or 0, hi and n and hi + n - 1 or size and size - 1 or 0
      box.extent[d] = math.max(box.extent[d] or 0, hi - lo + 1) -- also beyond the tensor's end
      box.lo[d] = math.max(0, math.min(box.lo[d] or lo, lo))
      box.hi[d] = math.max(box.hi[d] or hi, hi)
      box.hi[d] = size and math.min(box.hi[d], size - 1) or box.hi[d]
    end
  end
  program.walk(view.launch.body, function(s)
    if s.kind == "for" then
      for i, var in ipairs(s.vars) do
        local lo, hi = program.loop_range(view, s, i)
        if lo and hi and hi >= lo then
          f:set(var, lo, hi)
        end
      end
    end
    for _, r in ipairs(s.regions or {}) do
      add(r)
    end
    for _, r in ipairs(s.loads or {}) do
      add(r)
    end
  end)
  return list
end

-- Elements of a side in one cell: whole boxes where the box is a part of the side, so
-- many that few cells are left; a few cells where it is all of it.
local function cell_size(n, box)
  local most = box < n and MaxCells or 4
  local unit = box < n and box or 1
  while unit * most < n do
    unit = unit * 2
  end
  return unit
end

local function range_text(lo, hi)
  return lo == hi and tostring(lo) or ("%d..%d"):format(lo, hi)
end

-- A tensor with the block's box marked; leading dimensions are said in the caption.
local function box_panel(f, view, box)
  local b = view.tree.bufs[box.buf]
  local shape, n = {}, #b.shape
  for d, ex in ipairs(b.shape) do
    shape[d] = program.value(view, ex)
  end
  local function side(d)
    if d < 1 then
      return 1, 1, 0, 0
    end
    local lo, hi = box.lo[d], box.hi[d]
    local size = cell_size(shape[d], math.max(hi - lo + 1, math.min(box.extent[d], shape[d])))
    return (shape[d] + size - 1) // size, size, lo // size, hi // size
  end
  local rows, high, r0, r1 = side(n - 1)
  local cols, wide, c0, c1 = side(n)
  local hues, signs, marks = {}, {}, {}
  local sign = box.writes and (box.reads and "u" or "w") or "r"
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do
      local i = r * cols + c + 1
      local mine = r >= r0 and r <= r1 and c >= c0 and c <= c1
      hues[i], signs[i] = mine and viz.accent or viz.dim, mine and sign or "."
      marks[#marks + 1] = mine and i or nil
    end
  end
  local at = {}
  for d = 1, n do
    at[d] = range_text(box.lo[d], box.hi[d])
  end
  local how = box.writes and (box.reads and say("reads and writes", "读写") or say("writes", "写入"))
    or say("reads", "读取")
  f:grid {rows = rows, cols = cols, labels = nil, hues = hues, signs = table.concat(signs),
    marks = marks, caption = say("%s %s[%s]; a cell is %d x %d", "%s %s[%s]；每格 %d x %d", how,
      b.name, table.concat(at, ", "), high, wide)}
end

-- The block that opts.block names: {x, y, z}.
local function block_of(opts, size)
  local block, ok = {}, type(opts.block) == "table" and #opts.block <= #size
  for d = 1, #size do
    local v = ok and opts.block[d] or 0
    ok = ok and math.type(v) == "integer" and v >= 0 and v < size[d]
    block[d] = v
  end
  if not ok then
    diag.fail("plot_block", describe(opts.block), table.concat(size, " x "))
  end
  return block
end

local function own(f, k, opts, names, size)
  local block = block_of(opts, size)
  local view = program.view(k, opts, "tile")
  local at = {}
  for d, id in ipairs(view.launch.block) do
    view.f:set(id, block[d])
    at[d] = ("%s = %d"):format(names[d], block[d])
  end
  local list = boxes(view)
  f:text(say("block %s touches, of each tensor, at most:", "线程块 %s 至多访问各张量的：",
    table.concat(at, ", ")))
  f:row()
  for _, box in ipairs(list) do
    box_panel(f, view, box)
  end
end

-- The figure ----------------------------------------------------------------------------

local function figure(k, _, opts, style)
  local tile = program.view(k, opts, "tile")
  local names, size, count = tile_names(tile), {}, 1
  for d, ex in ipairs(tile.launch.grid) do
    size[d] = program.value(tile, ex)
    count = count * size[d]
  end
  local shape = table.concat(size, " x ")
  local f = viz.figure(say("%s: a grid of %s", "%s：%s 的网格", k.name, shape),
    opts.source or "plot(k)")
  local z = opts.layer or 0
  if math.type(z) ~= "integer" or z < 0 or z >= (size[3] or 1) then
    diag.fail("plot_block", ("layer %s"):format(tostring(z)), shape)
  end
  if opts.block then
    own(f, k, opts, names, size)
    return f
  end
  local view = program.view(k, opts, "threads", "pipeline")
  local list, blocks = tiles_of(view, names, count)
  local run = at_once(k, opts, tile.index)
  run.blocks = blocks
  if not list then
    f:text(say("%d tiles are too many to draw one by one; this is their order:",
      "任务块多达 %d 个，无法逐个绘制；其顺序如下：", count))
  else
    for _, t in ipairs(list) do
      run.walks = run.walks or t.round > 0
    end
    tile_grid(f, view, names, size, list, z, run, style)
    if run.room and not run.walks and run.blocks > run.room then
      wave_legend(f, run)
    end
  end
  say_order(f, tile, view, run, size, z)
  return f
end

plot.add {
  name = "kernel",
  summary = {en = "a kernel: plot(k)", zh = "内核：plot(k)"},
  options = {"block", "dims", "launch", "target", "card", "layer"},
  whats = function(v) return program.is_kernel(v) and {"grid"} or nil end,
  is = function(v, what) return program.is_kernel(v) and (what == nil or what == "grid") end,
  figure = figure,
}

M.tiles_of, M.tile_names, M.boxes = tiles_of, tile_names, boxes

return M
