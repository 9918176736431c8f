-- hostile.lua SEED FOLDER TEMPLATES ..: texts that would move a cursor, change a title or turn
-- the order of characters around, put wherever a template says so, the same for a seed:
--
--     EVIL   raw bytes as they may stand in a comment or a string of one line
--     LIVE   any bytes, as a Lua string writes them (\ddd)
--     JSON   any characters, as a JSON string writes them (\uXXXX, and raw ones)
--     NAME   bytes as they may stand in a file's name or in the environment
--
-- Each template x.in becomes FOLDER/x; "words" in the folder gets 16 of NAME, one a line.
math.randomseed(tonumber(arg[1]), 9)
local folder = arg[2]
local char, pick = utf8.char, math.random

-- What a terminal obeys, or what turns texts around; and what is no UTF-8.
local pieces = {
  "\27[31m", "\27[2J", "\27]0;title\7", "\27P1;1|\27\\", "\27c", "\27[6n", "\27(0", "\7", "\8\8\8", "\127", "\14",
  "\5", "\1\2", "\11\12", char(0x85), char(0x9b) .. "31m", char(0x9d) .. "0;t\7", "\x9b31m", "\x90", "\x85",
  char(0x202e), char(0x2066), char(0x2069), char(0x200f), char(0x61c), char(0x2028), char(0x2029), char(0xfeff),
  "\xc0\x80", "\xe2\x82", "\xf0\x9f\x92", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff\xfe", "\x80", "\xc2",
  "文", "é", "a", "%s", "%n", "{1}", "&<b>", "~",
}

local function any()
  local t = {}
  for i = 1, pick(1, 5) do
    local which = pick(8)
    t[i] = which == 1 and string.char(pick(0, 255)) or which == 2 and char(pick(0x20, 0x2fff))
      or pieces[pick(#pieces)]
  end
  return table.concat(t, pick(3) == 1 and "x" or "")
end

local function raw() -- ends no line, string or comment
  return (any():gsub('[%z\n\r"\'\\%]]', "\27"))
end

local makers = {
  EVIL = raw,
  NAME = function() return (raw():gsub("/", "\27")) end,
  LIVE = function()
    return (any():gsub(".", function(c) return ("\\%03d"):format(c:byte()) end))
  end,
  JSON = function()
    return (any():gsub('[%z\1-\31"\\]', function(c) return ("\\u%04x"):format(c:byte()) end))
  end,
}

local function put(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

for i = 3, #arg do
  local f = assert(io.open(arg[i], "rb"))
  local text = f:read "a"
  f:close()
  put(folder .. "/" .. arg[i]:match "([^/]*)%.in$", (text:gsub("%u%u%u%u", function(w)
    return makers[w] and makers[w]()
  end)))
end
local words = {}
for i = 1, 16 do
  words[i] = makers.NAME()
end
put(folder .. "/words", table.concat(words, "\n") .. "\n")
