-- tl/host/registry.lua: the operators of host programs, a row each.
--
--   def {name = "clamp", sig = "clamp(input, min=None, max=None)", method = true, inplace = true,
--     en = .., zh = .., ex = "print(tl.host.clamp(x, 0, 1))", fn = function(input, min, max) .. end}
--
-- sig     as PyTorch documents it: what stands behind `*` comes by name, in a last table;
--         `*shape` takes values one by one or one list of them, and fn gets the list
-- method  also t:clamp(..); a string: under that name
-- inplace t:clamp_(..) too: the result goes back into t
-- total   t:sum() without a dimension gives Lua a number; tl.host.sum(t) a tensor
-- types   {param = kind} where `kinds_of` does not fit the parameter's name
-- open    the parameter that takes named arguments of any name, in a table
-- grad    the derivative; autograd.lua says how it is written, derive.lua and derive_sums.lua have them
-- pointwise  each element by itself (elementwise.lua says so)
-- plain   autograd does not look at its calls: they give no tensors, or are its own
--
-- fn gets arguments in the order of sig, nil where nothing was given; an operator fills in its own
-- defaults.  rows[name].call takes them as a user writes them, rows[name].fn as they are.

local autograd = require "moontile.tl.host.autograd"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local sig = require "moontile.base.sig"
local suggest = require "moontile.base.suggest"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local M = {rows = {}, order = {}}

local plain = tensor.isplain

-- Kinds of arguments ----------------------------------------------------------

local function integer(v)
  return math.type(v) == "integer" or math.type(v) == "float" and math.tointeger(v) ~= nil
end

local function list_of(is)
  return function(v)
    if not plain(v) then return false end
    for i = 1, #v do
      if not is(v[i]) then return false end
    end
    return true
  end
end

local ints = list_of(integer)
local function number(v) return math.type(v) ~= nil end
local function operand(v)
  return tensor.istensor(v) or number(v) or type(v) == "boolean"
end

local kinds = {
  tensor = {tensor.istensor, "a tensor"},
  operand = {operand, "a tensor or a number"},
  dim = {integer, "an integer"},
  dims = {function(v) return integer(v) or ints(v) end, "an integer or a list of integers"},
  int = {integer, "an integer"},
  number = {number, "a number"},
  scalar = {function(v) return number(v) or type(v) == "boolean" end, "a number"},
  bool = {function(v) return type(v) == "boolean" end, "true or false"},
  dtype = {types.isdtype, "a dtype"},
  string = {function(v) return type(v) == "string" end, "a string"},
  list = {plain, "a list"},
  tensors = {list_of(tensor.istensor), "a list of tensors"},
  -- a list stands for its tensors stacked
  stack = {function(v)
    return tensor.istensor(v) or plain(v) and #v > 0 and list_of(tensor.istensor)(v)
  end, "a tensor or a list of tensors"},
  sizes = {function(v) return plain(v) end, "sizes by name, {b = 2}"},
  any = {function() return true end, "anything"},
}

-- What a parameter of this name takes.
local kinds_of = {
  input = "tensor", other = "operand", index = "tensor", mask = "tensor", weight = "tensor",
  bias = "tensor", source = "tensor", dim = "dim", dim0 = "dim", dim1 = "dim", keepdim = "bool",
  dtype = "dtype", tensors = "tensors", eps = "number", alpha = "number", value = "scalar",
  largest = "bool", sorted = "bool", descending = "bool", stable = "bool", unbiased = "bool",
  p = "number", k = "int", n = "int", diagonal = "int", start = "int", equation = "string",
  pattern = "string", scale = "number", reduction = "string", approximate = "string",
}

-- Binding -----------------------------------------------------------------------

local function shown(row)
  return "tl.host." .. row.sig
end

