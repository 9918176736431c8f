-- repl/selfcheck.lua: run by the build: everything public has its help: a signature, a
-- line in both languages, an example; every example can be read; what is documented
-- exists, and no name of TileLang's is forgotten.  An error ends the build.

local bandb = require "moontile.T.bandb"
local help = require "moontile.help"
local names = require "moontile.T.names"
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

local T = require "moontile.T"
local tl = require "moontile.tl"

local wrong = {}

local function complain(fmt, ...)
  wrong[#wrong + 1] = fmt:format(...)
end

-- Rows ------------------------------------------------------------------------------------

local chinese = "[\xE3-\xE9][\x80-\xBF][\x80-\xBF]"

local function filled(s)
  return type(s) == "string" and s ~= ""
end

-- Both languages; Chinese has Chinese in it, unless it is nothing but a formula.
local function check_text(row, field, needed)
  local t = row[field]
  if type(t) ~= "table" or needed and not (filled(t.en) and filled(t.zh)) then
    complain("%s: no %s in both languages", row.name, field)
  elseif (filled(t.en) and t.en:find "%a%a%a") and not t.zh:find(chinese) then
    complain("%s: the Chinese %s is not Chinese", row.name, field)
  end
end

-- The program of an example loads; commands are typed, not loaded.
local function check_example(row)
  if row.kind == "command" then
    if not row.example:find("^:" .. row.name:sub(2, 2):gsub("%p", "%%%0")) and
        not row.example:find "\n:" then
      complain("%s: its example does not use it", row.name)
    end
    return
  end
  local text = row.sample and sample.program(row.sample) or row.example
  local f, err = load(text, "=" .. row.name)
  if not f then
    complain("%s: its example does not load: %s", row.name, tostring(err))
  end
end

local function check_row(row)
  check_text(row, "summary", true)
  check_text(row, "text", row.kind == "topic")
  if row.kind ~= "topic" then
    if not filled(row.sig) then
      complain("%s has no sig", row.name)
    end
    if not filled(row.example) then
      complain("%s has no example%s", row.name,
        row.kind == "command" and ": `example = ` beside its summary" or "")
      return
    end
  end
  if filled(row.example) then
    check_example(row)
  end
  for _, name in ipairs(row.see) do
    if not help.find(name) then
      complain("%s: see %s, which nothing explains", row.name, name)
    end
  end
end

for _, row in ipairs(help.list(nil, true)) do
  if not row.later and not row.alias_of then
    check_row(row)
  end
end

-- What there is has a row -------------------------------------------------------------------

for _, name in ipairs(registry.order) do
  if not registry.names[name].later and rawget(T, name) == nil then
    complain("T.%s is registered, but T does not have it", name)
  end
end

for name in names.bandA:gmatch "%S+" do
  local row = registry.names[name]
  if not row or row.later then
    complain("band A: T.%s is missing", name)
  end
end
for name in (names.bandB .. bandb.later):gmatch "%S+" do
  if not registry.names[name] then
    complain("T.%s answers nothing", name)
  end
end

-- Functions of a module of tl that no row has.
local function check_module(prefix, module)
  for name, v in pairs(module) do
    if type(v) == "function" and type(name) == "string" and not name:find "^_" and
        not help.find(prefix .. name) then
      complain("%s%s has no help: a row of its module's doc table", prefix, name)
    end
  end
end

check_module("tl.", tl)
for _, part in ipairs {"ref", "testing", "profiler"} do
  check_module("tl." .. part .. ".", tl[part])
end
for name in pairs(tl.ops.names) do
  if not help.find("tl.ops." .. name) then
    complain("tl.ops.%s has no help", name)
  end
end
for name in pairs(tl.layout.doc) do
  if tl.layout[name] == nil then
    complain("tl.layout.%s has help and is not there", name)
  end
end

-- Methods: those that are there have a row, and the other way round.
for _, part in ipairs {"kernel", "jit", "tensor", "layout", "results"} do
  for _, list in ipairs(require("moontile.help.of_" .. part)) do
    local known = list.internal or {}
    for name, v in pairs(list.methods) do
      if type(v) == "function" and not name:find "^__" and not known[name] and
          not help.find(list.kind .. ":" .. name) then
        complain("%s:%s has no help: a row of lua/help/of_%s.lua", list.kind, name, part)
      end
    end
    for _, d in ipairs(list) do
      if not d.field and next(list.methods) and list.methods[d[1]] == nil then
        complain("%s:%s has help and is not there", list.kind, d[1])
      end
    end
  end
end

if #wrong > 0 then
  table.sort(wrong)
  error("selfcheck:\n  " .. table.concat(wrong, "\n  "), 0)
end
