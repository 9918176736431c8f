-- python/lib/tqdm.lua: the package tqdm: what it goes over, without a bar.

local core = require "moontile.python.core"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local function nothing() return core.None end

local Bar = made.class("tqdm", "tqdm", {
  ["__init__(**)"] = function(_, b, items)
    b.items = items or core.list {}
    return core.None
  end,
  ["__iter__(self)"] = function(b) return iter.object(b.items) end,
  ["__enter__(self)"] = function(b) return b end,
  ["__exit__(self, kind, value, traceback)"] = nothing, ["close(self)"] = nothing,
  ["update(self, n?)"] = nothing, ["set_description(**)"] = nothing, ["set_postfix(**)"] = nothing,
  ["set_postfix_str(**)"] = nothing, ["refresh(self)"] = nothing,
})
M.tqdm = Bar
M.trange = native.make("trange", "**", function(_, ...)
  local range = core.types.range
  return Bar.construct(range.construct(...))
end)

return M
