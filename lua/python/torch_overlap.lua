-- python/torch_overlap.lua: what PyTorch refuses because tensors share memory: an element that stands for several
-- places, and a result that is written where something is still to be read, x[1:] += x[:-1].

local exc = require "moontile.python.exc"
local host = require "moontile.host"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local istensor = tensor.istensor

local texts = {
  many = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. ",
  some = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. ",
}

local function refuse(which)
  exc.fail("RuntimeError", texts[which] .. "Please clone() the tensor before performing the operation.", "py_value")
end

-- Does an element of t stand for several places?
local function repeated(t)
  local shape, strides = t.shape, t.strides
  for d = 1, #shape do
    if shape[d] > 1 and strides[d] == 0 then
      return true
    end
  end
  return false
end

-- Where the bytes of t begin and end; nil: it has none, or gaps, or several elements in one place.
local function extent(t)
  local shape, strides, dims = t.shape, t.strides, {}
  for d = 1, #shape do
    if shape[d] ~= 1 then
      dims[#dims + 1] = d
    end
  end
  table.sort(dims, function(a, b) return strides[a] < strides[b] end)
  local n = 1
  for _, d in ipairs(dims) do
    if strides[d] ~= n then
      return nil
    end
    n = n * shape[d]
  end
  if n == 0 then
    return nil
  end
  local from = host.place(t)
  return from, from + n * types.info(t.dtype).bits // 8
end

-- "all": a and b are the same elements; "some": they share bytes; nil: they share none, or PyTorch does not look.
local function shared(a, b)
  if rawequal(a, b) then
    return "all"
  end
  local from, to = extent(a)
  local from_b, to_b = extent(b)
  if not from or not from_b or from >= to_b or from_b >= to then
    return nil
  elseif from == from_b and to == to_b and table.concat(a.strides, ",") == table.concat(b.strides, ",") then
    return "all"
  end
  return "some"
end

-- Operators that read all the time they write: not even the same elements may be both.
local apart = {}
for name in ("scatter scatter_add scatter_reduce index_add index_copy index_put cat concat concatenate stack vstack hstack index_select gather"):gmatch
  "%S+" do
  apart[name] = true
end

-- Those that take the number, or compute before they write.
local free = {fill = true, masked_fill = true, masked_scatter = true, index_fill = true, addmm = true, baddbmm = true, addmv = true, mm = true,
  matmul = true, bmm = true}

local function against(name, t, v)
  if istensor(v) then
    local how = shared(t, v)
    if how == "some" or how and apart[name] then
      refuse "some"
    end
  elseif type(v) == "table" and getmetatable(v) == nil then
    for _, x in ipairs(v) do
      against(name, t, x)
    end
  end
end

-- In place: not refused of repeated elements, though PyTorch warns of some.
local lenient = {zero = true, fill = true, masked_fill = true, index_fill = true, index_put = true, tril = true, triu = true,
  requires_grad = true, detach = true, squeeze = true, unsqueeze = true, t = true, transpose = true}

-- Before t.name_(args): args[1] is t.
function M.in_place(name, args, names)
  local t = args[1]
  if not lenient[name] and repeated(t) then
    refuse "many"
  elseif free[name] then
    return
  end
  for i = 2, #args do
    against(name, t, args[i])
  end
  for _, v in pairs(names or {}) do
    against(name, t, v)
  end
end

-- inplace=True of an activation: x, which holds its result r now.
function M.keep(name, x, r)
  M.in_place(name, {x})
  return (require("moontile.tl.host.registry").rows.copy_.fn(x, r))
end

-- Before what name(args) gives goes to out.
function M.out(row, args, names, out)
  if repeated(out) then
    refuse "many"
  elseif free[row.name] or row.index.dim and not apart[row.name] then
    return
  end
  for _, v in ipairs(args) do
    against(row.name, out, v)
  end
  for _, v in pairs(names) do
    against(row.name, out, v)
  end
end

-- Does a key of tl's select places one by one?
local function lists(keys)
  for _, k in ipairs(keys) do
    if istensor(k) and (k.ndim > 0 or k.dtype == "bool") or type(k) == "table" and getmetatable(k) == nil or type(k) == "boolean" then
      return true
    end
  end
  return false
end

-- Before t[keys] = v.
function M.put(t, keys, v)
  if lists(keys) then
    against("index_put", t, keys)
    if istensor(v) and v:numel() > 1 then
      against("index_put", t, v)
    end
  elseif repeated(t) or istensor(v) then
    local part = host.at(t, keys)
    if repeated(part) then
      refuse "many"
    elseif istensor(v) and v:numel() == part:numel() then -- else it is repeated there
      against("copy", part, v)
    end
  end
end

return M
