-- python/lib/datetime.lua: Python's module datetime: date, datetime, timedelta; of time zones UTC.
--
-- Inside, a timedelta is whole microseconds (us), a date days since 1970 (on), a datetime both (on, us of the day)
-- with utc = true where it has the time zone.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None, NotImplemented = core.None, core.NotImplemented
local getmt = debug.getmetatable
local DAY = 86400 * 1000000

-- Calendar ------------------------------------------------------------------------------------------

-- Days since 1970 of a date, and back: Howard Hinnant's days_from_civil.
local function days_of(y, m, d)
  y = m <= 2 and y - 1 or y
  local era = y // 400
  local of_era = y - era * 400
  local of_year = (153 * (m + (m > 2 and -3 or 9)) + 2) // 5 + d - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

local function civil(day)
  local z = day + 719468
  local era = z // 146097
  local of_era = z - era * 146097
  local year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year + year // 4 - year // 100)
  local month = (5 * of_year + 2) // 153
  local m = month < 10 and month + 3 or month - 9
  return year + era * 400 + (m <= 2 and 1 or 0), m, of_year - (153 * month + 2) // 5 + 1
end

local function month_length(y, m)
  return m == 12 and 31 or days_of(y, m + 1, 1) - days_of(y, m, 1)
end

local function checked(y, m, d)
  if y < 1 or y > 9999 then
    exc.fail("ValueError", ("year %d is out of range"):format(y))
  elseif m < 1 or m > 12 then
    exc.fail("ValueError", "month must be in 1..12")
  elseif d < 1 or d > month_length(y, m) then
    exc.fail("ValueError", "day is out of range for month")
  end
  return days_of(y, m, d)
end

-- timedelta -----------------------------------------------------------------------------------------

local Delta = made.class("timedelta", "datetime", {})

local function delta(us)
  return setmetatable({us = us}, Delta.meta)
end

local function is(v, cls)
  return getmt(v) == cls.meta
end

-- A number of units as microseconds, the half to even.
local function units(v, of)
  if v == nil then
    return 0
  end
  v = core.unbox(v)
  return math.type(v) == "integer" and v * of or func.call(builtins.functions.round, v * of)
end

core.class_set(Delta, "__new__", native.make("timedelta", "cls, days?, seconds?, microseconds?, milliseconds?, minutes?, hours?, weeks?",
  function(_, days, seconds, us, ms, minutes, hours, weeks)
    return delta(units(days, DAY) + units(seconds, 1000000) + units(us, 1) + units(ms, 1000) + units(minutes, 60000000)
      + units(hours, 3600000000) + units(weeks, 7 * DAY))
  end))

