-- T/layout.lua: layouts as objects, and annotations of a kernel.
--
-- A Layout maps an index to a place in memory, a Fragment to a thread and a
-- register; moontile.layout.object has the objects.  What a kernel is given
-- is fitted to a layout and kept as its text, or refused with the reason.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local layouts = require "moontile.layout"
local ir = require "moontile.ir"
local object = require "moontile.layout.algebra"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def = registry.def

-- Objects --------------------------------------------------------------------

local function list(shape)
  return type(shape) == "table" and shape or {shape}
end

def {
  name = "Layout", sig = "Layout(shape, forward_fn)", types = "shape:shape forward_fn:function",
  summary = "places the elements of a buffer: index -> coordinates in memory",
  summary_zh = "缓冲区元素的摆放：下标 -> 内存坐标",
  example = "T.annotate_layout {[As] = T.Layout({32, 32}, function(i, j) return {j, i} end)}",
  fn = function(shape, f)
    return object.layout(list(shape), f, "user")
  end,
}

local Copies = 1024 -- as many as a block has threads

local function copies(what, name, n)
  return n >= 1 and n <= Copies and n or diag.fail("arg_value", what, name, "1 .. " .. Copies, tostring(n))
end

-- Registers where only the threads are given: elements of one thread follow each other as in memory.
local function counted(shape, tf, replicate)
  local place, used = {}, {}
  local n = 1
  for _, d in ipairs(shape) do
    n = n * d
  end
  for e = 0, n - 1 do
    local at, rest = {}, e
    for d = #shape, 1, -1 do
      at[d], rest = rest % shape[d], rest // shape[d]
    end
    at[#at + 1] = replicate > 1 and 0 or nil
    local t = tf(table.unpack(at)) or -1 -- refused when the layout is fitted
    place[e], used[t] = used[t] or 0, (used[t] or 0) + 1
  end
  return function(...)
    local at, e = {...}, 0
    for d = 1, #shape do
      e = e * shape[d] + at[d]
    end
    return place[e]
  end
end

-- The register of an element, which all of its copies have in common; else -1, refused when fitted.
local function register_of(f, shape, replicate)
  return function(...)
    local at, reg = {table.unpack({...}, 1, #shape)}
    for r = 0, replicate - 1 do
      at[#shape + 1] = r
      local own = object.pack(f(table.unpack(at)))[2]
      reg = (r == 0 or own == reg) and own or -1
    end
    return reg
  end
end

def {
  name = "Fragment",
  sig = "Fragment(shape, forward_fn=None, forward_thread_fn=None, replicate=1, " ..
    "forward_index_fn=None, thread=None, index=None)",
  types = "shape:shape forward_fn:function forward_thread_fn:function replicate:int " ..
    "forward_index_fn:function thread:function index:function",
  summary = "places the elements of a register tile: index -> thread, register",
  summary_zh = "寄存器分块的摆放：下标 -> 线程、寄存器",
  example = [[
local l = T.Fragment({32, 32}, {
  thread = function(i, j) return i end,
  index = function(i, j) return j end,
})
T.annotate_layout {[Cl] = l}]],
  fn = function(shape, f, tf, replicate, xf, tf2, xf2)
    tf, xf = tf or tf2, xf or xf2
    if f and not (tf or xf) then
      tf = function(...) return (object.pack(f(...))[1]) end
      xf = replicate > 1 and register_of(f, list(shape), replicate)
        or function(...) return (object.pack(f(...))[2]) end
    end
    if not tf then
      diag.fail("arg_missing", "T.Fragment", "forward_thread_fn",
        "T.Fragment(shape, {forward_thread_fn = f, forward_index_fn = g})")
    end
    shape = list(shape)
    object.extents("T.Fragment", "shape", shape)
    copies("T.Fragment", "replicate", replicate)
    local given = tf
    if replicate == 1 then -- Python's functions count their arguments
      tf = function(...) return (given(table.unpack({...}, 1, #shape))) end
    end
    xf = xf or counted(shape, tf, replicate)
    return object.fragment(shape, tf, xf, replicate, "user")
  end,
}

-- Memory by name ---------------------------------------------------------------
-- A tile is cut into column blocks of `bytes`; in each, the 16-byte chunks of a
-- row are exchanged by XOR with bits of the row, so that a column of chunks
-- meets every bank.

-- The last two dimensions; others stay outside.
local function tile(buffer)
  local shape = buffer.shape
  return {shape[#shape - 1], shape[#shape]}, types.info(buffer.dtype).bits
end

local function swizzle(buffer, bytes)
  local shape, bits = tile(buffer)
  local map = #buffer.shape >= 2 and layouts.swizzled(shape, bits, bytes)
  return map and object.of(map, ("swizzle_%d"):format(bytes))
end

local function linear(buffer)
  return object.of(layouts.linear {table.unpack(buffer.shape)}, "linear")
end

-- TileLang's choice by the bytes of a row: the widest swizzle that divides it,
-- else a pitch of 16 bytes more if `pad`, else row-major.
local function choose(buffer, pad, row)
  local shape, bits = tile(buffer)
  for _, bytes in ipairs {128, 64, 32} do
    local l = (row or shape[2] * bits // 8) % bytes == 0 and swizzle(buffer, bytes)
    if l then
      return l
    end
  end
  if pad and #buffer.shape >= 2 and bits >= 8 then
    return object.of(layouts.padded(shape, bits), ("padded_%d"):format(128 // bits))
  end
  return linear(buffer)
end

local function def_swizzle(name, args, kinds, summary, zh, make)
  local function fn(buffer, ...)
    object.extents("T." .. name, "buffer", buffer.shape)
    return make(buffer, ...)
  end
  def {
    name = name, sig = ("%s(buffer%s)"):format(name, args), types = "buffer:buffer " .. kinds,
    summary = summary, summary_zh = zh, fn = fn,
    example = ("T.annotate_layout {[As] = T.%s(As)}"):format(name),
  }
end

def_swizzle("make_swizzled_layout", ", k_major=True, allow_pad=True", "k_major:bool allow_pad:bool",
  "a layout without bank conflicts, chosen by the length of a row", "按行长度选择的无 bank 冲突布局",
  function(buffer, _, pad) return choose(buffer, pad) end)

def_swizzle("make_wgmma_swizzled_layout", ", continuity=None, k_major=True",
  "continuity:int k_major:bool",
  "the swizzle that wgmma reads, chosen by the number of adjacent elements",
  "wgmma 所读取的交错布局，按连续元素的个数选择",
  function(buffer, continuity)
    local _, bits = tile(buffer)
    return choose(buffer, false, continuity and continuity * bits // 8)
  end)

local function full(name, bytes, zh)
  def_swizzle(name, "", "", ("XOR swizzle of %d bytes"):format(bytes), zh, function(buffer)
    local l = swizzle(buffer, bytes)
    if not l then
      diag.fail("arg_value", "T." .. name, "buffer",
        W"rows of a multiple of %d bytes":format(bytes),
        tostring(buffer))
    end
    return l
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
  function(buffer) return linear(buffer) end)

-- Fragments by name ----------------------------------------------------------------

local function def_fragment(name, args, kinds, summary, zh, example, make)
  def {
    name = name, sig = ("%s(%s)"):format(name, args), types = kinds,
    summary = summary, summary_zh = zh, fn = make, example = example,
  }
end

def_fragment("make_gemm_fragment_8x8", "", "",
  "the seed of matrix fragments: 8x8 over 32 lanes, two columns each",
  "矩阵片段的基本单元：8x8，分布在 32 个通道上，每个通道两列",
  "local f = T.make_gemm_fragment_8x8():repeat_({2, 1})",
  function()
    return object.fragment({8, 8}, function(i, j) return i * 4 + j // 2 end,
      function(_, j) return j % 2 end, 1, "gemm_8x8")
  end)

def_fragment("make_gemm_fragment_8x8_transposed", "", "",
  "the seed of matrix fragments, transposed: two rows each", "矩阵片段的基本单元（转置）：每个通道两行",
  "local f = T.make_gemm_fragment_8x8_transposed()",
  function()
    return object.fragment({8, 8}, function(i, j) return j * 4 + i // 2 end,
      function(i) return i % 2 end, 1, "gemm_8x8_transposed")
  end)

def_fragment("make_fully_replicated_layout_fragment", "buffer, threads",
  "buffer:buffer threads:int", "every thread holds all of the buffer", "每个线程都持有整个缓冲区",
  "T.annotate_layout {[Cl] = T.make_fully_replicated_layout_fragment(Cl, 128)}",
  function(buffer, threads)
    local shape = {table.unpack(buffer.shape)}
    object.extents("T.make_fully_replicated_layout_fragment", "buffer", shape)
    copies("T.make_fully_replicated_layout_fragment", "threads", threads)
    return object.fragment(shape, function(...) return (select(#shape + 1, ...)) end,
      function(...)
        local at = 0
        for d, n in ipairs(shape) do
          at = at * n + (select(d, ...))
        end
        return at
      end, threads, "replicated")
  end)

-- Annotations --------------------------------------------------------------------

-- Raises with the two elements that a layout puts in one place.
local function injective(buffer, l)
  local seen = {}
  object.each(l.shape, function(idx)
    local key = table.concat(l:map_forward_index(idx), ",")
    local here = "[" .. table.concat(idx, ", ") .. "]"
    if seen[key] then
      diag.fail("layout_injective", buffer.name, seen[key], here)
    end
    seen[key] = here
  end)
end

-- A layout is over the buffer's last dimensions; a Fragment over all of them.
local function check_shape(buffer, l)
  local own, n = buffer.shape, #buffer.shape
  local fits = l.thread and #l.shape == n or not l.thread and #l.shape <= n
  for d, v in ipairs(l.shape) do
    fits = fits and own[n - #l.shape + d] == v
  end
  if not fits then
    diag.fail("shared_shape", buffer.name, "(" .. table.concat(l.shape, ", ") .. ")",
      tostring(buffer))
  end
end

-- The layout; nil: it says nothing of this buffer.
local function check_layout(buffer, v)
  if ir.kind(buffer) ~= "buffer" then
    diag.fail("arg_type", "T.annotate_layout", "layout_map", W"buffers as keys",
      describe(buffer),
      "T.annotate_layout {[As] = layout}")
  end
  local fragment = buffer.scope == "fragment"
  if buffer.scope == "local" and object.is(v) and v.thread then -- each thread has its own, whatever is said
    return nil
  end
  if type(v) == "function" and not fragment then
    v = object.layout({table.unpack(buffer.shape)}, v, "user")
  end
  if not object.is(v) or fragment ~= (v.thread ~= nil) then
    diag.fail("layout_kind", buffer.name, W(fragment and "a T.Fragment" or "a T.Layout"),
      object.is(v) and tostring(v) or describe(v))
  end
  check_shape(buffer, v)
  return v
end

-- A tensor in global memory: its elements are where the function of their indices says, which may be those
-- of the last dimensions.
local function move(buffer, v)
  local idx = ir.indices(buffer)
  local outer, at = #idx - #v.shape, nil
  if v.name == "user" then
    at = object.pack(v.forward(table.unpack(idx, outer + 1)))
  elseif v.name == "linear" then
    at = {table.unpack(idx, outer + 1)}
  else
    diag.fail("layout_kind", buffer.name, W"a T.Layout of a function", tostring(v))
  end
  ir.remap(buffer, idx, table.move(at, 1, #at, outer + 1, {table.unpack(idx, 1, outer)}))
end

local function fix(buffer, v)
  local fitted, why = object.map(v)
  if why == "two elements are in one place" then
    injective(buffer, v)
  end
  fitted = fitted or object.need(v, buffer.name)
  if buffer.scope == "global" then
    move(buffer, v)
  else
    ir.layout(buffer, fitted:text())
  end
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
      if v then
        fix(buffer, v)
      end
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
          describe(ir.kind(buffer) == "buffer" and v or buffer),
            "T.annotate_safe_value {[A] = 0}")
      end
      ir.safe(buffer, v)
    end
  end,
}

def {
  name = "annotate_pass_configs", sig = "annotate_pass_configs(configs)", types = "configs:table",
  summary = "pass_configs of the function's kernels, unless tl.jit or tl.compile says otherwise",
  summary_zh = "函数内核的 pass_configs，tl.jit 或 tl.compile 可覆盖",
  example = 'T.annotate_pass_configs {["tl.enable_fast_math"] = true}',
  fn = function(configs)
    trace.configs[trace.prog "T.annotate_pass_configs"] = configs
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
