-- python/pytest.lua: `import pytest`: marks of tests, raises, and what runs a file's tests one after the other.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local text = require "moontile.python.text"

local M = {}

local None = core.None

local marks = setmetatable({}, {__mode = "k"}) -- function -> {skip = reason, {names = {..}, values = {{..}, ..}}, ..}

local Skipped = made.class("Skipped", "_pytest.outcomes", {}, {exc.classes.Exception})

local function mark_of(f)
  marks[f] = marks[f] or {}
  return marks[f]
end

local function decorator(name, change)
  return native.make(name, "func", function(f)
    change(mark_of(f))
    return f
  end)
end

-- "a, b" or a list of names
local function names_of(v)
  local list = {}
  if type(v) == "string" then
    for name in v:gmatch "[^,%s]+" do list[#list + 1] = name end
  else
    for name in iter.iter(v) do list[#list + 1] = name end
  end
  return list
end

-- pytest.param(values .., id=, marks=): a row with a name, and marks of its own
local Param = made.class("ParameterSet", "_pytest.mark.structures", {})
made.properties(Param, {values = function(p) return core.tuple({table.unpack(p.row, 1, p.count)}, p.count) end,
  id = function(p) return p.name == nil and None or p.name end})
local function param(kw, ...)
  local p = {row = {...}, count = select("#", ...)}
  p.name = kw and dict.get(kw, "id")
  p.marks = kw and dict.get(kw, "marks")
  return setmetatable(p, Param.meta)
end

-- What a mark that stands beside a row says of it: "skipped", or nil.
local function skipped(given)
  if given == nil or given == None then
    return nil
  end
  local list = type(given) == "function" and {given} or iter.list(given)
  local row = native.make("row", "**", function() return None end)
  for _, f in ipairs(list) do
    func.call(f, row)
  end
  return (marks[row] or {}).skip
end

-- What pytest writes of a value: numbers and texts, names of classes and functions; else the parameter and a number.
local function shown_value(v, name, i)
  if type(v) == "string" or math.type(v) or type(v) == "boolean" or v == None then
    return text.str(v)
  end
  local own = debug.getmetatable(v) == core.Type and v.name or type(v) == "function" and core.sigs[v] and core.sigs[v].name
  return own and own ~= "" and own:match "[^.]*$" or name .. (i - 1)
end

local function parametrize(names, values, _, ids)
  names = names_of(names)
  local rows = {}
  for v in iter.iter(values) do
    local row = {}
    if debug.getmetatable(v) == Param.meta then
      row = {table.unpack(v.row, 1, v.count)}
      row.skip, row.id = skipped(v.marks), v.name ~= None and v.name or nil
      if #row ~= #names then
        exc.fail("ValueError", ("parametrize: %d names, a row of %d values"):format(#names, #row), nil, "parametrize")
      end
    elseif #names == 1 then
      row[1] = v
    else
      for x in iter.iter(v) do row[#row + 1] = x end
      if #row ~= #names then
        exc.fail("ValueError", ("parametrize: %d names, a row of %d values"):format(#names, #row), nil, "parametrize")
      end
    end
    rows[#rows + 1] = row
    local given = ids ~= nil and ids ~= None and ids or nil
    local parts = {}
    for i, name in ipairs(names) do
      local own = type(given) == "function" and func.call(given, row[i]) or None
      parts[i] = own ~= None and text.str(own) or shown_value(row[i], name, #rows)
    end
    row.id = row.id or table.concat(parts, "-")
  end
  if ids ~= nil and ids ~= None and type(ids) ~= "function" then
    for i, id in ipairs(iter.list(ids)) do
      rows[i].id = id ~= None and text.str(id) or rows[i].id
    end
  end
  return decorator("parametrize", function(m) table.insert(m, {names = names, values = rows}) end)
end

local mark = {
  parametrize = native.make("parametrize", "argnames, argvalues, indirect?, ids?, scope?", parametrize),
  skip = native.make("skip", "reason?", function(reason)
    local skip = function(m) m.skip = type(reason) == "string" and reason or "skipped" end
    if type(reason) == "function" then -- without parentheses
      skip(mark_of(reason))
      return reason
    end
    return decorator("skip", skip)
  end),
  skipif = native.make("skipif", "condition, reason?", function(c, reason)
    return decorator("skipif", function(m) m.skip = core.late.truth(c) and (reason or "skipped") or m.skip end)
  end),
}
-- Marks of somebody's own say nothing here.
mark.__name__ = "pytest.mark"
mark.__getattr__ = native.make("__getattr__", "name", function(name)
  return native.make(name, "**", function(_, f)
    return type(f) == "function" and f or native.make(name, "func", function(g) return g end)
  end)
end)

-- The calls of a test: a list of dicts, and their names in brackets.
local function cases(f)
  local list = {{{}, {}}}
  for _, p in ipairs(marks[f] or {}) do
    local more = {}
    for _, have in ipairs(list) do -- the decorator on top runs fastest
      for _, row in ipairs(p.values) do
        local values, shown = {table.unpack(have[1])}, {table.unpack(have[2])}
        for i, name in ipairs(p.names) do
          values[#values + 1] = {name, row[i]}
        end
        shown[#shown + 1] = row.id
        more[#more + 1] = {values, shown, skip = have.skip or row.skip}
      end
    end
    list = more
  end
  return list
end

-- Runs a test in all its forms; say(name, outcome) is told of each.  Errors go on unless `catch`.
function M.run(f, name, say, catch)
  local failed = false
  local skip = (marks[f] or {}).skip
  for _, case in ipairs(skip and {} or cases(f)) do
    local kw = dict.new()
    for _, v in ipairs(case[1]) do dict.put(kw, v[1], v[2]) end
    local full = #case[2] > 0 and ("%s[%s]"):format(name, table.concat(case[2], "-")) or name
    local ok, e = true, nil
    if not case.skip then
      ok, e = pcall(func.calls, f, core.pack(), kw)
    end
    local err = not ok and exc.of(e)
    if case.skip then
      say(full, "SKIPPED")
    elseif ok then
      say(full, "PASSED")
    elseif err and core.subclass(debug.getmetatable(err).__pyclass, Skipped) then
      say(full, "SKIPPED")
    elseif not catch then
      error(e, 0)
    else
      failed = true
      say(full, "FAILED")
      io.stderr:write(tostring(core.late.report and core.late.report(e) or e), "\n")
    end
  end
  if skip then say(name, "SKIPPED") end
  return not failed
end

-- The functions of the program whose names begin so, in the order of its lines.
function M.functions(P, prefix)
  local list = {}
  for name, f in pairs(P.program or {}) do
    if type(name) == "string" and name:find(prefix, 1, true) == 1 and type(f) == "function" and core.sigs[f] then
      list[#list + 1] = {name = name, f = f, line = debug.getinfo(f, "S").linedefined}
    end
  end
  table.sort(list, function(a, b) return a.line < b.line end)
  return list
end

local Raises = made.class("RaisesContext", "_pytest.python_api", {
  ["__enter__(self)"] = function(r) return r end,
  ["__exit__(self, kind, value, traceback)"] = function(r, kind, value)
    if kind == None then
      exc.fail("AssertionError", ("DID NOT RAISE %s"):format(text.repr(r.expected)), nil, "raises")
    end
    r.value, r.type = value, kind
    local expected = false
    for _, cls in ipairs(core.istuple(r.expected) and r.expected or {r.expected}) do
      expected = expected or core.subclass(kind, cls)
    end
    if not expected then
      return false
    end
    if r.match then
      local re = core.late.imports "re"
      local found = func.call(core.late.attr(re, "search"), r.match, text.str(value))
      if found == None then
        exc.fail("AssertionError", ("Regex pattern did not match.\n Regex: %s\n Input: %s"):format(text.repr(r.match),
          text.repr(text.str(value))), nil, "raises")
      end
    end
    return true
  end,
})

-- pytest.approx(expected): equal within a millionth, or 1e-12
local Approx = made.class("approx", "_pytest.python_api", {
  ["__init__(self, expected, rel?, abs?, nan_ok?)"] = function(a, expected, rel, absolute, nan_ok)
    a.expected, a.rel, a.abs, a.nan_ok = expected, rel, absolute, nan_ok == true
    return None
  end,
})

local function given(v)
  return v ~= nil and v ~= None and v or nil
end

local function tolerance(a, want)
  local absolute = given(a.abs) or 1e-12
  if given(a.abs) and not given(a.rel) then
    return absolute
  end
  return math.max((given(a.rel) or 1e-6) * math.abs(want), absolute)
end

local function near(a, got, want)
  if math.type(want) == nil or math.type(got) == nil then
    return core.late.truth(require("moontile.python.equal").eq(got, want))
  elseif want ~= want then
    return a.nan_ok and got ~= got
  end
  return got == want or math.abs(want) ~= math.huge and math.abs(got - want) <= tolerance(a, want)
end

made.methods(Approx, {
  ["__eq__(self, other)"] = function(a, got)
    local want = a.expected
    local kind = core.kind(want)
    if kind == "list" or kind == "tuple" then
      if core.kind(got) ~= kind or got.n ~= want.n then
        return false
      end
      for i = 1, want.n do
        if not near(a, got[i], want[i]) then return false end
      end
      return true
    elseif kind == "dict" then
      if core.kind(got) ~= "dict" or got.n ~= want.n then
        return false
      end
      for k, v in dict.each(want) do
        local x = dict.get(got, k)
        if x == nil or not near(a, x, v) then return false end
      end
      return true
    end
    return near(a, core.late.number(got) or got, core.late.number(want) or want)
  end,
  ["__repr__(self)"] = function(a)
    local want = a.expected
    return math.type(want) and ("%s ± %s"):format(text.repr(want), require("moontile.python.format").format(tolerance(a, want), ".1e"))
      or "approx(" .. text.repr(want) .. ")"
  end,
})

function M.install(P)
  core.late.report = P.report
  core.late.imports = core.late.imports or P.import_as
  P.imports.loaders.pytest = P.imports.loaders.pytest or function() -- somebody's stand-in stays
    return P.imports.module("pytest", {
      mark = setmetatable(mark, core.Module),
      raises = native.make("raises", "expected_exception, match?", function(expected, match)
        local r = made.object(Raises, {})
        r.expected, r.match = expected, match ~= None and match or nil
        return r
      end),
      param = native.make("param", "**", param), approx = Approx,
      importorskip = native.make("importorskip", "modname, minversion?, reason?", function(name)
        local ok, m = pcall(core.late.imports, name)
        if not ok then
          exc.throw(exc.make(Skipped, ("could not import '%s'"):format(name)))
        end
        return m
      end),
      skip = native.make("skip", "reason?", function(reason) exc.throw(exc.make(Skipped, reason or "")) end),
      main = native.make("main", "args?", function()
        local ok = true
        for _, t in ipairs(M.functions(P, "test_")) do
          ok = M.run(t.f, t.name, function(name, what) P.builtins.print(name .. " " .. what) end, true) and ok
        end
        return ok and 0 or 1
      end),
    })
  end
end

return M
