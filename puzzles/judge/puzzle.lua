-- judge/puzzle.lua: puzzles and tracks as data: finding, reading and checking them.
--
--   track = puzzle.track([folder])   the built-in track, or a folder with index.lua
--   -> {puzzles = list in order, by = name -> puzzle, index = what index.lua returned, dir}
--   p  = {name, number, title, level, minutes, teaches, names, parts,
--         folder = "05-row-sum", file = "05-row-sum.lua", dir, foreign,
--         read = function(file) -> text or nil, list = function() -> names of its files}
--
-- A puzzle's files are listed in puzzles/README.md.  puzzle.lua and index.lua are Lua,
-- but run in an environment of their own (M.environment): those of other people's folders
-- under an instruction limit too.

local diag = require "moontile.diag"
local files = require "moontile.files"
local near = require "moontile.T.near"
local ref = require "moontile.tl.ref"
local stage = require "moontile.stage"
local tensors = require "moontile.tl.tensor"
local types = require "moontile.T.types"

local M = {}

local Instructions = 50 * 1000 * 1000 -- of one call into somebody else's puzzle
local Step = 100 * 1000

-- Environment ----------------------------------------------------------------------------

local function copy(t, without)
  local r = {}
  for k, v in pairs(t) do
    if not (without and without[k]) then
      r[k] = v
    end
  end
  return r
end

local makers = {"zeros", "ones", "full", "empty", "arange", "from_table", "randn", "rand",
  "randint", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "randint_like",
  "istensor", "equal"}

-- What the Lua of a puzzle sees: nothing of the machine, and only copies of our tables.
function M.environment()
  local tl = {ref = copy(ref, {doc = true})}
  for _, name in ipairs(makers) do
    tl[name] = tensors[name]
  end
  return {tl = tl, ref = tl.ref, math = copy(math, {randomseed = true}), table = copy(table),
    string = copy(string, {dump = true}), ipairs = ipairs, pairs = pairs, next = next,
    __stage = {slice = stage.slice}, -- what t[0:4, :] is read as
    select = select, type = type, tostring = tostring, tonumber = tonumber, error = error,
    assert = assert}
end

-- f(...), or an error where somebody else's f runs for ever.
function M.limited(p, f, ...)
  if not p.foreign then
    return f(...)
  end
  local left = Instructions
  debug.sethook(function()
    left = left - Step
    if left < 0 then
      debug.sethook()
      error(diag.make("puzzle_lua", p.folder .. "/puzzle.lua", "more than 5e7 instructions"), 0)
    end
  end, "", Step)
  local r = table.pack(pcall(f, ...))
  debug.sethook()
  if not r[1] then
    error(r[2], 0)
  end
  return table.unpack(r, 2, r.n)
end

-- Reading --------------------------------------------------------------------------------

-- A puzzle's files: in the program, or in a folder of the machine.
local function reader(dir)
  if not dir then
    local tree = files.tree()
    return {
      read = function(path) return files.embedded("puzzles/" .. path) end,
      list = function(path)
        local found = {}
        if tree then
          for _, name in ipairs(files.list(tree .. "/puzzles/" .. path) or {}) do
            found[#found + 1] = name
          end
        else
          local head = "puzzles/" .. path .. "/"
          for _, name in ipairs(files.inside(head)) do
            found[#found + 1] = name:sub(#head + 1)
          end
        end
        table.sort(found)
        return found
      end,
    }
  end
  return {
    read = function(path)
      local f = io.open(dir .. "/" .. path, "rb")
      if not f then
        return nil
      end
      local s = f:read "a" -- nil of a folder
      f:close()
      return s
    end,
    list = function(path)
      local found = files.list(dir .. "/" .. path) or {}
      table.sort(found)
      return found
    end,
  }
end

-- What a Lua file of a track returns.
local function evaluate(from, path, foreign)
  local text = from.read(path)
  if not text then
    diag.fail("puzzle_file", (path:match "^(.*)/" or "."), path:match "[^/]*$")
  end
  local f, err = load(text, "@puzzles/" .. path, "t", M.environment())
  if not f then
    diag.fail("puzzle_lua", path, tostring(err))
  end
  local ok, r = pcall(M.limited, {foreign = foreign, folder = path:match "^(.*)/" or "."}, f)
  if not ok then
    diag.fail("puzzle_lua", path, tostring(r))
  end
  return r
end

-- Checking -------------------------------------------------------------------------------

local function describe(v)
  return type(v) == "string" and ("%q"):format(v) or type(v) == "table" and "a table" or
    tostring(v)
end

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
    outputs = {"list", true}, config = {"table"}, visible = {"list", true}, hidden = {"table", true},
    large = {"table"}, large_config = {"table"}, reference = {"call", true}, precision = {"precision", true}, cpu = {"boolean"},
    goals = {"table"}, stars = {"boolean"}, warps = {"list"}, explain = {"table"}, deterministic = {"boolean"},
  },
  input = {name = {"string", true}, shape = {"table"}, dtype = {"string"}, fill = {"fill"},
    edge = {"table"}, scalar = {"string"}, value = {"any"}},
  output = {name = {"string", true}, shape = {"table", true}, dtype = {"string", true}},
  goal = {id = {"string", true}, en = {"string", true}, zh = {"string", true},
    test = {"call", true}},
  explain = {outcome = {"string"}, pattern = {"string"}, cause = {"string"}, code = {"string"},
    goal = {"string"}, stage = {"string"}, en = {"string", true}, zh = {"string", true}},
}

