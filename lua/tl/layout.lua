-- tl.layout: layouts without a kernel: what matrix instructions hold, swizzles,
-- CuTe's notation.  All give the objects of T.Layout and T.Fragment.
--
--   tl.layout.mma("m16n8k16", "C"):digits()
--   tl.layout.swizzle{rows = 64, bytes = 128, mode = 128}:conflicts{access = "columns"}

local diag = require "moontile.diag"
local digits = require "moontile.layout"
local object = require "moontile.layout.algebra"
local types = require "moontile.T.types"
local W = require "moontile.T.words"

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
  for _, name in ipairs(digits.instructions()) do
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

local letters = {A = "a", B = "b", C = "c", D = "c"}

local function fragment(family, shape, which, o, n)
  o = o or {}
  if type(which) ~= "string" or not letters[which:upper()] then
    diag.fail("arg_value", "tl.layout." .. family, "which", '"A", "B", "C", "D"', tostring(which))
  end
  local operand = letters[which:upper()]
  local name = find(family, shape, o.dtype)
  local map, swapped = digits.mma(name, operand, n)
  if not map then
    diag.fail("layout_mma", name, operand == "b" and W"B is read from shared memory" or
      W"n is a multiple of 8 up to 256", "A, D")
  end
  if swapped and operand == "c" and not o.swapped then
    map = map:permute {1, 0} -- the result as the hardware numbers its rows
  end
  return object.of(map, name .. " " .. which:upper())
end

doc("mma", 'mma(shape, which [, {dtype = }])', "what mma.sync's operand A, B or C holds",
  "mma.sync 的操作数 A、B 或 C 的分布", 'print(tl.layout.mma("m16n8k16", "C"):digits())')
function M.mma(shape, which, o)
  return fragment("mma", shape, which, o)
end

local wgmma_shape = {f16 = "m64k16", bf16 = "m64k16", tf32 = "m64k8"}

doc("wgmma", 'wgmma(n, which [, {dtype = }])',
  "what a warp group holds of wgmma's result (64 x n), or of A in registers",
  "一个线程束组所持 wgmma 结果（64 x n）或寄存器中 A 的分布", 'print(tl.layout.wgmma(128, "D"):digits())')
function M.wgmma(n, which, o)
  local dtype = o and o.dtype or "float16"
  local t = short[types.canon(dtype) or dtype] or dtype
  if math.type(n) ~= "integer" then
    diag.fail("arg_value", "tl.layout.wgmma", "n", W"an integer", tostring(n))
  end
  return fragment("wgmma", wgmma_shape[t] or "m64k32", which, {dtype = dtype}, n)
end

doc("mfma", 'mfma(shape, which [, {dtype =, swapped = }])',
  "AMD's matrix fragments; swapped: C as kernels hold it, the operands passed the other way round",
  "AMD 矩阵片段；swapped：内核中 C 的分布（操作数交换后传入）", 'print(tl.layout.mfma("16x16x16", "A"):digits())')
function M.mfma(shape, which, o)
  return fragment("mfma", shape, which, o)
end

doc("c500", 'c500(shape, which [, {dtype =, swapped = }])', "MetaX C500's matrix fragments",
  "沐曦 C500 的矩阵片段", 'print(tl.layout.c500("16x16x16", "A"):digits())')
function M.c500(shape, which, o)
  return fragment("mxc", shape, which, o)
end

-- Memory -------------------------------------------------------------------------

doc("swizzle", "swizzle{rows =, bytes =, mode = 128 [, dtype = ]}",
  "a tile of rows of so many bytes, XORed as TMA and wgmma do; mode 128, 64, 32 or 0",
  "按 TMA 与 wgmma 的方式 XOR 的分块：每行若干字节；mode 为 128、64、32 或 0",
  "print(tl.layout.swizzle{rows = 8, bytes = 128, mode = 128}:digits())")
