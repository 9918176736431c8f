-- python/lib/statistics.lua: Python's module statistics.

local builtins = require "moontile.python.builtins"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local sort = require "moontile.python.sort"

local M = {}

M.StatisticsError = exc.define("statistics", "StatisticsError", "ValueError")

local function values(v, least, name)
  local l = iter.list(v)
  if l.n < least then
    exc.throw(exc.make(M.StatisticsError, least == 1 and name .. " requires at least one data point"
      or name .. " requires at least two data points"))
  end
  return l
end

local function mean(v)
  local l = values(v, 1, "mean")
  local s = func.call(require("moontile.python.lib.math").fsum, l) / l.n
  local whole = true
  for i = 1, l.n do
    whole = whole and math.type(l[i]) == "integer"
  end
  return whole and math.tointeger(s) or s
end

local function fmean(v)
  return mean(v) + 0.0
end

local function variance(less)
  return function(v)
    local l = values(v, less + 1, "variance")
    local m, s = fmean(l), 0.0
    for i = 1, l.n do
      s = s + (builtins.to_float(l[i]) - m) ^ 2
    end
    return s / (l.n - less)
  end
end

local function sorted(v)
  return sort.sort(values(v, 1, "median"))
end

native.functions(M, {
  ["mean(data)"] = mean, ["fmean(data)"] = fmean, ["variance(data)"] = variance(1), ["pvariance(data)"] = variance(0),
  ["stdev(data)"] = function(v) return math.sqrt(variance(1)(v)) end,
  ["pstdev(data)"] = function(v) return math.sqrt(variance(0)(v)) end,
  ["median(data)"] = function(v)
    local l = sorted(v)
    local h = l.n // 2
    return l.n % 2 == 1 and l[h + 1] or (l[h] + l[h + 1]) / 2
  end,
  ["median_low(data)"] = function(v) local l = sorted(v) return l[(l.n + 1) // 2] end,
  ["median_high(data)"] = function(v) local l = sorted(v) return l[l.n // 2 + 1] end,
  ["geometric_mean(data)"] = function(v)
    local l, s = values(v, 1, "geometric mean"), 0.0
    for i = 1, l.n do
      s = s + math.log(builtins.to_float(l[i]))
    end
    return math.exp(s / l.n)
  end,
})

return M