local function check(file, where, t, rules)
  if type(t) ~= "table" then
    diag.fail("puzzle_field", file, where, describe(t), "a table")
  end
  local known = {}
  for key, r in pairs(rules) do
    known[#known + 1] = key
    local v = t[key]
    if (v ~= nil or r[2]) and r[1] ~= "any" and not kinds[r[1]](v) then
      diag.fail("puzzle_field", file, where .. "." .. key, describe(v), named[r[1]] or r[1])
    end
  end
  table.sort(known)
  for key in pairs(t) do
    if not rules[key] then
      diag.fail("puzzle_field", file, where .. "." .. tostring(key), "unknown",
        near.find(tostring(key), known) or table.concat(known, ", "))
    end
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

-- Puzzles --------------------------------------------------------------------------------

local function open_puzzle(from, folder, number, dir)
  local file = folder .. "/puzzle.lua"
  local p = evaluate(from, file, dir ~= nil)
  check(file, "puzzle", p, schema.puzzle)
  for i, part in ipairs(p.parts) do
    check_part(file, ("parts[%d]"):format(i), part)
  end
  p.number, p.folder, p.file = number, folder, folder .. ".lua"
  p.dir, p.foreign = dir, dir ~= nil
  p.read = function(name) return from.read(folder .. "/" .. name) end
  p.list = function(sub) return from.list(folder .. (sub and "/" .. sub or "")) end
  return p
end

-- Is `folder` safe as a part of a path, and does it look like "05-row-sum"?
local function folder_name(folder)
  return type(folder) == "string" and folder:match "^%d+%-[%l%d%-]+$" ~= nil
end

-- Does a word that people type mean this folder?
local function means(folder, word)
  local stem = tostring(word):match "([^/]*)$":gsub("%.lua$", "")
  return stem == folder or stem == folder:match "^%d+%-(.*)" or
    stem:find "^%d+$" and tonumber(stem) == tonumber(folder:match "^%d+")
end

local function wanted(folder, only)
  for _, word in ipairs(only or {}) do
    if means(folder, word) then
      return true
    end
  end
  return only == nil or #only == 0
end

-- The puzzles of a track; only: words, for some of them.
function M.track(dir, only)
  local from = reader(dir)
  local index = evaluate(from, "index.lua", dir ~= nil)
  if type(index) ~= "table" or not kinds.list(index.puzzles) then
    diag.fail("puzzle_field", "index.lua", "puzzles", describe(index and index.puzzles), "a list")
  end
  local t = {index = index, dir = dir, puzzles = {}, by = {}}
  for i, folder in ipairs(index.puzzles) do
    if not folder_name(folder) then
      diag.fail("puzzle_field", "index.lua", ("puzzles[%d]"):format(i), describe(folder),
        'a name such as "05-row-sum"')
    end
    if wanted(folder, only) then
      local p = open_puzzle(from, folder, tonumber(folder:match "^%d+"), dir)
      t.puzzles[#t.puzzles + 1] = p
      t.by[p.name] = p
    end
  end
  return t
end

-- "5", "05", "row-sum", "05-row-sum", "dir/05-row-sum.lua" -> a puzzle of the track
function M.find(track, word)
  local names = {}
  for _, p in ipairs(track.puzzles) do
    if means(p.folder, word) then
      return p
    end
    names[#names + 1] = p.name
  end
  local stem = tostring(word):match "([^/]*)$":gsub("%.lua$", "")
  local close = near.find(stem, names)
  if close then
    diag.fail("puzzle_near", stem, close)
  end
  diag.fail("puzzle_none", stem)
end

-- The part of this name, or nil.
function M.part(p, name)
  for _, part in ipairs(p.parts) do
    if part.name == name then
      return part
    end
  end
end

return M
