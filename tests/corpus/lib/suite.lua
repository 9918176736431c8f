-- suite.lua: the kernels of a suite whose files are classes without a main, from its own tests: they say with what
-- arguments each kernel is made.  one.lua runs it in the suite's folder.
--
-- Modules that a suite's tests want and that compute nothing stand in suite/: pytest, torch.library, and TileOPs'
-- tracing, off.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local native = require "moontile.python.native"
local P = require "moontile.python"

local M = {}

local folder = debug.getinfo(1, "S").source:match "^@(.*/)[^/]*$" .. "suite/"

local standins = {pytest = "pytest", threading = "threading", weakref = "weakref",
  ["torch.library"] = "torch_library", ["importlib.resources"] = "resources", ["tileops.trace"] = "trace",
  ["benchmarks.timing"] = "timing", ["torch.nn.attention"] = "nn_attention", ["tilelang.utils.device"] = "device",
  ["tileops.ops._dtype_codegen"] = "codegen", ["tileops.ops._roofline_codegen"] = "codegen"}

local function find(name)
  local path = P.imports.path
  table.move(path, 1, path.n, 2)
  path[1], path.n = folder, path.n + 1
  local m = P.imports.find(name, 0)
  table.move(path, 2, path.n + 1, 1)
  path.n = path.n - 1
  return m
end

-- Modules that neither the suite nor Python has: other people's kernels, which benchmarks time beside the suite's.
local function foreign_modules()
  local thing, before = P.attr(find "foreign", "Foreign"), P.imports.find
  local roots = {}
  local function module(name)
    local m = P.imports.module(name, {})
    m.__getattr__ = native.make("__getattr__", "name", function(n) return P.call(thing, name .. "." .. n) end)
    return m
  end
  P.imports.loaders["benchmarks.baselines"] = function() return module "benchmarks.baselines" end
  function P.imports.find(name, level)
    local m, root = before(name, level), name:match "^[^.]*"
    if m or level ~= 0 or not roots[root] and name ~= root then
      return m
    end
    roots[root] = true
    return module(name)
  end
end

local own = {} -- modules that Python alone could not be

-- yaml.safe_load of the suite's own descriptions.
function own.yaml()
  local yaml, loads = dofile(folder .. "../yaml.lua"), P.attr(P.imports.import "json", "loads")
  return {safe_load = native.make("safe_load", "text", function(text) return P.call(loads, yaml.json(text)) end)}
end

function own.importlib()
  return {import_module = native.make("import_module", "name", P.imports.import_as)}
end

own["importlib.metadata"] = function()
  return {entry_points = native.make("entry_points", "group?", function() return core.list {} end)}
end

-- Packages that only gather names of their parts: a part is loaded when somebody asks for one of its names, so
-- that a file which fails keeps no other from its tests.
local function lazy(name, path)
  local f <close> = assert(io.open(path))
  local parts, text = {}, f:read "a":gsub("#[^\n]*", "")
  for from, names in text:gmatch "from (%.*[%w_.]+) import (%b())" do
    for n in names:gmatch "[%w_]+" do parts[n] = from end
  end
  for from, names in text:gmatch "from (%.*[%w_.]+) import ([%w_, ]+)" do
    for n in names:gmatch "[%w_]+" do parts[n] = from end
  end
  local m = P.imports.module(name, {__file__ = path})
  m.__getattr__ = native.make("__getattr__", "name", function(n)
    local from = parts[n]
    if not from then
      P.raise(P.call(P.builtins.AttributeError, n))
    end
    local module = from:match "^%.(.*)$"
    return P.imports.import_from(module and name .. "." .. module or from, n)
  end)
  return m
end

-- locals(): the variables of the function of Python's that calls it.
local function locals()
  local d, level = dict.new(), 2
  while not debug.getinfo(level, "S").source:find "%.py$" do
    level = level + 1
  end
  local f = debug.getinfo(level, "fu")
  local spelled, i, name, v = core.sigs[f.func], 1, debug.getlocal(level, 1)
  while name do
    if v ~= nil and name:find "^%a" then
      dict.put(d, i <= f.nparams and spelled and spelled[i] or name, v)
    end
    i = i + 1
    name, v = debug.getlocal(level, i)
  end
  return d
end

-- What the tests want of Python and of tensors.
local function complete()
  P.builtins.locals = native.make("locals", "", locals)
  core.types.property.dict.fget = setmetatable({fget = native.make("fget", "self", function(p) return p.fget end)}, attr.Property)
  require("moontile.tensor").methods.record_stream = function() end
end

-- A module of the tests without the complex numbers that it makes for types that no kernel has.
local function real(name)
  local path = name:gsub("%.", "/") .. ".py"
  local f <close> = io.open(path)
  local text = f and f:read "a"
  return text and P.imports.run(name, text:gsub("(%d)j%f[%W]", "%1"), path)
end

-- The packages of the suite that lazy() is for.
local function gathering()
  local p <close> = io.popen "grep -LE '^(def|class|if|for) ' $(find src -name __init__.py) 2>/dev/null"
  for path in p:lines() do
    local name = path:match "^src/(.*)/__init__%.py$":gsub("/", ".")
    if not standins[name] then
      P.imports.loaders[name] = function() return lazy(name, path) end
    end
  end
end

-- Writes a program that runs the tests of `file`, each with a few sets of its parameters.  -> its path
function M.program(file, path)
  local torch = P.imports.import "torch" -- and what comes with it: ours stand in front
  for name, here in pairs(standins) do
    P.imports.families[name] = nil
    P.imports.loaders[name] = function() return find(here) end
  end
  for name, values in pairs(own) do
    P.imports.loaders[name] = function() return P.imports.module(name, values()) end
  end
  complete()
  gathering()
  P.imports.loaders["workloads.reduction"] = function() return real "workloads.reduction" end
  for _, name in ipairs {"complex64", "complex128", "complex32"} do -- names of types that no kernel has
    rawset(torch, name, rawget(torch, name) or "torch." .. name)
  end
  local bench = file:find "^benchmarks/"
  if bench then
    foreign_modules()
  end
  local more = find "torch_more"
  for _, name in ipairs {"broadcast_shapes", "ops", "iinfo", "view_as_complex"} do
    rawset(torch, name, rawget(torch, name) or P.attr(more, name))
  end
  torch.randn = P.attr(more, "randn")
  torch.linalg.__getattr__ = P.attr(P.attr(more, "linalg"), "__getattr__")
  local f <close> = assert(io.open(path, "w"))
  local module = file:gsub("%.py$", ""):gsub("/", ".")
  f:write(("import pytest, sys\nimport %s as tests\npytest.without_references()\n%spytest.run(tests, 3, lambda name, why: " ..
    "print('test ' + name + ': ' + why, file=sys.stderr))\n"):format(module, bench and "pytest.without_search()\npytest.without_baselines()\n" or ""))
  return path
end

return M
