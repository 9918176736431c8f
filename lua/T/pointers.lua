-- T/pointers.lua: tensors behind addresses: T.ptr, T.make_tensor.
--
-- A kernel gets an address, or a tensor of addresses, and says in its body what stands there:
--
--     A_ptrs: T.Tensor({G}, T.ptr)              A = T.make_tensor(A_ptrs[g], {M, K}, T.float16)
--
-- Here no address is ever followed.  A parameter of type T.ptr becomes a tensor of the shape that
-- T.make_tensor gives it; a table of them one tensor more dimension, whose row g is what entry g
-- points to.  The call looks for the tensors that live at these addresses (tl/pointers.lua), so that
-- what is outside of them cannot be reached, on any target.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"

local def = registry.def

-- The type of an address; T.ptr(dtype) is the same.
local Type = setmetatable({kind = "ptr"}, {__name = "type", __tostring = function() return "T.ptr" end})
getmetatable(Type).__call = function() return Type end

-- A parameter that is an address, or element `index` of one that is a table of them.
local Pointer, Table = {__name = "pointer"}, {__name = "table of pointers"}

function Pointer.__tostring(self)
  return self.index == nil and self.param.name or ("%s[%s]"):format(self.param.name, tostring(self.index))
end

local held = setmetatable({}, {__mode = "k"}) -- table of pointers -> its parameter

function Table.__tostring(self) return held[self].name end

function Table.__index(self, key)
  local index = key
  if type(key) == "table" then
    index = #key == 1 and key[1] or nil
  end
  if not ir.isvalue(index) then
    diag.fail("arg_type", "T.make_tensor", "index", "one integer", describe(key), held[self].name .. "[i]")
  end
  return setmetatable({param = held[self], index = index}, Pointer)
end

function Table.__newindex(self)
  diag.fail("pointer_stored", held[self].name)
end

-- A parameter of the trace with such a type: what its name stands for from now on.
function trace.pointer(t, p, ty)
  local count
  if ty.kind == "tensor" then
    if #ty.shape ~= 1 then
      diag.fail("arg_value", "T.Tensor", "shape", "{n}", tostring(#ty.shape))
    end
    count = ty.shape[1]
  end
  p.kind, p.dtype, p.shape, p.pointer = "tensor", "uint8", {1}, {count = count}
  p.object = ir.buffer(t.P, "global", "uint8", {1}, p.name)
  p.proxy = setmetatable(count and {} or {param = p}, count and Table or Pointer)
  if count then
    held[p.proxy] = p
  end
  return p.proxy
end

local function same_shape(a, b)
  if #a ~= #b then
    return false
  end
  for i = 1, #a do
    if not (rawequal(a[i], b[i]) or a[i] == b[i] or ir.isvalue(a[i]) and ir.isvalue(b[i]) and ir.same(a[i], b[i])) then
      return false
    end
  end
  return true
end

-- The parameter's tensor, of this shape from its first use on.
local function settle(what, p, shape, dtype, strides)
  local full = table.move(shape, 1, #shape, p.pointer.count and 2 or 1, {p.pointer.count})
  local given = p.pointer.shape
  if given and not (same_shape(given, full) and p.dtype == dtype) then
    diag.fail("pointer_twice", what, p.name)
  elseif not given then
    ir.become(p.object, ir.buffer(trace.prog(what), "global", dtype, full, p.name, not p.pointer.count and strides or nil))
    p.dtype, p.shape, p.pointer.shape, p.strides = dtype, full, full, not p.pointer.count and strides or nil
  end
end

local function make(what, ptr, shape, dtype, strides)
  if getmetatable(ptr) ~= Pointer then
    diag.fail("arg_type", what, "ptr", "T.ptr", describe(ptr), "p: T.ptr; " .. what .. "(p, {M, N}, T.float16)")
  elseif strides ~= nil and ptr.index ~= nil then
    diag.fail("arg_value", what, "strides", "None", describe(strides))
  end
  shape = type(shape) == "table" and shape or {shape}
  settle(what, ptr.param, shape, types.canon(dtype), strides)
  if ptr.index == nil then
    return ptr.param.object
  end
  return (ir.rest(ptr.param.object[{ir.let(trace.kernel(what), "entry", ir.cast(ptr.index, "int32"))}]))
end

def {
  name = "ptr", sig = "ptr(dtype)", value = Type,
  summary = "type of a parameter that is the address of a tensor, t.data_ptr(), or the tensor itself; "
    .. "T.Tensor({n}, T.ptr): a tensor of int64 with such addresses",
  summary_zh = "参数类型：张量的地址 t.data_ptr() 或张量本身；T.Tensor({n}, T.ptr) 为由这些地址组成的 int64 张量",
  example = "local type = T.ptr",
}

for _, o in ipairs {{"make_tensor", "ptr"}, {"make_tensor_from_addr", "addr"}} do
  local scope = o[2] == "addr" and ', storage_scope="global"' or ""
  def {
    name = o[1], sig = ('%s(%s, shape, dtype="float32", strides=None%s)'):format(o[1], o[2], scope),
    types = o[2] .. ":any shape:shape dtype:dtype strides:table" .. (scope ~= "" and " storage_scope:string" or ""),
    summary = "the tensor at the address in a T.ptr parameter, or in an element of a T.Tensor({n}, T.ptr), " ..
      "all of which have this shape",
    summary_zh = "T.ptr 参数所指地址处的张量；参数为 T.Tensor({n}, T.ptr) 时取其一个元素，各元素所指张量同形状",
    example = ([[
local f = T.prim_func(function(X)
  X: T.ptr
  local t = T.%s(X, {64}, T.float32)
  for bx in T.Kernel(1) do T.fill(t, 1) end
end)]]):format(o[1]), where = "host",
    fn = function(ptr, shape, dtype, strides) return (make("T." .. o[1], ptr, shape, dtype, strides)) end,
  }
end

-- TVM's spelling of a tensor parameter.
def {
  name = "handle", sig = "handle(dtype)", value = Type,
  summary = "type of a parameter that T.match_buffer makes a tensor; the same as T.ptr",
  summary_zh = "由 T.match_buffer 变为张量的参数类型，同 T.ptr",
  example = "local type = T.handle",
}

def {
  name = "match_buffer", sig = 'match_buffer(param, shape, dtype="float32")', types = "param:any shape:shape dtype:dtype",
  summary = "the tensor that a T.handle parameter is: TVM's form of `A: T.Tensor(shape, dtype)`",
  summary_zh = "T.handle 参数所代表的张量：即 TVM 中的 `A: T.Tensor(shape, dtype)`",
  example = [[
local f = T.prim_func(function(X)
  X: T.handle
  local t = T.match_buffer(X, {64}, T.float32)
  for bx in T.Kernel(1) do T.fill(t, 1) end
end)]], where = "host",
  fn = function(param, shape, dtype)
    local made = make("T.match_buffer", param, shape, dtype)
    if param.index ~= nil then
      diag.fail("arg_type", "T.match_buffer", "param", "T.handle", describe(param), "T.match_buffer(a, {M, N}, dtype)")
    end
    param.param.pointer = nil
    return made
  end,
}
