-- T/layout.lua: layouts as objects, and annotations of a kernel.
--
-- A Layout maps an index to a place in memory, a Fragment to a thread and a
-- register slot.  Both are functions given by the user or by name; they are
-- evaluated on numbers here and kept as text for targets that place elements.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.T.types"
local W = require "moontile.T.words"

local def = registry.def

-- Objects --------------------------------------------------------------------

local Layout = {__name = "layout"}

-- Methods of TileLang's that are not here yet.
local later = {}
for m in ([[repeat expand inverse reshape get_forward_vars get_linearized_forward_index
    replicate condense_rep_var compose digits conflicts owner plot]]):gmatch("%S+") do
  later[m] = true
end

local methods = {}

function Layout.__index(self, k)
  local v = methods[k]
  if v == nil and later[k] then
    diag.fail("t_later", (self.thread and "Fragment" or "Layout") .. ":" .. tostring(k))
  end
  return v
end

local function indices(self, what, ...)
  local idx = {...}
  if type(idx[1]) == "table" and getmetatable(idx[1]) == nil then
    idx = idx[1]
  end
  if #idx ~= #self.shape then
    diag.fail("rank", what, #self.shape, #idx)
  end
  return idx
end

-- Results of a forward function as a list.
local function pack(...)
  local first = ...
  if select("#", ...) == 1 and type(first) == "table" and getmetatable(first) == nil then
    return first
  end
  return {...}
end

-- Layout: the coordinates in memory.  Fragment: thread, slot.
function methods:map_forward_index(...)
  local idx = indices(self, self.name, ...)
  return pack(self.forward(table.unpack(idx)))
end

function methods:map_forward_thread(...)
  local idx = indices(self, self.name, ...)
  return (self.thread(table.unpack(idx)))
end

-- at(i, j) -> offset of a Layout; thread and slot of a Fragment
function methods:at(...)
  local idx = indices(self, self.name, ...)
  if self.thread then
    return self.thread(table.unpack(idx)), self.index(table.unpack(idx))
  end
  local out, size, at = pack(self.forward(table.unpack(idx))), self:get_output_shape(), 0
  for d, v in ipairs(out) do
    at = at * size[d] + v
  end
  return at
end

function methods:get_input_shape()
  return {table.unpack(self.shape)}
end

-- Calls f(index) for every index of the shape.
local function each(shape, f)
  local idx = {}
  local function go(d)
    if d > #shape then
      return f(idx)
    end
    for v = 0, shape[d] - 1 do
      idx[d] = v
      go(d + 1)
    end
  end
  go(1)
end

function methods:get_output_shape()
  if not self.output then
    local max = {}
    each(self.shape, function(idx)
      for d, v in ipairs(self:map_forward_index(idx)) do
        max[d] = math.max(max[d] or 0, v)
      end
    end)
    for d, v in ipairs(max) do
      max[d] = v + 1
    end
    self.output = max
  end
  return {table.unpack(self.output)}
end

function methods:get_thread_size()
  local n = 0
  each(self.shape, function(idx) n = math.max(n, self.thread(table.unpack(idx)) + 1) end)
  return n
end

function methods:is_equal(other)
  if getmetatable(other) ~= Layout or #other.shape ~= #self.shape then
    return false
  end
  for d, v in ipairs(self.shape) do
    if other.shape[d] ~= v then
      return false
    end
  end
  local same = true
  each(self.shape, function(idx)
    local a, b = table.pack(self:at(idx)), table.pack(other:at(idx))
    same = same and a[1] == b[1] and a[2] == b[2]
  end)
  return same
end

function Layout.__call(self, ...)
  return self:at(...)
end

function Layout.__tostring(self)
  return ("%s({%s}%s)"):format(self.thread and "T.Fragment" or "T.Layout",
    table.concat(self.shape, ", "),
    self.name and ", " .. self.name or "")
end

local function layout(shape, forward, name)
  for i, n in ipairs(shape) do
    if math.type(n) ~= "integer" or n < 1 then
      diag.fail("arg_value", "T.Layout", "shape", W"positive integers", registry.describe(shape[i]))
    end
  end
  return setmetatable({shape = shape, forward = forward, name = name}, Layout)
end

local function list(shape)
  return type(shape) == "table" and shape or {shape}
end

def {
  name = "Layout", sig = "Layout(shape, forward_fn)", types = "shape:shape forward_fn:function",
  summary = "places the elements of a buffer: index -> coordinates in memory",
  summary_zh = "缓冲区元素的摆放：下标 -> 内存坐标",
  example = "T.annotate_layout {[As] = T.Layout({32, 32}, function(i, j) return {j, i} end)}",
  fn = function(shape, f)
    return layout(list(shape), f, "user")
  end,
}

def {
  name = "Fragment",
  sig = "Fragment(shape, forward_fn=None, forward_thread_fn=None, replicate=1, " ..
    "forward_index_fn=None, thread=None, index=None)",
  types = "shape:shape forward_fn:function forward_thread_fn:function replicate:int " ..
    "forward_index_fn:function thread:function index:function",
  summary = "places the elements of a register tile: index -> thread, slot",
  summary_zh = "寄存器分块的摆放：下标 -> 线程、槽位",
  example = [[
local l = T.Fragment({32, 32}, {
  thread = function(i, j) return i end,
  index = function(i, j) return j end,
})
T.annotate_layout {[Cl] = l}]],
  fn = function(shape, f, tf, replicate, xf, tf2, xf2)
    tf, xf = tf or tf2, xf or xf2
    if f and not (tf or xf) then
      tf = function(...) return (pack(f(...))[1]) end
      xf = function(...) return (pack(f(...))[2]) end
    end
    if not (tf and xf) then
      diag.fail("arg_missing", "T.Fragment", tf and "forward_index_fn" or "forward_thread_fn",
        "T.Fragment(shape, {forward_thread_fn = f, forward_index_fn = g})")
    end
    local l = layout(list(shape), function(...) return tf(...), xf(...) end, "user")
    l.thread, l.index, l.copies = tf, xf, replicate
    return l
  end,
}

-- Swizzles ---------------------------------------------------------------------
-- A tile is cut into column blocks of `bytes`; in each, the 16-byte chunks of a
-- row are exchanged by XOR with bits of the row, so that a column of chunks
-- meets every bank.

local function swizzle(buffer, bytes)
  local shape, bits = buffer.shape, types.info(buffer.dtype).bits
  local rows, cols = shape[#shape - 1], shape[#shape]
  local vec, chunks = 128 // bits, bytes // 16
  local tall = (rows + 7) // 8
  return layout({rows, cols}, function(i, j)
    local block, chunk = j // vec // chunks, j // vec % chunks
    chunk = chunk ~ (i % 8 // (8 // chunks))
    return {block, i // 8, i % 8, chunk * vec + j % vec}
  end, ("swizzle_%d"):format(bytes)), tall
end

local function linear(shape, name)
  return layout({table.unpack(shape)}, function(...) return {...} end, name or "linear")
end

local function padded(shape, pad)
  local rows, cols = shape[#shape - 1], shape[#shape]
  return layout({rows, cols}, function(i, j) return {i * (cols + pad) + j} end,
    ("padded_%d"):format(pad))
end

-- TileLang's choice by the bytes of a row.
local function choose(buffer, pad)
  local shape, bits = buffer.shape, types.info(buffer.dtype).bits
  if #shape < 2 then
    return linear(shape)
  end
  local row = shape[#shape] * bits // 8
  for _, bytes in ipairs {128, 64, 32} do
    if row % bytes == 0 then
      return (swizzle(buffer, bytes))
    end
  end
  return pad and padded(shape, 128 // bits) or linear(shape)
end

local function def_swizzle(name, args, kinds, summary, zh, make)
  def {
    name = name, sig = ("%s(buffer%s)"):format(name, args), types = "buffer:buffer " .. kinds,
    summary = summary, summary_zh = zh, fn = make,
    example = ("T.annotate_layout {[As] = T.%s(As)}"):format(name),
  }
end

def_swizzle("make_swizzled_layout", ", k_major=True, allow_pad=True", "k_major:bool allow_pad:bool",
  "a layout without bank conflicts, chosen by the length of a row", "按行长度选择的无 bank 冲突布局",
  function(buffer, _, pad) return choose(buffer, pad) end)

local function full(name, bytes, zh)
  def_swizzle(name, "", "", ("XOR swizzle of %d bytes"):format(bytes), zh, function(buffer)
    local shape, bits = buffer.shape, types.info(buffer.dtype).bits
    if #shape < 2 or shape[#shape] * bits // 8 % bytes ~= 0 then
      diag.fail("arg_value", "T." .. name, "buffer",
        W"rows of a multiple of %d bytes":format(bytes),
        tostring(buffer))
    end
    return (swizzle(buffer, bytes))
  end)
end
full("make_full_bank_swizzled_layout", 128, "128 字节 XOR 交错布局")
full("make_half_bank_swizzled_layout", 64, "64 字节 XOR 交错布局")
full("make_quarter_bank_swizzled_layout", 32, "32 字节 XOR 交错布局")
registry.names.make_full_bank_swizzled_layout.example = [[
local W = T.alloc_shared({32, 64}, T.float16)
T.annotate_layout {[W] = T.make_full_bank_swizzled_layout(W)}
T.fill(W, 1)
T.copy(W[0:32, 0:32], Cl)]]

def_swizzle("make_linear_layout", "", "", "row-major, without gaps", "行主序、无间隔的布局",
  function(buffer) return linear(buffer.shape) end)

-- Annotations --------------------------------------------------------------------

-- Raises when a small static layout gives one place to two elements.
local function injective(buffer, l)
  local n = 1
  for _, d in ipairs(l.shape) do
    n = n * d
  end
  if n > 16384 then
    return
  end
  local seen = {}
  each(l.shape, function(idx)
    local key = table.concat(l:map_forward_index(idx), ",")
    local here = "[" .. table.concat(idx, ", ") .. "]"
    if seen[key] then
      diag.fail("layout_injective", buffer.name, seen[key], here)
    end
    seen[key] = here
  end)
end

local function check_layout(buffer, v)
  if ir.kind(buffer) ~= "buffer" then
    diag.fail("arg_type", "T.annotate_layout", "layout_map", W"buffers as keys",
      registry.describe(buffer),
      "T.annotate_layout {[As] = layout}")
  end
  local fragment = buffer.scope == "fragment"
  if type(v) == "function" and not fragment then
    v = layout(buffer.shape, v, "user")
  end
  if getmetatable(v) ~= Layout or (fragment and not v.thread) then
    diag.fail("layout_kind", buffer.name, W(fragment and "a T.Fragment" or "a T.Layout"),
      registry.describe(v))
  end
  return v
end

def {
  name = "annotate_layout", sig = "annotate_layout(layout_map)", types = "layout_map:table",
  summary = "fixes the layout of buffers: {[buffer] = layout}",
  summary_zh = "固定缓冲区的布局：{[buffer] = layout}",
  example = "T.annotate_layout {[As] = T.make_swizzled_layout(As)}",
  fn = function(map)
    trace.kernel("T.annotate_layout")
    for buffer, v in pairs(map) do
      v = check_layout(buffer, v)
      if v.name == "user" and not v.thread then
        injective(buffer, v)
      end
      ir.layout(buffer, v.name)
    end
  end,
}

def {
  name = "annotate_safe_value", sig = "annotate_safe_value(safe_value_map)",
  types = "safe_value_map:table",
  summary = "what out-of-range reads give: {[buffer] = value}",
  summary_zh = "越界读取得到的值：{[buffer] = value}",
  example = "T.annotate_safe_value {[A] = -1}",
  fn = function(map)
    trace.kernel("T.annotate_safe_value")
    for buffer, v in pairs(map) do
      if ir.kind(buffer) ~= "buffer" or not ir.isvalue(v) then
        diag.fail("arg_type", "T.annotate_safe_value", "safe_value_map", "{[buffer] = number}",
          registry.describe(ir.kind(buffer) == "buffer" and v or buffer),
            "T.annotate_safe_value {[A] = 0}")
      end
      ir.safe(buffer, v)
    end
  end,
}

local orders = {row = 0, column = 1, mlx = 2}

def {
  name = "use_swizzle", sig = 'use_swizzle(panel_size, order="row", enable=True)',
  types = "panel_size:int order:row|column|mlx enable:bool",
  summary = "order of the blocks that keeps neighbours in the L2 cache",
  summary_zh = "使相邻块共享 L2 缓存的块执行顺序",
  example = "T.use_swizzle(10)",
  fn = function(panel, order, enable)
    if panel < 1 then
      diag.fail("swizzle_panel", "panel_size", panel)
    end
    ir.swizzle(trace.kernel("T.use_swizzle"), enable and panel or 0, orders[order])
  end,
}
