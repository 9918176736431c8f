-- tokens.lua: a text of the session as tokens, and the statements of its outermost
-- level: what they declare and where they stand.
--
--     tokens.list(text)        {{kind =, text =, at =, to =, line =}, ..}
--         kind: "name", "keyword", "number", "string", "sign"; at, to: bytes
--     tokens.statements(text)  {{at =, to =, line =, last =, word =, locals =, sets =}, ..}
--         line, last: first and last line; word: its first token's text
--         locals: the names that `local` declares there (of them attribs: byte ranges
--         of their <const>); sets: names that it assigns to, in that order
--
--     tokens.unconst(text)     the text, of the same lines and columns, whose outermost
--         locals are no constants
--     tokens.uses(text, name)
--
-- For texts that were compiled before: what is wrong in one gives no error here.

local M = {}

local keywords = {}
for w in ([[and break do else elseif end false for function goto if in local nil not or
            repeat return then true until while]]):gmatch "%a+" do
  keywords[w] = true
end

local signs = {"...", "<<=", ">>=", "//=", "..", "<<", ">>", "//", "==", "~=", "<=", ">=", "::",
  "+=", "-=", "*=", "/=", "%=", "&=", "|="}

-- The byte behind a string or long bracket that opens at i.
local function behind_string(s, i)
  local level = s:match("^%[(=*)%[", i)
  if level then
    local _, to = s:find("]" .. level .. "]", i + #level + 2, true)
    return (to or #s) + 1
  end
  local quote, at = s:sub(i, i), i + 1
  while at <= #s do
    local c = s:sub(at, at)
    if c == "\\" then
      local blank = s:match("^\\z%s*()", at)
      at = blank or at + 2
    elseif c == quote or c == "\n" then
      return at + 1
    else
      at = at + 1
    end
  end
  return at
end

-- The byte behind blanks and comments.
local function behind_blank(s, i)
  while true do
    i = s:match("^%s*()", i)
    if s:sub(i, i + 1) ~= "--" then
      return i
    elseif s:find("^%[=*%[", i + 2) then
      i = behind_string(s, i + 2)
    else
      i = s:match("^[^\n]*()", i)
    end
  end
end

-- Kind of the token at i, and the byte behind it.
local function token(s, i)
  local to = s:match("^[%a_][%w_]*()", i)
  if to then
    return keywords[s:sub(i, to - 1)] and "keyword" or "name", to
  end
  if s:find("^%.?%d", i) then
    local hex = s:match("^0[xX][%x.]*()", i)
    to = hex and (s:match("^[pP][+-]?%d+()", hex) or hex)
    return "number", to or s:match("^[%d.]+[eE][+-]?%d+()", i) or s:match("^%.?%d+%.?%d*()", i)
  end
  if s:find("^[\"']", i) or s:find("^%[=*%[", i) then
    return "string", behind_string(s, i)
  end
  for _, sign in ipairs(signs) do
    if s:sub(i, i + #sign - 1) == sign then
      return "sign", i + #sign
    end
  end
  return "sign", i + 1
end

function M.list(s)
  local list, line, seen = {}, 1, 1
  local i = behind_blank(s, s:match "^#[^\n]*()" or 1)
  while i <= #s do
    local kind, to = token(s, i)
    for _ in s:sub(seen, i - 1):gmatch "\n" do
      line = line + 1
    end
    seen = i
    list[#list + 1] = {kind = kind, text = s:sub(i, to - 1), at = i, to = to - 1, line = line}
    i = behind_blank(s, to)
  end
  return list
end

-- Statements ------------------------------------------------------------------------

local opens = {["function"] = true, ["if"] = true, ["for"] = true, ["while"] = true,
  ["repeat"] = true, ["("] = true, ["["] = true, ["{"] = true}
local closes = {["end"] = true, ["until"] = true, [")"] = true, ["]"] = true, ["}"] = true}
local begins = {["local"] = true, ["if"] = true, ["for"] = true, ["while"] = true,
  ["repeat"] = true, ["return"] = true, ["break"] = true, ["goto"] = true, ["do"] = true}
local ends_value = {["end"] = true, [")"] = true, ["]"] = true, ["}"] = true, ["nil"] = true,
  ["true"] = true, ["false"] = true, ["..."] = true}

-- Can an expression, or a statement, end with token t?
local function ended(t)
  return t.kind == "name" or t.kind == "number" or t.kind == "string" or ends_value[t.text] or
    t.text == ";" or t.text == "break" or t.text == "::"
end

-- Does a statement begin with token i of the list?
local function starts(list, i)
  local t, before = list[i], list[i - 1]
  if not before then
    return true
  elseif before.text == "local" then
    return false
  elseif t.kind == "keyword" and begins[t.text] then
    return true
  elseif t.text == "function" or t.text == "::" or t.kind == "name" then
    return ended(before) or false
  elseif t.text == "(" then
    return before.text == ";" or before.text == "::" or before.text == "break"
  end
  return false
end

-- What a `local` or an assignment at token i of the list gives values to.
local function names_at(list, i, s)
  local t = list[i]
  if t.text == "local" and list[i + 1] and list[i + 1].text == "function" then
    s.locals = {list[i + 2] and list[i + 2].text}
    return
  elseif t.text == "function" then
    local dot = list[i + 2] and list[i + 2].text
    s.sets = dot ~= "." and dot ~= ":" and {list[i + 1] and list[i + 1].text} or nil
    return
  end
  local names, at = {}, t.text == "local" and i + 1 or i
  while list[at] and list[at].kind == "name" do
    names[#names + 1] = list[at].text
    at = at + 1
    if t.text == "local" and list[at] and list[at].text == "<" and list[at + 2] then
      s.attribs = s.attribs or {}
      table.insert(s.attribs, {list[at].at, list[at + 2].to, list[at + 1].text})
      at = at + 3
    end
    if not (list[at] and list[at].text == ",") then
      break
    end
    at = at + 1
  end
  if t.text == "local" then
    s.locals, s.bare = names, not (list[at] and list[at].text == "=")
  elseif list[at] and list[at].text == "=" then
    s.sets = names
  end
end

function M.statements(text)
  local list, all, depth, head, label = M.list(text), {}, 0, 0, false
  for i, t in ipairs(list) do
    if depth == 0 and not label and t.text ~= ";" and starts(list, i) then
      local s = {at = t.at, line = t.line, word = t.text}
      all[#all + 1] = s
      names_at(list, i, s)
    end
    if t.text == "::" and depth == 0 then
      label = not label
    end
    if t.kind ~= "string" then
      if t.text == "do" and head > 0 then
        head = head - 1 -- of a loop that is open already
      elseif opens[t.text] or t.text == "do" then
        depth = depth + 1
        head = head + ((t.text == "for" or t.text == "while") and 1 or 0)
      elseif closes[t.text] then
        depth = math.max(0, depth - 1)
      end
    end
    local s = all[#all]
    if s and t.text ~= ";" then
      s.to = t.to
      s.last = t.line + select(2, t.text:gsub("\n", ""))
    end
  end
  return all
end

-- The text with each <const> of its outermost locals as blanks: Lua folds a constant
-- away, so that nothing of it would be left for the next input.
function M.unconst(text)
  local out, at = {}, 1
  for _, s in ipairs(M.statements(text)) do
    for _, a in ipairs(s.attribs or {}) do
      if a[3] == "const" then
        out[#out + 1] = text:sub(at, a[1] - 1) .. (" "):rep(a[2] - a[1] + 1)
        at = a[2] + 1
      end
    end
  end
  return table.concat(out) .. text:sub(at)
end

-- Is the word used anywhere in the text?
function M.uses(text, word)
  for _, t in ipairs(M.list(text)) do
    if t.kind == "name" and t.text == word then
      return true
    end
  end
  return false
end

return M
