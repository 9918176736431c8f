-- Packs that nobody should be able to install: what is wrong is said, nothing is run.
local pack = require "moontile.pack"
local read = require "moontile.puzzles.course.pack_read"

local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function file(path, text, sum)
  return ('{"path": %s, "sha256": "%s", "text": %s}'):format(quote(path), sum or pack.sha256(text),
    quote(text))
end

local good = {file("index.lua", "return {}"), file("01-a/puzzle.lua", "return {}"),
  file("01-a/starter.lua", ""), file("01-a/solution.lua", ""), file("01-a/en.md", "# A")}

-- The text of a pack; change: function(fields, files)
local function made(change)
  local list = table.move(good, 1, #good, 1, {})
  local fields = {moontile_pack = "1", name = '"a"', title = '{"en": "A", "zh": "甲"}', version = '"1"',
    license = '"CC0-1.0"'}
  if change then
    change(fields, list)
  end
  local out = {}
  for _, name in ipairs {"moontile_pack", "name", "title", "version", "license", "more"} do
    out[#out + 1] = fields[name] and ('"%s": %s'):format(name, fields[name])
  end
  out[#out + 1] = fields.files or '"files": [' .. table.concat(list, ", ") .. "]"
  return "{" .. table.concat(out, ", ") .. "}"
end

local function try(what, text)
  local ok, r = pcall(read.read, text, "x.json")
  r = ok and ("%s, %d files"):format(r.name, #r.files) or tostring(r):match "^[^\n]*"
  print(("%-26s %s"):format(what, (r:gsub("^.-(error%[)", "%1"):sub(1, 150))))
end

try("as it is", made())

-- JSON.
try("nothing", "")
try("half of it", made():sub(1, 200))
try("behind it", made() .. "x")
try("a list", "[]")
try("a number", "7")
try("depth", ("["):rep(100000))
try("depth in strings is none", made(function(_, l) l[2] = file("01-a/puzzle.lua", ("["):rep(1000)) end))
try("a quote that is none", made(function(_, l) l[2] = file("01-a/puzzle.lua", '\\"' .. ("["):rep(1000)) end))
try("values", "[" .. ("0,"):rep(1000000) .. "0]")
try("objects", '{"files": [' .. ("{},"):rep(30000) .. "{}]}")
try("17 MB", (" "):rep(17 << 20))
try("no UTF-8", (made():gsub("# A", "# \xC0\x80")))
try("half a character", (made():gsub('"# A"', '"\\ud800"')))
try("a zero", (made():gsub('"# A"', '"a\\u0000b"')))
try("a key twice", (made():gsub('"name": "a"', '%0, "name": "b"')))
try("a large number", made(function(f) f.moontile_pack = "1e400" end))
try("null", made(function(f) f.name = "null" end))

-- Fields.
try("an unknown field", made(function(f) f.more = "1" end))
try("another version", made(function(f) f.moontile_pack = "2" end))
try("no name", made(function(f) f.name = nil end))
for _, name in ipairs {"../a", "a/b", ".a", "A", "", "a b", "-a", ("a"):rep(41), "a\27[2J"} do
  try("name " .. ("%q"):format(name):gsub("%c", "?"):sub(1, 20), made(function(f) f.name = quote(name) end))
end
try("a title that is coloured", made(function(f) f.title = '{"en": "\\u001b[31mA", "zh": "甲"}' end))
try("a title of two lines", made(function(f) f.title = '{"en": "A\\nB", "zh": "甲"}' end))
try("a title turned around", made(function(f) f.title = '{"en": "A\\u202eB", "zh": "甲"}' end))
try("a title in one language", made(function(f) f.title = '{"en": "A"}' end))
try("a version", made(function(f) f.version = '"1; rm"' end))
try("no files", made(function(f) f.files = '"files": {}' end))
try("files that are none", made(function(f) f.files = '"files": [1, 2]' end))
try("a file with a mode", made(function(_, l) l[1] = l[1]:gsub("}$", ', "mode": 511}') end))

-- Paths.
for _, path in ipairs {"../index.lua", "/etc/passwd", "01-a/../index.lua", "01-a//en.md", "./index.lua",
  "01-a/./en.md", ".bashrc", "01-a/.hidden.lua", "01-A/en.md", "01-a/EN.md", "Index.lua", "01-a\\en.md",
  "01-a/en.md\n", "01-a/wrong/../../x.lua", "01-a/wrong/a/b.lua", "01-a/wrong/a.sh", "01-a/run.sh",
  "a/en.md", "01-a", "01-a/", "pack.lock", "01-a/pack.lock", "judge/init.lua", "CON.lua", "index.lua/en.md",
  "01-" .. ("a"):rep(200) .. "/en.md", "01-a/wrong/" .. ("a"):rep(200) .. ".lua", "01-a/en.md ", "01-é/en.md"} do
  try(("%q"):format(path):gsub("\n", "n"):sub(1, 25), made(function(_, l) l[#l + 1] = file(path, "x") end))
end
try("twice", made(function(_, l) l[#l + 1] = file("01-a/en.md", "x") end))

-- Texts and hashes.
try("a wrong hash", made(function(_, l) l[2] = file("01-a/puzzle.lua", "x", pack.sha256 "y") end))
try("no hash", made(function(_, l) l[2] = file("01-a/puzzle.lua", "x", "x") end))
try("a capital hash", made(function(_, l) l[2] = file("01-a/puzzle.lua", "x", pack.sha256 "x":upper()) end))
try("an escape", made(function(_, l) l[5] = file("01-a/en.md", "a\nb\27]0;x\7") end))
try("a bell", made(function(_, l) l[5] = file("01-a/en.md", "\a") end))
try("C1", made(function(_, l) l[5] = file("01-a/en.md", "a\u{9b}31m") end))
try("lines turned around", made(function(_, l) l[3] = file("01-a/starter.lua", "x = 1 -- \u{202e}") end))
try("a carriage return", made(function(_, l) l[3] = file("01-a/starter.lua", "x = 1\r") end))
try("compiled Lua", made(function(_, l) l[3] = file("01-a/starter.lua", "\27Lua") end))
try("2 MB of hints", made(function(_, l) l[6] = file("01-a/hints.en.md", ("x"):rep(2 << 20)) end))
try("tabs, Chinese, smileys", made(function(_, l) l[5] = file("01-a/en.md", "\t谜题 🙂\n") end))

-- What a puzzle needs.
for i = 1, 5 do
  try("without the file " .. i, made(function(_, l) table.remove(l, i) end))
end
try("no puzzles", made(function(f) f.files = '"files": [' .. good[1] .. "]" end))
try("2,001 files", made(function(_, l)
  for i = #l + 1, 2001 do
    l[i] = file(("01-a/wrong/w%d.lua"):format(i), "x")
  end
end))

-- One byte changed, one taken out, one put in: none of it raises anything but a message of ours,
-- and what is taken for a pack has the same files.
math.randomseed(1)
local whole, taken, odd = made(), 0, 0
for _ = 1, 4000 do
  local at, how = math.random(#whole), math.random(3)
  local byte = string.char(math.random(0, 255))
  local text = whole:sub(1, at - 1) .. (how == 1 and "" or byte) .. whole:sub(how == 3 and at or at + 1)
  local ok, r = pcall(read.read, text, "x.json")
  if ok then
    taken = taken + 1
    for i, f in ipairs(r.files) do
      odd = odd + (pack.sha256(f.text) == f.sha256 and read.place(f.path) and i <= #good and 0 or 1)
    end
  else
    odd = odd + (require "moontile.diag".isdiag(r) and r.id:find "^pack_" and 0 or 1)
  end
end
print(taken > 0 and taken < 2000, odd)

-- SHA-256 against known values.
print(pack.sha256 "" == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  pack.sha256 "abc" == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
