-- python/lib/packaging_version.lua: packaging.version: versions in their order.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local order = {dev = -4, a = -3, alpha = -3, b = -2, beta = -2, rc = -1, c = -1, post = 1}

-- "1.2.3rc1+cu12" -> {release numbers}, rank of what follows, its number; nil: it is none
local function parts(text)
  local release, rest = text:match "^%s*v?(%d[%d.]*)(.-)%s*$"
  if not release then
    return nil
  end
  local numbers = {}
  for n in release:gmatch "%d+" do numbers[#numbers + 1] = tonumber(n) end
  while #numbers > 1 and numbers[#numbers] == 0 do numbers[#numbers] = nil end
  local word, n = rest:gsub("%+.*$", ""):match "^[%.%-_]?(%a+)[%.%-_]?(%d*)$"
  return numbers, word and order[word:lower()] or 0, tonumber(n) or 0
end

-- -1, 0 or 1
local function compare(a, b)
  for i = 1, math.max(#a.numbers, #b.numbers) do
    local x, y = a.numbers[i] or 0, b.numbers[i] or 0
    if x ~= y then
      return x < y and -1 or 1
    end
  end
  local x, y = a.rank * 1000 + a.count, b.rank * 1000 + b.count
  return x < y and -1 or x > y and 1 or 0
end

local Version
local function test(f)
  return function(a, b)
    if debug.getmetatable(b) ~= Version.meta then
      return core.NotImplemented
    end
    return f(compare(a, b))
  end
end

Version = made.class("Version", "packaging.version", {
  ["__init__(self, version)"] = function(v, text)
    v.numbers, v.rank, v.count = parts(core.late.str(text))
    if not v.numbers then
      exc.fail("ValueError", ("Invalid version: '%s'"):format(core.late.str(text)), nil, "Version")
    end
    v.text = core.late.str(text)
    return core.None
  end,
  ["__str__(self)"] = function(v) return v.text end,
  ["__repr__(self)"] = function(v) return ("<Version('%s')>"):format(v.text) end,
  ["__lt__(self, other)"] = test(function(c) return c < 0 end), ["__le__(self, other)"] = test(function(c) return c <= 0 end),
  ["__gt__(self, other)"] = test(function(c) return c > 0 end), ["__ge__(self, other)"] = test(function(c) return c >= 0 end),
  ["__eq__(self, other)"] = test(function(c) return c == 0 end), ["__ne__(self, other)"] = test(function(c) return c ~= 0 end),
})
for i, name in ipairs {"major", "minor", "micro"} do
  made.properties(Version, {[name] = function(v) return v.numbers[i] or 0 end})
end

M.Version = Version
M.parse = native.make("parse", "version", function(text) return Version.construct(text) end)

return M