local function bad_key(row, key)
  local names = {}
  for _, p in ipairs(row.params) do names[#names + 1] = p.name end
  local near = suggest.find(tostring(key), names)
  if near then
    diag.fail("arg_near", row.what, tostring(key), near, shown(row))
  end
  diag.fail("arg_unknown", row.what, tostring(key), shown(row))
end

local function check(row, p, v)
  if p.check and not p.check[1](v) then
    if p.check == kinds.dtype and type(v) == "string" then
      types.unknown(v)
    end
    diag.fail("arg_type", row.what, p.name, W(p.check[2]), describe(v), shown(row))
  end
end

-- Kinds for which an integer tensor of one element is its number, as PyTorch's __index__ has it.
local indices = {dim = true, dims = true, int = true, number = true, scalar = true, sizes = true}

local counts = {shape = true, size = true, sizes = true, dims = true} -- so is a rest of these names

-- A number for a tensor of one element; of a list its elements so; anything else as it is.
local function index_of(v)
  if tensor.istensor(v) and v:numel() == 1 then
    return v:item()
  elseif plain(v) and type(next(v)) ~= "string" then
    local list = {}
    for i = 1, #v do list[i] = index_of(v[i]) end
    return list
  end
  return v
end

-- Is v a last table of named arguments?
local function named(v)
  return plain(v) and type(next(v)) == "string"
end

-- NumPy's names, which PyTorch takes too.
local synonyms = {axis = "dim", keepdims = "keepdim", x = "input", self = "input"}

-- The values that a user gave by position (n of them) and by name, in the order of row.params.
local function bind(row, args, n, names)
  local params, values = row.params, {}
  local fixed = row.fixed -- how many come by position
  if row.rest then
    local rest = {}
    if n == fixed + 1 and plain(args[n]) then
      rest = args[n]
    else
      for i = fixed + 1, n do rest[#rest + 1] = args[i] end
    end
    values[fixed + 1] = counts[row.rest] and index_of(rest) or rest
  elseif n > fixed then
    diag.fail("arg_many", row.what, fixed, n, shown(row))
  end
  for i = 1, math.min(n, fixed) do values[i] = args[i] end
  for key, v in pairs(names or {}) do
    local i = row.index[key] or row.index[synonyms[key]]
    if i and i <= math.min(n, fixed) and args[i] ~= nil then
      diag.fail("arg_twice", row.what, key)
    elseif i then
      values[i] = v
    elseif row.open then
      i = row.index[row.open]
      values[i] = values[i] or {}
      values[i][key] = v
    else
      bad_key(row, key)
    end
  end
  for i, p in ipairs(params) do
    if values[i] ~= nil then
      if indices[p.kind] then values[i] = index_of(values[i]) end
      check(row, p, values[i])
    elseif not p.optional then
      diag.fail("arg_missing", row.what, p.name, shown(row))
    end
  end
  return values
end

local function results(...)
  return ...
end

-- A function that takes arguments as users of Lua write them.
local function caller(row)
  local count = #row.params
  return function(...)
    local n, args = select("#", ...), {...}
    local names = n > 0 and named(args[n]) and args[n] or nil
    -- no tail call: messages look for the call's name on the stack
    return results(row.fn(table.unpack(bind(row, args, names and n - 1 or n, names), 1, count)))
  end
end

-- The same for another language, which gives n arguments in a list and the named ones apart.
function M.apply(name, args, n, names)
  local row = M.rows[name]
  return row.fn(table.unpack(bind(row, args, n, names), 1, #row.params))
end

-- Rows ----------------------------------------------------------------------------

-- Parameters in the order that fn has them: by position, the list of `*rest`, by name.
local function parameters(row)
  local s = sig.parse((row.sig:gsub("%*%*", "")))
  row.params, row.index, row.rest, row.fixed = {}, {}, s.rest, 0
  local function add(p)
    local kind = row.types and row.types[p.name] or kinds_of[p.name]
    row.params[#row.params + 1] = {name = p.name, optional = p.optional or p.name == row.open,
      kind = kind, check = kind and assert(kinds[kind], kind)}
    row.index[p.name] = #row.params
  end
  for _, p in ipairs(s.params) do
    if not p.named then
      add(p)
      row.fixed = row.fixed + 1
    end
  end
  if s.rest then add {name = s.rest, optional = true} end
  for _, p in ipairs(s.params) do
    if p.named then add(p) end
  end
end

function M.def(row)
  assert(not M.rows[row.name], row.name)
  row.what = "tl.host." .. row.name
  row.fn = autograd.wrap(row, row.fn)
  parameters(row)
  row.call = caller(row)
  M.rows[row.name] = row
  M.order[#M.order + 1] = row.name
  return row
end

-- A second name.
function M.alias(name, of)
  local row = M.rows[of]
  local copy = {}
  for k, v in pairs(row) do copy[k] = v end
  copy.name, copy.what, copy.alias_of = name, "tl.host." .. name, of
  copy.sig = copy.sig:gsub("^[%w_]+", name, 1)
  copy.ex = copy.ex:gsub("tl%.host%." .. of .. "%f[^%w_]", "tl.host." .. name)
  copy.method = copy.method and (copy.method == true or copy.method == of) and true or false
  copy.call = caller(copy)
  M.rows[name] = copy
  M.order[#M.order + 1] = name
end

return M
