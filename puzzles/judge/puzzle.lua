-- judge/puzzle.lua: puzzles and courses as data: finding, reading and checking them.
--
--   course = puzzle.course([folder])   the built-in course, or a folder with index.lua
--   -> {puzzles = list in order, by = name -> puzzle, index = what index.lua returned, dir}
--   p  = {name, number, title, level, minutes, teaches, names, parts,
--         folder = "05-row-sum", file = "05-row-sum.lua", dir, foreign,
--         read = function(file) -> text or nil, list = function() -> names of its files,
--         shown = the same as a learner sees it, code = "python" | nil: in which language}
--   puzzle.python(course)    a learner's files, and what is shown, are in Python from now on
--
-- A puzzle's files are listed in puzzles/README.md.  puzzle.lua and index.lua are Lua, but
-- run in an environment of their own (M.environment): those of other people's folders in
-- another process (judge/foreign.lua), and their texts come without control characters.

local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local fields = require "moontile.puzzles.judge.fields"
local files = require "moontile.files"
local suggest = require "moontile.base.suggest"
local pack = require "moontile.pack"
local program = require "moontile.puzzles.judge.program"
local ref = require "moontile.tl.ref"
local stage = require "moontile.stage"
local tensors = require "moontile.tl.tensor"

local M = {}

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
  return {tl = tl, ref = tl.ref, program = copy(program.ask), math = copy(math, {randomseed = true}), table = copy(table),
    string = copy(string, {dump = true}), ipairs = ipairs, pairs = pairs, next = next,
    __stage = {slice = stage.slice, known = stage.known}, -- what t[0:4, :] and conditions are read as
    select = select, type = type, tostring = tostring, tonumber = tonumber, error = error,
    assert = assert}
end

-- Reading --------------------------------------------------------------------------------

-- The text of a file of somebody else's; nil: there is none, or it is no plain file.
local function foreign_text(dir, path)
  local text, _, what = pack.slurp(dir, path)
  if what == "large" then
    local most = ("%d B"):format(pack.textbytes)
    diag.fail("pack_limit", path, "> " .. most, most)
  end
  return text and clean.text(text)
end

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
    dir = dir,
    read = function(path) return foreign_text(dir, path) end,
    list = function(path)
      local found = {}
      for _, name in ipairs(files.list(dir .. "/" .. path) or {}) do
        found[#found + 1] = name:find "^[%w_.-]+/?$" and name or nil
      end
      table.sort(found)
      return found
    end,
  }
end

-- What the text of a Lua file of a course returns.  Of our own course, or in a process that is
-- there for it.
function M.evaluate(text, path)
  local f, err = load(text, "@puzzles/" .. path, "t", M.environment())
  if not f then
    diag.fail("puzzle_lua", path, tostring(err))
  end
  local ok, r = pcall(f)
  if not ok then
    diag.fail("puzzle_lua", path, tostring(r))
  end
  return r
end

-- value(path) -> what that file returns
local function values(from)
  if from.dir then
    return require("moontile.puzzles.judge.foreign").values(from)
  end
  return function(path)
    local text = from.read(path)
    if not text then
      diag.fail("puzzle_file", (path:match "^(.*)/" or "."), path:match "[^/]*$")
    end
    return M.evaluate(text, path)
  end
end

-- Puzzles --------------------------------------------------------------------------------

-- A puzzle whose functions can be called, of its text alone.
function M.open(folder, text)
  local file = folder .. "/puzzle.lua"
  local p = M.evaluate(text, file)
  fields.check(file, p)
  p.folder = folder
  return p
end

local function open_puzzle(from, folder, value)
  local file = folder .. "/puzzle.lua"
  local p = value(file)
  fields.check(file, p)
  if from.dir then
    fields.check_foreign(file, p)
    p.text = from.read(file)
  end
  p.number, p.folder = math.tointeger(tonumber(folder:match "^%d+")), folder
  p.file = folder .. ".lua"
  p.dir, p.foreign = from.dir, from.dir ~= nil
  p.read = function(name) return from.read(folder .. "/" .. name) end
  p.shown = p.read
  p.list = function(sub) return from.list(folder .. (sub and "/" .. sub or "")) end
  return p
end

-- What each of a puzzle's files is for those who write Python.
local function in_python(p, name)
  local text = p.read(name)
  local inpython = require "moontile.puzzles.judge.inpython"
  return text and (name:find "%.md$" and inpython.prose or inpython.file)(text)
end

function M.python(course)
  for _, p in ipairs(course.puzzles) do
    local known = {}
    p.code, p.file = "python", p.folder .. ".py"
    p.shown = function(name)
      known[name] = known[name] or in_python(p, name)
      return known[name]
    end
  end
end

-- Is `folder` safe as a part of a path, and does it look like "05-row-sum"?
local function folder_name(folder)
  return type(folder) == "string" and #folder <= 48 and
    folder:find "^%d%d?%d?%-[a-z0-9%-]+$" ~= nil
end

-- "dir/05-row-sum.lua" -> "05-row-sum"
local function stem_of(word)
  return (tostring(word):match "([^/]*)$":gsub("%.lua$", ""):gsub("%.py$", ""))
end

-- Does a word that people type mean this folder?
local function means(folder, word)
  local stem = stem_of(word)
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

-- The puzzles of a course; only: words, for some of them.
function M.course(dir, only)
  local from = reader(dir)
  local value = values(from)
  local index = value "index.lua"
  fields.check_index("index.lua", index, dir ~= nil)
  local t = {index = index, dir = dir, puzzles = {}, by = {}}
  for i, folder in ipairs(index.puzzles) do
    if not folder_name(folder) then
      diag.fail("puzzle_field", "index.lua", ("puzzles[%d]"):format(i), fields.describe(folder),
        'a name such as "05-row-sum"')
    end
    if wanted(folder, only) then
      local p = open_puzzle(from, folder, value)
      if t.by[p.name] then
        diag.fail("puzzle_field", folder .. "/puzzle.lua", "name", fields.describe(p.name),
          "a name of its own")
      end
      t.puzzles[#t.puzzles + 1] = p
      t.by[p.name] = p
    end
  end
  return t
end

-- "5", "05", "row-sum", "05-row-sum", "dir/05-row-sum.lua" -> a puzzle of the course
function M.find(course, word)
  local names = {}
  for _, p in ipairs(course.puzzles) do
    if means(p.folder, word) then
      return p
    end
    names[#names + 1] = p.name
  end
  local stem = stem_of(word)
  local close = suggest.find(stem, names)
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
