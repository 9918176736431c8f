-- judge/fields.lua: what index.lua and puzzle.lua return: is it what puzzles/README.md says?
--
--   fields.check(file, p)                    raises what is wrong with a puzzle
--   fields.check_foreign(file, p)            more, of somebody else's: nothing larger, and no
--                                            text other, than what moontile is made for
--   fields.check_index(file, index, foreign) the same of a course

local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local extent = require "moontile.puzzles.judge.extent"
local suggest = require "moontile.base.suggest"
local types = require "moontile.base.types"

local M = {}

-- Checking -------------------------------------------------------------------------------

function M.describe(v)
  if type(v) == "string" then
    return (("%q"):format(v):gsub("\\\n", "\\n"):sub(1, 80))
  elseif type(v) == "table" or type(v) == "function" then
    return "a " .. type(v)
  end
  return v ~= v and "NaN" or tostring(v)
end
local describe = M.describe

-- Kinds of fields: does v have it?
local kinds = {
  text = function(v)
    return type(v) == "table" and type(v.en) == "string" and type(v.zh) == "string" and
      v.en ~= "" and v.zh ~= ""
  end,
  string = function(v) return type(v) == "string" and v ~= "" end,
  number = function(v) return type(v) == "number" end,
  list = function(v) return type(v) == "table" and #v > 0 end,
  table = function(v) return type(v) == "table" end,
  call = function(v) return type(v) == "function" end,
  boolean = function(v) return type(v) == "boolean" end,
  level = function(v) return v == "easy" or v == "medium" or v == "hard" end,
  precision = function(v) return v == "exact" or type(v) == "table" end,
  fill = function(v) return type(v) == "string" or type(v) == "table" or type(v) == "function" end,
}
local named = {
  text = "{en = text, zh = text}", list = "a list", call = "a function", level =
    "easy, medium or hard", precision = "exact or a table", fill = "a kind, or a function",
}

-- Field -> {kind, needed}.
local schema = {
  puzzle = {
    name = {"string", true}, title = {"text", true}, level = {"level", true},
    minutes = {"number", true}, teaches = {"text", true}, names = {"list", true},
    parts = {"list", true},
  },
  part = {
    name = {"string", true}, title = {"text"}, given = {"boolean"}, inputs = {"list", true},
    outputs = {"list", true}, config = {"table"}, visible = {"list", true},
    hidden = {"table", true}, beyond = {"table"}, grows = {"table"}, asked = {"table"}, large = {"table"}, large_config = {"table"},
    reference = {"call", true}, precision = {"precision", true}, cpu = {"boolean"},
    goals = {"table"}, stars = {"boolean"}, warps = {"list"}, explain = {"table"},
    deterministic = {"boolean"},
  },
  input = {name = {"string", true}, shape = {"table"}, dtype = {"string"}, fill = {"fill"},
    edge = {"table"}, scalar = {"string"}, value = {"any"}},
  output = {name = {"string", true}, shape = {"table", true}, dtype = {"string", true}},
  goal = {id = {"string", true}, en = {"string", true}, zh = {"string", true},
    test = {"call", true}, everywhere = {"boolean"}},
  explain = {outcome = {"string"}, pattern = {"string"}, cause = {"string"}, code = {"string"},
    goal = {"string"}, stage = {"string"}, en = {"string", true}, zh = {"string", true}},
  index = {name = {"string"}, title = {"text"}, version = {"string"}, license = {"string"},
    puzzles = {"list", true}, arcs = {"table"}, welcome = {"text"}, final = {"text"}},
  arc = {first = {"string", true}, title = {"text", true}},
}

