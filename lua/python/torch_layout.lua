-- python/torch_layout.lua: how far apart the elements of a result are.
--
-- tl.host's results are contiguous.  PyTorch's have their dimensions in the order of those they come of: a copy of x.t()
-- is a transposed tensor too, which .view refuses, and a kernel.  What has that order there gets it here, behind the
-- operator: its elements are laid anew.  Operands that are contiguous, by far the most, cost one look.

local autograd = require "moontile.tl.host.autograd"
local host = require "moontile.host"
local registry = require "moontile.tl.host.registry"
local tensor = require "moontile.tensor"

local M = {}

local istensor = tensor.istensor

-- dims of a shape, the one whose elements are nearest first, as PyTorch's TensorIterator sorts them; strides: a list of
-- those of each operand, 0 where it is repeated.
local function order(shape, strides)
  local dims = {}
  for d = #shape, 1, -1 do
    dims[#dims + 1] = d
  end
  local function compare(a, b)
    for _, s in ipairs(strides) do
      local x, y = s[a], s[b]
      if x ~= 0 and y ~= 0 then
        if x ~= y then
          return x < y and -1 or 1
        elseif shape[a] > shape[b] then
          return 1
        end
      end
    end
    return 0
  end
  for i = 2, #dims do
    local at = i
    for k = i - 1, 1, -1 do
      local c = compare(dims[k], dims[at])
      if c > 0 then
        dims[k], dims[at] = dims[at], dims[k]
        at = k
      elseif c < 0 then
        break
      end
    end
  end
  return dims
end

-- The strides of a tensor of that shape without gaps, whose dimensions have that order.
local function packed(shape, strides)
  local out, n = {}, 1
  for _, d in ipairs(order(shape, strides)) do
    out[d], n = n, n * shape[d]
  end
  return out
end

-- The strides of t as one of this shape.
local function strides_in(t, shape)
  local own, have, lead, r = t.strides, t.shape, #shape - t.ndim, {}
  for d = 1, #shape do
    local k = d - lead
    r[d] = (k < 1 or have[k] == 1 and shape[d] ~= 1) and 0 or own[k]
  end
  return r
end

-- Is every element of t in a place of its own, and none between them?
local function dense(t)
  local n = 1
  for _, d in ipairs(order(t.shape, {t.strides})) do
    if t.shape[d] ~= 1 then
      if t.strides[d] ~= n then
        return false
      end
      n = n * t.shape[d]
    end
  end
  return true
end

-- The elements of r, so far apart, in a storage of their own: others, as what autograd has saved, may still see
-- the one that they come from.
local function lay(r, strides)
  if table.concat(strides, ",") == table.concat(r.strides, ",") then
    return r
  end
  local laid = tensor.new(r.shape, r.dtype)
  host.restride(laid, strides)
  local copy = autograd.c_copy or tensor.methods.copy_ -- which autograd does not see
  copy(laid, r)
  host.become(r, laid)
  return r
end

local function same(a, b)
  return table.concat(a, ",") == table.concat(b, ",")
end

-- Is r a tensor, and worth a look?
local function fresh(r)
  return istensor(r) and r.ndim > 1 and r:numel() > 0 and r:is_contiguous()
end

-- Has r t's storage, as a view of it?
local function view(r, t)
  return (host.storage(r)) == (host.storage(t))
end

-- r, what an operator gave element by element of the tensors in a list of operands.
function M.elementwise(r, operands)
  local given, straight = {}, true
  for _, v in ipairs(operands) do
    if istensor(v) then
      given[#given + 1] = v
      straight = straight and v:is_contiguous()
    end
  end
  if straight or not fresh(r) then
    return r
  end
  local shape, strides, alike = r.shape, {}, true
  for i, t in ipairs(given) do
    if t.ndim > #shape or view(r, t) then
      return r
    end
    strides[i] = strides_in(t, shape)
    alike = alike and same(t.shape, shape) and same(strides[i], strides[1])
  end
  if alike and #given == #operands and dense(given[1]) then
    return lay(r, strides[1])
  end
  return lay(r, packed(shape, strides))
end

-- r, which has the elements of t or is to have t's layout: a copy, of another dtype too.
function M.like(r, t)
  if not istensor(t) or t:is_contiguous() or not fresh(r) or view(r, t) then
    return r
  elseif dense(t) and same(r.shape, t.shape) then
    return lay(r, t.strides)
  end
  return lay(r, packed(r.shape, {t.strides}))
end

-- The operators, by name.
local elementwise, copies = {}, {}
for name in ([[gelu silu mish softplus leaky_relu elu logsigmoid relu relu6 hardtanh hardswish hardsigmoid softsign tanhshrink selu celu
  threshold dropout rsub positive isclose isfinite]]):gmatch "%S+" do
  elementwise[name] = true
end
for name in ([[clone zeros_like ones_like empty_like full_like rand_like randn_like randint_like diff sort argsort flip fliplr flipud index_fill
  bernoulli]]):gmatch "%S+" do
  copies[name] = true
end
for name, row in pairs(registry.rows) do
  if row.pointwise and not row.name:find "^masked_fill" then
    elementwise[name] = true
  end
end

-- r, what the operator `name` gave of these arguments.
function M.of(name, r, args)
  if elementwise[name] then
    return M.elementwise(r, args)
  elseif copies[name] then
    return M.like(r, args[1])
  end
  return r
end

return M
