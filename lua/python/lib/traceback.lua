-- python/lib/traceback.lua: Python's module traceback: the exception that is handled, as a text.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"

local M = {}

local function text(e)
  local p = e[exc.PLACE] or {}
  local where = p[1] and ('  File "%s", line %d\n'):format(p[1]:gsub("^[@=]", ""), p[2] or 0) or ""
  return "Traceback (most recent call last):\n" .. where .. exc.title(e) .. "\n"
end

local function current()
  local e = exc.handling()
  return e and text(e) or "NoneType: None\n"
end

native.functions(M, {
  ["format_exc()"] = current,
  ["print_exc()"] = function()
    io.flush()
    io.stderr:write(current())
    return core.None
  end,
  ["format_exception(exc, value?, tb?)"] = function(e, v)
    return core.list {text(v ~= nil and v or e)}
  end,
  ["print_exception(exc, value?, tb?)"] = function(e, v)
    io.stderr:write(text(v ~= nil and v or e))
    return core.None
  end,
  ["print_stack()"] = function() return core.None end,
})

return M