local function clock(us, always)
  local s, part = us // 1000000, us % 1000000
  return ("%s:%02d:%02d%s"):format((always and "%02d" or "%d"):format(s // 3600), s // 60 % 60, s % 60, part > 0 and (".%06d"):format(part) or "")
end

local function shown_delta(t)
  local days = t.us // DAY
  return (days ~= 0 and ("%d day%s, "):format(days, math.abs(days) == 1 and "" or "s") or "") .. clock(t.us % DAY)
end

-- A method of two timedeltas.
local function both(f)
  return function(a, b)
    if not is(b, Delta) then
      return NotImplemented
    end
    return f(a.us, b.us)
  end
end

local compares = {
  __eq__ = function(a, b) return a == b end, __lt__ = function(a, b) return a < b end, __le__ = function(a, b) return a <= b end,
  __gt__ = function(a, b) return a > b end, __ge__ = function(a, b) return a >= b end,
}

local function times(t, n)
  if not math.type(n) then
    return NotImplemented
  end
  return delta(units(n, t.us))
end

made.methods(Delta, {
  ["total_seconds(self)"] = function(t) return t.us / 1000000 end,
  ["__str__(self)"] = shown_delta,
  ["__repr__(self)"] = function(t)
    local parts = {}
    for _, p in ipairs {{"days", t.us // DAY}, {"seconds", t.us % DAY // 1000000}, {"microseconds", t.us % 1000000}} do
      parts[#parts + 1] = p[2] ~= 0 and p[1] .. "=" .. p[2] or nil
    end
    return "datetime.timedelta(" .. (#parts > 0 and table.concat(parts, ", ") or "0") .. ")"
  end,
  ["__add__(self, other)"] = both(function(a, b) return delta(a + b) end),
  ["__sub__(self, other)"] = both(function(a, b) return delta(a - b) end),
  ["__mod__(self, other)"] = both(function(a, b) return delta(a % b) end),
  ["__mul__(self, n)"] = times, ["__rmul__(self, n)"] = times,
  ["__truediv__(self, other)"] = function(a, b)
    if is(b, Delta) then
      return a.us / b.us
    end
    return math.type(b) and delta(units(a.us / b, 1)) or NotImplemented
  end,
  ["__floordiv__(self, other)"] = function(a, b)
    if is(b, Delta) then
      return a.us // b.us
    end
    return math.type(b) == "integer" and delta(a.us // b) or NotImplemented
  end,
  ["__neg__(self)"] = function(t) return delta(-t.us) end, ["__abs__(self)"] = function(t) return delta(math.abs(t.us)) end,
  ["__bool__(self)"] = function(t) return t.us ~= 0 end, ["__hash__(self)"] = function(t) return t.us end,
})
for name, f in pairs(compares) do
  made.methods(Delta, {[name .. "(self, other)"] = both(f)})
end
made.properties(Delta, {days = function(t) return t.us // DAY end, seconds = function(t) return t.us % DAY // 1000000 end,
  microseconds = function(t) return t.us % 1000000 end})

-- Time zones ----------------------------------------------------------------------------------------

local Zone = made.class("timezone", "datetime", {
  ["__str__(self)"] = function() return "UTC" end, ["__repr__(self)"] = function() return "datetime.timezone.utc" end,
  ["utcoffset(self, dt)"] = function() return delta(0) end, ["tzname(self, dt)"] = function() return "UTC" end,
})
local utc = setmetatable({}, Zone.meta)
core.class_set(Zone, "__new__", native.make("timezone", "cls, offset, name?", function(_, offset)
  if not is(offset, Delta) or offset.us ~= 0 then
    exc.fail("NotImplementedError", "of time zones there is UTC alone", "py_value", "timezone")
  end
  return utc
end))
core.class_set(Zone, "utc", utc)

local function zone_of(tz)
  if tz == nil or tz == None then
    return nil
  elseif not rawequal(tz, utc) then
    exc.fail("NotImplementedError", "of time zones there is UTC alone", "py_value", "tzinfo")
  end
  return true
end

-- date and datetime ---------------------------------------------------------------------------------

local Date = made.class("date", "datetime", {})
local Stamp = made.class("datetime", "datetime", {}, {Date})

local function date(day)
  return setmetatable({on = day, us = 0}, Date.meta)
end

local function stamp(day, us, zone)
  if us < 0 or us >= DAY then
    day, us = day + us // DAY, us % DAY
  end
  local y = civil(day)
  if y < 1 or y > 9999 then
    exc.fail("OverflowError", "date value out of range")
  end
  return setmetatable({on = day, us = us, utc = zone}, Stamp.meta)
end

core.class_set(Date, "__new__", native.make("date", "cls, year, month, day", function(_, y, m, d) return date(checked(y, m, d)) end))
local function of_parts(y, m, d, h, mi, s, us, tz)
  for _, p in ipairs {{"hour", h, 24}, {"minute", mi, 60}, {"second", s, 60}, {"microsecond", us, 1000000}} do
    if p[2] and (p[2] < 0 or p[2] >= p[3]) then
      exc.fail("ValueError", ("%s must be in 0..%d"):format(p[1], p[3] - 1))
    end
  end
  return stamp(checked(y, m, d), (((h or 0) * 60 + (mi or 0)) * 60 + (s or 0)) * 1000000 + (us or 0), zone_of(tz))
end
core.class_set(Stamp, "__new__", native.make("datetime", "cls, year, month, day, hour?, minute?, second?, microsecond?, tzinfo?",
  function(_, ...) return of_parts(...) end))

-- Seconds since 1970, of local time or of UTC
local function at(seconds, zone)
  local whole = math.floor(seconds)
  local us = func.call(builtins.functions.round, (seconds - whole) * 1000000)
  if zone then
    return stamp(whole // 86400, whole % 86400 * 1000000 + us, true)
  end
  local t = os.date("*t", whole)
  return stamp(days_of(t.year, t.month, t.day), ((t.hour * 60 + t.min) * 60 + t.sec) * 1000000 + us)
end

local function now()
  return func.call(imports.import "time".time)
end

local function seconds_of(t)
  if t.utc then
    return (t.on * DAY + t.us) / 1000000
  end
  local y, m, d = civil(t.on)
  local s = t.us // 1000000
  return os.time {year = y, month = m, day = d, hour = s // 3600, min = s // 60 % 60, sec = s % 60} + t.us % 1000000 / 1000000
end

local function day_text(t)
  return ("%04d-%02d-%02d"):format(civil(t.on))
end

local specs = {
  hours = function(us) return ("%02d"):format(us // 3600000000) end,
  minutes = function(us) return clock(us, true):sub(1, 5) end,
  seconds = function(us) return clock(us, true):sub(1, 8) end,
  milliseconds = function(us) return ("%s.%03d"):format(clock(us, true):sub(1, 8), us % 1000000 // 1000) end,
  microseconds = function(us) return ("%s.%06d"):format(clock(us, true):sub(1, 8), us % 1000000) end,
  auto = function(us) return clock(us, true) end,
}

local function iso(t, sep, spec)
  local f = specs[spec or "auto"] or exc.fail("ValueError", "Unknown timespec value")
  return day_text(t) .. (sep or "T") .. f(t.us) .. (t.utc and "+00:00" or "")
end

local function strftime(t, format)
  local y, m, d = civil(t.on)
  local s = t.us // 1000000
  format = format:gsub("%%(.)", function(c)
    return c == "f" and ("%06d"):format(t.us % 1000000) or c == "z" and (t.utc and "+0000" or "") or c == "Z" and (t.utc and "UTC" or "")
      or nil
  end)
  return os.date("!" .. format, days_of(y, m, d) * 86400 + s)
end

local places = {Y = "(%d%d%d%d)", m = "(%d%d?)", d = "(%d%d?)", H = "(%d%d?)", M = "(%d%d?)", S = "(%d%d?)", f = "(%d+)", y = "(%d%d)",
  j = "(%d+)"}

local function strptime(_, text, format)
  local order = {}
  local pattern = "^" .. format:gsub("[%%]?[^%w%s]", function(c) return c:sub(1, 1) ~= "%" and "%" .. c or nil end):gsub("%%(%a)", function(c)
    if not places[c] then
      exc.fail("NotImplementedError", "strptime does not know %" .. c .. " here", "py_value", c)
    end
    order[#order + 1] = c
    return places[c]
  end) .. "$"
  local found = {text:match(pattern)}
  if #found == 0 then
    exc.fail("ValueError", ("time data %s does not match format %s"):format(core.late.repr(text), core.late.repr(format)))
  end
  local v = {Y = 1900, m = 1, d = 1, H = 0, M = 0, S = 0, f = 0}
  for i, c in ipairs(order) do
    v[c] = math.tointeger(c == "f" and (found[i] .. "000000"):sub(1, 6) or found[i])
  end
  v.Y = v.y and (v.y < 69 and 2000 or 1900) + v.y or v.Y
  return of_parts(v.Y, v.m, v.d, v.H, v.M, v.S, v.f)
end

local function from_iso(_, text)
  local y, m, d, rest = text:match "^(%d%d%d%d)-(%d%d)-(%d%d)(.*)$"
  local h, mi, s, part, zone = (rest or ""):match "^[T ](%d%d):(%d%d):?(%d*)%.?(%d*)([Z+:0]*)$"
  if not y or rest ~= "" and not h then
    exc.fail("ValueError", "Invalid isoformat string: " .. core.late.repr(text))
  end
  local int = math.tointeger
  return of_parts(int(y), int(m), int(d), int(h or 0), int(mi or 0), int(s ~= "" and s or 0),
    int(part and part ~= "" and (part .. "000000"):sub(1, 6) or 0), zone and zone ~= "" and utc or nil)
end

-- a + b, a - b where a is a date of either kind
local function plus(sign)
  return function(a, b)
    local whole = is(a, Date)
    if is(b, Delta) then
      return whole and date(a.on + sign * (b.us // DAY)) or not whole and stamp(a.on, a.us + sign * b.us, a.utc) or nil
    elseif sign > 0 or getmt(b) ~= getmt(a) then
      return NotImplemented
    elseif a.utc ~= b.utc then
      exc.fail("TypeError", "can't subtract offset-naive and offset-aware datetimes")
    end
    return delta((a.on - b.on) * DAY + a.us - b.us)
  end
end

for name, f in pairs(compares) do
  made.methods(Date, {[name .. "(self, other)"] = function(a, b)
    if getmt(a) ~= getmt(b) then
      return NotImplemented
    elseif a.utc ~= b.utc then
      return name == "__eq__" and false or exc.fail("TypeError", "can't compare offset-naive and offset-aware datetimes")
    end
    return f(a.on * DAY + a.us, b.on * DAY + b.us)
  end})
end

made.methods(Date, {
  ["__add__(self, other)"] = plus(1), ["__radd__(self, other)"] = plus(1), ["__sub__(self, other)"] = plus(-1),
  ["__hash__(self)"] = function(t) return t.on * 31 + t.us end,
  ["__str__(self)"] = function(t) return is(t, Date) and day_text(t) or iso(t, " ") end,
  ["__repr__(self)"] = function(t)
    local y, m, d = civil(t.on)
    local s, part = t.us // 1000000, t.us % 1000000
    if is(t, Date) then
      return ("datetime.date(%d, %d, %d)"):format(y, m, d)
    end
    return ("datetime.datetime(%d, %d, %d, %d, %d%s%s)"):format(y, m, d, s // 3600, s // 60 % 60,
      part > 0 and (", %d, %d"):format(s % 60, part) or s % 60 > 0 and (", %d"):format(s % 60) or "", t.utc and ", tzinfo=datetime.timezone.utc" or "")
  end,
  ["__format__(self, spec)"] = function(t, spec) return spec == "" and core.late.str(t) or strftime(t, spec) end,
  ["isoformat(self)"] = day_text, ["strftime(self, format)"] = strftime, ["toordinal(self)"] = function(t) return t.on + 719163 end,
  ["weekday(self)"] = function(t) return (t.on + 3) % 7 end, ["isoweekday(self)"] = function(t) return (t.on + 3) % 7 + 1 end,
  ["replace(self, year?, month?, day?)"] = function(t, y, m, d)
    local a, b, c = civil(t.on)
    return date(checked(y or a, m or b, d or c))
  end,
})
made.methods(Stamp, {
  ["isoformat(self, sep?, timespec?)"] = iso, ["timestamp(self)"] = seconds_of, ["date(self)"] = function(t) return date(t.on) end,
  ["replace(self, year?, month?, day?, hour?, minute?, second?, microsecond?, tzinfo?)"] = function(t, y, m, d, h, mi, s, us, tz)
    local a, b, c = civil(t.on)
    local n = t.us // 1000000
    if tz == nil then
      tz = t.utc and utc or nil
    end
    return of_parts(y or a, m or b, d or c, h or n // 3600, mi or n // 60 % 60, s or n % 60, us or t.us % 1000000, tz)
  end,
  ["astimezone(self, tz?)"] = function(t, tz)
    if zone_of(tz) == nil then
      exc.fail("NotImplementedError", "astimezone() needs timezone.utc here", "py_value", "tz")
    end
    return t.utc and t or at(seconds_of(t), true)
  end,
})

made.properties(Date, {year = function(t) return (civil(t.on)) end, month = function(t) return (select(2, civil(t.on))) end,
  day = function(t) return (select(3, civil(t.on))) end})
made.properties(Stamp, {
  hour = function(t) return t.us // 3600000000 end, minute = function(t) return t.us // 60000000 % 60 end,
  second = function(t) return t.us // 1000000 % 60 end, microsecond = function(t) return t.us % 1000000 end,
  tzinfo = function(t) return t.utc and utc or None end,
})

made.classmethod(Date, "today", function(cls)
  local t = at(now())
  return cls == Stamp and t or date(t.on)
end)
made.classmethod(Date, "fromisoformat", function(cls, _, text)
  local t = from_iso(nil, text)
  return cls == Stamp and t or date(t.on)
end)
made.classmethod(Stamp, "now", function(_, kw, tz)
  if kw and tz == nil then
    tz = require("moontile.python.dict").get(kw, "tz")
  end
  return at(now(), zone_of(tz))
end)
made.classmethod(Stamp, "utcnow", function()
  local t = at(now(), true)
  return stamp(t.on, t.us)
end)
made.classmethod(Stamp, "fromtimestamp", function(_, kw, seconds, tz)
  return at(seconds, zone_of(tz or kw and require("moontile.python.dict").get(kw, "tz")))
end)
made.classmethod(Stamp, "strptime", function(_, _, text, format) return strptime(nil, text, format) end)

M.timedelta, M.date, M.datetime, M.timezone, M.tzinfo, M.UTC = Delta, Date, Stamp, Zone, Zone, utc
M.MINYEAR, M.MAXYEAR = 1, 9999

return M
