-- tl/vendor.lua: what of a vendor's library does the work of a kernel, to measure
-- against: targets/cuda/vendor.h says which there are.

local accept = require "moontile.base.accept"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local merged = require "moontile.base.merged"
local tensor = require "moontile.tensor"
local tl = require "moontile.tl.tensor"
local types = require "moontile.base.types"

local M = {}

-- The matrix product in a program -----------------------------------------------------

local function spec_fail(k, why)
  diag.fail("vs_gemm", k.name, why)
end

-- Statements of the tile program that matter here: gemms, and where shared tiles come
-- from.
local function scan(text)
  local found = {gemm = {}, from = {}, dtype = {}}
  for line in text:gmatch "[^\n]+" do
    local a, b, c, rest = line:match "^%s*gemm ([%w_]+), ([%w_]+) %-> ([%w_]+)(.*)$"
    if a then
      found.gemm[#found.gemm + 1] = {a = a, b = b, c = c,
        ta = rest:find("transpose_A=1", 1, true) ~= nil,
        tb = rest:find("transpose_B=1", 1, true) ~= nil}
    end
    local source, target = line:match "^%s*copy ([%w_]+)[^>]* %-> ([%w_]+)"
    if source then
      found.from[target] = found.from[target] or source
    end
    local name, dtype = line:match "([%w_]+): %a+ ([%w_]+)%["
    if name then
      found.dtype[name] = dtype
    end
  end
  return found
end

-- The parameter that a tile is loaded from, through other tiles.
local function origin(found, params, name)
  for _ = 1, 4 do
    if params[name] then
      return params[name]
    end
    name = found.from[name]
  end
  return nil
end

-- Where the product's result goes: the one tensor that is returned, or the last one.
local function result(k)
  if #k.outs == 1 then
    return k.outs[1].param
  end
  return k.params[#k.params]
end

-- "float32" operands are multiplied as tf32 where the machine's instruction says so.
local function operand(k, dtype)
  if dtype ~= "float32" or k.target:find "^cpu" then
    return dtype
  end
  local ok, a = pcall(k.analyze, k)
  for _, l in ipairs(ok and a.launches or {}) do
    for _, o in ipairs(l.ops) do
      if o.name:find "tf32" then
        return "tfloat32"
      end
    end
  end
  return dtype
end

-- The one product of a kernel that is a matrix product: {a, b, c: parameters, ta, tb,
-- acc}, else nil and why it is none.
function M.product(k)
  local found = scan(ir.text(k.P))
  if #found.gemm ~= 1 then
    return nil, #found.gemm == 0 and "no T.gemm" or "several T.gemm"
  end
  local g, params = found.gemm[1], {}
  for _, p in ipairs(k.params) do
    if p.kind == "tensor" then
      params[p.name] = p
    end
  end
  local a, b, c = origin(found, params, g.a), origin(found, params, g.b), result(k)
  if not (a and b) then
    return nil, "its operands are not copied from parameters"
  elseif #a.shape ~= 2 or #b.shape ~= 2 or not c or #c.shape ~= 2 then
    return nil, "its tensors have not two dimensions each"
  end
  return {a = a, b = b, c = c, ta = g.ta, tb = g.tb, acc = found.dtype[g.c] or "float32",
    at = found.dtype[g.a], bt = found.dtype[g.b]}
end

-- Specs --------------------------------------------------------------------------------

local known = {m = true, n = true, k = true, a = true, b = true, c = true, acc = true, ta = true,
  tb = true, batch = true}

local function check(k, t)
  local named = merged(t, {})
  named[1] = nil
  accept.known("bench: vs", named, known)
  if t[1] ~= "gemm" then
    spec_fail(k, ('vs = {"%s"}'):format(tostring(t[1])))
  end
end

-- Fills what the caller left out from the kernel's own tensors; sizes of parameters:
-- tensors by their names.
local function completed(k, given, bound)
  local s = {}
  for key, v in pairs(given) do
    s[key] = v
  end
  local p, why = M.product(k)
  if not p then
    if not (s.m and s.n and s.k and s.a) then
      spec_fail(k, why)
    end
  else
    local at, bt, ct = bound[p.a.name], bound[p.b.name], bound[p.c.name]
    if s.ta == nil then s.ta = p.ta end
    if s.tb == nil then s.tb = p.tb end
    s.m = s.m or ct.shape[1]
    s.n = s.n or ct.shape[2]
    s.k = s.k or at.shape[p.ta and 1 or 2]
    s.a = s.a or operand(k, p.at or p.a.dtype)
    s.b = s.b or (p.bt and operand(k, p.bt)) or s.a
    s.c = s.c or p.c.dtype
    s.acc = s.acc or p.acc
    s.tensors = {at, bt}
  end
  s.b, s.c = s.b or s.a, s.c or s.a
  s.acc = s.acc or "float32"
  s.batch = s.batch or 1
  return s
end

local function flag(v)
  return (v == true or v == 1) and 1 or 0
end

-- The tensor of the kernel where it has the right type and size, else a fresh one.
local function operand_tensor(have, dtype, rows, columns, batch)
  local store = dtype == "tfloat32" and "float32" or dtype
  if have and have.dtype == store and have.shape[1] == rows and have.shape[2] == columns then
    return have
  end
  local shape = batch > 1 and {batch, rows, columns} or {rows, columns}
  if types.isfloat(store) then
    return tl.randn(shape, "float32"):astype(store)
  end
  return tl.randint(-8, 8, shape, "int32"):astype(store)
end

-- vs = "cublas" or {"gemm", ta =, tb =, ..} of a kernel whose arguments are tensors by
-- parameters' names -> {name, path, inputs, outputs(): fresh ones, written: what it
-- writes to, in order of its arguments}
function M.routine(k, vs, bound)
  local given = type(vs) == "table" and vs or {"gemm"}
  check(k, given)
  local s = completed(k, given, bound)
  local ta, tb = flag(s.ta), flag(s.tb)
  local path = ("vendor:gemm m=%d n=%d k=%d a=%s b=%s c=%s acc=%s ta=%d tb=%d batch=%d"):format(
    s.m, s.n, s.k, s.a, s.b, s.c, s.acc, ta, tb, s.batch)
  local have = s.tensors or {}
  local a = operand_tensor(have[1], s.a, ta == 1 and s.k or s.m, ta == 1 and s.m or s.k, s.batch)
  local b = operand_tensor(have[2], s.b, tb == 1 and s.n or s.k, tb == 1 and s.k or s.n, s.batch)
  local shape = s.batch > 1 and {s.batch, s.m, s.n} or {s.m, s.n}
  return {name = "cublas", path = path, inputs = {a, b}, written = {false, false, true},
    outputs = function()
      return {tensor.new(shape, s.c == "tfloat32" and "float32" or s.c)}
    end}
end

-- The memory roof of a kernel that reads and writes so many bytes: a copy of half of them.
function M.copy(bytes)
  local n = math.max(1, bytes // 2 | 0)
  return {name = "copy", path = ("vendor:copy bytes=%d"):format(n), written = {false, true},
    inputs = {tl.zeros({n}, "uint8")},
    outputs = function() return {tensor.new({n}, "uint8")} end}
end

return M
