-- python/lib/gc.lua: Python's module gc.

local core = require "moontile.python.core"
local native = require "moontile.python.native"

local M = {}

local function nothing() return core.None end

native.functions(M, {
  ["collect(generation?)"] = function()
    collectgarbage()
    return 0
  end,
  ["enable()"] = nothing, ["disable()"] = nothing, ["isenabled()"] = function() return true end,
})

return M
