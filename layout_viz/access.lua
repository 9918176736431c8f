-- layout_viz/access.lua: which lane touches which bank, in which wavefront.
--
-- Shared memory serves the lanes of a warp in groups, as many as fill one row of
-- banks; in a group each bank gives one word a wavefront.  The picture has a row for
-- each wavefront and a column for each bank (or for the banks that one lane takes);
-- a cell names the lane that is served, "3+" if others read the same word.  Below
-- stands how many wavefronts each bank needs in the worst group.
--
-- Global memory moves sectors: a row is a piece of memory, a cell what one lane
-- takes; what is moved and not used is dim.

local diag = require "moontile.diag"
local object = require "moontile.layout.algebra"
local fragment = require "moontile.layout_viz.fragment"
local viz = require "moontile.viz"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

-- Shared memory ----------------------------------------------------------------------

-- Words of one group of lanes: bank -> list of {word, lanes}, in order of the lanes.
local function words_of(s, from, to)
  local banks, at = {}, {}
  for lane = from, to do
    local a = s.at[lane + 1]
    if a and a >= 0 then
      for w = a // s.bank_bytes, (a + s.bytes - 1) // s.bank_bytes do
        local e = at[w]
        if not e then
          local b = w % s.banks
          banks[b] = banks[b] or {}
          e = {word = w, lanes = {}}
          at[w] = e
          table.insert(banks[b], e)
        end
        table.insert(e.lanes, lane)
      end
    end
  end
  return banks
end

