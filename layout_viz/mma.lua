-- layout_viz/mma.lua: a matrix instruction: A left, B above, C in the middle.
--
--   plot("mma.m16n8k16")                     by name, or tl.layout.mma("m16n8k16")
--   plot(k, {gemm = 14})                     the one that T.gemm at line 14 became, and how the
--                                            warps share its tile

local buffers = require "moontile.tl.buffers"
local diag = require "moontile.diag"
local layouts = require "moontile.layout"
local fragment = require "moontile.layout_viz.fragment"
local layout = require "moontile.tl.layout"
local lowered = require "moontile.irbuffers"
local suggest = require "moontile.base.suggest"
local owner = require "moontile.layout_viz.owner"
local viz = require "moontile.viz"
local W = require "moontile.base.translations"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

-- Names --------------------------------------------------------------------------------

-- The full name of the instruction that a text begins: "mma.m16n8k16"; nil and the
-- near one.
function M.find(text)
  local names = layouts.instructions()
  for _, name in ipairs(names) do
    if name == text or name:sub(1, #text + 1) == text .. "." then
      return name
    end
  end
  local short, seen = {}, {}
  for _, name in ipairs(names) do
    local s = name:match "^[^.]+%.[^.]+"
    if not seen[s] then
      seen[s], short[#short + 1] = true, s
    end
  end
  return nil, suggest.find(text, short), short
end

-- Does a text look like the name of an instruction?
function M.looks(text)
  local family = text:match "^(%a+)%."
  for _, name in ipairs(family and layouts.instructions() or {}) do
    if name:match "^%a+" == family then
      return true
    end
  end
  return false
end

-- Panels -------------------------------------------------------------------------------

-- The grid of one operand, in so many columns of the terminal; names: of its rows and
-- columns.
local function grid(l, opts, width, rows, cols, caption)
  local w = window.of(l, {opts = {fold = opts.fold}, style = {width = width}, cell = 4, rows = 16})
  local threads, regs = window.places(l, w)
  local c = fragment.colours(threads, owner.lanes(l))
  return {rows = w.nr, cols = w.nc, format = "T%d\nV%d", values = {threads, regs}, hues = c.hues,
    tones = c.tones, signs = c.signs, row_heads = w.row_heads, col_heads = w.col_heads,
    row_name = rows, col_name = cols, caption = caption,
    gap_rows = window.gap(l, w.rd, w.nr), gap_cols = window.gap(l, w.cd, w.nc)}, w
end

-- Columns that A and C may take side by side: all, or half of the terminal each.
local function widths(i, style)
  local function wide(l)
    return l and 4 * l.shape[2] + 8 or 0
  end
  if wide(i.A) + wide(i.C) <= style.width then
    return style.width, style.width
  end
  local half = style.width // 2 - 2
  local a = math.min(half, wide(i.A))
  return a, math.max(half, style.width - a - 4)
end

local function panels(f, i, opts, style)
  local words = {}
  local left, right = widths(i, style)
  local function add(l, which, rows, cols, width)
    if not l then
      words[#words + 1] = say("%s is read from shared memory", "%s 从共享内存读取", which)
      return
    end
    local caption = ("%s %d x %d"):format(which, l.shape[1], l.shape[2])
    local g, w = grid(l, opts, width, rows, cols, caption)
    f:grid(g)
    for _, line in ipairs(w.words) do
      words[#words + 1] = which .. ": " .. line
    end
  end
  if i.B then
    f:row()
    f:blank()
    add(i.B, "B", "k", "n", right)
  else
    add(nil, "B")
  end
  f:row()
  add(i.A, "A", "m", "k", left)
  add(i.C, "C", "m", "n", right)
  f:row()
  words[#words + 1] = say("T: lane of the warp, V: its value; colour: groups of lanes",
    "T：warp 中的通道，V：其第几个值；颜色：通道分组")
  return words
end

-- The figure of an instruction, as tl.layout.mma(shape) gives it.
function M.figure(i, opts, style)
  local f = viz.figure(say("%s: A left, B above, C in the middle", "%s：左为 A，上为 B，中为 C", i.name),
    window.source({source = i.source}, opts))
  local words = panels(f, i, opts, style)
  f:text(table.unpack(words))
  return f
end

function M.by_name(text, opts, style)
  local name, guess, all = M.find(text)
  if not name then
    diag.fail("layout_mma", text, guess and say("did you mean %s?", "您是否想写 %s？", guess) or
      W"no such shape", table.concat(all, ", "))
  end
  local i = layout.instruction(name, name:match "^wgmma" and (opts.n or 64) or nil)
  if not i.C then
    diag.fail("layout_mma", name, W"n is a multiple of 8 up to 256", "A, D")
  end
  i.source = ("%q"):format(text)
  return M.figure(i, opts, style)
end

-- Of a kernel -----------------------------------------------------------------------------

local function lines(list)
  local t, seen = {}, {}
  for _, p in ipairs(list) do
    if p.line and not seen[p.line] then
      seen[p.line], t[#t + 1] = true, tostring(p.line)
    end
  end
  return #t > 0 and say("products of matrix instructions are at %s", "使用矩阵指令的乘法位于 %s",
    table.concat(t, ", ")) or say("nothing in it uses matrix instructions there", "其中没有使用矩阵指令")
end

-- "8 warps as 2 x 4, 64 x 32 elements each: 4 x 4 instructions"
local function share(l, i)
  local warps, own = {1, 1}, {l.shape[#l.shape - 1], l.shape[#l.shape]}
  for d = 1, 2 do
    for _, g in ipairs(window.modes_of(l, #l.shape - 2 + d)) do
      if g.axis == "warp" then
        warps[d] = warps[d] * g.extent
      end
    end
    own[d] = own[d] // warps[d]
  end
  local group = i.name:match "^wgmma" and 4 or 1
  local m, n = i.C.shape[1] // group, i.C.shape[2]
  return say("%d warps as %d x %d, each %d x %d elements: %d x %d instructions for each step of k",
    "%d 个 warp 排成 %d x %d，每个负责 %d x %d 个元素：k 的每一步 %d x %d 条指令", warps[1] * warps[2], warps[1],
    warps[2], own[1], own[2], own[1] // m, own[2] // n)
end

function M.of_kernel(k, opts, style)
  local Q = buffers.threads(k, opts.target)
  local tile, list, line = lowered.products(k.P), lowered.products(Q), opts.gemm
  local at, what
  for n, p in ipairs(list) do
    if p.instruction and (line == true or p.line == line or n == line and #list < line) then
      at = at or p
    end
  end
  if not at then
    local where = math.type(line) == "integer" and say(" at line %d", "在第 %d 行", line) or ""
    diag.fail("gemm_none", k.name, where, lowered.machine(Q), lines(list))
  end
  for _, p in ipairs(tile) do
    what = p.line == at.line and p or what
  end
  local i = layout.instruction(at.instruction, at.n, true)
  local f = viz.figure(say("%s, line %d: %s", "%s，第 %d 行：%s", k.name, at.line or 0, at.instruction),
    window.source({source = k.name}, opts))
  local words = panels(f, i, opts, style)
  if what then
    local shapes = {}
    for _, row in ipairs(buffers.buffers(k, {target = opts.target})) do
      shapes[row.name] = ("%s (%s)"):format(row.name, table.concat(row.shape, ", "))
    end
    words[#words + 1] = ("%s += %s x %s"):format(shapes[what.c] or what.c, shapes[what.a] or what.a,
      shapes[what.b] or what.b)
    local ok, l = pcall(buffers.layout, k, what.c, {target = opts.target})
    if ok and l.thread then
      words[#words + 1] = share(l, i)
    end
  end
  f:text(table.unpack(words))
  return f
end

return M
