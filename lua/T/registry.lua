-- T/registry.lua: every name of T: its signature, what it does, an example.
--
-- def{name =, sig =, summary =, summary_zh =, example =, fn =, types =, band =,
--     since =} puts T.<name> into the table of names.  Help, completion and the
-- checks of arguments derive from the row.
--
-- sig is written as TileLang documents it: "copy(src, dst, *, width=None)".
-- Parameters without a default are required.  Those after `*` come by name, in
-- a last table; those before may come either way.  `*blocks` takes any number.
-- types: "src:region dst:region width:int"; see `checks`.
-- fn gets the arguments in the order of the signature, defaults filled in as
-- Lua values; with a `*name` it gets a table of the named ones first, then the
-- others as they came.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local suggest = require "moontile.base.suggest"
local place = require "moontile.base.place"
local sig = require "moontile.base.sig"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local M = {names = {}, order = {}}

-- Kinds of arguments ------------------------------------------------------

-- Is the kernel that is being made in a language in which 4.0 is no integer?  python/tilelang.lua knows.
function M.exact() return false end

local function integer(v)
  return math.type(v) == "integer" or math.type(v) == "float" and v == v // 1 and
    v < 2^53 and v > -2^53 and not M.exact()
end

local plain = tensor.isplain

local function isshape(v)
  if plain(v) then
    for i = 1, #v do
      if not (integer(v[i]) or ir.isvalue(v[i], true)) then
        return false
      end
    end
    return true
  end
  return integer(v) or ir.isvalue(v, true)
end

local region_kinds = {buffer = true, element = true, region = true, partial = true, var = true}

-- kind -> test, how a message names it
local checks = {
  region = {function(v) return region_kinds[ir.kind(v)] end, "a buffer, element or slice"},
  buffer = {function(v) return ir.kind(v) == "buffer" end, "a buffer"},
  value = {function(v) return ir.isvalue(v) end, "a number or expression"},
  -- Lua's own arithmetic is done with it, which knows no true and false
  term = {function(v) return type(v) ~= "boolean" and ir.isvalue(v) end, "a number or expression"},
  element = {function(v) return ir.kind(v) == "element" end, "an element of a buffer"},
  var = {function(v) return ir.kind(v) == "var" end, "a T.alloc_var"},
  int = {integer, "an integer"},
  number = {function(v) return math.type(v) end, "a number"},
  bool = {function(v) return type(v) == "boolean" end, "true or false"},
  string = {function(v) return type(v) == "string" end, "a string"},
  dtype = {types.isdtype, "a dtype"},
  pointee = {function(v) return types.isdtype(v) or type(v) == "table" and v.kind == "ptr" end, "a dtype"},
  handle = {function(v) return v == "handle" or types.isdtype(v) end, "a dtype"},
  shape = {isshape, "a shape: a table of integers, or one integer"},
  table = {function(v) return type(v) == "table" end, "a table"},
  ints = {function(v) return integer(v) or plain(v) end, "an integer or a table of integers"},
  ["function"] = {function(v) return type(v) == "function" end, "a function"},
  any = {function() return true end, "anything"},
  maybe = {function() return true end, "anything"}, -- nothing, too, where it is given
}

M.isshape = isshape

-- Signatures --------------------------------------------------------------

local literals = {True = true, False = false}

-- What stands in a signature as a value of Lua.
local function value_of(text)
  local n = tonumber(text)
  if text and literals[text] ~= nil then
    return literals[text]
  end
  return math.tointeger(n) or n or text and text:match '^"(.*)"$'
end

-- The parameters, with `text` as their default stands there, and the name of a `*name` or nil
local function parse(text)
  local s = sig.parse(text)
  for _, p in ipairs(s.params) do
    p.required, p.text, p.default = not p.optional, p.default, value_of(p.default)
  end
  return s.params, s.rest
end

