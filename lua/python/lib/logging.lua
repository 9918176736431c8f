-- python/lib/logging.lua: Python's module logging: loggers by name, levels, a format; to standard error.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local format = require "moontile.python.format"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local native = require "moontile.python.native"

local M = {DEBUG = 10, INFO = 20, WARNING = 30, WARN = 30, ERROR = 40, CRITICAL = 50, FATAL = 50, NOTSET = 0}

local None = core.None
local names = {[10] = "DEBUG", [20] = "INFO", [30] = "WARNING", [40] = "ERROR", [50] = "CRITICAL"}

-- What basicConfig sets: format, stream; nil: a logger's last resort, the message alone
local config = {}

local function level_of(v)
  return type(v) == "string" and M[v] or v
end

local function record(logger, level, message)
  local d = dict.new()
  local now = os.date "%Y-%m-%d %H:%M:%S"
  for k, v in pairs {levelname = names[level] or "Level " .. level, name = logger.name, message = message,
    asctime = now .. ",000", levelno = level, lineno = 0, filename = "", funcName = "", process = 1, module = "",
    threadName = "MainThread", pathname = ""} do
    dict.put(d, k, v)
  end
  return d
end

local function write(s, stream)
  if stream then
    func.method(stream, "write", s .. "\n")
  else
    func.method(imports.import "sys".stderr, "write", s .. "\n")
  end
end

local function effective(logger)
  while logger do
    if logger.level ~= 0 then
      return logger.level
    end
    logger = logger.parent
  end
  return 30
end

local function handlers_of(logger)
  local list = {}
  while logger do
    for _, h in ipairs(logger.handlers) do
      list[#list + 1] = h
    end
    logger = logger.propagate and logger.parent or nil
  end
  return list
end

local function log(logger, level, message, ...)
  if level < effective(logger) then
    return None
  end
  local text = core.late.str(message)
  if select("#", ...) > 0 then
    text = format.percent(text, core.pack(...))
  end
  local list = handlers_of(logger)
  for _, h in ipairs(list) do
    if level >= h.level then
      write(format.percent(h.format or "%(message)s", record(logger, level, text)), h.stream)
    end
  end
  if #list == 0 and (config.set or level >= 30) then
    write(format.percent(config.format or (config.set and "%(levelname)s:%(name)s:%(message)s" or "%(message)s"),
      record(logger, level, text)), config.stream)
  end
  return None
end

local function library(name, methods)
  local cls = class.make(name, {core.types.object}, {}, {})
  cls.module = "logging"
  for head, fn in pairs(methods) do
    local method, spec = head:match "^([%w_]+)%((.*)%)$"
    core.class_set(cls, method, native.make(name .. "." .. method, spec, fn))
  end
  M[name] = cls
  return cls
end

local Logger = library("Logger", {
  ["setLevel(self, level)"] = function(l, v) l.level = level_of(v) return None end,
  ["addHandler(self, handler)"] = function(l, h) table.insert(l.handlers, h) return None end,
  ["removeHandler(self, handler)"] = function() return None end,
  ["isEnabledFor(self, level)"] = function(l, v) return v >= effective(l) end,
  ["getEffectiveLevel(self)"] = effective, ["hasHandlers(self)"] = function(l) return #handlers_of(l) > 0 end,
})

local function new_logger(name, parent)
  return setmetatable({name = name, level = 0, parent = parent, handlers = core.list {}, propagate = true}, Logger.meta)
end
local root = new_logger("root")
root.level = 30
local loggers = {}
M.root = root

for method, level in pairs {debug = 10, info = 20, warning = 30, warn = 30, error = 40, critical = 50, fatal = 50,
  exception = 40} do
  core.class_set(Logger, method, native.make("Logger." .. method, "**", function(_, l, ...) return log(l, level, ...) end))
  M[method] = native.make(method, "**", function(_, ...)
    config.set = true
    return log(root, level, ...)
  end)
end
core.class_set(Logger, "log", native.make("Logger.log", "**", function(_, l, level, ...) return log(l, level, ...) end))
M.log = native.make("log", "**", function(_, level, ...) return log(root, level, ...) end)

local function handler(name)
  return library(name, {
    ["__init__(self, stream?)"] = function(h, stream)
      h.level, h.stream = 0, stream ~= None and stream or nil
      return None
    end,
    ["setLevel(self, level)"] = function(h, v) h.level = level_of(v) return None end,
    ["setFormatter(self, fmt)"] = function(h, f) h.format = f.format return None end,
  })
end
handler "StreamHandler"
handler "NullHandler"
library("Formatter", {["__init__(self, fmt?, datefmt?, style?)"] = function(f, s)
  f.format = s ~= None and s or nil
  return None
end})

native.functions(M, {
  ["getLogger(name?)"] = function(name)
    if name == nil or name == None or name == "root" then
      return root
    end
    loggers[name] = loggers[name] or new_logger(name, root)
    return loggers[name]
  end,
  ["getLevelName(level)"] = function(v) return type(v) == "string" and M[v] or names[v] or "Level " .. v end,
  ["disable(level?)"] = function(v) root.level = (v or 50) + 1 return None end,
})
M.basicConfig = native.make("basicConfig", "**", function(kw)
  local function get(name)
    local v = kw and dict.get(kw, name)
    return v ~= None and v or nil
  end
  if config.set and not get "force" then
    return None
  end
  if get "filename" then
    exc.fail("NotImplementedError", "moontile's logging writes to a stream only: pass stream=")
  end
  config.set, config.format, config.stream = true, get "format", get "stream"
  root.level = level_of(get "level" or root.level)
  return None
end)

return M