local function check(file, where, t, rules)
  if type(t) ~= "table" then
    diag.fail("puzzle_field", file, where, describe(t), "a table")
  end
  local known, missing = {}, {}
  for key in pairs(rules) do
    known[#known + 1] = key
  end
  table.sort(known)
  for _, key in ipairs(known) do
    local r, v = rules[key], t[key]
    if v == nil and r[2] then
      missing[#missing + 1] = ("%s (%s)"):format(key, named[r[1]] or r[1])
    elseif v ~= nil and r[1] ~= "any" and not kinds[r[1]](v) then
      diag.fail("puzzle_field", file, where .. "." .. key, describe(v), named[r[1]] or r[1])
    end
  end
  if #missing > 0 then
    diag.fail("puzzle_missing", file, where, table.concat(missing, ", "))
  end
  for key in pairs(t) do
    if not rules[key] then
      diag.fail("puzzle_field", file, where .. "." .. tostring(key), "unknown",
        suggest.find(tostring(key), known) or table.concat(known, ", "))
    end
  end
end

local MostMissing = 60 -- fields that a message names

-- Adds what t, found at `where`, lacks to a list: "parts[1].inputs (a list)".
local function add_missing(list, where, t, rules)
  local found = {}
  for key, r in pairs(rules) do
    if type(t) == "table" and t[key] == nil and r[2] then
      found[#found + 1] = ("%s%s (%s)"):format(where, key, named[r[1]] or r[1])
    end
  end
  table.sort(found)
  table.move(found, 1, #found, #list + 1, list)
end

-- All that a puzzle and its parts lack, in one message: whoever writes one sees what is left.
local function check_whole(file, p)
  local list, within = {}, {inputs = schema.input, outputs = schema.output, goals = schema.goal,
    explain = schema.explain}
  add_missing(list, "", p, schema.puzzle)
  for i, part in ipairs(type(p.parts) == "table" and p.parts or {}) do
    local where = ("parts[%d]."):format(i)
    add_missing(list, where, part, schema.part)
    for _, key in ipairs {"inputs", "outputs", "goals", "explain"} do
      local of = type(part) == "table" and type(part[key]) == "table" and part[key] or {}
      for k, v in ipairs(of) do
        add_missing(list, ("%s%s[%d]."):format(where, key, k), v, within[key])
      end
    end
  end
  if #list > 0 then
    diag.fail("puzzle_missing", file, "puzzle", table.concat(list, ", ", 1, math.min(#list, MostMissing)) ..
      (#list > MostMissing and ", ..." or ""))
  end
end

local function check_each(file, where, list, rules)
  for i, v in ipairs(list or {}) do
    check(file, ("%s[%d]"):format(where, i), v, rules)
  end
end

local function dtype_known(file, where, name)
  if name and not pcall(types.info, name) then
    diag.fail("puzzle_field", file, where, describe(name), "a dtype")
  end
end

local function check_part(file, where, part)
  check(file, where, part, schema.part)
  check_each(file, where .. ".inputs", part.inputs, schema.input)
  check_each(file, where .. ".outputs", part.outputs, schema.output)
  check_each(file, where .. ".goals", part.goals, schema.goal)
  check_each(file, where .. ".explain", part.explain, schema.explain)
  for i, v in ipairs(part.inputs) do
    local place = ("%s.inputs[%d]"):format(where, i)
    dtype_known(file, place, v.dtype or v.scalar)
    if (v.scalar == nil) == (v.dtype == nil) or v.dtype and not v.shape then
      diag.fail("puzzle_field", file, place, "a table", "with shape and dtype, or with scalar")
    end
  end
  for i, v in ipairs(part.outputs) do
    dtype_known(file, ("%s.outputs[%d]"):format(where, i), v.dtype)
  end
end

function M.check(file, p)
  if type(p) == "table" then
    check_whole(file, p)
  end
  check(file, "puzzle", p, schema.puzzle)
  for i, part in ipairs(p.parts) do
    check_part(file, ("parts[%d]"):format(i), part)
  end
end

-- Of somebody else's ---------------------------------------------------------------------

local Largest = 1 << 31      -- a size
local LargeBytes = 4 << 30   -- of the tensors that a kernel is timed on
local Title, Said = 200, 2000

local function need(ok, file, where, v, want)
  if not ok then
    diag.fail("puzzle_field", file, where, describe(v), want)
  end
end

local function is_name(v)
  return type(v) == "string" and #v <= 48 and v:find "^[%a_][%w_]*$" ~= nil
end

local function is_size(v)
  return math.type(v) == "integer" and v >= 0 and v <= Largest
end

-- At most n of them, each as f says.
local function check_list(file, where, list, n, f, want)
  local count = 0
  for k, v in pairs(list or {}) do
    count = count + 1
    need(math.type(k) == "integer" and k <= n and f(v), file,
      ("%s[%s]"):format(where, tostring(k)), v, want)
  end
  need(count == #(list or {}), file, where, list, "a list")
end

local function one_line(t)
  if t then
    t.en, t.zh = clean.line(t.en, Title), clean.line(t.zh, Title)
  end
end

-- {M = 64, N = 1}
local function check_sizes(file, where, size)
  need(type(size) == "table", file, where, size, "a table")
  local n = 0
  for name, v in pairs(size) do
    n = n + 1
    need(is_name(name) and is_size(v) and n <= 16, file, where .. "." .. tostring(name), v,
      "a size, a whole number")
  end
end

local function check_hidden(file, where, hidden)
  for name, r in pairs(hidden) do
    local lo, hi, step = 0, -1, 1
    if type(r) == "table" then
      lo, hi, step = r[1], r[2], r[3] or 1
    end
    need(is_name(name) and is_size(lo) and is_size(hi) and is_size(step) and step > 0 and
      (lo + step - 1) // step <= hi // step, file, where .. "." .. tostring(name), r,
      "{lo, hi} or {lo, hi, multiple}")
  end
end

local function same_names(a, b)
  for _, pair in ipairs {{a, b}, {b, a}} do
    for name in pairs(pair[1]) do
      if pair[2][name] == nil then
        return false
      end
    end
  end
  return true
end

local function check_tensors(file, where, list, most)
  check_list(file, where, list, most, function(v)
    return is_name(v.name) and #(v.shape or {}) <= 6
  end, "a tensor whose name is a word")
  for i, v in ipairs(list) do
    check_list(file, ("%s[%d].shape"):format(where, i), v.shape, 6, function(item)
      return is_size(item) or type(item) == "string" and #item <= 60
    end, "a size or an expression of sizes")
    check_list(file, ("%s[%d].edge"):format(where, i), v.edge, 64, kinds.number, "a number")
  end
end

local function is_setting(v)
  return math.type(v) == "integer" or type(v) == "boolean" or type(v) == "string" and #v <= 60
end

local function check_config(file, where, part)
  check_list(file, where .. ".config", part.config, 32, function(v)
    return type(v) == "table" and #v == 2 and is_name(v[1]) and is_setting(v[2])
  end, '{"BLOCK", 64}')
  for name, v in pairs(part.large_config or {}) do
    need(is_name(name) and is_setting(v), file, where .. ".large_config", v, "{BLOCK = 64}")
  end
end

-- Bytes of the tensors for sizes; math.huge where that is no number.
local function bytes_of(part, size)
  local bytes = 0
  for _, list in ipairs {part.inputs, part.outputs} do
    for _, v in ipairs(list) do
      local n = types.info(v.dtype or v.scalar).bits / 8
      for _, item in ipairs(v.shape or {}) do
        n = n * (math.type(item) == "integer" and item or extent.value(item, size) or math.huge)
      end
      bytes = bytes + math.abs(n)
    end
  end
  return bytes
end

local function check_large(file, where, part)
  check_sizes(file, where .. ".large", part.large)
  local bytes = bytes_of(part, part.large)
  need(bytes <= LargeBytes, file, where .. ".large", ("%.3g B"):format(bytes), "4 GiB at most")
end

local function is_said(v)
  return #v.en <= Said and #v.zh <= Said
end

local function check_foreign_part(file, where, part)
  need(is_name(part.name), file, where .. ".name", part.name, "a word")
  one_line(part.title)
  check_tensors(file, where .. ".inputs", part.inputs, 16)
  check_tensors(file, where .. ".outputs", part.outputs, 8)
  check_config(file, where, part)
  check_list(file, where .. ".visible", part.visible, 16, kinds.table, "a table of sizes")
  for i, size in ipairs(part.visible) do
    check_sizes(file, ("%s.visible[%d]"):format(where, i), size)
  end
  check_hidden(file, where .. ".hidden", part.hidden)
  for name, v in pairs(part.beyond or {}) do
    need(is_name(name) and part.hidden[name] ~= nil and is_size(v), file, where .. ".beyond." .. tostring(name), v,
      "a size, of a name that `hidden` has")
  end
  for name, v in pairs(part.grows or {}) do
    need(is_name(name) and part.beyond and part.beyond[name] ~= nil and (v == 1 or v == 2), file,
      where .. ".grows." .. tostring(name), v, "1 or 2, of a name that `beyond` has")
  end
  if part.asked then
    check_hidden(file, where .. ".asked", part.asked)
    need(same_names(part.asked, part.hidden), file, where .. ".asked", part.asked,
      "a range for each size that `hidden` names")
  end
  if part.large then
    check_large(file, where, part)
  end
  check_list(file, where .. ".warps", part.warps, 2, function(v) return v == 32 or v == 64 end,
    "32 or 64")
  check_list(file, where .. ".goals", part.goals, 16, is_said, "a sentence")
  check_list(file, where .. ".explain", part.explain, 200, is_said, "a few sentences")
end

function M.check_foreign(file, p)
  local seen = {}
  need(type(p.name) == "string" and #p.name <= 48 and p.name:find "^[%w_][%w_%-]*$", file, "name",
    p.name, "a word such as row-sum")
  need(math.type(p.minutes) == "integer" and p.minutes > 0 and p.minutes < 10000, file, "minutes",
    p.minutes, "a whole number")
  one_line(p.title)
  one_line(p.teaches)
  check_list(file, "names", p.names, 64, function(v)
    return type(v) == "string" and clean.line(v, 100) == v
  end, "a name")
  check_list(file, "parts", p.parts, 16, kinds.table, "a table")
  for i, part in ipairs(p.parts) do
    check_foreign_part(file, ("parts[%d]"):format(i), part)
    need(not seen[part.name], file, ("parts[%d].name"):format(i), part.name, "a name of its own")
    seen[part.name] = true
  end
end

function M.check_index(file, index, foreign)
  if type(index) ~= "table" or not kinds.list(index.puzzles) then
    diag.fail("puzzle_field", file, "puzzles",
      describe(type(index) == "table" and index.puzzles or nil), "a list")
  end
  if not foreign then
    return
  end
  check(file, "index", index, schema.index)
  check_list(file, "puzzles", index.puzzles, 200, kinds.string, 'a name such as "05-row-sum"')
  check_list(file, "arcs", index.arcs, 50, kinds.table, "a table")
  check_each(file, "arcs", index.arcs, schema.arc)
  one_line(index.title)
  for _, arc in ipairs(index.arcs or {}) do
    one_line(arc.title)
  end
end

return M
