-- course/pack_read.lua: packs: puzzles of somebody else's in one JSON file.
--
--   P = pack_read.read(text, what)   raises what is wrong; what: the file or address, for messages
--   pack_read.place(path)            where a file of this path may stand: "top", a puzzle's folder;
--                                    nil: nowhere
--
-- P: {name =, title = {en =, zh =}, version =, license =, files = {{path =, sha256 =, text =}, ..},
-- puzzles = how many}.  A pack is data: nothing of it is run here.  Every field is known and
-- every path is one of a puzzle's; texts are UTF-8 without control characters and have the
-- hashes that the pack says.

local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local pack = require "moontile.pack"

local M = {}

M.Version = 1

local Files, Path = 2000, 120 -- the most files; bytes of a path
local Title = 120

-- Where files may stand --------------------------------------------------------------------

local top = {["index.lua"] = true, ["license.txt"] = true, ["readme.md"] = true,
  ["readme.zh.md"] = true}
local of_puzzle = {}
for name in ("puzzle.lua starter.lua solution.lua pictures.lua en.md zh.md hints.en.md " ..
  "hints.zh.md after.en.md after.zh.md"):gmatch "%S+" do
  of_puzzle[name] = true
end

function M.place(path)
  if top[path] then
    return "top"
  end
  local folder, rest = path:match "^(%d%d?%d?%-[a-z0-9%-]+)/(.+)$"
  local wrong = rest and (rest:match "^wrong/[a-z0-9_%-]+%.lua$" or rest:match "^wrong/[a-z0-9_%-]+%.diff$")
  return #path <= Path and pack.path(path) and (wrong or of_puzzle[rest]) and folder or nil
end

-- Fields -----------------------------------------------------------------------------------

local function shown(v)
  return type(v) == "string" and ("`%s`"):format(clean.line(v, 60)) or
    type(v) == "table" and "a table" or tostring(v)
end

local function wrong(what, field, v, want)
  diag.fail("pack_field", what, field, shown(v), want)
end

-- A text of one line that has nothing hidden in it.
local function one_line(v, most)
  return type(v) == "string" and v ~= "" and clean.line(v, most) == v
end

local function is_hash(v)
  return type(v) == "string" and #v == 64 and not v:find "[^0-9a-f]"
end
M.is_hash = is_hash

-- The fields of `t` are these and no others.
local function only(what, where, t, names)
  if type(t) ~= "table" then
    wrong(what, (where:gsub("%.$", "")), t, "an object")
  end
  for name in pairs(t) do
    if names[name] ~= true then
      diag.fail("pack_field", what, where .. clean.line(tostring(name), 60), "unknown",
        table.concat(names.all, ", "))
    end
  end
end

local function set(...)
  local t = {all = {...}}
  for _, name in ipairs {...} do
    t[name] = true
  end
  return t
end

local fields = set("moontile_pack", "name", "title", "version", "license", "files")
local languages, of_file = set("en", "zh"), set("path", "sha256", "text")

-- Name -> what it should be, and whether it is.
local rules = {
  {"name", "lower-case letters, digits and -, 40 at most", function(v)
    return type(v) == "string" and #v <= 40 and v:find "^[a-z0-9][a-z0-9%-]*$"
  end},
  {"version", "letters, digits, . + _ and -, 40 at most", function(v)
    return type(v) == "string" and #v <= 40 and v:find "^[%w.+_%-]+$"
  end},
  {"license", "a licence's name in one line", function(v) return one_line(v, Title) end},
}

-- Of what a pack says of itself.
function M.check_head(t, what)
  for _, r in ipairs(rules) do
    if not r[3](t[r[1]]) then
      wrong(what, r[1], t[r[1]], r[2])
    end
  end
  only(what, "title.", t.title, languages)
  for _, lang in ipairs(languages.all) do
    if not one_line(t.title[lang], Title) then
      wrong(what, "title." .. lang, t.title[lang], "one line of at most 120 bytes")
    end
  end
end

-- Files ------------------------------------------------------------------------------------

local function check_file(what, i, f)
  local where = ("files[%d]."):format(i)
  only(what, where, f, of_file)
  if type(f.path) ~= "string" then
    wrong(what, where .. "path", f.path, "a path")
  elseif not M.place(f.path) then
    diag.fail("pack_path", what, clean.line(f.path, Path))
  elseif type(f.text) ~= "string" then
    wrong(what, where .. "text", f.text, "a text")
  elseif #f.text > pack.textbytes then
    diag.fail("pack_limit", what .. ": " .. f.path, ("%d B"):format(#f.text),
      ("%d B"):format(pack.textbytes))
  elseif not is_hash(f.sha256) then
    diag.fail("pack_sum", clean.line(tostring(f.sha256), 80))
  end
  local sum, char, line = pack.sha256(f.text), clean.first(f.text)
  if char then
    diag.fail("pack_text", what, f.path, line, char)
  elseif sum ~= f.sha256 then
    diag.fail("pack_hash", what, f.path, sum, f.sha256)
  end
end

-- The puzzles that the paths are about have what it takes to play them.
local function check_folders(what, have, folders)
  if not have["index.lua"] then
    diag.fail("pack_lacks", what, "index.lua")
  end
  table.sort(folders)
  for _, folder in ipairs(folders) do
    for _, name in ipairs {"puzzle.lua", "starter.lua", "solution.lua"} do
      if not have[folder .. "/" .. name] then
        diag.fail("pack_lacks", what, folder .. "/" .. name)
      end
    end
    if not (have[folder .. "/en.md"] or have[folder .. "/zh.md"]) then
      diag.fail("pack_lacks", what, folder .. "/en.md")
    end
  end
  if #folders == 0 then
    diag.fail("pack_lacks", what, "01-NAME/puzzle.lua")
  end
end

local function check_files(what, files)
  local have, folders, known = {}, {}, {}
  if type(files) ~= "table" then
    wrong(what, "files", files, "a list")
  elseif #files > Files then
    diag.fail("pack_limit", what, ("%d"):format(#files), ("%d"):format(Files))
  end
  for i, f in ipairs(files) do
    check_file(what, i, f)
    if have[f.path] then
      diag.fail("pack_twice", what, f.path)
    end
    have[f.path] = true
    local folder = M.place(f.path)
    if folder ~= "top" and not known[folder] then
      known[folder] = true
      folders[#folders + 1] = folder
    end
  end
  check_folders(what, have, folders)
  return #folders
end

-- Reading ----------------------------------------------------------------------------------

local over = {size = {pack.bytes, "B"}, depth = {4, "levels"}, values = {20000, "values"}}

function M.read(text, what)
  local P, why, line, words = pack.parse(text)
  if not P and over[why] then
    local most = ("%d %s"):format(table.unpack(over[why]))
    diag.fail("pack_limit", what, "> " .. most, most)
  elseif not P then
    diag.fail("pack_json", what, ("%d: %s"):format(line, clean.line(words, 200)))
  end
  only(what, "", P, fields)
  if P.moontile_pack ~= M.Version then
    wrong(what, "moontile_pack", P.moontile_pack, tostring(M.Version))
  end
  M.check_head(P, what)
  P.puzzles = check_files(what, P.files)
  return P
end

return M
