-- tl/explain.lua: what a kernel costs on a machine, said without running it.
--
--   k:analyze{target = "sim -arch=sm_90a", card = "H200", dims = {M = 1024}}   a table
--   k:explain{...}                the same as text; {json = true} as JSON
--
-- core/cost/feedback.h says how each number is found.  An estimate is called one.
--
-- The table:
--   kernel, machine, card {name, gbs, f16, ..}, warp_size, exact_banks (the rule
--   of banks is measured, not a model), shared_limit, register_limit, vector_bytes,
--   timing {l2, latency, lanes, matrix, ..} (struct Timing of core/layout/machine.h)
--   notes     {{line, file, id, code, en = {title, label, help}, zh = ..}, ..}: what was
--             not used, and the condition that failed
--   stages    of its deepest pipeline, 1: it has none
--   launches  one table a T.Kernel, whose fields stand in the result too when
--             there is only one:
--     threads, warps, shared (bytes of a block), registers (an estimate a thread),
--     fragment_registers (of them for fragments and operands)
--     blocks_sm, occupancy (of a multiprocessor's warps), limit (what binds it),
--     per {threads, registers, ["shared memory"], blocks}: blocks by each limit alone
--     flops, mma_flops, bytes: of the first block; bytes as sectors moved, no caches
--     blocks, total_flops, total_bytes, once_bytes (each byte once); absent when
--     the grid is not known; sampled: from the first, middle and last blocks
--     counted: all trip counts were known; assumed: sizes were not given and tiles
--     are taken to lie inside
--     intensity (flops a byte), peak (1e12/s), ridge (flops a byte of the card),
--     compute_bound, bound_ms (no launch can be faster on this card)
--     buffers  {{name, at, bytes}, ..}: the shared memory bill
--     ops      {{line, name, times, flops, bytes}, ..}: instructions that were chosen; times a
--              block, operations of matrix units, bytes from and to global memory
--     work     {{line, file, flops}, ..}: floating-point operations but those
--     dynamic_registers {{line, buffer}, ..}: indexed at run time, so kept in memory
--     access   {{line, file, buffer, dtype, what, dir, space, bytes (of a lane), times,
--              active (threads), fixed}, ..}; if fixed, of the worst warp: lanes, warp and
--              waves, ideal, ways, bank (shared) or sectors, sector_ideal (global); all
--              and all_ideal are the block's; fix and fix_ways: the layout that helps

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local feedback = require "moontile.feedback"
local json = require "moontile.tl.json"
local merged = require "moontile.base.merged"
local options = require("moontile.tl.tensor").rules.options
local types = require "moontile.base.types"

local M = {}

-- Phrases, English and Chinese, filled by string.format in one order.
local say = {
  head = {"%s on %s", "%s，目标机器 %s"},
  launch = {"launch %d of %d", "第 %d 次启动，共 %d 次"},
  threads = {"threads %d (%d warps of %d)", "线程 %d（%d 个 warp，每个 %d 条通道）"},
  registers = {"about %d registers per thread, an estimate (%d of them hold fragments; limit %d)",
    "每线程寄存器约 %d 个（估计值；其中 %d 个存放片段；上限 %d）"},
  spill = {"more registers than a thread can have: expect spills to memory",
    "超过每线程寄存器上限：预计会溢出到内存"},
  slot = {"%s is indexed at run time: it is kept in memory, not in registers",
    "%s 的下标在运行时才确定：它存放在内存而不是寄存器中"},
  shared = {"shared memory %d of %d bytes", "共享内存 %d 字节，上限 %d"},
  fits = {"%d blocks per multiprocessor, %.0f %% of its warps; limited by %s",
    "每个多处理器可容纳 %d 个块，占其 warp 数的 %.0f %%；受限于%s"},
  fits1 = {"1 block per multiprocessor, %.0f %% of its warps; limited by %s",
    "每个多处理器可容纳 1 个块，占其 warp 数的 %.0f %%；受限于%s"},
  fitless = {"how many blocks a multiprocessor holds is not known for %s",
    "%s 的每个多处理器可容纳多少块尚不清楚"},
  fits0 = {"does not fit: limited by %s", "放不下：受限于%s"},
  ops = {"machine operations (times per block)", "所用的机器操作（每块次数）"},
  memory = {"memory, by line (a warp's access, times per block)",
    "内存访问（按行；单个 warp 的访问，每块次数）"},
  conflict = {"%d-way bank conflict: %d wavefronts instead of %d (warp %d, bank %d)",
    "%d 路 bank 冲突：%d 次访问周期，理想为 %d（warp %d，bank %d）"},
  model = {"; a model of this chip's banks", "；该芯片的 bank 规则为模型"},
  fix = {"fix: T.annotate_layout {[%s] = %s}, then %d-way", "改法：T.annotate_layout {[%s] = %s}，变为 %d 路"},
  free = {"fix: T.annotate_layout {[%s] = %s}, then conflict-free",
    "改法：T.annotate_layout {[%s] = %s}，之后无冲突"},
  sectors = {"%d sectors, ideal %d", "%d 个扇区，理想 %d"},
  waves = {"%d wavefronts, ideal %d", "%d 次访问周期，理想 %d"},
  dynamic = {"addresses depend on data", "地址取决于数据"},
  unknown = {"addresses depend on sizes that are not known", "地址取决于未知的大小"},
  idle = {"%d of %d threads", "%d/%d 个线程"},
  bill = {"shared memory, by buffer", "共享内存（按缓冲区）"},
  work = {"work", "计算量"},
  block = {"per block: %s operations, %s bytes of global memory%s",
    "每块：%s 次运算，全局内存 %s 字节%s"},
  total = {"%s blocks%s: %s operations, %s bytes, %s when each is moved once",
    "共 %s 块%s：%s 次运算，%s 字节；若每个字节只搬运一次则为 %s"},
  sampled = {" (from some of them)", "（由部分块推算）"},
  partly = {" (as far as loop counts are known)", "（仅计入次数已知的循环）"},
  assumed = {"sizes are not known: tiles are assumed to lie inside; give dims = {...}",
    "大小未知：假定各块都在张量之内；可用 dims = {...} 给出"},
  intensity = {"%.1f operations per byte", "每字节 %.1f 次运算"},
  bound = {"; the ridge of %s is at %.0f: limited by %s", "；%s 的转折点为 %.0f：受限于%s"},
  least = {"at least %s on the %s, by its data sheet", "按数据手册，在 %s 上至少需要 %s"},
  compute = {"arithmetic", "运算"},
  traffic = {"memory, ignoring caches", "内存（未计缓存的作用）"},
  costs = {"what takes longest (a model: what overlaps counts for itself)", "最耗时的部分（模型估计；彼此重叠的各自计入）"},
  cost = {"%s, %.0f %% of the time", "%s，占时间的 %.0f %%"},
  notes = {"notes", "说明"},
  colon = {": ", "："}, comma = {", ", "，"},
  line = {"line %d", "第 %d 行"},
  noline = {"no line", "无行号"},
}

local limits = {
  threads = {"threads", "线程数"}, registers = {"registers (an estimate)", "寄存器（估计值）"},
  ["shared memory"] = {"shared memory", "共享内存"}, blocks = {"blocks", "块数"},
}

local resources = {
  matrix = {"matrix units", "矩阵单元"}, arithmetic = {"arithmetic", "标量运算"},
  shared = {"shared memory", "共享内存"}, l2 = {"the way from and to the L2", "与 L2 之间的通路"},
  memory = {"memory", "显存"}, latency = {"waiting for loads", "等待加载"},
}

local function phrase(t, ...)
  local s = t[diag.lang() == "zh" and 2 or 1]
  return select("#", ...) > 0 and s:format(...) or s
end

-- 1234567 -> "1.23 M"
local function short(v)
  for _, u in ipairs {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} do
    if v >= u[1] then
      return ("%.3g%s"):format(v / u[1], u[2])
    end
  end
  return ("%.0f"):format(v)
end

-- "1 sectors, ideal 1" -> "1 sector, ideal 1"
local function singular(s)
  return (s:gsub("^1 (%a+)s", "1 %1"))
end

local function duration(ms)
  if ms < 1e-4 then
    return ("%.3g ns"):format(ms * 1e6)
  end
  return ms >= 1 and ("%.3g ms"):format(ms) or ("%.3g us"):format(ms * 1e3)
end

-- Lines of the user's text -------------------------------------------------------

local function source(row)
  local s = row.file and row.line and diag.source(row.file, row.line)
  return s and s:match("^%s*(.-)%s*$") or nil
end

-- Rows by line, in order of the text.
local function by_line(rows)
  local lines, at = {}, {}
  for _, r in ipairs(rows) do
    local key = (r.file or "") .. ":" .. (r.line or 0)
    if not at[key] then
      at[key] = {line = r.line or 0, row = r}
      lines[#lines + 1] = at[key]
    end
    table.insert(at[key], r)
  end
  table.sort(lines, function(a, b) return a.line < b.line end)
  return lines
end

local function times(r)
  return r.times and (" x %s"):format(short(r.times)) or ""
end

-- A fix as a user writes it.
local function fix_text(r)
  local swizzle = ({["swizzle 128"] = "full_bank_swizzled", ["swizzle 64"] = "half_bank_swizzled",
    ["swizzle 32"] = "quarter_bank_swizzled", linear = "linear"})[r.fix]
  if swizzle then
    return ("T.make_%s_layout(%s)"):format(swizzle, r.buffer)
  end
  local pad = tonumber(r.fix:match "%d+") * 8 // types.info(r.dtype).bits
  return ("T.Layout({%d, %d}, function(i, j) return i * %d + j end)"):format(r.rows, r.columns,
    r.columns + pad)
end

local function access_text(f, r)
  local t = {("%-7s %s %s"):format(r.what, r.buffer, ("%d B"):format(r.bytes))}
  if r.active < f.threads then
    t[#t + 1] = phrase(say.idle, r.active, f.threads)
  end
  if not r.fixed then
    t[#t + 1] = phrase(f.assumed and say.unknown or say.dynamic)
  elseif r.space == "global" then
    t[#t + 1] = singular(phrase(say.sectors, r.sectors, r.sector_ideal))
  elseif r.waves > r.ideal then
    t[#t + 1] = phrase(say.conflict, r.ways, r.waves, r.ideal, r.warp, r.bank) ..
      (f.exact_banks and "" or phrase(say.model))
  else
    t[#t + 1] = singular(phrase(say.waves, r.waves, r.ideal))
  end
  return table.concat(t, phrase(say.comma)) .. times(r)
end

local function heading(out, l)
  local s = source(l.row)
  out("  %s%s\n", l.line > 0 and phrase(say.line, l.line) or phrase(say.noline), s and "  " .. s or "")
end

local function add_memory(out, f)
  if #f.access == 0 then
    return
  end
  out("\n%s\n", phrase(say.memory))
  for _, l in ipairs(by_line(f.access)) do
    heading(out, l)
    for _, r in ipairs(l) do
      out("    %s\n", access_text(f, r))
      if r.fix and r.fix_ways == 1 then
        out("      %s\n", phrase(say.free, r.buffer, fix_text(r)))
      elseif r.fix then
        out("      %s\n", phrase(say.fix, r.buffer, fix_text(r), r.fix_ways))
      end
    end
  end
end

-- How many blocks a multiprocessor holds, and why.
function M.fits(f)
  local why = phrase(limits[f.limit])
  if f.per.blocks == 0 then
    return phrase(say.fitless, f.machine)
  elseif f.blocks_sm == 0 then
    return phrase(say.fits0, why)
  elseif f.blocks_sm == 1 then
    return phrase(say.fits1, f.occupancy * 100, why)
  end
  return phrase(say.fits, f.blocks_sm, f.occupancy * 100, why)
end

-- The two things that a launch spends most on and their lines, as texts; {}: nothing is known of the card.
function M.costs(l)
  local lines = {}
  for i, e in ipairs(require("moontile.tl.tune.cost").expenses(l, l.stages) or {}) do
    if i > 2 or e.share < 0.005 then
      break
    end
    lines[#lines + 1] = ("%4d  %s"):format(e.line or 0, source(e) or "")
    lines[#lines + 1] = "        " .. phrase(say.cost, phrase(resources[e.resource]), e.share * 100)
  end
  return lines
end

-- Sections -----------------------------------------------------------------------

local function add_costs(out, l)
  local lines = M.costs(l)
  if #lines > 0 then
    out("\n%s\n  %s\n", phrase(say.costs), table.concat(lines, "\n  "))
  end
end

local function add_resources(out, f)
  out("  %s\n", phrase(say.threads, f.threads, f.warps, f.warp_size))
  out("  %s\n", phrase(say.registers, f.registers, f.fragment_registers, f.register_limit))
  if f.registers > f.register_limit then
    out("  %s\n", phrase(say.spill))
  end
  for _, r in ipairs(f.dynamic_registers) do
    out("  %s: %s\n", phrase(say.line, r.line or 0), phrase(say.slot, r.buffer))
  end
  out("  %s\n", phrase(say.shared, f.shared, f.shared_limit))
  out("  %s\n", M.fits(f))
end

local function add_bill(out, f)
  if #f.buffers == 0 then
    return
  end
  out("\n%s\n", phrase(say.bill))
  for _, b in ipairs(f.buffers) do
    out("  %-12s %8d B  @%d\n", b.name, b.bytes, b.at)
  end
end

local function add_ops(out, f)
  if #f.ops == 0 then
    return
  end
  out("\n%s\n", phrase(say.ops))
  for _, l in ipairs(by_line(f.ops)) do
    heading(out, l)
    for _, r in ipairs(l) do
      out("    %s%s\n", r.name, times(r))
    end
  end
end

local function add_work(out, f)
  out("\n%s\n", phrase(say.work))
  out("  %s\n", phrase(say.block, short(f.flops), short(f.bytes),
    f.counted and "" or phrase(say.partly)))
  if f.total_bytes then
    out("  %s\n", singular(phrase(say.total, short(f.blocks),
      f.sampled and phrase(say.sampled) or "", short(f.total_flops), short(f.total_bytes),
      short(f.once_bytes))))
  end
  if f.assumed then
    out("  %s\n", phrase(say.assumed))
  end
  if f.intensity > 0 then
    out("  %s%s\n", phrase(say.intensity, f.intensity), f.ridge and phrase(say.bound, f.card.name,
      f.ridge, phrase(f.compute_bound and say.compute or say.traffic)) or "")
  end
  if f.bound_ms then
    local a, b = duration(f.bound_ms), f.card.name
    if diag.lang() == "zh" then
      a, b = b, a
    end
    out("  %s\n", phrase(say.least, a, b))
  end
end

local function add_note(out, n, indent)
  local t = n[diag.lang()]
  out("%s%s%s%s\n", indent, n.line and phrase(say.line, n.line) .. phrase(say.colon) or "",
    t.title, t.label ~= "" and phrase(say.colon) .. t.label or "")
  if t.help ~= "" then
    out("%s  %s\n", indent, t.help)
  end
  for _, k in ipairs(n.notes or {}) do
    add_note(out, k, indent .. "  ")
  end
end

local function add_notes(out, f)
  if #f.notes == 0 then
    return
  end
  out("\n%s\n", phrase(say.notes))
  local seen = {}
  for _, n in ipairs(f.notes) do
    local note = table.concat(M.note_lines(n, {}, "  "), "\n")
    if not seen[note] then -- copies of a statement have the same
      seen[note] = true
      out("%s\n", note)
    end
  end
end

-- Facts of one launch with those of the whole program.
local function joined(f, launch)
  local t = merged(f, launch)
  t.launches = nil
  return t
end

-- Facts as text.
function M.text(f)
  local parts = {}
  local function out(fmt, ...)
    parts[#parts + 1] = fmt:format(...)
  end
  out("%s\n", phrase(say.head, f.kernel, f.machine))
  for i, launch in ipairs(f.launches) do
    local l = joined(f, launch)
    if #f.launches > 1 then
      out("\n%s\n", phrase(say.launch, i, #f.launches))
    end
    add_resources(out, l)
    add_bill(out, l)
    add_ops(out, l)
    add_memory(out, l)
    add_work(out, l)
    add_costs(out, l)
  end
  add_notes(out, f)
  return table.concat(parts)
end

-- For other views of the same facts: repl/page.lua.
M.say, M.limits, M.phrase = say, limits, phrase
M.short, M.duration, M.by_line, M.source = short, duration, by_line, source
M.access_text, M.fix_text, M.times, M.joined, M.singular =
  access_text, fix_text, times, joined, singular

-- The lines of a note, those below it indented.
function M.note_lines(n, lines, indent)
  add_note(function(fmt, ...)
    for s in fmt:format(...):gmatch "[^\n]+" do
      lines[#lines + 1] = s
    end
  end, n, indent or "")
  return lines
end

local known = {target = true, card = true, dims = true, json = true}

-- What the cpu target says of k, in front of the notes of its thread program.
local function add_cost(f, k)
  for i, n in ipairs(require("moontile.tl.kernel").by_threads(k)) do
    table.insert(f.notes, i, {line = n.line, file = n.file, id = n.id, code = n.code,
      en = {title = n.en, label = "", help = n.help_en},
      zh = {title = n.zh, label = "", help = n.help_zh}})
  end
end

-- The facts of a kernel for opts.target; a kernel of the cpu is looked at as
-- if it were one of the simulator's default machine.
function M.analyze(k, opts)
  opts = options("kernel:analyze", opts, known)
  local spec = opts.target and device.resolve(opts.target) or device.threads(k.spec)
  local f = feedback.analyze(k.P, spec, opts)
  f.stages = require("moontile.tl.tune.cost").stages(k, f)
  if not opts.target then
    add_cost(f, k)
  end
  if #f.launches ~= 1 then
    return f, f
  end
  local one = joined(f, f.launches[1])
  one.launches = f.launches
  return one, f
end

function M.explain(k, opts)
  local _, f = M.analyze(k, opts)
  if opts and opts.json then
    return json.public(f) .. "\n"
  end
  return M.text(f)
end

return M
