-- layout_viz/owner.lua: who owns an element, and what a thread owns, in words.
--
--   owner.element(l, {5, 9})    -> {"Cl[5, 9]: warp 0, lane 20, register 3 (thread 20)", ..}
--   owner.thread(l, 37)         -> {"thread 37 = warp 1, lane 5: 32 elements of Cl", ..}
--   owner.byte(l, 1234)         -> {"byte 1234: As[2, 33]"}

local diag = require "moontile.diag"
local object = require "moontile.layout.algebra"
local types = require "moontile.base.types"
local term = require "moontile.term"
local window = require "moontile.layout_viz.window"

local say = window.say

local M = {}

function M.lanes(l)
  local map = window.map(l)
  return l.lanes or map and not map:info().memory and map:info().lanes or l.warp or 32
end

-- Bits of an element, 16 where nobody has said it.
function M.bits(l, opts)
  local given = opts and opts.dtype
  if given then
    local name = types.canon(given)
    if not name then
      diag.fail("arg_value", "plot", "dtype", require "moontile.base.translations" "a dtype", tostring(given))
    end
    return types.info(name).bits
  end
  return l.bits or 16
end

local function name_of(l)
  local name = l.buffer or l.name
  name = name and name:match " ([ABCD])$" or name -- of an instruction
  return name and name ~= "user" and not name:find "[^%w_.]" and name or
    l.thread and "T.Fragment" or "T.Layout"
end

