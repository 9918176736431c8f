-- selfcheck.lua: run by the build: every name of T and tl has its signature,
-- summary and example, every example can be read, and no name of TileLang's is
-- forgotten.  An error ends the build.

local names = require "moontile.T.names"
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

local T = require "moontile.T"
local tl = require "moontile.tl"
local bandb = require "moontile.T.bandb"

local wrong = {}

local function complain(fmt, ...)
  wrong[#wrong + 1] = fmt:format(...)
end

local function check_row(row)
  for _, field in ipairs {"sig", "summary", "summary_zh", "example"} do
    if type(row[field]) ~= "string" or row[field] == "" then
      complain("T.%s has no %s", row.name, field)
      return
    end
  end
  if not row.summary_zh:find("[\xE4-\xE9][\x80-\xBF][\x80-\xBF]") then
    complain("T.%s: the Chinese summary is not Chinese", row.name)
  end
  if rawget(T, row.name) == nil then
    complain("T.%s is registered, but T does not have it", row.name)
  end
  if not row.alias_of then
    local f, err = load((sample.program(row)), "=T." .. row.name)
    if not f then
      complain("T.%s: its example does not load: %s", row.name, tostring(err))
    end
  end
end

for _, name in ipairs(registry.order) do
  local row = registry.names[name]
  if not row.later then
    check_row(row)
  end
end

for name in names.bandA:gmatch("%S+") do
  local row = registry.names[name]
  if not row or row.later then
    complain("band A: T.%s is missing", name)
  end
end
for name in (names.bandB .. bandb.later):gmatch("%S+") do
  if not registry.names[name] then
    complain("T.%s answers nothing", name)
  end
end

for name, v in pairs(tl) do
  local d = tl.doc[name]
  if type(v) == "function" and not name:find("_cache", 1, true) and not name:find("^set_log") then
    for _, field in ipairs {"sig", "summary", "example"} do
      if not d or type(d[field]) ~= "string" then
        complain("tl.%s has no %s", name, field)
        break
      end
    end
  end
end

if #wrong > 0 then
  error("selfcheck:\n  " .. table.concat(wrong, "\n  "), 0)
end