local function parse_types(s)
  local by = {}
  for name, kind in (s or ""):gmatch("([%w_]+):(%S+)") do
    if kind:find("|", 1, true) then -- one of these strings
      local set, all = {}, {}
      for v in kind:gmatch("[^|]+") do
        set[v] = true
        all[#all + 1] = v
      end
      by[name] = {function(v) return set[v] end, table.concat(all, ", "), choices = all}
    else
      by[name] = assert(checks[kind], kind)
    end
  end
  return by
end

-- A last table of named arguments: no metatable, first key a string; or empty, since each name
-- may have no value: {threads = nil}.
local function iskeywords(v)
  return plain(v) and (next(v) == nil or type(next(v)) == "string")
end

-- Binding -----------------------------------------------------------------

local function bad_key(row, key)
  local names = {}
  for _, p in ipairs(row.params) do
    names[#names + 1] = p.name
  end
  local n = suggest.find(key, names)
  local what, shown = "T." .. row.name, "T." .. row.sig
  if n then
    diag.fail("arg_near", what, tostring(key), n, shown)
  end
  diag.fail("arg_unknown", what, tostring(key), shown)
end

-- The signature with what must be given and parameter p.
local function shown(row, p)
  local parts, left = {}, row.rest and "*" .. row.rest or nil
  parts[1] = left
  for _, q in ipairs(row.params) do
    if q.required then
      parts[#parts + 1] = q.name
    elseif q == p then
      parts[#parts + 1] = q.name .. "=" .. q.text
    else
      left = "..."
    end
  end
  parts[#parts + 1] = left == "..." and left or nil
  return ("T.%s(%s)"):format(row.name, table.concat(parts, ", "))
end

local function check(row, p, v)
  local c = row.checks[p.name]
  if type(v) == "string" and v:find "\0" then -- C's texts end there
    diag.fail("arg_value", "T." .. row.name, p.name, W"a string without NUL bytes", describe(v))
  end
  if c and not c[1](v) then
    if c.choices and type(v) == "string" then
      local n = suggest.find(v, c.choices)
      diag.fail(n and "arg_choice" or "arg_value", "T." .. row.name, p.name, c[2], describe(v), n)
    end
    if (c == checks.dtype or c == checks.handle or c == checks.pointee) and type(v) == "string" then
      types.unknown(v)
    end
    diag.fail("arg_type", "T." .. row.name, p.name, W(c[2]), describe(v), shown(row, p))
  end
end

-- Named arguments of table kw into args (indexed as row.params).
local function bind_names(row, kw, args, npos)
  for key, v in pairs(kw) do
    local i = row.index[key]
    if not i then
      bad_key(row, key)
    elseif i <= npos and args[i] ~= nil then
      diag.fail("arg_twice", "T." .. row.name, key)
    end
    args[i] = v
  end
end

-- given: how many came by position, nil among them.
local function finish(row, args, given)
  local params = row.params
  for i = 1, #params do
    local p, v = params[i], args[i]
    if type(v) == "table" and M.unwrap then
      v = M.unwrap(row, i, args)
      args[i] = v
    end
    if row.checks[p.name] == checks.int and ir.kind(v) == "expr" then -- T.int32(1) is the integer 1
      v = ir.const(v) or v
      args[i] = v
    end
    if v ~= nil then
      check(row, p, v)
    elseif p.required and not (i <= given and row.checks[p.name] == checks.maybe) then
      diag.fail("arg_missing", "T." .. row.name, p.name, shown(row, p))
    else
      args[i] = p.default
    end
  end
end

-- Is table v what parameter i wants?  Named arguments are tables, too: they name parameters from i on.
local function takes(row, i, v)
  local c = row.checks[row.params[i].name]
  if next(v) == nil then
    return c == checks.table or not c or c[1](v)
  end
  local named = true
  for key in pairs(v) do
    named = named and (row.index[key] or 0) >= i
  end
  return c == checks.table and not named
end

-- Calls of a function whose arguments all have names.
local function fixed(row)
  local fn, n, npos = row.fn, #row.params, row.npos
  return function(...)
    local args = {...}
    local count = select("#", ...)
    local last = args[count]
    if count > 0 and iskeywords(last) and (count > npos or not takes(row, count, last)) then
      args[count] = nil
      count = count - 1
      bind_names(row, last, args, count)
    end
    if count > npos then
      diag.fail("arg_many", "T." .. row.name, npos, count, "T." .. row.sig)
    end
    finish(row, args, count)
    -- not a tail call: messages look for the call's name on the stack
    local r = table.pack(fn(table.unpack(args, 1, n)))
    return table.unpack(r, 1, r.n)
  end
end

-- Calls of a function with `*rest`: fn(named, ...).
local function variadic(row)
  local fn = row.fn
  return function(...)
    local count = select("#", ...)
    local last = count > 0 and select(count, ...) or nil
    local args = {}
    if iskeywords(last) then
      count = count - 1
      bind_names(row, last, args, 0)
    end
    finish(row, args, 0)
    local named = {}
    for i, p in ipairs(row.params) do
      named[p.name] = args[i]
    end
    local rest = table.pack(...)
    local r = table.pack(fn(named, table.unpack(rest, 1, count)))
    return table.unpack(r, 1, r.n)
  end
end

-- A function `what` that takes `names` (a list) by position, and a table of nothing but these.
function M.no_more(what, names, ...)
  local n = select("#", ...)
  if n == 0 then
    return
  end
  local extra, known = ..., {}
  for _, name in ipairs(names) do
    known[name] = true
  end
  local key -- of several the first by its name, since next() follows no order
  for name in pairs(type(extra) == "table" and extra or {}) do
    if not known[name] and (key == nil or tostring(name) < tostring(key)) then
      key = name
    end
  end
  local all = table.concat(names, ", ")
  if key == nil then
    diag.fail("arg_many", what, #names, #names + n, ("%s(%s)"):format(what, all))
  end
  local n_near = suggest.find(tostring(key), names)
  if n_near then
    diag.fail("option_near", what, tostring(key), all, n_near)
  end
  diag.fail("option_unknown", what, tostring(key), all)
end

-- Rows --------------------------------------------------------------------

-- Adds a row; value rows (dtypes, enumerations) have `value` instead of `fn`.
function M.def(row)
  local at = debug.getinfo(2, "Sl")
  row.file = ("lua/%s:%d"):format(at.source:match "^@moontile/(.*)$" or "?", at.currentline)
  row.band = row.band or "A"
  row.since = row.since or "0.1"
  row.params, row.rest = parse(row.sig)
  row.checks = parse_types(row.types)
  row.index, row.npos = {}, 0
  for i, p in ipairs(row.params) do
    row.index[p.name] = i
    row.npos = row.npos + (p.named and 0 or 1)
  end
  if row.fn then
    row.value = row.raw and row.fn or row.rest and variadic(row) or fixed(row)
  end
  M.names[row.name] = row
  M.order[#M.order + 1] = row.name
end

-- The call of a row whose function has been replaced by one that takes more.
function M.renew(name)
  local row = M.names[name]
  row.value = row.rest and variadic(row) or fixed(row)
end

-- Another spelling of a name that is there.
function M.alias(name, of)
  local row = setmetatable({name = name, alias_of = of}, {__index = M.names[of]})
  M.names[name] = row
  M.order[#M.order + 1] = name
end

-- A name of TileLang's that is not here yet; `use` says what to do instead; blackwell: no machine before that has it.
function M.later(name, use, blackwell)
  if not M.names[name] then
    M.names[name] = {name = name, later = true, use = use, blackwell = blackwell}
    M.order[#M.order + 1] = name
  end
end

-- Sets what every program reaches as T.<name>.
function M.fill(T)
  for _, name in ipairs(M.order) do
    local row = M.names[name]
    if not row.later then
      T[name] = row.value
    end
  end
end

-- What other languages and libraries call it.
local elsewhere = {maximum = "max", minimum = "min", relu = "max(x, 0)", dot = "gemm", mma = "gemm",
  matmul = "gemm", mm = "gemm", range = "serial", prange = "Parallel", zeros = "clear(t)",
  select = "if_then_else", cdiv = "ceildiv", div_ceil = "ceildiv"}

-- The name that is the key but for case and underscores; later names are none.
local function same_word(key)
  local flat = key:lower():gsub("_", "")
  for _, name in ipairs(M.order) do
    if not M.names[name].later and name:lower():gsub("_", "") == flat then
      return name
    end
  end
end

-- "float32x4" where key is that, else nil: T/vectors.lua knows.
function M.vector_type() return nil end

-- T.<key> that is not set.
function M.missing(key)
  if type(key) ~= "string" then
    return nil
  end
  local vector = M.vector_type(key)
  if vector then
    return vector
  end
  local row = M.names[key]
  local word = same_word(key) or elsewhere[key]
  if word then
    place.fail(key, "t_near", key, word)
  elseif row and row.blackwell then
    place.fail(key, "t_blackwell", key, row.use)
  elseif row and row.use then
    place.fail(key, "t_later_use", key, row.use)
  elseif row then
    place.fail(key, "t_later", key)
  end
  local n = suggest.find(key, M.order)
  if n then
    place.fail(key, "t_near", key, n)
  end
  place.fail(key, "t_unknown", key)
end

return M
