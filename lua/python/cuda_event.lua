-- python/cuda_event.lua: torch.cuda.Event: moments between launches.  A launch is done when it returns, so the
-- clock of the machine says what a stream's event would.

local class = require "moontile.python.class"
local clock = require("moontile.ir").clock
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"

local None, SECRET = core.None, {} -- SECRET: what an event keeps for itself

local Event = class.make("Event", {core.types.object}, {}, {})
Event.module = "torch.cuda"

local function nothing()
  return None
end

-- What an event keeps, if it can be measured with.
local function measured(e)
  local state = getmetatable(e) == Event.meta and e[SECRET] or
    exc.fail("TypeError", "elapsed_time() argument must be an Event")
  if not state.timing then
    exc.fail("ValueError", "Both events must be created with argument 'enable_timing=True'.")
  elseif not state.at then
    exc.fail("ValueError", "Both events must be recorded before calculating elapsed time.")
  end
  return state.at
end

native.methods(Event, {
  ["__init__(self, enable_timing?, blocking?, interprocess?)"] = function(e, timing)
    e[SECRET] = {timing = timing == true}
    return None
  end,
  ["record(self, stream?)"] = function(e)
    e[SECRET].at = clock()
    return None
  end,
  ["synchronize(self)"] = nothing, ["wait(self, stream?)"] = nothing,
  ["query(self)"] = function() return true end,
  ["elapsed_time(self, end_event)"] = function(e, last)
    local from = measured(e)
    return (measured(last) - from) * 1e3
  end,
  ["__repr__(self)"] = function(e)
    return ("<torch.cuda.Event%s>"):format(e[SECRET].at and "" or " uninitialized")
  end,
})

return Event
