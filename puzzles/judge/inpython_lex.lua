-- judge/inpython_lex.lua: a text in our Lua as tokens that keep their blanks and comments.
--
--     lex(text) -> {{kind =, text =, gap =, lines =, column =}, ..}
--
-- kind: "name", "keyword", "number", "string", "sign", "comment" (to its line's end), "hole" (a comment in
-- the middle of one, --[[ .. ]]); gap: the blanks in front on its line; lines: how many line ends stand in
-- front; column: where it begins, from 0.  The texts are ours, so nothing is checked.

local keywords = {}
for w in ([[and break do else elseif end false for function goto if in local nil not or repeat return then
            true until while]]):gmatch "%a+" do
  keywords[w] = true
end

local signs = {"...", "<<=", ">>=", "//=", "..", "<<", ">>", "//", "==", "~=", "<=", ">=", "+=", "-=", "*=", "/=",
  "%=", "&=", "|="}

local patterns = {
  {"^%-%-%[%[(.-)%]%]()", "hole"}, {"^%-%-([^\n]*)()", "comment"},
  {"^([%a_][%w_]*)()", "name"}, {"^(0[xX]%x+)()", "number"}, {"^(%d+%.?%d*[eE][+-]?%d+)()", "number"},
  {"^(%d+%.%d+)()", "number"}, {"^(%d+)()", "number"}, {'^("[^"\n]*")()', "string"}, {"^('[^'\n]*')()", "string"},
}

-- What stands at i: kind, text, the byte behind it.
local function token(text, i)
  for _, p in ipairs(patterns) do
    local s, to = text:match(p[1], i)
    if s then
      return p[2] == "name" and keywords[s] and "keyword" or p[2], s, to
    end
  end
  for _, s in ipairs(signs) do
    if text:sub(i, i + #s - 1) == s then
      return "sign", s, i + #s
    end
  end
  local s = text:match("^" .. utf8.charpattern, i)
  return "sign", s, i + #s
end

return function(text)
  local list, i, start = {}, 1, 1 -- start: where the line begins
  while true do
    local lines, from, to = 0, i, text:match("^%s*()", i)
    for at in text:sub(i, to - 1):gmatch "()\n" do
      lines, start = lines + 1, i + at
      from = start
    end
    if to > #text then
      return list
    end
    local kind, s, behind = token(text, to)
    list[#list + 1] = {kind = kind, text = s, gap = text:sub(from, to - 1), lines = lines, column = to - start}
    i = behind
  end
end
