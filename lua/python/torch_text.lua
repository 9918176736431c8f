-- python/torch_text.lua: tensors as PyTorch shows them: tensor([0., 1., 2.])
--
--   repr(t)                what print() and repr() show; without where the tensor is, which is where kernels run
--   options                what torch.set_printoptions() sets
--
-- All numbers of a tensor have one width and one form: whole ones end in a point, others have four places, and
-- where the greatest is far from the least, or one of them is out of reach, all have exponents.

local autograd = require "moontile.tl.host.autograd"
local core = require "moontile.python.core"
local rows = require("moontile.tl.host.registry").rows
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local huge = math.huge

M.options = {precision = 4, threshold = 1000, edgeitems = 3, linewidth = 80}

-- Is it the parameter of a module?  torch_nn.lua says it.
function M.is_parameter() return false end

-- Numbers -------------------------------------------------------------------------------------------

-- f(v) for each element that is shown; at: the nested lists that list() makes.
local function each(at, f)
  if type(at) ~= "table" then
    return f(at)
  end
  for _, v in ipairs(at) do
    each(v, f)
  end
end

local function not_finite(v)
  return v ~= v and "nan" or v == huge and "inf" or v == -huge and "-inf" or nil
end

-- What the finite numbers other than 0 have in common: {whole =, least =, greatest =, list of them}
local function survey(shown)
  local s = {whole = true, least = huge, greatest = 0}
  each(shown, function(v)
    if v ~= 0 and not not_finite(v) then
      s[#s + 1] = v
      s.whole = s.whole and v == math.ceil(v)
      s.least, s.greatest = math.min(s.least, math.abs(v)), math.max(s.greatest, math.abs(v))
    end
  end)
  return s
end

local function floats(shown)
  local o = M.options
  local s = survey(shown)
  local far = #s > 0 and (s.greatest / s.least > 1000 or s.greatest > 1e8 or not s.whole and s.least < 1e-4)
  if o.sci_mode ~= nil then
    far = o.sci_mode
  end
  local width = 1
  local form = far and ("%%.%de"):format(o.precision) or s.whole and "%.0f" or ("%%.%df"):format(o.precision)
  for _, v in ipairs(s) do
    width = math.max(width, #form:format(v) + (s.whole and not far and 1 or 0))
  end
  return width, function(v)
    local special = not_finite(v)
    return special or form:format(v) .. (s.whole and not far and "." or "")
  end
end

local function word(v)
  return type(v) == "boolean" and (v and "True" or "False") or tostring(v)
end

local function others(shown)
  local width = 0
  each(shown, function(v) width = math.max(width, #word(v)) end)
  return width, word
end

-- Lists ---------------------------------------------------------------------------------------------

-- The first and the last of n, where it is too many to show them all.
local function edges(n, short)
  local e = M.options.edgeitems
  local list = {}
  for i = 0, n - 1 do
    if not short or n <= 2 * e or i < e or i >= n - e then
      list[#list + 1] = i
    end
  end
  return list
end

-- Nested lists of what is shown of t; list.gap: elements are missing in front of that one.
local function listed(t, short)
  if t.ndim == 0 then
    return t:item()
  elseif t.ndim == 1 and not short then
    return t:totable()
  end
  local list, n = {}, t.shape[1]
  local at = edges(n, short)
  for i, k in ipairs(at) do
    list[i] = listed(rows.select.fn(t, 0, k), short)
  end
  list.gap = #at < n and M.options.edgeitems + 1 or nil
  return list
end

-- A list of numbers, as many in a line as there is room for.
local function vector(list, indent, width, form)
  local parts, lines = {}, {}
  for i, v in ipairs(list) do
    if i == list.gap then
      parts[#parts + 1] = " ..."
    end
    local s = form(v)
    parts[#parts + 1] = (" "):rep(width - #s) .. s
  end
  if list.gap and list.gap > #list then
    parts[#parts + 1] = "..."
  end
  local most = math.max(1, (M.options.linewidth - indent) // (width + 2))
  for i = 1, #parts, most do
    lines[#lines + 1] = table.concat(parts, ", ", i, math.min(i + most - 1, #parts))
  end
  return "[" .. table.concat(lines, ",\n" .. (" "):rep(indent + 1)) .. "]"
end

local function nested(list, depth, indent, width, form)
  if depth == 0 then
    local s = form(list)
    return (" "):rep(width - #s) .. s
  elseif depth == 1 then
    return vector(list, indent, width, form)
  end
  local parts = {}
  for i, v in ipairs(list) do
    if i == list.gap then
      parts[#parts + 1] = "..."
    end
    parts[#parts + 1] = nested(v, depth - 1, indent + 1, width, form)
  end
  return "[" .. table.concat(parts, "," .. ("\n"):rep(depth - 1) .. (" "):rep(indent + 1)) .. "]"
end

local function elements(t, indent)
  local list = listed(t, t:numel() > M.options.threshold)
  local width, form = (types.isfloat(t.dtype) and floats or others)(list)
  return nested(list, t.ndim, indent, width, form)
end

-- Tensors -------------------------------------------------------------------------------------------

-- The function that a gradient comes from: "mul" -> MulBackward0
local function origin(name)
  return "<" .. name:gsub("_?(%a)(%a*)", function(a, rest) return a:upper() .. rest end) .. "Backward0>"
end

local function suffixes(t, default)
  local list = {}
  local empty = t:numel() == 0
  if empty and t.ndim ~= 1 then
    list[1] = "size=" .. core.late.repr(core.tuple({table.unpack(t.shape)}, t.ndim))
  end
  if t.dtype ~= default and (empty or t.dtype ~= "int64" and t.dtype ~= "bool") then
    list[#list + 1] = "dtype=torch." .. t.dtype
  end
  local from = autograd.origin(t)
  if from then
    list[#list + 1] = "grad_fn=" .. origin(from)
  elseif autograd.needs(t) then
    list[#list + 1] = "requires_grad=True"
  end
  return list
end

function M.repr(t)
  if tensor.unseen(t) then
    return tostring(t)
  end
  local indent = #"tensor("
  local s = "tensor(" .. (t:numel() == 0 and "[]" or elements(t, indent))
  local used = #s:match "[^\n]*$" + 2 -- as PyTorch counts
  local out = {s}
  for _, suffix in ipairs(suffixes(t, "float32")) do
    if used + #suffix + 2 > M.options.linewidth then
      out[#out + 1] = ",\n" .. (" "):rep(indent) .. suffix
      used = indent + #suffix
    else
      out[#out + 1] = ", " .. suffix
      used = used + #suffix + 2
    end
  end
  return (M.is_parameter(t) and "Parameter containing:\n" or "") .. table.concat(out) .. ")"
end

return M
