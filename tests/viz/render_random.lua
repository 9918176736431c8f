-- Many figures made at random: no line is wider than the page, all output is
-- UTF-8, colours end with their lines, and JSON reads back.
local term = require "moontile.term"
local viz = require "moontile.viz"
local json = require "moontile.tl.json"

local seed = 20240601
local function random(n)
  seed = (seed * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
  return (seed >> 33) % n
end
local words = {"T0", "a", "", "warp 12", "线程束", "long text with blanks", "é", "e\u{301}", "😀", "x\27y", "\xff",
  "-12.5", "1e+09", "two\nlines", "three\nlines\nhere", ("w"):rep(90)}
local function word()
  return words[random(#words) + 1]
end
local function list(n, f)
  local t = {}
  for i = 1, n do
    t[i] = f(i)
  end
  return t
end
local function hue()
  return random(20) - 8
end
local function number()
  local kinds = {random(100), random(100) / 7, -random(50), 10.0 ^ (random(600) - 300), 0}
  return kinds[random(#kinds) + 1]
end
local function maybe(v)
  return random(2) == 0 and v or nil
end

local panels = {
  function(f)
    local r, c = random(20) + 1, random(60) + 1
    local n = r * c
    f:grid{rows = r, cols = c, labels = maybe(list(n, word)), hues = maybe(list(n, hue)),
      tones = maybe(list(n, function() return random(256) end)), marks = maybe(list(2, function() return random(n) + 1 end)),
      holes = maybe(list(2, function() return random(n) + 1 end)), row_heads = maybe(list(r, word)),
      col_heads = maybe(list(c, function(i) return i end)), row_name = maybe(word()), col_name = maybe(word()),
      gap_rows = random(5), gap_cols = random(5), caption = maybe(word())}
  end,
  function(f)
    local c = random(12)
    f:table{head = maybe(list(c, word)), rows = list(random(4) + 1, function() return list(c, word) end)}
  end,
  function(f)
    f:bars(list(random(5), function()
      local v = number()
      return {label = word(), value = v, low = maybe(v - math.abs(v) / 3), high = maybe(v + 1), hue = hue()}
    end))
  end,
  function(f)
    f:track{unit = maybe(word():sub(1, 1)), rows = list(random(4), function()
      return {label = word(), spans = list(random(9), function()
        local at = number()
        return {at, at + math.abs(number()), word(), hue()}
      end), marks = maybe(list(3, function() return {number(), "m"} end))}
    end)}
  end,
  function(f)
    local function points(n)
      return list(n, function() return {number(), number()} end)
    end
    f:curve{xlabel = maybe(word()), ylabel = maybe(word()), lines = list(random(10), function()
      return {points = points(random(6)), label = maybe(word())}
    end), points = list(random(40), function() return {number(), number(), label = word(), hue = hue()} end)}
  end,
  function(f) f:text(word(), word(), ("words and 汉字 "):rep(random(20))) end,
  function(f) f:legend(list(random(9), function() return {hue = hue(), tone = random(256), sign = maybe "s", label = word()} end)) end,
  function(f) f:blank() end,
  function(f) f:row() end,
}

-- Is the terminal as it was, behind these codes?
local function settled(codes)
  local state = {}
  for c in codes:gmatch "%[([%d;]*)m" do
    c = c:gsub("([34]8);2;%d+;%d+;%d+", "%1"):gsub("([34]8);5;%d+", "%1")
    for v in c:gmatch "%d+" do
      v = tonumber(v)
      if v == 0 then
        state = {}
      elseif v == 39 or v == 49 then
        state[v // 10] = nil
      elseif v < 10 then
        state.attr = v
      elseif v // 10 == 3 or v // 10 == 9 then
        state[3] = v
      elseif v // 10 == 4 or v // 10 == 10 then
        state[4] = v
      end
    end
  end
  return next(state) == nil
end

local forms = {"auto", "label", "first", "block", "half"}
local lines = 0
for i = 1, 250 do
  local f = viz.figure(word(), maybe(word()))
  for _ = 0, random(6) do
    panels[random(#panels) + 1](f)
  end
  local width = 20 + random(140)
  local height = maybe(random(60) + 1)
  local s = f:render{width = width, height = height, colour = ({0, 4, 8, 24})[random(4) + 1],
    unicode = random(2) == 0, cells = forms[random(5) + 1]}
  assert(utf8.len(s), "not UTF-8")
  local count = 0
  for line in s:gmatch "([^\n]*)\n" do
    lines, count = lines + 1, count + 1
    local codes = {}
    local bare = line:gsub("\27(%[[%d;]*m)", function(c) codes[#codes + 1] = c return "" end)
    assert(settled(table.concat(codes)), "a line ends in colour")
    assert(not bare:find "%c", "a control character")
    if term.width(bare) > width then
      error(("figure %d: %d columns of %d: %s"):format(i, term.width(bare), width, bare))
    end
  end
  assert(not height or count <= height, "too high")
  local t = json.decode(f:render{format = "json"})
  assert(t.panels)
  local svg = f:render{format = "svg"}
  assert(utf8.len(svg) and svg:find "</svg>\n$" and not svg:find "nan" and not svg:find "inf")
end
print(lines > 1000 and "ok")
