-- python/torch_index.lua: what PyTorch and NumPy say of an index for which a tensor or an array has no place.  It is what
-- str(e) is; a program that does not catch it shows tl's message.
--
--   checked(f, t, list, ..)   f(t, list, ..), where list holds the indices as tl takes them

local core = require "moontile.python.core"
local diag = require "moontile.diag"
local exc = require "moontile.python.exc"
local stage = require "moontile.stage"
local tensor = require "moontile.tensor"
local tl = require "moontile.tl"

local M = {}

-- What they say, of arrays and of tensors.
local of_array = {many = "too many indices for array: array is %d-dimensional, but %d were indexed",
  beyond = "index %d is out of bounds for axis %d with size %d"}
local of_tensor = {many = "too many indices for tensor of dimension %d",
  beyond = "index %d is out of bounds for dimension %d with size %d",
  slice = "slice() cannot be applied to a 0-dim tensor.",
  none = "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"}

-- How many dimensions an index takes.
local function takes(k)
  if rawequal(k, tl.ellipsis) or rawequal(k, tl.newaxis) then
    return 0
  end
  return tensor.istensor(k) and (k.dtype == "bool" or k.dtype == "uint8") and k.ndim or 1
end

-- Of too many indices; nil: of so many dimensions that tl has no room for them.
local function many(t, list, said, n)
  if n <= t.ndim then
    return nil
  elseif said.none and t.ndim == 0 and #list == 1 and math.type(list[1]) == "integer" then
    return said.none
  elseif said.slice and t.ndim == 0 and #list == 1 and debug.getmetatable(list[1]) == stage.Slice then
    return said.slice
  end
  return said.many:format(t.ndim, n)
end

-- Of the first number that lies outside; nil: it stands in a list of indices.
local function beyond(t, list, said, n)
  local dim = 0
  for _, k in ipairs(list) do
    local extent = t.shape[dim + 1]
    if math.type(k) == "integer" and (k < -extent or k >= extent) then
      return said.beyond:format(k, dim, extent)
    elseif rawequal(k, tl.ellipsis) then
      dim, n = dim + t.ndim - n, t.ndim -- a second one stands for nothing
    end
    dim = dim + takes(k)
  end
end

local texts = {tensor_rank = many, tensor_index = beyond}

function M.checked(f, t, list, ...)
  local ok, r = pcall(f, t, list, ...)
  if ok then
    return r
  end
  local say, n = diag.isdiag(r) and texts[r.id], 0
  for _, k in ipairs(say and list or {}) do
    n = n + takes(k)
  end
  local text = say and say(t, list, core.late.isarray(t) and of_array or of_tensor, n)
  if text then
    exc.throw(exc.from_diag(r, text))
  end
  error(r, 0)
end

return M