-- Wavefronts of the whole access: {group =, cells = {bank -> {word, lanes}}}, and for
-- each bank the most that it needs in one group.
local function wavefronts(s)
  local lanes = s.rows or #s.at
  local per = math.max(1, s.banks * s.bank_bytes // math.max(s.bytes, s.bank_bytes))
  local waves, degree = {}, {}
  for from = 0, lanes - 1, per do
    local banks = words_of(s, from, math.min(from + per, lanes) - 1)
    local n = 0
    for b, list in pairs(banks) do
      n = math.max(n, #list)
      degree[b] = math.max(degree[b] or 0, #list)
    end
    for k = 1, n do
      local cells = {}
      for b, list in pairs(banks) do
        cells[b] = list[k]
      end
      waves[#waves + 1] = {group = from // per, cells = cells, first = k == 1}
    end
  end
  return waves, degree, per
end
M.wavefronts = wavefronts

-- "8-way bank conflict: 8 wavefronts instead of 1 (warp 0, bank 0)"
local function verdict(s)
  if s.waves <= s.ideal then
    return say("no bank conflict: %s, ideal %d", "没有 bank 冲突：%s，理想 %d",
      window.count(s.waves, "wavefront", "wavefronts", " 次访问周期"), s.ideal)
  end
  local where = s.warp and say("warp %d, bank %d", "warp %d，bank %d", s.warp, s.bank) or
    say("bank %d", "bank %d", s.bank)
  return say("%d-way bank conflict: %d wavefronts instead of %d (%s)",
    "%d 路 bank 冲突：%d 次访问周期，理想为 %d（%s）", s.ways, s.waves, s.ideal, where)
end

-- What a lane does: "read As, 16 bytes a lane, warp 0"
local function head(s)
  local t = ("%s%s"):format(s.what, s.buffer and " " .. s.buffer or "") ..
    say(", %d bytes a lane", "，每通道 %d 字节", s.bytes)
  return s.warp and t .. say(", warp %d", "，warp %d", s.warp) or t
end

local most_waves = 32

-- What single characters mean, where labels do not fit.
local function letters(needed, style)
  return needed > style.width and
    say("one character a cell: 0..9, a = 10, b = 11, .. A = 36",
      "每格一个字符：0..9，a = 10，b = 11，……，A = 36") or nil
end

-- A list of cells that is filled one after another: what lane stands there, or nothing.
local function cells(lanes)
  return {labels = {}, hues = {}, tones = {}, signs = {}, holes = {}, group = math.max(1, lanes // 8)}
end

local function put(c, lane, more, empty)
  local at = #c.labels + 1
  c.labels[at] = lane and lane .. (more and "+" or "") or empty
  c.hues[at] = lane and lane // c.group or empty ~= "" and viz.dim or viz.plain
  c.tones[at] = lane and 90 + lane % c.group * (120 // c.group) or 0
  c.signs[at] = lane and fragment.sign(lane) or empty ~= "" and empty or " "
  c.holes[#c.holes + 1] = not lane and empty == "" and at or nil
end

-- Banks that each lane takes together are one column: how many.
local function together(s)
  local step = math.max(1, math.min(s.bytes // s.bank_bytes, 4))
  for lane = 1, s.rows or #s.at do -- lanes that begin in the middle of such a column
    while s.at[lane] >= 0 and step > 1 and s.at[lane] % (step * s.bank_bytes) ~= 0 do
      step = step // 2
    end
  end
  return step
end

-- The last row: in how many wavefronts each bank is needed, as heat.
local function put_ways(c, s, degree, step)
  local most = 8
  for _, d in pairs(degree) do
    most = math.max(most, d)
  end
  for b = 0, s.banks - 1, step do
    local d, at = degree[b] or 0, #c.labels + 1
    c.labels[at] = d > 0 and tostring(d) or ""
    c.hues[at], c.tones[at] = d > 1 and viz.heat or viz.plain, math.min(255, 255 * d // most)
    c.signs[at] = d > 0 and fragment.sign(d) or "."
  end
end

local function steps(n, step)
  local t = {}
  for i = 1, n do
    t[i] = tostring((i - 1) * step)
  end
  return t
end

local function shared_grid(f, s, style)
  local waves, degree = wavefronts(s)
  local step = together(s)
  local cols, n = s.banks // step, math.min(#waves, most_waves)
  local c, heads = cells(s.rows or #s.at), {}
  for k = 1, n do
    for b = 0, s.banks - 1, step do
      local e = waves[k].cells[b]
      put(c, e and e.lanes[1], e and #e.lanes > 1, "")
    end
    heads[k] = "w" .. k - 1
  end
  heads[n + 1] = say("ways", "路数")
  put_ways(c, s, degree, step)
  f:grid {rows = n + 1, cols = cols, labels = c.labels, hues = c.hues, tones = c.tones,
    signs = table.concat(c.signs), holes = c.holes, row_heads = heads,
    col_heads = steps(cols, step), row_name = say("wavefront", "访问周期"), gap_rows = n,
    col_name = step > 1 and say("bank (%d together)", "bank（每格 %d 个）", step) or "bank"}
  local lines = {verdict(s)}
  if #waves > n then
    lines[2] = say("the first %d of %d wavefronts are drawn", "仅画出前 %d 次访问周期，共 %d 次", n,
      #waves)
  end
  lines[#lines + 1] = say("a cell names the lane that its bank serves; " ..
    "3+: lanes that read one word", "每格为该 bank 服务的通道；3+ 表示多个通道读同一个字")
  lines[#lines + 1] = letters(cols * 3 + 14, style)
  f:text(table.unpack(lines))
end

-- Global memory -----------------------------------------------------------------------

local most_rows = 32

-- Pieces of memory of `line` bytes that an access moves something of, ascending; who
-- takes which cell of so many bytes; the sectors that are moved.
local function pieces(s, cell, line)
  local list, seen, used, touched = {}, {}, {}, {}
  for lane = 0, #s.at - 1 do
    local a = s.at[lane + 1]
    if a >= 0 then
      local key = a // cell * cell
      used[key] = used[key] or {}
      table.insert(used[key], lane)
      for sector = a // s.sector, (a + s.bytes - 1) // s.sector do
        local r = sector * s.sector // line
        touched[sector] = true
        list[#list + 1] = not seen[r] and r or nil
        seen[r] = true
      end
    end
  end
  table.sort(list)
  return list, used, touched
end

-- "8 sectors of 32 bytes instead of 4: 50 % of what is moved is used"
local function sector_verdict(s)
  if s.sectors <= s.sector_ideal then
    return say("%d sectors of %d bytes, ideal %d", "%d 个 %d 字节的扇区，理想 %d", s.sectors, s.sector,
      s.sector_ideal)
  end
  return say("%d sectors of %d bytes instead of %d: %.3g %% of what is moved is used",
    "%d 个 %d 字节的扇区，理想为 %d：搬运的数据中 %.3g %% 被使用", s.sectors, s.sector, s.sector_ideal,
    100 * s.sector_ideal / s.sectors)
end

local function global_grid(f, s, style)
  local cell = math.max(1, s.bytes)
  local line = math.max(s.sector, cell * 16) // s.sector * s.sector
  local list, used, touched = pieces(s, cell, line)
  local cols, n = line // cell, math.min(#list, most_rows)
  local c, heads = cells(#s.at), {}
  for k = 1, n do
    for i = 0, cols - 1 do
      local a = list[k] * line + i * cell
      local lanes = used[a]
      put(c, lanes and lanes[1], lanes and #lanes > 1, touched[a // s.sector] and "." or "")
    end
    heads[k] = tostring(list[k] * line)
  end
  f:grid {rows = n, cols = cols, labels = c.labels, hues = c.hues, tones = c.tones,
    signs = table.concat(c.signs), holes = c.holes, row_heads = heads, col_heads = steps(cols, cell),
    row_name = say("byte", "字节"), gap_cols = s.sector // cell > 1 and s.sector // cell or nil}
  local lines = {sector_verdict(s)}
  if #list > n then
    lines[2] = say("the first %d of %d pieces are drawn", "仅画出前 %d 段，共 %d 段", n, #list)
  end
  lines[#lines + 1] = letters(cols * 3 + 12, style)
  lines[#lines + 1] = say("a cell is %d bytes and names the lane that takes them; " ..
    "'.': moved, not used", "每格 %d 字节，标出访问它的通道；“.” 表示被搬运但未使用", cell)
  f:text(table.unpack(lines))
end

-- Figures -------------------------------------------------------------------------------

-- Panels of one access, as feedback.shots() gives it.
function M.panels(f, s, style)
  f:text(head(s))
  if s.space == "shared" then
    shared_grid(f, s, style)
  else
    global_grid(f, s, style)
  end
end

-- Named accesses ------------------------------------------------------------------------

-- The access of opts: {access = "columns", lanes = 32, vector = 8, dtype = ..}.
function M.of_layout(l, opts, style, bits)
  local o = {access = opts.access, lanes = opts.lanes, vector = opts.vector, bits = bits}
  local cost, at, bytes = object.access(l, o)
  local s = {space = "shared", at = at, bytes = bytes, banks = 32, bank_bytes = 4,
    waves = cost.waves, ideal = cost.ideal, ways = cost.ways, bank = cost.bank, what = say("access by %s", "访问方式：%s",
      type(opts.access) == "string" and opts.access or object.is(opts.access) and
        window.title(opts.access) or say("a function", "函数"))}
  local f = viz.figure(say("%s: lanes and banks", "%s：通道与 bank", window.title(l)),
    window.source(l, opts))
  M.panels(f, s, style)
  return f
end

-- Of a kernel ----------------------------------------------------------------------------

-- Lines of a list of accesses, as words.
local function lines_of(list)
  local seen, t = {}, {}
  for _, s in ipairs(list) do
    if s.line and not seen[s.line] then
      seen[s.line] = true
      t[#t + 1] = s.line
    end
  end
  table.sort(t)
  return #t > 0 and table.concat(t, ", ") or
    say("no line: boxes are moved as a whole", "没有：数据均以整块方式搬运")
end

-- The accesses of a kernel that opts names: line, buffer, warp, launch, dims.
function M.shots(k, opts)
  local buffers = require "moontile.tl.buffers"
  local feedback = require "moontile.feedback"
  local Q = buffers.threads(k, opts.target)
  local function ask(line, buffer, warp)
    return feedback.shots(Q, opts.launch or 1, {line = line, buffer = buffer, warp = warp,
      dims = opts.dims})
  end
  local list = ask(opts.line, opts.buffer, opts.warp)
  if #list == 0 then
    local where = opts.line and say("at line %d", "第 %d 行", opts.line) or
      say("of %s", "缓冲区 %s", opts.buffer)
    if opts.warp then
      where = where .. say(" in warp %d", "，warp %d", opts.warp)
    end
    local machine = require("moontile.irbuffers").machine(Q)
    diag.fail("access_none", k.name, where, machine, lines_of(ask(nil, nil)))
  end
  return list
end

function M.of_kernel(k, opts, style)
  local list = M.shots(k, opts)
  local named = opts.line and say("line %d", "第 %d 行", opts.line) or opts.buffer
  local source = opts.line and list[1].file and diag.source(list[1].file, opts.line)
  local f = viz.figure(say("%s, %s: who touches what", "%s，%s：谁访问哪里", k.name, named),
    window.source({kernel = opts.buffer and k, buffer = opts.buffer, source = k.name},
      {line = opts.line, warp = opts.warp, target = opts.target}))
  if source then
    f:text((source:match "^%s*(.-)%s*$"))
  end
  local data
  for _, s in ipairs(list) do
    if s.fixed then
      M.panels(f, s, style)
    else
      data = data or s
      f:text(head(s), say("the addresses depend on data or on sizes that were not given",
        "地址取决于数据，或取决于未给出的尺寸"))
    end
  end
  if data and #list == 1 then
    diag.fail("access_data", head(data))
  end
  return f
end

return M
