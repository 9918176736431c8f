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

-- pytest.param(a, b, marks=.., id=..): a row of values; `skip` where its marks say so.
local Row = {}

local param = native.make("param", "**", function(kw, ...)
  local row = setmetatable({values = {...}}, Row)
  local given = kw and dict.get(kw, "marks")
  if given ~= nil and given ~= None then
    local test = native.make("test", "", function() return None end)
    local list = type(given) == "function" and core.pack(given) or given
    for m in iter.iter(list) do
      m(test)
    end
    row.skip = (marks[test] or {}).skip
  end
  return row
end)

local function parametrize(names, values)
  names = names_of(names)
  local rows = {}
  for v in iter.iter(values) do
    local row, given = {}, getmetatable(v) == Row and v
    if given and given.skip then
      goto next
    elseif given then
      row = given.values
    elseif #names == 1 then
      row[1] = v
    else
      for x in iter.iter(v) do row[#row + 1] = x end
    end
    if #row ~= #names then
      exc.fail("ValueError", ("parametrize: %d names, a row of %d values"):format(#names, #row), nil, "parametrize")
    end
    rows[#rows + 1] = row
    ::next::
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
          shown[#shown + 1] = text.str(row[i])
        end
        more[#more + 1] = {values, shown}
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
    local ok, e = pcall(func.calls, f, core.pack(), kw)
    local err = not ok and exc.of(e)
    if ok then
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
    r.value = value
    if not core.subclass(kind, r.expected) then
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

function M.install(P)
  core.late.report = P.report
  core.late.imports = core.late.imports or P.import_as
  P.imports.loaders.pytest = P.imports.loaders.pytest or function() -- somebody's stand-in stays
    return P.imports.module("pytest", {
      mark = setmetatable(mark, core.Module),
      param = param,
      raises = native.make("raises", "expected_exception, match?", function(expected, match)
        local r = made.object(Raises, {})
        r.expected, r.match = expected, match ~= None and match or nil
        return r
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