function M.swizzle(o)
  local bits = types.info(types.canon(o.dtype or "uint8") or "uint8").bits
  local mode, bytes = o.mode or 128, o.bytes or 128
  local shape = {o.rows or 8, bytes * 8 // bits}
  local map = mode == 0 and digits.linear(shape) or digits.swizzled(shape, bits, mode)
  if not map then
    diag.fail("arg_value", "tl.layout.swizzle", "mode",
      W"128, 64, 32 or 0, with rows of a multiple of it", ("%s, %s"):format(mode, bytes))
  end
  return object.of(map, mode == 0 and "linear" or ("swizzle_%d"):format(mode))
end

doc("padded", "padded(shape, dtype)", "rows 16 bytes further apart", "每行间隔多 16 字节",
  'print(tl.layout.padded({8, 64}, "float16"):conflicts{access = "columns"})')
function M.padded(shape, dtype)
  return object.of(digits.padded(shape, types.info(types.canon(dtype or "float16")).bits), "padded")
end

doc("linear", "linear(shape)", "row-major, without gaps", "行主序、无间隔",
  "print(tl.layout.linear({8, 64}):at(1, 0))")
function M.linear(shape)
  return object.of(digits.linear(shape), "linear")
end

doc("parse", "parse(text)", "the layout of a digit map's text, as the IR shows it",
  "由 IR 中的数位映射文本得到布局", 'print(tl.layout.parse("[8,8] off(0/1:8*8 1/1:8*1)"):at(1, 0))')
function M.parse(text)
  local map = digits.parse(text)
  if not map then
    diag.fail("layout_cute", text, W"no digit map")
  end
  return object.of(map, "user")
end

-- CuTe -----------------------------------------------------------------------------

-- "(8,(4,2))" -> nested list, rest of the text
local function nested(text, at, whole)
  local open = text:match("^%s*%(()", at)
  if not open then
    local n, rest = text:match("^%s*(%d+)%s*()", at)
    if not n then
      diag.fail("layout_cute", whole, W"a number is missing")
    end
    return math.tointeger(n), rest
  end
  local t = {}
  at = open
  repeat
    t[#t + 1], at = nested(text, at, whole)
    local mark, rest = text:match("^%s*([,)])%s*()", at)
    if not mark then
      diag.fail("layout_cute", whole, W"a parenthesis is missing")
    end
    at = rest
  until mark == ")"
  return t, at
end

local function leaves(t, out)
  if type(t) ~= "table" then
    out[#out + 1] = t
    return out
  end
  for _, v in ipairs(t) do
    leaves(v, out)
  end
  return out
end

-- Strides of a shape that are not given: the first mode is the fastest.
local function compact(shape, step)
  if type(shape) ~= "table" then
    return step, step * shape
  end
  local t = {}
  for i, v in ipairs(shape) do
    t[i], step = compact(v, step)
  end
  return t, step
end

doc("cute", "cute(text)", 'a layout in CuTe\'s notation, "(8,4):(4,1)"', "CuTe 记法的布局，如 \"(8,4):(4,1)\"",
  'print(tl.layout.cute("(8,(4,2)):(4,(1,32))"):at(1, 5))')
function M.cute(text)
  local left, right = text:match "^([^:]*):?(.*)$"
  local shape, at = nested(left, 1, text)
  local stride = right ~= "" and nested(right, 1, text) or compact(shape, 1)
  if left:find("%S", at) then
    diag.fail("layout_cute", text, W"something stands behind it")
  end
  if type(shape) ~= "table" then
    shape, stride = {shape}, {stride}
  end
  local sizes, list = {}, {}
  for d, mode in ipairs(shape) do
    local e, s = leaves(mode, {}), leaves(type(stride) == "table" and stride[d] or 0, {})
    sizes[d] = 1
    for k, v in ipairs(e) do
      if #s ~= #e or (s[k] == 0 and v > 1) then
        diag.fail("layout_cute", text, #s ~= #e and W"shape and stride differ in form" or
          W"a stride of 0 puts elements in one place")
      end
      sizes[d] = sizes[d] * v
      list[#list + 1] = {d - 1, v, "off", math.max(s[k], 1)}
    end
  end
  local map, why = digits.digits(sizes, list)
  if not map then
    diag.fail("layout_cute", text, W(why))
  end
  return object.of(map, text)
end

return M