-- The index, checked against the shape.
local function check(l, idx)
  if #idx ~= #l.shape then
    diag.fail("rank", tostring(l), #l.shape, #idx)
  end
  for d, v in ipairs(idx) do
    if math.type(v) ~= "integer" or v < 0 or v >= l.shape[d] then
      diag.fail("layout_range", tostring(l), d - 1, tostring(v), l.shape[d] - 1)
    end
  end
  return idx
end

-- The threads that hold an element; of a ragged last warp only those that there are.
function M.of(l, idx)
  local list = l:owner(table.unpack(idx))
  while l.threads and #list > 1 and list[#list] >= l.threads do
    list[#list] = nil
  end
  return list
end

local function thread_text(l, t)
  local lanes = M.lanes(l)
  return say("warp %d, lane %d", "warp %d，通道 %d", t // lanes, t % lanes)
end

-- "T0, T4, .. T28 (8 of them)"
local function list_text(list)
  local t = {}
  for i, v in ipairs(list) do
    if i > 6 and i < #list then
      t[7] = ".."
    else
      t[math.min(i, 8)] = "T" .. v
    end
  end
  return table.concat(t, ", ")
end

-- The index of an element as the layout counts: of a pipelined buffer without its
-- stage, which is then the first one.
function M.index(l, idx)
  if l.stages and #idx == #l.shape - 1 then
    return {0, table.unpack(idx)}
  end
  return idx
end

-- Where an element is.  The second value: the threads, or the offset.
function M.element(l, idx)
  idx = check(l, M.index(l, idx))
  local what = ("%s[%s]"):format(name_of(l), table.concat(idx, ", "))
  if not l.thread then
    return {what .. ": " .. M.place(l, l:at(table.unpack(idx)))}, l:at(table.unpack(idx))
  end
  local threads = M.of(l, idx)
  local t, reg = l:at(table.unpack(idx))
  local lines = {say("%s: %s, register %d (thread %d)", "%s：%s，寄存器 %d（线程 %d）", what,
    thread_text(l, t), reg, t)}
  if #threads > 1 then
    lines[2] = say("%d threads hold it: %s", "共有 %d 个线程持有它：%s", #threads, list_text(threads))
  end
  return lines, threads
end

-- "byte 1234, bank 20, chunk 5 of its 128 bytes" of an offset in elements
function M.place(l, offset)
  local bits = M.bits(l)
  local bit = offset * bits
  local byte = bit // 8
  local text = say("offset %d, byte %d, bank %d, 16-byte chunk %d of its 128 bytes",
    "偏移 %d，字节 %d，bank %d，所在 128 字节中的第 %d 个 16 字节块", offset, byte,
    byte // 4 % 32, byte // 16 % 8)
  if l.address and l.address ~= 0 then
    text = text .. say("; byte %d of the block's shared memory", "；位于块内共享内存的字节 %d",
      l.address + byte)
  end
  return text
end

-- Elements of a thread by register: {{idx, register}, ..}
function M.held(l, thread)
  local map, list = window.map(l), {}
  if map then
    local info = map:info()
    local most = math.min(info.threads, l.threads or info.threads)
    if thread >= most then
      diag.fail("owner_thread", tostring(l), thread, most - 1)
    end
    for k, e in ipairs(map:elements(thread, thread + 1, 0, info.registers)) do
      if e >= 0 then
        local idx = {}
        for d = #l.shape, 1, -1 do
          idx[d], e = e % l.shape[d], e // l.shape[d]
        end
        list[#list + 1] = {idx, k - 1}
      end
    end
    return list
  end
  object.each(l.shape, function(idx)
    for _, t in ipairs(l:owner(table.unpack(idx))) do
      if t == thread then
        local own = table.move(idx, 1, #idx, 1, {})
        list[#list + 1] = {own, (select(2, l:at(table.unpack(idx))))}
        break
      end
    end
  end)
  table.sort(list, function(a, b) return a[2] < b[2] end)
  return list
end

-- What a thread holds.  The second value: its elements.
function M.thread(l, thread)
  local held = M.held(l, thread)
  local lines = {say("thread %d = %s: of %s it holds %d elements", "线程 %d = %s：在 %s 中持有 %d 个元素",
    thread, thread_text(l, thread), name_of(l), #held)}
  local row = {}
  for i, h in ipairs(held) do
    if i > 32 then
      row[#row + 1] = say(".. %d more", "……另有 %d 个", #held - 32)
      break
    end
    row[#row + 1] = ("L%d (%s)"):format(h[2], table.concat(h[1], ", "))
    if i % 4 == 0 then
      lines[#lines + 1], row = "  " .. table.concat(row, "  "), {}
    end
  end
  if #row > 0 then
    lines[#lines + 1] = "  " .. table.concat(row, "  ")
  end
  return lines, held
end

-- What a layout is, in parts: "128 threads x 32 registers", "modes ..", "from T.gemm at line 14".
local function parts_of(l)
  local map = window.map(l)
  local info, parts = map and map:info(), {}
  if l.thread then
    parts[1] = say("%d threads x %d registers", "%d 个线程 x %d 个寄存器", info and info.threads or
      l:get_thread_size(), info and info.registers or l:get_register_size())
    parts[2] = (l.copies or 1) > 1 and say("replicated %d", "副本 %d", l.copies) or nil
  elseif info then
    local bits = M.bits(l)
    parts[1] = say("%d bytes", "%d 字节", (info.span * bits + 7) // 8)
    if l.address then
      parts[1] = parts[1] .. say(" at %d", "，位于 %d", l.address)
    end
    parts[2] = l.stages and say("%d stages", "流水线 %d 级", l.stages)
  end
  if map then
    parts[#parts + 1] = say("modes %s", "mode %s", (map:text():gsub("^%b[] ?", "")))
  end
  parts[#parts + 1] = l.why and l.why[1]
  return parts
end

-- A layout in a few lines of at most `width` columns, those below the first indented:
-- "Cl (64, 64) float32: 128 threads x 32 registers, modes .., from T.gemm at line 14".
function M.lines(l, width)
  local parts, lines, line = parts_of(l), {}, window.title(l) .. say(":", "：")
  local function put(word, glue)
    if term.width(line) + #glue + term.width(word) > width then
      lines[#lines + 1], line, glue = line, "  ", ""
    end
    line = line .. glue .. word
  end
  for i, part in ipairs(parts) do
    part = part .. (i < #parts and say(",", "，") or "")
    local glue = say(" ", "")
    if term.width(part) > width - 2 then -- modes of many axes: broken between them
      for word in part:gmatch "%S+" do
        put(word, glue)
        glue = " "
      end
    else
      put(part, glue)
    end
  end
  lines[#lines + 1] = line
  return lines
end

-- What stands at a byte of a buffer in memory.
function M.byte(l, byte)
  local offset = byte * 8 // M.bits(l)
  local map = window.map(l)
  local idx
  if map then
    idx = {map:invert(offset)}
  else
    idx = {l:owner(offset)}
  end
  if idx[1] == nil then
    return {say("%s, byte %d: nothing stands there", "%s 的字节 %d 处没有元素", name_of(l), byte)}
  end
  return {say("byte %d: %s[%s]", "字节 %d：%s[%s]", byte, name_of(l), table.concat(idx, ", "))}
end

return M
