-- course/pack_make.lua: a folder of puzzles as a pack.
--
--   text, P, left = pack_make.make(folder)   left: names of files that have no place in a pack
--
-- The same folder gives the same bytes, on any machine: their hash can be published.

local diag = require "moontile.diag"
local files = require "moontile.files"
local pack = require "moontile.pack"
local puzzle = require "moontile.puzzles.judge.puzzle"
local read = require "moontile.puzzles.course.pack_read"

local M = {}

local escapes = {['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t"}

local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c)
    return escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

-- The text of a file, with the line ends and without the mark that editors leave.
local function text_of(folder, path)
  local text, why = pack.slurp(folder, path)
  if not text then
    diag.fail("pack_read", folder .. "/" .. path, why)
  end
  return (text:gsub("\r\n", "\n"):gsub("^\xEF\xBB\xBF", ""))
end

-- All paths below a folder, at most three deep.
local function walk(folder, below, depth, list)
  local names = files.list(below == "" and folder or folder .. "/" .. below) or {}
  table.sort(names)
  for _, name in ipairs(names) do
    local path = below .. name
    if not name:find "/$" then
      list[#list + 1] = path
    elseif depth > 1 then
      walk(folder, path, depth - 1, list)
    else
      list[#list + 1] = path
    end
  end
  return list
end

-- The files that belong to the pack, in order; those that do not.
local function collect(folder, index)
  local known, list, left = {top = true}, {}, {}
  for _, name in ipairs(index.puzzles) do
    known[name] = true
  end
  for _, path in ipairs(walk(folder, "", 3, {})) do
    local place = read.place(path)
    if place and known[place] then
      list[#list + 1] = {path = path, text = text_of(folder, path)}
    else
      left[#left + 1] = path
    end
  end
  table.sort(list, function(a, b) return a.path < b.path end)
  return list, left
end

local function json(index, list)
  local out = {}
  for i, f in ipairs(list) do
    out[i] = ('    {"path": %s, "sha256": %s,\n     "text": %s}'):format(quote(f.path),
      quote(pack.sha256(f.text)), quote(f.text))
  end
  return ('{\n  "moontile_pack": %d,\n  "name": %s,\n  "title": {"en": %s, "zh": %s},\n' ..
    '  "version": %s,\n  "license": %s,\n  "files": [\n%s\n  ]\n}\n'):format(read.Version,
    quote(index.name), quote(index.title.en), quote(index.title.zh), quote(index.version),
    quote(index.license), table.concat(out, ",\n"))
end

function M.make(folder)
  local index = puzzle.course(folder).index
  read.check_head({name = index.name, title = index.title, version = index.version,
    license = index.license}, "index.lua")
  local list, left = collect(folder, index)
  local text = json(index, list)
  return text, read.read(text, folder), left
end

return M
