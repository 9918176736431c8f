-- page.lua: what a kernel costs, on one page: the facts of k:explain{} with bars.
--
--     page.figure(k, opts)          a figure (moontile.viz); opts as k:explain's
--     page.of_facts(f)              the same of facts that k:analyze{} gave
--     page.print(k, opts, style)
--
-- In order: what binds it, what takes longest, what each line became, shared memory, registers, blocks on
-- a multiprocessor, where it stands between memory and arithmetic, what was not done.

local explain = require "moontile.tl.explain"
local viz = require "moontile.viz"

local M = {}

local say, phrase, short = explain.say, explain.phrase, explain.short

-- Words that only the page has.
local words = {
  lines = {"what each line became (times per block)", "每一行生成了什么（每块次数）"},
  shared = {"shared memory per block", "每块的共享内存"},
  registers = {"registers per thread", "每线程寄存器"},
  estimate = {"about %d (an estimate), limit %d", "约 %d（估计值），上限 %d"},
  fragments = {"fragments", "片段"},
  fragments_text = {"%d of them", "其中 %d"},
  together = {"together", "合计"},
  limit = {"limit", "上限"},
  blocks = {"blocks per multiprocessor, by each limit alone",
    "每个多处理器上的块数（各项限制单独计）"},
  binds = {"%d  <- binds", "%d  <- 起限制作用"},
  occupancy = {"warps in use", "占用的 warp"},
  work = {"operations per byte of memory", "每字节内存的运算次数"},
  here = {"this kernel", "本内核"},
  once = {"with perfect caches", "缓存完美时"},
  turns = {"ridge of %s", "%s 转折点"},
  by_cache = {"%s; the ridge lies between: it depends on how much the caches serve",
    "%s；转折点在两者之间：取决于缓存能满足多少"},
  by_memory = {"%s; left of the ridge: memory-bound", "%s；在转折点以下：受限于内存"},
  by_compute = {"%s; right of the ridge: compute-bound", "%s；在转折点以上：受限于运算"},
  notes = {"what was not done, and why", "没有采用什么，以及原因"},
}

local function word(name, ...)
  return phrase(words[name], ...)
end

-- What binds the kernel, in a line or two.
local function verdict(f, l)
  f:text(phrase(say.threads, l.threads, l.warps, l.warp_size), explain.fits(l))
end

