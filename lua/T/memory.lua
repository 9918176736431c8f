-- T/memory.lua: buffers, variables, views, and the types of parameters.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local place = require "moontile.base.place"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias

-- Allocation --------------------------------------------------------------

-- A shape with which nothing can be wrong.
local function sound(shape)
  local n = 1
  for _, d in ipairs(type(shape) == "table" and shape or {shape}) do
    if math.type(d) ~= "integer" or d < 1 or d > 1 << 20 or n > 1 << 30 then
      return false
    end
    n = n * d
  end
  return true
end

-- What messages about its shape call a new buffer: the name that its line
-- gives it, `local X = T.alloc_...`.
local function new_name(what)
  local chunk, n = diag.where()
  local line = chunk and place.line(chunk, n)
  return line and line:match("([%a_][%w_]*)%s*=%s*" .. what:gsub("%.", "%%.") .. "%f[^%w_]") or
    W"the new buffer"
end

-- The buffer gets its own name later.
local function buffer(what, P, scope, dtype, shape)
  local b = ir.buffer(P, scope, dtype, shape, sound(shape) and what or new_name(what))
  ir.unname(b)
  return b
end

local function alloc(what, scope, shape, dtype)
  local b = buffer(what, trace.kernel(what), scope, dtype, shape)
  ir.alloc(b)
  return b
end

local function def_alloc(name, scope, real, summary, summary_zh)
  def {
    name = "alloc_" .. name, sig = ("alloc_%s(shape, dtype, scope=%q)"):format(name, real),
    types = "shape:shape dtype:dtype scope:string",
    summary = summary, summary_zh = summary_zh,
    example = ([[
local t = T.alloc_%s({8, 8}, T.float32)
T.fill(t, 1)
T.copy(t, C[by * 32, bx * 32])]]):format(name),
    fn = function(shape, dtype)
      local b = alloc("T.alloc_" .. name, scope, shape, dtype)
      return b
    end,
  }
end

def_alloc("shared", "shared", "shared.dyn", "a tile in the block's shared memory", "块共享内存中的分块")
def_alloc("fragment", "fragment", "local.fragment", "a tile in the registers of the whole block",
  "分布在整个块寄存器中的分块")
def_alloc("local", "local", "local", "an array of each thread", "每个线程私有的数组")

-- TVM's: the scope says which of the above it is.
local by_scope = {
  ["global"] = "alloc_global", ["shared"] = "alloc_shared", ["shared.dyn"] = "alloc_shared",
  ["local"] = "alloc_local", ["local.fragment"] = "alloc_fragment",
}
local scopes = "global|shared|shared.dyn|local|local.fragment"

def {
  name = "alloc_buffer",
  sig = 'alloc_buffer(shape, dtype="float32", data=None, strides=None, elem_offset=None, scope="global")',
  types = "shape:shape dtype:dtype scope:" .. scopes,
  summary = "T.alloc_global, T.alloc_shared, T.alloc_local or T.alloc_fragment, by the scope",
  summary_zh = "按 scope 相当于 T.alloc_global、T.alloc_shared、T.alloc_local 或 T.alloc_fragment",
  example = [[
local ws = T.alloc_buffer({64}, T.float32)
for bx in T.Kernel(1) do T.copy(A[0, 0:64], ws) end
for bx in T.Kernel(1) do T.copy(ws, C[0, 0:64]) end]],
  where = "top",
  fn = function(shape, dtype, data, strides, elem_offset, scope)
    local set = data or strides or elem_offset
    if set ~= nil then
      diag.fail("arg_value", "T.alloc_buffer", data and "data" or strides and "strides" or "elem_offset", W"nothing",
        describe(set))
    end
    return (registry.names[by_scope[scope]].value(shape, dtype))
  end,
}

def {
  name = "alloc_global", sig = 'alloc_global(shape, dtype, scope="global")',
  types = "shape:shape dtype:dtype scope:string",
  summary = "a workspace in global memory that lives as long as the call",
  summary_zh = "全局内存中的工作区，生存期为一次调用",
  example = [[
local ws = T.alloc_global({64}, T.float32)
for bx in T.Kernel(1) do T.copy(A[0, 0:64], ws) end
for bx in T.Kernel(1) do T.copy(ws, C[0, 0:64]) end]],
  where = "top",
  fn = function(shape, dtype)
    local b = buffer("T.alloc_global", trace.prog("T.alloc_global"), "global", dtype, shape)
    ir.alloc(b)
    return b
  end,
}

