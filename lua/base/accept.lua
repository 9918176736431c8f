-- base/accept.lua: what the functions of the host side take, checked in one place.
--
--   accept.guard(methods, {what = "kernel:", self = {Kernel, "a kernel"}}, {
--     signature = {},
--     time = {"values:list opts:options?", warmup = "count", times = "positive"},
--   })
--
-- A row has the parameters by position, name:kind, with a `?` where nothing will do, and
-- the kinds of named values in the parameter of kind `options`.  What is not named goes
-- through as it came: rows say what would otherwise end in an error of Lua's inside of
-- moontile; values that a function looks at itself need none.  Where the row has
-- others = "flush config", names that it has not and that are not among these are refused.  With
-- `whole` beside `what` the rows name all parameters: a value behind the last is refused.
--
-- guard() puts a function that checks in the place of each.  What is called often from
-- within calls the function itself, not the guarded one.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local M = {}

local plain = tensor.isplain

local most = 0x7fffffff -- counts and sizes are 32-bit numbers

local function integer(least)
  return function(v)
    return math.type(v) == "integer" and v >= least and v <= most
  end
end

-- Strings have a __call too, which says what is wrong with calling them.
local function callable(v)
  local mt = type(v) == "table" and getmetatable(v)
  return type(v) == "function" or type(mt) == "table" and mt.__call ~= nil
end

-- Is t a plain table of `is`(value), with keys of this type?
local function all(t, key, is)
  if not plain(t) then
    return false
  end
  for k, v in pairs(t) do
    if math.type(k) ~= key and type(k) ~= key or not is(v) then
      return false
    end
  end
  return true
end

local positive = integer(1)

local function tensor_of(least, greatest)
  return function(v)
    return tensor.istensor(v) and v.ndim >= least and v.ndim <= greatest
  end
end

-- An object of ours, by the name of its type.
local function object(name)
  return function(v)
    local mt = getmetatable(v)
    return type(v) == "table" and type(mt) == "table" and mt.__name == name
  end
end

local is_layout = object "layout"

local function whole(v)
  return math.type(v) and math.tointeger(v)
end

local function is_sizes(v)
  return all(v, "string", whole)
end