-- Operations and accesses of each line, in the order of the text.
local function lines_of(l)
  local rows = {}
  for _, r in ipairs(l.ops) do
    rows[#rows + 1] = {line = r.line, file = r.file, text = r.name .. explain.times(r)}
  end
  for _, r in ipairs(l.access) do
    local fix = r.fix and phrase(r.fix_ways == 1 and say.free or say.fix, r.buffer,
      explain.fix_text(r), r.fix_ways)
    rows[#rows + 1] = {line = r.line, file = r.file, text = explain.access_text(l, r), fix = fix}
  end
  local out = {}
  for _, group in ipairs(explain.by_line(rows)) do
    out[#out + 1] = ("%4d  %s"):format(group.line, explain.source(group.row) or "")
    for _, r in ipairs(group) do
      out[#out + 1] = "        " .. r.text
      out[#out + 1] = r.fix and "        " .. r.fix or nil
    end
  end
  return out
end

local function share(v, limit)
  return v > limit and viz.bad or v > 0.75 * limit and viz.warn or viz.good
end

local function add_shared(f, l)
  if l.shared == 0 then
    return
  end
  local bars = {}
  for i, b in ipairs(l.buffers) do
    bars[i] = {label = b.name, value = b.bytes, hue = i - 1,
      text = ("%d B @%d"):format(b.bytes, b.at)}
  end
  bars[#bars + 1] = {label = word "together", value = l.shared,
    hue = share(l.shared, l.shared_limit), text = ("%d B, %.0f %%"):format(l.shared, 100 * l.shared / l.shared_limit)}
  bars[#bars + 1] = {label = word "limit", value = l.shared_limit, hue = viz.dim,
    text = ("%d B"):format(l.shared_limit)}
  f:bars {max = math.max(l.shared, l.shared_limit), caption = word "shared", table.unpack(bars)}
end

local function add_registers(f, l)
  f:bars {max = math.max(l.registers, l.register_limit), caption = word "registers",
    {label = word "fragments", value = l.fragment_registers, hue = viz.accent,
      text = word("fragments_text", l.fragment_registers)},
    {label = word "together", value = l.registers, hue = share(l.registers, l.register_limit),
      text = word("estimate", l.registers, l.register_limit)}}
  if l.registers > l.register_limit then
    f:text(phrase(say.spill))
  end
  for _, r in ipairs(l.dynamic_registers) do
    f:text(("%s: %s"):format(phrase(say.line, r.line or 0), phrase(say.slot, r.buffer)))
  end
end

-- Blocks by each limit alone, the fewest first to be seen.
local function add_blocks(f, l)
  local bars, most = {}, 1
  if l.per.blocks == 0 then
    return -- nothing is known of the machine's multiprocessors
  end
  for _, name in ipairs {"threads", "registers", "shared memory", "blocks"} do
    local n = l.per[name]
    if n and n < 1 << 20 then
      most = math.max(most, n)
      local binds = name == l.limit
      bars[#bars + 1] = {label = phrase(explain.limits[name]), value = n,
        hue = binds and viz.warn or viz.dim, text = binds and word("binds", n) or tostring(n)}
    end
  end
  bars.max, bars.caption = most, word "blocks"
  f:bars(bars)
  f:bars {max = 1, {label = word "occupancy", value = math.min(1, l.occupancy),
    hue = l.occupancy >= 0.5 and viz.good or viz.warn,
    text = ("%.0f %%"):format(l.occupancy * 100)}}
end

local function add_work(f, l)
  local lines = {phrase(say.block, short(l.flops), short(l.bytes),
    l.counted and "" or phrase(say.partly))}
  if l.total_bytes then
    lines[#lines + 1] = explain.singular(phrase(say.total, short(l.blocks),
      l.sampled and phrase(say.sampled) or "", short(l.total_flops), short(l.total_bytes),
      short(l.once_bytes)))
  end
  if l.assumed then
    lines[#lines + 1] = phrase(say.assumed)
  end
  f:text(table.unpack(lines))
  if not (l.ridge and l.intensity > 0) then
    return
  end
  local once = l.once_bytes and l.once_bytes > 0 and l.total_flops / l.once_bytes or nil
  local bars = {{label = word "here", value = l.intensity, text = ("%.1f"):format(l.intensity),
    hue = l.compute_bound and viz.good or viz.warn}}
  if once then
    bars[2] = {label = word "once", value = once, text = ("%.1f"):format(once), hue = viz.accent}
  end
  bars[#bars + 1] = {label = word("turns", l.card.name), value = l.ridge, hue = viz.dim,
    text = ("%.0f"):format(l.ridge)}
  bars.max = math.max(l.intensity, l.ridge, once or 0)
  local binds = l.compute_bound and "by_compute" or once and once > l.ridge and "by_cache" or
    "by_memory"
  bars.caption = word(binds, word "work")
  f:bars(bars)
  if l.bound_ms then
    local a, b = explain.duration(l.bound_ms), l.card.name
    if require("moontile.diag").lang() == "zh" then
      a, b = b, a
    end
    f:text(phrase(say.least, a, b))
  end
end

local function add_notes(f, facts)
  if #facts.notes == 0 then
    return
  end
  local lines, seen = {word "notes"}, {}
  for _, n in ipairs(facts.notes) do
    local note = explain.note_lines(n, {}, "  ")
    local key = table.concat(note, "\n")
    if not seen[key] then -- copies of a statement have the same
      seen[key] = true
      table.move(note, 1, #note, #lines + 1, lines)
    end
  end
  f:text(table.unpack(lines))
end

-- The page of facts (explain.analyze's second result).
function M.of_facts(facts, source)
  local f = viz.figure(phrase(say.head, facts.kernel, facts.machine) ..
    (facts.card and ", " .. facts.card.name or ""), source)
  for i, launch in ipairs(facts.launches) do
    local l = explain.joined(facts, launch)
    if #facts.launches > 1 then
      f:text(phrase(say.launch, i, #facts.launches))
    end
    verdict(f, l)
    local costs = explain.costs(l)
    if #costs > 0 then
      f:text(phrase(say.costs), table.unpack(costs))
    end
    local lines = lines_of(l)
    if #lines > 0 then
      f:text(word "lines", table.unpack(lines))
    end
    add_shared(f, l)
    add_registers(f, l)
    add_blocks(f, l)
    add_work(f, l)
  end
  add_notes(f, facts)
  return f
end

function M.figure(k, opts, source)
  local _, facts = explain.analyze(k, opts)
  return M.of_facts(facts, source)
end

-- Pages are no wider than 80 columns.
function M.print(k, opts, style, source)
  io.stdout:write(M.figure(k, opts, source):render {format = "text", colour = style.colour,
    unicode = style.unicode, width = math.min(style.width, 80)})
end

return M
