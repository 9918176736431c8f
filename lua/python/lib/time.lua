-- python/lib/time.lua: Python's module time.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"

local M = {}

local clock = require("moontile.ir").clock

-- Seconds since 1970: a clock's, which only goes forward, from the system's time on.
local start, began = os.time(), clock()

local function now()
  return start + (clock() - began)
end

local function broken_down(t)
  local d = os.date("*t", t and math.floor(t) or nil)
  return require("moontile.python.lib.collections").info("struct_time", {"tm_year", "tm_mon", "tm_mday", "tm_hour",
    "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"}, {d.year, d.month, d.day, d.hour, d.min, d.sec,
    (d.wday + 5) % 7, d.yday, d.isdst and 1 or 0})
end

local function sleep(seconds)
  if seconds < 0 then
    exc.fail("ValueError", "sleep length must be non-negative")
  end
  local file = io.popen and io.popen(("sleep %.6f"):format(seconds))
  if file then
    file:close()
  end
  return core.None
end

local function strftime(format, t)
  return os.date(format, t and os.time {year = t[1], month = t[2], day = t[3], hour = t[4], min = t[5], sec = t[6]})
end

native.functions(M, {
  ["time()"] = now, ["perf_counter()"] = clock, ["monotonic()"] = clock, ["process_time()"] = os.clock,
  ["time_ns()"] = function() return math.floor(now() * 1e9) end,
  ["perf_counter_ns()"] = function() return math.floor(clock() * 1e9) end,
  ["sleep(seconds)"] = sleep, ["localtime(seconds?)"] = broken_down, ["gmtime(seconds?)"] = broken_down,
  ["strftime(format, t?)"] = strftime, ["ctime(seconds?)"] = function(t) return os.date("%c", t and math.floor(t)) end,
})

return M
