-- assist/scan.lua: what is open where a text ends.
--
--     local s = scan(text)
--     s.where    "code", "string", "long" (a long string), "comment"
--     s.start    where the string or comment begins
--     s.open     what is open, innermost last: {word, at, line, commas, arg, callee}
--                word  "(", "{", "[", "function", "for", "while", "if", "do", "repeat"
--                at, line    byte and line of it; for "(" and "{":
--                commas      how many stand in it so far; arg: where the last part begins
--                callee      what is called: where its text begins, or nil
--     s.names    names that the text declares: parameters, locals, loop variables
--
-- Any text will do; what is wrong in it is passed over.

local keywords = {}
for w in ([[and break do else elseif end false for function goto if in local nil not or
            repeat return then true until while]]):gmatch "%a+" do
  keywords[w] = true
end

local openers = {["function"] = true, ["for"] = true, ["while"] = true, ["if"] = true,
  ["repeat"] = true}
local pairs_of = {[")"] = "(", ["}"] = "{", ["]"] = "["}
local blocks = {["function"] = true, ["for"] = true, ["while"] = true, ["if"] = true,
  ["do"] = true}

-- The end of the string that opens at i; nothing when it does not end.
local function string_end(s, i, quote)
  local at = i + 1
  while true do
    local j = s:find("[\\\n" .. quote .. "]", at)
    if not j then
      return nil
    end
    local c = s:sub(j, j)
    if c == "\\" then
      at = j + 2
    elseif c == quote then
      return j
    else
      return j - 1 -- a line's end ends it: an error, but not of what follows
    end
  end
end

-- The end of the long bracket that opens at i; false when it does not end, nil when
-- there is none.
local function long_end(s, i)
  local level = s:match("^%[(=*)%[", i)
  if not level then
    return nil
  end
  local _, j = s:find("]" .. level .. "]", i + #level + 2, true)
  return j or false
end

-- Drops what is open inside of the last entry that `is` accepts, and that one too.
local function pop(open, is)
  for i = #open, 1, -1 do
    if is(open[i].word) then
      for j = #open, i, -1 do
        open[j] = nil
      end
      return
    end
  end
end

local function isblock(w)
  return blocks[w]
end

-- The scanner: an object of the position and what was seen.
local Scan = {}
Scan.__index = Scan

function Scan:push(word, at)
  self.open[#self.open + 1] = {word = word, at = at, line = self.line, commas = 0, arg = at + #word}
end

-- A keyword that opens or closes something.
function Scan:keyword(w, at)
  local open = self.open
  local top = open[#open]
  if openers[w] then
    self:push(w, at)
    self.list = (w == "for" or w == "function") and w or nil
  elseif w == "do" then
    self.list = nil
    if top and (top.word == "for" or top.word == "while") and not top.body then
      top.body = true
    else
      self:push(w, at)
    end
  elseif w == "end" then
    pop(open, isblock)
  elseif w == "until" then
    pop(open, function(x) return x == "repeat" end)
  elseif w == "in" or w == "return" or w == "then" then
    self.list = nil
  elseif w == "local" then
    self.list = true
  end
end

-- A name: declared where a list of declarations goes on.
function Scan:name(w)
  if self.list then
    self.names[w] = true
  end
end

function Scan:bracket(c, at)
  local from = (self.last == "name" or self.last == "close") and self.chain or nil
  if self.list == "function" and c == "(" then
    self.list = "params"
    from = nil
  end
  self:push(c, at)
  self.open[#self.open].callee = from
end

function Scan:close(c)
  local want = pairs_of[c]
  if self.list == "params" then
    self.list = nil
  end
  for i = #self.open, 1, -1 do
    local w = self.open[i].word
    if w == want then
      self.chain = self.open[i].callee or self.open[i].at
      for j = #self.open, i, -1 do
        self.open[j] = nil
      end
      return
    elseif blocks[w] or w == "repeat" then
      return -- a bracket does not close a block
    end
  end
end

-- One token from i on; where the next one begins, or nil at the end.
function Scan:token(s, i)
  local c = s:sub(i, i)
  if c:find "[%a_]" then
    local w = s:match("^[%w_]+", i)
    if keywords[w] then
      self:keyword(w, i)
      self.last, self.chain = "word", nil
    else
      self:name(w)
      if not (self.last == "dot" and self.chain) then
        self.chain = i
      end
      self.last = "name"
    end
    return i + #w
  elseif c == '"' or c == "'" then
    local j = string_end(s, i, c)
    if not j then
      self.where, self.start, self.quote = "string", i, c
      return nil
    end
    self.last = "string"
    return j + 1
  elseif s:find("^%-%-", i) then
    local j = long_end(s, i + 2)
    if j == nil then
      j = s:find("\n", i, true)
      j = j and j - 1 or false
    end
    if not j then
      self.where, self.start = "comment", i
      self.long = s:find("^%-%-%[=*%[", i) ~= nil
      return nil
    end
    self:lines(s, i, j)
    return j + 1
  elseif s:find("^%[=*%[", i) then
    local j = long_end(s, i)
    if not j then
      self.where, self.start = "long", i
      return nil
    end
    self:lines(s, i, j)
    self.last = "string"
    return j + 1
  elseif c:find "%d" then
    self.last = "number"
    return i + #s:match("^[%w.]+", i)
  end
  return self:sign(s, c, i)
end

-- Counts the lines of a long token.
function Scan:lines(s, i, j)
  for _ in s:sub(i, j):gmatch "\n" do
    self.line = self.line + 1
  end
end

function Scan:sign(s, c, i)
  if c == "(" or c == "{" or c == "[" then
    self:bracket(c, i)
    self.last = "open"
  elseif pairs_of[c] then
    self:close(c)
    self.last = "close"
  elseif c == "," or c == ";" then
    local top = self.open[#self.open]
    if top and c == "," then
      top.commas, top.arg = top.commas + 1, i + 1
    end
    self.last, self.chain = "sign", nil
  elseif (c == "." or c == ":") and s:sub(i, i + 1) ~= ".." and s:sub(i, i + 1) ~= "::" then
    self.last = (self.last == "name" or self.last == "close") and "dot" or "sign"
  else
    if c == "=" and (self.list == true or self.list == "for") then
      self.list = nil
    end
    self.last, self.chain = "sign", nil
    if s:find("^%.%.", i) then
      return i + 2
    end
  end
  return i + 1
end

local function scan(s)
  local self = setmetatable({open = {}, names = {}, line = 1, where = "code"}, Scan)
  local i = 1
  while i do
    local from = i
    i = s:find("%S", i)
    for _ in s:sub(from, (i or #s + 1) - 1):gmatch "\n" do
      self.line = self.line + 1
      if self.list == true then
        self.list = nil
      end
    end
    i = i and self:token(s, i)
  end
  return self
end

return {scan = scan, keywords = keywords}