-- kind -> test, how a message names it
local kinds = {
  any = {function() return true end, "anything"},
  options = {plain, "a table of options"},
  list = {plain, "a list"},
  tables = {function(v) return all(v, "integer", plain) end, "a list of tables"},
  funcs = {plain, "a list of T.prim_func"}, -- each is looked at in its turn
  table = {plain, "a table"},
  tensor = {tensor.istensor, "a tensor"},
  matrix = {tensor_of(2, 2), "a tensor of two dimensions"},
  axes = {tensor_of(1, 99), "a tensor of one dimension or more"},
  tensor4 = {tensor_of(4, 4), "a tensor of four dimensions"},
  layout = {is_layout, "a layout"},
  access = {function(v) return type(v) == "string" or callable(v) end, -- a Fragment is callable
    "a name, a function or a T.Fragment"},
  lanes = {function(v) return math.type(v) == "integer" and v >= 1 and v <= 64 end,
    "an integer from 1 to 64"},
  bits = {function(v) return math.type(v) == "integer" and v >= 1 and v <= 128 end,
    "an integer from 1 to 128"},
  space = {function(v) return type(v) == "function" or plain(v) end, "a table or a function"},
  string = {function(v) return type(v) == "string" end, "a string"},
  text = {function(v) return type(v) == "string" and not v:find "\0" end, "a string"},
  bool = {function(v) return type(v) == "boolean" end, "true or false"},
  integer = {whole, "an integer"},
  count = {integer(0), "an integer from 0 to 2^31 - 1"},
  positive = {positive, "an integer from 1 to 2^31 - 1"},
  number = {math.type, "a number"},
  amount = {function(v) return math.type(v) and v >= 0 and v <= most end, "a number from 0 to 2^31 - 1"},
  ["function"] = {callable, "a function"},
  dtype = {types.isdtype, "a dtype"},
  shape = {function(v) return all(v, "integer", positive) and #v > 0 end, "a list of positive integers"},
  sizes = {is_sizes, "sizes by name, {M = 64}"},
  -- false: the kernel's own shapes
  size_list = {function(v)
    return all(v, "integer", function(s) return s == false or is_sizes(s) end)
  end, "a list of sizes, {{M = 64}, ..}"},
  quantiles = {function(v)
    return all(v, "integer", function(q) return math.type(q) and q >= 0 and q <= 1 end)
  end, "a list of numbers from 0 to 1"},
}
M.kinds = kinds

-- Rows --------------------------------------------------------------------------------

-- "values:list opts:options?" -> {{name, check, optional}, ..}
local function parse(text)
  local list = {}
  for name, kind, mark in text:gmatch "([%w_]+):([%w_]+)(%??)" do
    list[#list + 1] = {name = name, check = assert(kinds[kind], kind), optional = mark == "?"}
  end
  return list
end

-- "kernel:time(values [, opts])"
local function signature(what, params)
  local text, open = "", 0
  for i, p in ipairs(params) do
    local comma = i > 1 and ", " or ""
    if p.optional then
      text, open = text .. (i > 1 and " [" or "[") .. comma .. p.name, open + 1
    else
      text = text .. comma .. p.name
    end
  end
  return ("%s(%s%s)"):format(what, text, ("]"):rep(open))
end

local function wrong(row, name, check, v, sig)
  local got = describe(v)
  if tensor.istensor(v) then -- of another rank, perhaps
    got = ("%s (%s)"):format(got, table.concat(v.shape, ", "))
  end
  diag.fail("arg_type", row.what, name, W(check[2]), got, sig or row.sig)
end

local function check_options(row, opts)
  if row.all then
    M.known(row.what, opts, row.all)
  end
  for name, check in pairs(row.named) do
    local v = opts[name]
    if v ~= nil and not check[1](v) then
      wrong(row, name, check, v, ("%s{%s = ..}"):format(row.what, name))
    end
  end
end

-- Raises unless these are arguments of the row.
local function check_all(row, ...)
  for i, p in ipairs(row) do
    local v = select(i, ...)
    if v == nil then
      if not p.optional then
        diag.fail("arg_missing", row.what, p.name, row.sig)
      end
    elseif not p.check[1](v) then
      wrong(row, p.name, p.check, v)
    elseif p.check == kinds.options then
      check_options(row, v)
    end
  end
  if row.whole and select("#", ...) > #row then
    diag.fail("arg_many", row.what, #row, select("#", ...), row.sig)
  end
end

local function row_of(what, given)
  local row = parse(given[1] or "")
  row.what, row.sig, row.named = what, signature(what, row), {}
  row.all = given.others and {} or nil
  for name in (given.others or ""):gmatch "%S+" do
    row.all[name] = true
  end
  for name, kind in pairs(given) do
    if name ~= 1 and name ~= "others" then
      row.named[name] = assert(kinds[kind], kind)
      if row.all then
        row.all[name] = true
      end
    end
  end
  return row
end

-- Raises for a key of opts that is none of the names: a list, or a set, which is shown sorted.
function M.known(what, opts, names)
  local shown, is = #names > 0 and names or {}, {}
  for k, v in pairs(names) do
    is[v == true and k or v] = true
    if v == true then
      shown[#shown + 1] = k
    end
  end
  if shown ~= names then
    table.sort(shown)
  end
  for key in pairs(opts) do
    if not is[key] then
      diag.fail("option_unknown", what, tostring(key), table.concat(shown, ", "))
    end
  end
end

-- Guarding ----------------------------------------------------------------------------

local inner = setmetatable({}, {__mode = "k"}) -- guarded function -> what it guards

-- The function itself, for who asks where it is written.
function M.inner(f)
  return inner[f] or f
end

-- So that the guarded function is no tail call: messages look for its name on the stack.
local function results(...)
  return ...
end

local function method(f, row, own)
  local meta, kind = own[1], {nil, own[2]}
  local is = type(meta) == "function" and meta or function(v) return getmetatable(v) == meta end
  if #row == 0 then
    return function(self, ...)
      if not is(self) then
        wrong(row, "self", kind, self)
      end
      return results(f(self, ...))
    end
  end
  return function(self, ...)
    if not is(self) then
      wrong(row, "self", kind, self)
    end
    check_all(row, ...)
    return results(f(self, ...))
  end
end

local function free(f, row)
  return function(...)
    check_all(row, ...)
    return results(f(...))
  end
end

-- A function that raises unless its arguments are those of a row of function `what`.
function M.checker(what, given)
  local row = row_of(what, given)
  return function(...)
    check_all(row, ...)
  end
end

-- Guards t's functions that rows name.  how: {what = what stands before their names in
-- messages, self = {metatable or test, "a kernel"} where they are methods}
function M.guard(t, how, rows)
  for name, given in pairs(rows) do
    local f = assert(rawget(t, name), name)
    local row = row_of(how.what .. name, given)
    row.whole = how.whole
    t[name] = how.self and method(f, row, how.self) or free(f, row)
    inner[t[name]] = f
  end
end

-- Guards every function of t as a method that takes what it likes, but for those that
-- rows name; names of metamethods are left alone.
function M.methods(t, how, rows)
  local list = {}
  for name, f in pairs(t) do
    if type(f) == "function" and not name:find "^__" then
      list[name] = rows[name] or {}
    end
  end
  M.guard(t, how, list)
end

return M
