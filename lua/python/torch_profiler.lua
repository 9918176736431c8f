-- python/torch_profiler.lua: torch.profiler: the kernels that ran within `with torch.profiler.profile(..) as prof`, how often and how
-- long, from prof.key_averages().  A launch is done when it returns: its time is that of the call.  What the processor does is
-- not recorded.

local core = require "moontile.python.core"
local clock = require("moontile.ir").clock
local device = require "moontile.tl.device"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None = core.None

local running = {} -- the profiles that are on

-- A launch of `name` that took so many seconds.
local function note(name, seconds)
  for p in pairs(running) do
    local e = p.kernels[name] or {name = name, count = 0, us = 0}
    p.kernels[name] = e
    e.count, e.us = e.count + 1, e.us + seconds * 1e6
  end
end

local function start(p)
  running[p] = true
  device.timed = function(k, launch)
    local from = clock()
    launch()
    note(k.name .. "_kernel", clock() - from)
  end
  return p
end

local function stop(p)
  running[p] = nil
  if not next(running) then
    device.timed = nil
  end
  return None
end

-- Averages --------------------------------------------------------------------------

local Event = made.class("FunctionEventAvg", "torch.autograd.profiler_util", {
  ["__repr__(self)"] = function(e) return ("<FunctionEventAvg key=%s device_time=%.3fus>"):format(e.key, e.device_time) end,
})

local function time_text(us)
  if us >= 1e6 then
    return ("%.3fs"):format(us / 1e6)
  end
  return us >= 1e3 and ("%.3fms"):format(us / 1e3) or ("%.3fus"):format(us)
end

local function pad(text, width) return text .. (" "):rep(width - #text) end

-- The events with a line of heads, the longest first.
local function drawn(list, width)
  local rows = {{"Name", "CUDA total", "CUDA time avg", "# of Calls"}}
  for i = 1, list.n do
    local e = list[i]
    local name = #e.key > width and e.key:sub(1, width - 3) .. "..." or e.key
    rows[#rows + 1] = {name, time_text(e.device_time_total), time_text(e.device_time), tostring(e.count)}
  end
  local most = {0, 0, 0, 0}
  for _, r in ipairs(rows) do
    for i, text in ipairs(r) do most[i] = math.max(most[i], #text) end
  end
  local lines = {}
  for i, r in ipairs(rows) do
    local cells = {}
    for c, text in ipairs(r) do
      cells[c] = c == 1 and pad(text, most[c]) or (" "):rep(most[c] - #text) .. text
    end
    lines[#lines + 1] = table.concat(cells, "  ")
    if i == 1 then
      lines[#lines + 1] = ("-"):rep(#lines[1])
    end
  end
  return table.concat(lines, "\n")
end

local Events = made.class("EventList", "torch.autograd.profiler_util", {
  ["table(self, sort_by?, row_limit?, max_src_column_width?, max_name_column_width?)"] = function(l, _, limit, _, width)
    local list = {n = math.min(l.list.n, math.type(limit) and limit >= 0 and limit or l.list.n)}
    table.move(l.list, 1, list.n, 1, list)
    return drawn(list, math.type(width) and width or 55)
  end,
  ["__iter__(self)"] = function(l) return func.call(core.late.attr(l.list, "__iter__")) end,
  ["__len__(self)"] = function(l) return l.list.n end,
  ["__getitem__(self, k)"] = function(l, k) return func.call(core.late.attr(l.list, "__getitem__"), k) end,
})

local function averages(p)
  local list = {}
  for _, e in pairs(p.kernels) do
    local t = e.us / e.count
    list[#list + 1] = made.object(Event, {key = e.name, count = e.count, device_time_total = e.us, self_device_time_total = e.us,
      cuda_time_total = e.us, self_cuda_time_total = e.us, device_time = t, cuda_time = t, cpu_time_total = 0.0, cpu_time = 0.0})
  end
  table.sort(list, function(a, b)
    return a.device_time_total > b.device_time_total or a.device_time_total == b.device_time_total and a.key < b.key
  end)
  return made.object(Events, {list = core.list(list, #list)})
end

-- Names -----------------------------------------------------------------------------

local Profile = made.class("profile", "torch.profiler", {
  ["__init__(**)"] = function(_, p)
    p.kernels = {}
    return None
  end,
  ["__enter__(self)"] = start,
  ["__exit__(self, kind, value, traceback)"] = function(p) return stop(p) end,
  ["start(self)"] = function(p) start(p) return None end,
  ["stop(self)"] = stop,
  ["step(self)"] = function() return None end,
  ["key_averages(**)"] = function(_, p) return averages(p) end,
  ["export_chrome_trace(self, path)"] = function()
    exc.fail("NotImplementedError", "no traces are written here: key_averages() has the kernels; :trace k at the prompt shows one", nil,
      "export_chrome_trace")
  end,
})

-- module(name, values): a module of Python
function M.module(module)
  local activity = made.class("ProfilerActivity", "torch.profiler", {})
  local function member(name) return made.object(activity, {name = name}) end
  for _, name in ipairs {"CPU", "CUDA", "XPU"} do
    core.class_set(activity, name, member(name))
  end
  return module("torch.profiler", {profile = Profile, ProfilerActivity = activity,
    record_function = native.make("record_function", "name, args?", (made.manager("record_function", "torch.profiler"))),
    schedule = made.constant("schedule", None)})
end

return M