def {
  name = "alloc_var", sig = 'alloc_var(dtype, init=None, scope="local.var")',
  types = "dtype:dtype",
  summary = "a variable of each thread: assigned and read by its plain name",
  summary_zh = "每个线程的变量：直接按名称赋值和读取",
  example = [[
local acc = T.alloc_var(T.float32, 0)
for k in T.serial(8) do acc += row[k] end
row[0] = acc]],
  fn = function(dtype, init, scope)
    if type(init) == "string" then -- T.alloc_var(dtype, scope)
      init, scope = nil, init
    end
    if type(scope) ~= "string" then
      diag.fail("arg_type", "T.alloc_var", "scope", W"a string", describe(scope),
        "T.alloc_var(dtype, init)")
    elseif init ~= nil and not ir.isvalue(init) then
      diag.fail("arg_type", "T.alloc_var", "init", W"a number or expression",
        describe(init),
        "T.alloc_var(dtype, init)")
    end
    local b = ir.buffer(trace.kernel("T.alloc_var"), "var", dtype, 1)
    ir.alloc(b, init)
    return b
  end,
}

def {
  name = "empty", sig = "empty(*shape, dtype=float32)", types = "dtype:dtype",
  summary = "an output tensor that the call allocates and returns",
  summary_zh = "由调用分配并返回的输出张量",
  example = [[
local D = T.empty({16}, T.float32)
for bx in T.Kernel(1) do T.fill(D, 1) end
return C, D]],
  where = "top",
  fn = function(kw, ...)
    local n = select("#", ...)
    local shape, dtype = {...}, kw.dtype
    if type(shape[1]) == "table" then -- T.empty({M, N}, dtype)
      if n > 2 then
        diag.fail("arg_many", "T.empty", 2, n, "T.empty({M, N}, dtype)")
      end
      shape, dtype = shape[1], shape[2] or dtype
    elseif n == 2 and types.isdtype(shape[2]) then -- T.empty(N, dtype)
      shape, dtype = {shape[1]}, shape[2]
    end
    if not registry.isshape(shape) then
      diag.fail("arg_type", "T.empty", "shape", W"a shape: a table of integers, or one integer",
        describe(#shape == 1 and shape[1] or shape), "T.empty({M, N}, dtype)")
    end
    local t = trace.current()
    local b = buffer("T.empty", trace.prog("T.empty"), "global", dtype or "float32", shape)
    t.empties[#t.empties + 1] = b
    if t.flushed then
      ir.param(t.P, b)
    end
    return b
  end,
}

-- Views -------------------------------------------------------------------

def {
  name = "reshape", sig = "reshape(src, shape)", types = "src:buffer shape:shape",
  summary = "the same storage under another shape", summary_zh = "以另一形状访问同一存储",
  example = "local flat = T.reshape(Cl, {1024})\nfor i in T.Parallel(1024) do flat[i] = 0 end",
  fn = function(src, shape)
    local b = ir.view(src, src.dtype, shape)
    return b
  end,
}

def {
  name = "view", sig = "view(src, shape=None, dtype=None)",
  types = "src:buffer shape:shape dtype:dtype",
  summary = "the same bits under another shape or dtype", summary_zh = "以另一形状或 dtype 访问相同的位",
  example = [[
local bits = T.view(Cl, {32, 32}, T.uint32)
for i, j in T.Parallel(32, 32) do bits[i, j] = 0 end]],
  fn = function(src, shape, dtype)
    local b = ir.view(src, dtype or src.dtype, shape or src.shape)
    return b
  end,
}

-- Types of parameters -----------------------------------------------------

local Type = {__name = "type"}
function Type.__tostring(t)
  local d = {}
  for i, v in ipairs(t.shape or {}) do
    d[i] = tostring(v)
  end
  return ("T.Tensor({%s}, %s)"):format(table.concat(d, ", "), tostring(t.dtype))
end

local function dims(shape)
  if type(shape) ~= "table" then
    return {shape}
  end
  return shape
end

local function tensor(shape, dtype, strides)
  return setmetatable({kind = "tensor", shape = dims(shape), dtype = type(dtype) == "table" and dtype or types.canon(dtype),
    strides = strides}, Type)
end

def {
  name = "Tensor", sig = 'Tensor(shape, dtype="float32", data=None, scope=None)',
  types = "shape:shape dtype:pointee data:buffer",
  summary = "type of a tensor parameter, compact and row-major; with data, a buffer's b.data, that " ..
    "storage under this shape",
  summary_zh = "张量参数的类型，行主序且连续；给出 data（缓冲区的 b.data）时，为以此形状访问的同一存储",
  example = "B: T.Tensor({64, 64}, T.float32)", where = "head",
  fn = function(shape, dtype, data)
    local t = data and ir.view(data, dtype, shape) or tensor(shape, dtype)
    return t
  end,
}

def {
  name = "StridedTensor", sig = 'StridedTensor(shape, strides, dtype="float32")',
  types = "shape:shape strides:shape dtype:dtype",
  summary = "type of a tensor parameter with strides of its own", summary_zh = "带自定义步长的张量参数类型",
  example = "local s = T.dynamic 's'\nB: T.StridedTensor({64, 64}, {s, 1}, T.float32)",
  where = "head",
  fn = function(shape, strides, dtype)
    local t = tensor(shape, dtype, dims(strides))
    if #t.shape ~= #t.strides then
      diag.fail("arg_value", "T.StridedTensor", "strides", W"%d strides":format(#t.shape),
        #t.strides)
    end
    return t
  end,
}
alias("Buffer", "Tensor")

-- Types of a macro's parameters: checked against what is passed.
local function macro_type(name, scope, zh)
  def {
    name = name, sig = name .. '(shape=None, dtype="float32")',
    types = "shape:shape dtype:dtype",
    summary = "type of a macro's parameter: a " .. scope .. " buffer",
    summary_zh = "宏参数的类型：" .. zh,
    example = ("local t = T.%s({8}, T.float32)"):format(name),
    fn = function(shape, dtype)
      return setmetatable({kind = "buffer", scope = scope, shape = shape and dims(shape) or {},
        dtype = types.canon(dtype)}, Type)
    end,
  }
end
macro_type("SharedBuffer", "shared", "共享内存缓冲区")
macro_type("FragmentBuffer", "fragment", "寄存器片段")
macro_type("LocalBuffer", "local", "线程私有缓冲区")

-- Symbols -----------------------------------------------------------------

local function split_names(what, s)
  local names = {}
  if type(s) ~= "string" then
    diag.fail("arg_type", what, "name", W"a string of names", describe(s), what ..
      ' "M, N"')
  end
  for n in s:gmatch("[^%s,]+") do
    if not n:match("^[%a_][%w_]*$") then
      diag.fail("arg_value", what, "name", W"names", ("%q"):format(n))
    end
    names[#names + 1] = n
  end
  if #names == 0 then
    diag.fail("arg_value", what, "name", W"names", '""')
  end
  return names
end

local function symbols(names, dtype, make)
  local r = {}
  for i, n in ipairs(names) do
    r[i] = make(n, dtype)
  end
  return table.unpack(r)
end

-- Value of constant n in this trace.
local function const(n, dtype)
  local t = trace.current()
  if not t then
    diag.fail("not_tracing", "T.const")
  elseif t.mode == "prim" then
    diag.fail("const_place")
  elseif t.consts[n] == nil then
    if t.mode == "sig" then
      t.consts[n] = ir.dim(t.P, n, dtype)
    elseif t.values[n] == nil then
      diag.fail("const_value", n)
    else
      t.consts[n] = t.values[n]
    end
    t.constlist[#t.constlist + 1] = n
  end
  return t.consts[n]
end

def {
  name = "const", sig = 'const(name, dtype="int32")', types = "name:any dtype:dtype",
  summary = "compile-time symbols of shapes: one kernel for each value",
  summary_zh = "编译期形状符号：每个取值对应一个内核",
  example = "local S = T.const 'S'\nB: T.Tensor({S, 64}, T.float32)", where = "head",
  fn = function(name, dtype)
    local r = table.pack(symbols(split_names("T.const", name), dtype or "int32", const))
    return table.unpack(r)
  end,
}

def {
  name = "dynamic", sig = 'dynamic(name, dtype="int32")', types = "name:any dtype:dtype",
  summary = "run-time symbols of shapes, bound at each launch", summary_zh = "运行期形状符号，每次启动时绑定",
  example = "local s = T.dynamic 's'\nB: T.Tensor({s, 64}, T.float32)", where = "head",
  fn = function(name, dtype)
    local r = table.pack(symbols(split_names("T.dynamic", name), dtype or "int32", function(n, d)
      return (ir.dim(nil, n, d))
    end))
    return table.unpack(r)
  end,
}
alias("symbolic", "dynamic")

def {
  name = "annotate", sig = "annotate(parameter, type)", raw = true,
  summary = "gives a parameter its type: the plain form of `A: T.Tensor(...)`",
  summary_zh = "为参数指定类型：即 `A: T.Tensor(...)` 的普通写法",
  example = "B = T.annotate(B, T.Tensor({64, 64}, T.float32))", where = "head",
  -- The parameter is found in the calling function: the first one that holds
  -- this value and has no type yet.
  fn = function(v, ty)
    local t = trace.current()
    if not t then
      return v
    end
    for i, p in ipairs(t.params) do
      local name, held = debug.getlocal(2, i)
      if name == p.name and rawequal(held, v) and not p.object then
        return (trace.annotate(name, v, ty))
      end
    end
    diag.fail("annotate_name", describe(v))
  end,
}

def {
  name = "slice", sig = "slice(lo, hi)", raw = true,
  summary = "lo:hi between brackets, in plain Lua", summary_zh = "方括号中 lo:hi 的普通 Lua 写法",
  example = "T.copy(A[{T.slice(0, 32), T.slice(0, 32)}], As)",
  fn = function(lo, hi)
    return (require("moontile.stage").slice(lo, hi))
  end,
}

def {
  name = "dtype", sig = "dtype(name)",
  summary = "TileLang's spelling of a dtype", summary_zh = "dtype 的规范名称",
  example = "local d = T.dtype('half')", where = "head",
  fn = function(name)
    return (types.canon(name))
  end,
}
