-- tl.layout: layouts without a kernel: what matrix instructions hold, swizzles,
-- CuTe's notation.  All give the objects of T.Layout and T.Fragment.
--
--   tl.layout.mma("m16n8k16", "C"):modes()
--   tl.layout.swizzle{rows = 64, bytes = 128, mode = 128}:conflicts{access = "columns"}

local accept = require "moontile.base.accept"
local diag = require "moontile.diag"
local layouts = require "moontile.layout"
local object = require "moontile.layout.algebra"
local signatures = require "moontile.tl.signatures"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local M = {doc = {}}

local function doc(name, sig, summary, summary_zh, example)
  M.doc[name] = {sig = sig, summary = summary, summary_zh = summary_zh, example = example}
end

-- Matrix instructions ------------------------------------------------------------

-- Names of types in those of instructions: "mma.m16n8k16.f32.f16".
local short = {
  float16 = "f16", bfloat16 = "bf16", tfloat32 = "tf32", float32 = "f32", float64 = "f64",
  int8 = "s8", uint8 = "u8", int32 = "s32", float8_e4m3fn = "e4m3", float8_e5m2 = "e5m2",
}

-- The first instruction "family.shape..." whose A has the dtype, if one is given.
local function find(family, shape, dtype)
  local want = dtype and (short[types.canon(dtype) or dtype] or dtype)
  local known, seen = {}, {}
  for _, name in ipairs(layouts.instructions()) do
    local f, s, a = name:match "^(%w+)%.(%w+)%.%w+%.(%w+)"
    if f == family and s == shape and (not want or a == want) then
      return name
    elseif f == family and not seen[s] then
      seen[s], known[#known + 1] = true, s
    end
  end
  diag.fail("layout_mma", family .. "." .. shape, want or W"no such shape",
    table.concat(known, ", "))
end

-- Operands as users write them, and as machines do.
local letters = {A = "a", B = "b", C = "c", D = "c"}

-- An instruction with the layouts of its operands: A, B (nil where they are in shared
-- memory only) and C, m, n, k; what is asked for without an operand.
local Instruction = {__name = "instruction"}
M.Instruction = Instruction

function Instruction.__tostring(i)
  local t = {i.name}
  for _, which in ipairs {"A", "B", "C"} do
    local l = i[which]
    t[#t + 1] = l and ("  %s (%s) %s"):format(which, table.concat(l.shape, ", "), l:text()) or nil
  end
  return table.concat(t, "\n")
end

-- The layout of one operand, or nil where it has none.
local function operand_of(name, which, n, swapped_c)
  local map, swapped = layouts.mma(name, letters[which], n)
  if not map then
    return nil
  end
  if swapped and letters[which] == "c" and not swapped_c then
    map = map:permute {1, 0} -- the result as the hardware numbers its rows
  end
  return object.of(map, name .. " " .. which)
end

-- The instruction of this full name; n: of a wgmma; swapped: C as kernels hold it.
function M.instruction(name, n, swapped)
  local i = setmetatable({name = name}, Instruction)
  for _, which in ipairs {"A", "B", "C"} do
    i[which] = operand_of(name, which, n, swapped)
  end
  i.source = ("%q"):format(name)
  return i
end

local function fragment(family, shape, which, o, n)
  o = type(which) == "table" and which or o or {}
  accept.known("tl.layout." .. (family == "mxc" and "c500" or family), o, {"dtype", "swapped"})
  if which == nil or type(which) == "table" then
    local i = M.instruction(find(family, shape, o.dtype), n, o.swapped)
    if not i.C then
      diag.fail("layout_mma", i.name, W"n is a multiple of 8 up to 256", "A, D")
    end
    i.source = family == "wgmma" and ("tl.layout.wgmma(%d)"):format(n) or
      ("tl.layout.%s(%q)"):format(family == "mxc" and "c500" or family, shape)
    return i
  end
  if type(which) ~= "string" or not letters[which:upper()] then
    diag.fail("arg_value", "tl.layout." .. family, "which", '"A", "B", "C", "D"', tostring(which))
  end
  local operand = letters[which:upper()]
  local name = find(family, shape, o.dtype)
  local l = operand_of(name, which:upper(), n, o.swapped)
  if not l then
    diag.fail("layout_mma", name, operand == "b" and W"B is read from shared memory" or
      W"n is a multiple of 8 up to 256", "A, D")
  end
  local t = o.dtype and (", {dtype = %q}"):format(o.dtype) or ""
  l.source = family == "wgmma" and ("tl.layout.wgmma(%d, %q%s)"):format(n, which, t) or
    ("tl.layout.%s(%q, %q%s)"):format(family == "mxc" and "c500" or family, shape, which, t)
  return l
end

doc("mma", 'mma(shape [, which [, {dtype = }]])',
  "what mma.sync's operand A, B or C holds; without which, all three, which plot draws together",
  "mma.sync 的操作数 A、B 或 C 的分布；不给 which 则为全部三个，plot 将其画在一张图中",
  'print(tl.layout.mma("m16n8k16", "C"):modes())')
function M.mma(shape, which, o)
  return fragment("mma", shape, which, o)
end

local wgmma_shape = {f16 = "m64k16", bf16 = "m64k16", tf32 = "m64k8"}

doc("wgmma", 'wgmma(n [, which [, {dtype = }]])',
  "what a warp group holds of wgmma's result (64 x n), or of A in registers",
  "一个线程束组所持 wgmma 结果（64 x n）或寄存器中 A 的分布", 'print(tl.layout.wgmma(128, "D"):modes())')
function M.wgmma(n, which, o)
  if type(which) == "table" then
    which, o = nil, which
  end
  local dtype = o and o.dtype or "float16"
  local t = short[types.canon(dtype) or dtype] or dtype
  if math.type(n) ~= "integer" then
    diag.fail("arg_value", "tl.layout.wgmma", "n", W"an integer", tostring(n))
  end
  accept.known("tl.layout.wgmma", o or {}, {"dtype"})
  return fragment("wgmma", wgmma_shape[t] or "m64k32", which, {dtype = dtype}, n)
end

doc("mfma", 'mfma(shape [, which [, {dtype =, swapped = }]])',
  "AMD's matrix fragments; swapped: C as kernels hold it, the operands passed the other way round",
  "AMD 矩阵片段；swapped：内核中 C 的分布（操作数交换后传入）", 'print(tl.layout.mfma("16x16x16", "A"):modes())')
function M.mfma(shape, which, o)
  return fragment("mfma", shape, which, o)
end

doc("wmma", 'wmma(shape [, which [, {dtype = }]])',
  "matrix fragments of AMD's RDNA3; both halves of a wave hold all of A and B",
  "AMD RDNA3 的矩阵片段；wave 的两半各自持有完整的 A 和 B", 'print(tl.layout.wmma("16x16x16", "A"):modes())')
function M.wmma(shape, which, o)
  return fragment("wmma", shape, which, o)
end

doc("c500", 'c500(shape [, which [, {dtype =, swapped = }]])', "MetaX C500's matrix fragments",
  "沐曦 C500 的矩阵片段", 'print(tl.layout.c500("16x16x16", "A"):modes())')
function M.c500(shape, which, o)
  return fragment("mxc", shape, which, o)
end

-- Memory -------------------------------------------------------------------------

doc("swizzle", "swizzle{rows =, bytes =, mode = 128 [, dtype = ]}",
  "a tile of rows of so many bytes, XORed as TMA and wgmma do; mode 128, 64, 32 or 0",
  "按 TMA 与 wgmma 的方式 XOR 的分块：每行若干字节；mode 为 128、64、32 或 0",
  "print(tl.layout.swizzle{rows = 8, bytes = 128, mode = 128}:modes())")
function M.swizzle(o)
  local bits = types.info(types.canon(o.dtype or "uint8") or "uint8").bits
  local mode, bytes = o.mode or 128, o.bytes or 128
  local shape = {o.rows or 8, bytes * 8 // bits}
  local map = mode == 0 and layouts.linear(shape) or layouts.swizzled(shape, bits, mode)
  if not map then
    diag.fail("arg_value", "tl.layout.swizzle", "mode",
      W"128, 64, 32 or 0, with rows of a multiple of it", ("%s, %s"):format(mode, bytes))
  end
  local l = object.of(map, mode == 0 and "linear" or ("swizzle_%d"):format(mode))
  l.bits = bits
  l.source = ("tl.layout.swizzle{rows = %d, bytes = %d, mode = %d%s}"):format(shape[1], bytes, mode,
    o.dtype and (", dtype = %q"):format(o.dtype) or "")
  return l
end

doc("padded", "padded(shape, dtype)", "rows padded by 16 bytes", "每行间隔多 16 字节",
  'print(tl.layout.padded({8, 64}, "float16"):conflicts{access = "columns"})')
function M.padded(shape, dtype)
  dtype = dtype or "float16"
  local bits = types.info(types.canon(dtype) or "float16").bits
  local l = object.of(layouts.padded(shape, bits), "padded")
  l.bits, l.source = bits, ("tl.layout.padded({%s}, %q)"):format(table.concat(shape, ", "), dtype)
  return l
end

doc("linear", "linear(shape)", "row-major, without gaps", "行主序、无间隔",
  "print(tl.layout.linear({8, 64}):at(1, 0))")
function M.linear(shape)
  local l = object.of(layouts.linear(shape), "linear")
  l.source = ("tl.layout.linear{%s}"):format(table.concat(shape, ", "))
  return l
end

doc("parse", "parse(text)", "the layout of a layout's text, as the IR shows it",
  "由 IR 中的布局文本得到布局", 'print(tl.layout.parse("[8,8] off(0/1:8*8 1/1:8*1)"):at(1, 0))')
function M.parse(text)
  local map = layouts.parse(text)
  if not map then
    diag.fail("layout_cute", text, W"no layout")
  end
  return object.of(map, "user")
end

-- CuTe -----------------------------------------------------------------------------

doc("cute", "cute(text [, {tile =, lanes = }])",
  'a layout in CuTe\'s notation: "(8,4):(4,1)", "Sw<3,4,3> o 0 o (8,8):(8,1)"; ' ..
    "with tile = {M, N} a Fragment: (thread, value) -> m + M * n",
  'CuTe 记法的布局，如 "(8,4):(4,1)"、"Sw<3,4,3> o 0 o (8,8):(8,1)"；' ..
    "给出 tile = {M, N} 时为片段：（线程、值）-> m + M * n",
  'print(tl.layout.cute("(8,(4,2)):(4,(1,32))"):at(1, 5))')
function M.cute(text, o)
  local cute = require "moontile.layout.cute"
  if type(text) ~= "string" then
    diag.fail("arg_value", "tl.layout.cute", "text", W"a string", tostring(text))
  end
  local tile = o and o.tile
  if tile == nil then
    return cute.layout(text)
  end
  for i, n in ipairs(type(tile) == "table" and tile or {0}) do
    if math.type(n) ~= "integer" or n < 1 or i > 8 then
      diag.fail("arg_value", "tl.layout.cute", "tile", W"positive integers", tostring(n))
    end
  end
  local lanes = o.lanes
  if lanes ~= nil and lanes ~= 32 and lanes ~= 64 then
    diag.fail("arg_value", "tl.layout.cute", "lanes", "32, 64", tostring(lanes))
  end
  return cute.fragment(text, tile, lanes)
end

accept.guard(M, {what = "tl.layout."}, signatures.tl_layout)

return M
