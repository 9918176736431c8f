-- What is wrong with an argument is said with the name of the field.
local term = require "moontile.term"
local viz = require "moontile.viz"
local diag = require "moontile.diag"

local function try(name, f)
  local ok, e = pcall(f)
  if ok then
    return print(name .. ": no error")
  end
  local s = tostring(e):gsub("^[^\n]-: ", "", 1)
  local label = s:match "%^+ ([^\n]+)"
  s = s:gsub("\n%s*%d* |[^\n]*", "")
  print(name .. ": " .. s .. (label and "\n  " .. label or ""))
end

local f = viz.figure("t")
local inf, nan = math.huge, 0 / 0
local function grid(name, t)
  try(name, function() f:grid(t) end)
end

grid("rows", {cols = 2})
grid("rows 0", {rows = 0, cols = 2})
grid("rows text", {rows = "2", cols = 2})
grid("rows 2.5", {rows = 2.5, cols = 2})
grid("cells", {rows = 1 << 20, cols = 1 << 20})
grid("labels", {rows = 2, cols = 2, labels = {"a", "b", "c"}})
grid("labels type", {rows = 1, cols = 2, labels = {"a", {}}})
grid("labels text", {rows = 1, cols = 1, labels = "a"})
grid("format", {rows = 1, cols = 1, format = "%d %d", values = {{1}}})
grid("format %s", {rows = 1, cols = 1, format = "%s", values = {{1}}})
grid("format type", {rows = 1, cols = 1, format = 5, values = {{1}}})
grid("values", {rows = 1, cols = 2, format = "%d", values = {{1}}})
grid("values type", {rows = 1, cols = 2, format = "%d", values = {{1, 1.5}}})
grid("values entry", {rows = 1, cols = 2, format = "%d", values = {5}})
grid("no values", {rows = 1, cols = 2, format = "%d"})
grid("hues", {rows = 1, cols = 2, hues = {1}})
grid("hues range", {rows = 1, cols = 1, hues = {-20}})
grid("hues type", {rows = 1, cols = 1, hues = {"red"}})
grid("tones", {rows = 1, cols = 1, tones = {256}})
grid("signs", {rows = 1, cols = 2, signs = "a"})
grid("signs byte", {rows = 1, cols = 2, signs = "a\n"})
grid("marks", {rows = 1, cols = 2, marks = {3}})
grid("holes", {rows = 1, cols = 2, holes = {0}})
grid("heads", {rows = 1, cols = 2, col_heads = {"a"}})
grid("gap", {rows = 1, cols = 2, gap_cols = -1})
grid("field", {rows = 1, cols = 2, label = {}})
try("no table", function() f:grid(5) end)
try("no figure", function() f.grid({}, {}) end)

try("table rows", function() f:table{head = {"a"}} end)
try("table row", function() f:table{head = {"a", "b"}, rows = {{1, 2}, {3}}} end)
try("table entry", function() f:table{rows = {{1, print}}} end)
try("table align", function() f:table{rows = {{1}}, align = "x"} end)
try("table align length", function() f:table{rows = {{1}}, align = "ll"} end)
try("table tints", function() f:table{rows = {{1}}, tints = {[2] = 1}} end)

try("bars value", function() f:bars{{label = "a"}} end)
try("bars nan", function() f:bars{{value = 1}, {value = nan}} end)
try("bars inf", function() f:bars{{value = inf}} end)
try("bars low", function() f:bars{{value = 1, low = 3, high = 2}} end)
try("bars field", function() f:bars{{value = 1, lable = "x"}} end)
try("bars entry", function() f:bars{5} end)
try("bars max", function() f:bars{{value = 5}, max = -1} end)

try("track rows", function() f:track{} end)
try("track span", function() f:track{rows = {{spans = {{1, 2}, {3, 2}}}}} end)
try("track span nan", function() f:track{rows = {{spans = {{nan, 2}}}}} end)
try("track mark", function() f:track{rows = {{marks = {{1, "ab"}}}}} end)
try("track hue", function() f:track{rows = {{spans = {{1, 2, "a", "red"}}}}} end)
try("track to", function() f:track{rows = {}, from = 5, to = 4} end)

try("curve points", function() f:curve{lines = {{}}} end)
try("curve log", function() f:curve{xlog = true, lines = {{points = {{1, 1}, {0, 1}}}}} end)
try("curve nan", function() f:curve{points = {{1, nan}}} end)
try("curve text", function() f:curve{points = {{1, "2"}}} end)

try("text", function() f:text({}) end)
try("legend", function() f:legend{{sign = "ab"}} end)
try("legend tone", function() f:legend{{tone = -1}} end)
try("figure", function() viz.figure({}) end)

try("render format", function() f:render{format = "png"} end)
try("render colour", function() f:render{colour = 16} end)
try("render width", function() f:render{width = 5} end)
try("render height", function() f:render{height = 0} end)
try("render unicode", function() f:render{unicode = 1} end)
try("render cells", function() f:render{cells = "big"} end)
try("render field", function() f:render{with = 5} end)
try("width", function() term.width({}) end)
try("pad", function() term.pad("a", 5, "x") end)
try("terminal", function() term.terminal("stdin") end)

-- nothing of what failed became part of the figure
io.write(f:render{width = 40, colour = 0})
diag.setlang "zh"
try("zh", function() f:grid{rows = 2, cols = 2, labels = {"a"}} end)
try("zh", function() f:grid{rows = "x"} end)
try("zh", function() f:bars{{value = nan}} end)
