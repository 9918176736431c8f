-- Columns of text: wide characters, marks that take none, bytes that are no text.
local term = require "moontile.term"
local viz = require "moontile.viz"

for _, s in ipairs {"", "abc", "中文", "中a文", "e\u{301}", "한국어", "ｆｕｌｌ", "│█▀⣿→", "😀", "👍🏽", "\xff\xfe", "\xe4\xb8",
  "a\u{200b}b", "\u{ad}", "ไทย", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"} do
  io.write(("%s%d\n"):format(s:gsub("[\x80-\xff]", function(c) return ("\\x%02x"):format(c:byte()) end) .. " ", term.width(s)))
end
for n = 0, 7 do
  print(("[%s][%s][%s]"):format(term.cut("中文ab字", n), term.cut("中文ab字", n, "…"), term.cut("e\u{301}e\u{301}", n)))
end
for _, side in ipairs {"l", "r", "c"} do
  print(("[%s][%s][%s]"):format(term.pad("中文", 7, side), term.pad("abc", 3, side), term.pad("abcd", 3, side)))
end
print(("[%s]"):format(term.pad("x", 3)))

-- what would move the cursor, or turn the writing, does not come through
local f = viz.figure("a\27[31mb\tc\nd\0e\u{202e}f\u{85}g\xffh")
f:text("line\rone", "two\nthree \7 bell")
f:grid{rows = 1, cols = 2, labels = {"\27\nsecond", "\xe4\xb8\xad\xe4"}}
f:grid{rows = 1, cols = 2, format = "\27%d\xff%%", values = {{1, -2}}}
io.write(f:render{width = 40, colour = 0, unicode = true})
io.write(f:render{format = "json"})
