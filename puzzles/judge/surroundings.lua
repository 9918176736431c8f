-- judge/surroundings.lua: what a program that is judged finds around it.
--
--   local around = surroundings.make{print = f}   -> its table of globals
--
-- T, a tl without devices and files, and the harmless part of Lua's library.  A name that
-- is not there says so where it is used.  Tables of ours are shown through others that
-- cannot be changed, and metatables of ours not at all, so that a program changes
-- nothing but its own things.

local T = require "moontile.T"
local jit = require "moontile.tl.jit"
local kernel = require "moontile.tl.kernel"
local place = require "moontile.base.place"
local stage = require "moontile.stage"
local tensors = require "moontile.tl.tensor"
local tl = require "moontile.tl"

local M = {}

local getmt, setmt = debug.getmetatable, debug.setmetatable

-- What there is -------------------------------------------------------------------------

-- Names of Lua's library as it is.
local plain = {
  "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
  "select", "tonumber", "tostring", "type", "xpcall", "_VERSION",
}

local libraries = {"math", "string", "table", "utf8"}

-- Names of Lua and of moontile that a program may look for.
local absent = {
  "io", "os", "debug", "package", "coroutine", "plot", "arg",
  "load", "loadfile", "loadstring", "dofile", "collectgarbage", "warn", "help", "ref",
}

-- Names of tl, besides tensors.
local host = {
  "jit", "compile", "par_compile", "version", "__version__", "PassConfigKey", "allclose",
  "enable_cache", "disable_cache", "is_cache_enabled", "set_log_level",
}

-- Of these nothing is in tl.doc.
local host_absent = {ops = true, profiler = true, TensorSupplyType = true}

local files = {load = true, save = true}

-- C of one's own: it goes to a compiler as it is.
local foreign_source = {"import_source", "call_extern", "call_pure_extern"}

-- What a kernel can do without a device.
local of_kernel = {launch = true, ir = true, signature = true}

-- Refusing ------------------------------------------------------------------------------

local function refuse(word, name)
  place.fail(word, "judge_name", name)
end

-- A function that is not there.
local function no(name)
  local word = name:match "[%w_]+$"
  return function() refuse(word, name) end
end

-- A library, or whatever else has names, that is not there.
local function none(name)
  return setmt({}, {
    __name = name,
    __index = function(_, k) refuse(tostring(k), name .. "." .. tostring(k)) end,
    __newindex = function(_, k) refuse(tostring(k), name .. "." .. tostring(k)) end,
    __call = no(name),
  })
end

-- t as it is, but unchangeable.
local function frozen(t, name)
  return setmt({}, {
    __name = name,
    __index = t,
    __newindex = function(_, k)
      place.fail(tostring(k), "judge_frozen", name .. "." .. tostring(k))
    end,
    __pairs = function(self)
      return function(_, k) return next(t, k) end, self, nil
    end,
  })
end

-- Metatables ----------------------------------------------------------------------------

-- Those that the program has made: of all others it learns nothing.
local own = setmetatable({}, {__mode = "k"})

local function getmetatable_of(v)
  local mt = getmt(v)
  if not own[mt] then
    return nil
  end
  local shown = rawget(mt, "__metatable")
  return shown == nil and mt or shown
end

local function setmetatable_of(t, mt)
  local before = getmt(t)
  if type(t) ~= "table" then
    error(("bad argument #1 to 'setmetatable' (table expected, got %s)"):format(type(t)), 2)
  elseif mt ~= nil and type(mt) ~= "table" then
    error("bad argument #2 to 'setmetatable' (nil or table expected)", 2)
  elseif before and (not own[before] or rawget(before, "__metatable") ~= nil) then
    error("cannot change a protected metatable", 2)
  elseif mt and (getmt(mt) and not own[getmt(mt)]) then
    error("bad argument #2 to 'setmetatable' (nil or table expected)", 2)
  elseif mt and rawget(mt, "__gc") ~= nil then
    refuse("__gc", "__gc")
  end
  own[mt or t] = mt and true
  return setmt(t, mt)
end

-- Libraries -----------------------------------------------------------------------------

local function copy(t)
  local r = {}
  for k, v in next, t do
    r[k] = v
  end
  return r
end

-- Methods of strings are the library's; what the program adds to its `string` is found too.
local function open_string(env)
  rawset(string, "dump", no "string.dump")
  env.string = copy(string)
  setmt(string, {__index = env.string})
end

-- Random numbers are the same in every run.
local function open_math(env)
  local seed = math.randomseed
  seed(0)
  function env.math.randomseed(...)
    return seed(select("#", ...) == 0 and 0 or ...)
  end
end

local modules = {
  T = "T", ["moontile.T"] = "T", ["tilelang.language"] = "T",
  tl = "tl", ["moontile.tl"] = "tl", tilelang = "tl",
}

local function open_require(env)
  function env.require(name)
    local global = modules[name]
    if not global then
      refuse("require", ("require %q"):format(tostring(name)))
    end
    return env[global]
  end
end

-- tl ------------------------------------------------------------------------------------

-- tl.autotune: the judge gives the configuration.
local function autotune(f)
  if getmt(f) == jit.Jit then
    return f
  end
  return function(g) return g end
end

-- Parts of tl that are loaded when they are used.
local later = {
  ref = function() return require "moontile.tl.ref" end,
  layout = function() return require "moontile.tl.layout" end,
  testing = function()
    local t = require "moontile.tl.testing"
    return {assert_close = t.assert_close, allclose = t.allclose}
  end,
}

local function make_tl(t)
  local r = {language = t, autotune = autotune}
  for _, name in ipairs(host) do
    r[name] = tl[name]
  end
  for name in next, tensors.doc do
    r[name] = not files[name] and tl[name] or nil
  end
  return setmt(r, {__index = function(_, k)
    if later[k] then
      r[k] = frozen(later[k](), "tl." .. k)
      return r[k]
    elseif tl.doc[k] or host_absent[k] then
      refuse(k, "tl." .. k)
    end
    return tl[k] -- says what is wrong with the name
  end})
end

-- Methods of kernels and of tl.jit's functions that want a device, a compiler or a file.
local function close_methods()
  for name in next, kernel.methods do
    if not of_kernel[name] then
      kernel.methods[name] = no("kernel:" .. name)
    end
  end
  jit.Jit.tune = no "jit:tune"
  jit.Jit.get_kernel_source = no "jit:get_kernel_source"
end

-- All of it -----------------------------------------------------------------------------

function M.make(spec)
  local env = {print = spec.print}
  for _, name in ipairs(plain) do
    env[name] = _G[name]
  end
  for _, name in ipairs(libraries) do
    env[name] = copy(_G[name])
  end
  for _, name in ipairs(absent) do
    env[name] = type(_G[name]) == "function" and no(name) or none(name)
  end
  env.loadstring = no "loadstring"
  open_string(env)
  open_math(env)
  open_require(env)
  env.getmetatable, env.setmetatable = getmetatable_of, setmetatable_of
  for _, name in ipairs(foreign_source) do
    T[name] = no("T." .. name)
  end
  env.T = frozen(T, "T")
  env.tl = frozen(make_tl(env.T), "tl")
  env.__stage = frozen(stage, "__stage")
  env._G = env
  close_methods()
  return env
end

return M
