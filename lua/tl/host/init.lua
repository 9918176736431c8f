-- moontile.tl.host: operators of host programs on tensors, by PyTorch's names and rules.
--
--   tl.host.softmax(x, -1)   x:softmax(-1)   tl.host.einsum("bik,bkj->bij", a, b)
--
-- Each operator is a row (registry.lua) in the file of its subject; this file makes of the rows the
-- functions of tl.host, the methods of tensors, and what help shows.  Functions give tensors, also
-- without dimensions; methods without arguments that reduce all of them give Lua a number.
-- Dtypes of results are PyTorch's; all sums are taken in float64 and rounded once, products of
-- matrices too, so that a result is at least as exact as PyTorch's own.

local diag = require "moontile.diag"
local place = require "moontile.base.place"
local rt = require "moontile.tl.host.promote"
local registry = require "moontile.tl.host.registry"
local rules = require("moontile.tl.tensor").rules
local suggest = require "moontile.base.suggest"
local tensor = require "moontile.tensor"

local M = {doc = {}}

-- Functions of tl.tensor that tl.host has in PyTorch's form.
for _, part in ipairs {"elementwise", "reduce", "create", "shape", "select", "product", "nn",
  "einops",
  "compare", "grad", "derive", "derive_sums"} do
  require("moontile.tl.host." .. part)
end

-- In place ------------------------------------------------------------------------

-- The result of a row goes back into its first argument.
local function in_place(row)
  return function(x, ...)
    local r = row.fn(x, ...)
    if rt.isfloat(r.dtype) and not rt.isfloat(x.dtype) or x.dtype == "bool" and r.dtype ~= "bool"
      or rules.shape_text(r) ~= rules.shape_text(x) then
      diag.fail("ops_result", "t:" .. row.name .. "_", r.dtype .. " " .. rules.shape_text(r),
        x.dtype .. " " .. rules.shape_text(x))
    end
    return x:copy_(r)
  end
end

local plain = table.move(registry.order, 1, #registry.order, 1, {})
for _, name in ipairs(plain) do
  local row = registry.rows[name]
  if row.inplace == true then
    local types = {}
    for param, kind in pairs(row.types or {}) do types[param] = param ~= "input" and kind or nil end
    registry.def {
      name = name .. "_", sig = row.sig:gsub("^[%w_]+", "%0_", 1), method = row.method,
      types = types,
      of = name, fn = in_place(row), ex = "", en = "", zh = "",
    }
  end
end

-- Functions, methods -------------------------------------------------------------------

-- Of a tensor all of whose dimensions are reduced, Lua wants a number, as exact as there is one.
local exact = {sum = true, mean = true, prod = true, max = true, min = true, absmax = true,
  abssum = true,
  any = true, all = true, argmax = true, argmin = true}

local function total(row)
  local name = row.alias_of or row.name
  return function(t, ...)
    if select("#", ...) > 0 or not tensor.istensor(t) then return row.call(t, ...) end
    if exact[name] then return rules.total(name, t) end
    local r = row.call(t)
    return tensor.istensor(r) and r.ndim == 0 and r:item() or r
  end
end

for _, name in ipairs(registry.order) do
  local row = registry.rows[name]
  M[name] = row.call
  if row.method then
    local as = type(row.method) == "string" and row.method or name
    tensor.methods[as] = row.total and total(row) or row.call
  end
  if not row.of then
    local inplace = row.inplace == true and name .. "_" or nil
    M.doc["host." .. name] = {
      sig = "host." .. row.sig, summary = row.en, summary_zh = row.zh, example = row.ex,
      text = inplace and ("`t:%s(..)` writes the result into t."):format(inplace),
      text_zh = inplace and ("`t:%s(..)` 把结果写入 t。"):format(inplace),
      see = row.alias_of and {"tl.host." .. row.alias_of} or nil,
    }
  end
end

-- Methods that only PyTorch's programs call, without rows: what they say is always so here.
local habits = {
  ndimension = function(t) return t.ndim end, nelement = function(t) return t:numel() end,
}
for name, fn in pairs(habits) do
  tensor.methods[name] = function(t) return fn(rules.check(t, "self")) end
end

M.newaxis, M.ellipsis = rules.newaxis, rules.ellipsis

return setmetatable(M, {
  __index = function(t, k)
    local names = {}
    for name in pairs(t) do names[#names + 1] = name end
    local n = type(k) == "string" and k:sub(1, 2) ~= "__" and suggest.find(k, names)
    if n then place.fail(k, "tl_near", "host." .. k, "host." .. n) end
    return nil
  end,
})
